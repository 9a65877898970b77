"""Requests: a stream in which attention has work for one token in four.

Each token shows a word and a payload. One in four also asks for a word that was shown a
short time ago, and has to say its payload. The others, the quiet tokens, have to say
the class of their own word, for which they need no other token.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

NUM_WORDS, NUM_PAYLOADS, WINDOW, ASK = 32, 8, 16, 0.25
CLASSES = torch.arange(NUM_WORDS) % NUM_PAYLOADS
"""Word -> its class; 4 words each."""
NOTHING = NUM_WORDS + NUM_PAYLOADS + NUM_WORDS
BOS = NOTHING + 1


@dataclass(frozen=True)
class RequestBatch:
    """Streams of n tokens; no word comes twice within WINDOW - 1 tokens.

    symbols: (B, n, 3), each token's word, payload and asked word (or NOTHING).
    answer: (B, n), what it has to say.
    asks: (B, n), True where the token asks.
    """

    symbols: Tensor
    answer: Tensor
    asks: Tensor


def request_batch(
    generator: torch.Generator, batch: int = 64, n: int = WINDOW, bos: bool = True
) -> RequestBatch:
    """Draw streams; chance is 1 / NUM_PAYLOADS = 1/8 for both kinds of token.

    Args:
        generator: where the random numbers come from.
        batch: number of streams B.
        n: tokens of a stream.
        bos: True puts a token in front that shows nothing, and is never asked for.
    """
    words = _words(generator, batch, n)
    payload = torch.randint(NUM_PAYLOADS, (batch, n), generator=generator)
    places = torch.arange(n)
    most = (places - int(bos)).clamp(1, WINDOW - 3)
    ago = 1 + (torch.rand(batch, n, generator=generator) * most).long()
    source = (places - ago).clamp(min=0)
    asks = torch.rand(batch, n, generator=generator) < ASK
    asks &= places >= 1 + int(bos)
    asked = torch.where(
        asks, NUM_WORDS + NUM_PAYLOADS + words.gather(1, source), NOTHING
    )
    symbols = torch.stack([words, NUM_WORDS + payload, asked], dim=-1)
    if bos:
        symbols[:, 0] = BOS
    answer = torch.where(asks, payload.gather(1, source), CLASSES[words])
    return RequestBatch(symbols, answer, asks)


def _words(generator: torch.Generator, batch: int, n: int) -> Tensor:
    """(batch, n): words; the last WINDOW - 1 entries of `order` are the latest."""
    order = torch.rand(batch, NUM_WORDS, generator=generator).argsort(dim=1)
    free, rows, words = NUM_WORDS - (WINDOW - 1), torch.arange(batch), []
    for _ in range(n):
        pick = torch.randint(free, (batch,), generator=generator)
        word = order[rows, pick]
        words.append(word)
        order[rows, pick] = order[:, free]
        parts = [order[:, :free], order[:, free + 1 :], word[:, None]]
        order = torch.cat(parts, dim=1)
    return torch.stack(words, dim=1)
