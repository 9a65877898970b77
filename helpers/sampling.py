"""From logits to a text: temperature, top-k, top-p, and measures of what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from helpers.tasks.alice import words_of


def chances(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Tensor:
    """The probabilities that the next token is drawn from.

    softmax(logits / temperature), then only the top_k likeliest, then only the
    likeliest whose sum first reaches top_p; what is left is divided by its sum.

    Args:
        logits: (..., vocabulary).
        temperature: 0 keeps the likeliest token alone.
        top_k: how many tokens are kept; ties at the border are all kept.
        top_p: the probability that is kept, above 0.

    Returns:
        (..., vocabulary); each row sums to 1.

    Raises:
        ValueError: if temperature is below 0, top_k below 1 or top_p not in (0, 1].

    Source: Holtzman et al. (2020), section 3 (top-p).

    >>> chances(torch.tensor([0.1, 0.4, 0.05, 0.45]).log(), top_p=0.5)
    tensor([0.0000, 0.4706, 0.0000, 0.5294])
    """
    out_of_range = top_p is not None and not 0 < top_p <= 1
    if temperature < 0 or (top_k is not None and top_k < 1) or out_of_range:
        raise ValueError(
            f"temperature must be 0 or more, top_k 1 or more and top_p in (0, 1]; got "
            f"{temperature}, {top_k}, {top_p}"
        )
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)
    p = (logits / temperature).softmax(dim=-1)
    if top_k is not None:
        least = p.topk(min(top_k, p.shape[-1]), dim=-1).values[..., -1:]
        p = p.masked_fill(p < least, 0.0)
        p = p / p.sum(dim=-1, keepdim=True)
    if top_p is not None:
        ranked, order = p.sort(dim=-1, descending=True)
        before = ranked.cumsum(dim=-1) - ranked
        kept = ranked.masked_fill(before >= top_p, 0.0)
        p = torch.zeros_like(p).scatter(-1, order, kept)
    return p / p.sum(dim=-1, keepdim=True)


@torch.no_grad()
def write_on(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    count: int,
    context: int,
    seed: int,
    **how: float,
) -> Tensor:
    """Continue texts; every token is drawn from the last `context` tokens.

    Args:
        model: (B, T) tokens → (B, T, vocabulary) logits.
        prompts: (B, n) tokens.
        count: how many to append.
        context: how many the model is shown.
        seed: of the draws.
        how: of `chances`.

    Returns:
        (B, count): the new tokens only.
    """
    g, tokens = torch.Generator().manual_seed(seed), prompts
    for _ in range(count):
        p = chances(model(tokens[:, -context:])[:, -1], **how)
        tokens = torch.cat([tokens, torch.multinomial(p, 1, generator=g)], dim=1)
    return tokens[:, prompts.shape[1] :]


def share_known(texts: Sequence[str], known: set[str]) -> float:
    """The share of the words of three letters or more that are known; 0 for no words.

    The first and the last word of each text may be cut off and do not count.

    >>> share_known(["...the cat sta the mat and"], {"cat", "mat"})
    0.5
    """
    words = [w for t in texts for w in words_of(t, 1)[1:-1] if len(w) >= 3]
    return sum(w in known for w in words) / max(1, len(words))


def share_distinct(texts: Sequence[str], length: int = 3) -> float:
    """Of all runs of `length` words, the share that are different; 0 for none.

    >>> share_distinct(["to be or to be or"])
    0.75
    """
    runs = []
    for text in texts:
        words = words_of(text, 1)
        runs += [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]
    return len(set(runs)) / max(1, len(runs))
