"""Choose the best of many heads fairly, and see what luck alone would have found.

The best of 72 looks good where it was chosen, whatever it does. So we choose on some
cases, score on others, and do the same with labels that mean nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from helpers.interpret.heads import targets
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
