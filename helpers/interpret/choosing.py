"""Choose the best of many heads fairly, and see what luck alone would have found.

The best of 72 looks good where it was chosen, whatever it does. So we choose on some
cases, score on others, and do the same with labels that mean nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from helpers.interpret.heads import both_right, targets
from helpers.interpret.intervals import wilson
from helpers.tasks.minimal_pairs import Pair
from helpers.tasks.sentences import Link, words


@dataclass(frozen=True)
class Score:
    """A head, chosen on some cases and scored on others.

    Attributes:
        head: number of the head.
        chosen_share: its share of right cases among those on which it was chosen.
        right, of: how many of the other cases are right, and how many there are.
    """

    head: int
    chosen_share: float
    right: int
    of: int

    @property
    def share(self) -> float:
        """right / of."""
        return self.right / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """95% interval of the share."""
        return wilson(self.right, self.of)


def held_out(cases: Sequence[Link | Pair]) -> Tensor:
    """(cases,) bool: True where the number is odd; those cases are for scoring only.

    Cases of one sentence, or pairs from one frame, share their number and so their
    side.
    """
    return torch.tensor([case.number for case in cases]) % 2 == 1


def choose_and_score(hits: Tensor, scored: Tensor) -> Score:
    """Choose the best head on some of the cases and score it on the rest.

    Args:
        hits: (cases, heads) bool.
        scored: (cases,) bool, True for the cases that are held out for scoring.

    Returns:
        The score; of heads that are equally good the first is chosen.
    """
    shares = hits[~scored].double().mean(dim=0)
    head = int(shares.argmax())
    unseen = hits[scored, head]
    return Score(head, float(shares[head]), int(unseen.sum()), len(unseen))


def best_offset(links: Sequence[Link], scored: Tensor) -> Score:
    """The same with fixed offsets in place of heads: 'always one to the right'.

    Args:
        links: the marked pairs.
        scored: (links,) bool, True = held out.

    Returns:
        The score, with the offset as its head: +1 is the next word.
    """
    offsets = [link.target - link.source for link in links]
    seen = [o for o, out in zip(offsets, scored.tolist()) if not out]
    unseen = [o for o, out in zip(offsets, scored.tolist()) if out]
    ((offset, count),) = Counter(seen).most_common(1)
    return Score(offset, count / len(seen), unseen.count(offset), len(unseen))


def shuffled_targets(links: Sequence[Link], seed: int) -> Tensor:
    """(links, 1): for each link a random other word, in place of the right one."""
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.rand(len(links), generator=generator)
    sizes = torch.tensor([len(words(link.sentence)) for link in links])
    others = (drawn * (sizes - 1)).long()
    sources = torch.tensor([link.source for link in links])
    return (others + (others >= sources)).unsqueeze(1)


def shuffled_scores(
    winners: Tensor, links: Sequence[Link], draws: int, seed: int
) -> list[Score]:
    """Choose and score as before, each time with other random targets.

    Args:
        winners: (links, heads), from `most_looked_at`.
        links: the marked pairs.
        draws: how often.
        seed: of the first draw; the others count on from it.
    """
    scored = held_out(links)
    return [
        choose_and_score(winners == shuffled_targets(links, seed + draw), scored)
        for draw in range(draws)
    ]


def rivals_of(
    winners: Tensor, control: Tensor, links: Sequence[Link], draws: int, seed: int
) -> dict[str, float]:
    """What a head that was chosen for a relation must be compared with.

    Args:
        winners: (links, heads), from `most_looked_at`.
        control: the same of a network with random parameters.
        links: the marked pairs.
        draws: how often the labels are shuffled.
        seed: of the first draw.

    Returns:
        The share of hits of the best fixed offset and of the chosen head of the
        control, both on unseen cases; and the share that the best head reaches with
        shuffled labels where it is chosen, which 95 of 100 shuffles stay below.
    """
    scored = held_out(links)
    lucky = shuffled_scores(winners, links, draws, seed)
    return {
        "best fixed offset": best_offset(links, scored).share,
        "random parameters": choose_and_score(control == targets(links), scored).share,
        "shuffled": torch.tensor([score.chosen_share for score in lucky])
        .quantile(0.95)
        .item(),
    }


def swap_labels(leans: Tensor, pairs: Sequence[Pair], seed: int) -> Tensor:
    """The labels shuffled: in half of the pairs the two sentences are swapped.

    Pairs with one number change together, because they resemble each other.
    """
    generator = torch.Generator().manual_seed(seed)
    numbers = [pair.number for pair in pairs]
    flip = torch.rand(max(numbers) + 1, generator=generator) < 0.5
    return torch.where(flip[numbers][:, None, None], leans.flip(1), leans)


def best_by_luck(
    leans: Tensor,
    pairs: Sequence[Pair],
    draws: int,
    seed: int,
    judge: Callable[[Tensor], Tensor] = both_right,
) -> float:
    """The share of pairs that the best head reaches with shuffled labels.

    95 of 100 shuffles stay below it. Nothing is held out here: it is to be compared
    with the best share over all pairs.

    Args:
        leans: (pairs, 2, heads).
        pairs: the pairs.
        draws: how often to shuffle.
        seed: of the first draw; the others count on from it.
        judge: (pairs, 2, heads) → (pairs, heads) bool, what counts as right.
    """
    best = [
        judge(swap_labels(leans, pairs, seed + draw)).double().mean(dim=0).max()
        for draw in range(draws)
    ]
    return torch.stack(best).quantile(0.95).item()


def choosing_on_few(
    leans: Tensor, pairs: Sequence[Pair], sizes: Sequence[int], draws: int, seed: int
) -> dict[str, list[float]]:
    """Choose the best head on a few random pairs; mean shares over the draws.

    Args:
        leans: (pairs, 2, heads).
        pairs: the pairs.
        sizes: on how many pairs to choose; one result each.
        draws: how often.
        seed: of the draws.

    Returns:
        "where it was chosen", "unseen pairs" and "chosen, shuffled" → one share
        per size.
    """
    generator = torch.Generator().manual_seed(seed)
    right = both_right(leans)
    lucky = [
        both_right(swap_labels(leans, pairs, seed + draw)) for draw in range(draws)
    ]

    def once(size: int, luck: Tensor) -> Iterator[float]:
        unseen = torch.ones(len(pairs), dtype=torch.bool)
        unseen[torch.randperm(len(pairs), generator=generator)[:size]] = False
        score = choose_and_score(right, unseen)
        yield from (score.chosen_share, score.share)
        yield choose_and_score(luck, unseen).chosen_share

    rows = [
        torch.tensor([list(once(size, luck)) for luck in lucky]).mean(dim=0).tolist()
        for size in sizes
    ]
    names = ("where it was chosen", "unseen pairs", "chosen, shuffled")
    return {name: list(shares) for name, shares in zip(names, zip(*rows))}
