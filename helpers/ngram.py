"""n-gram models of a text: count what followed the last characters, and interpolate.

Two classics: Witten–Bell and modified Kneser–Ney. Both start from a uniform guess and
correct it by what followed the last 0, 1, 2, … characters in the training text.
"""

from __future__ import annotations

import numpy as np
from torch import Tensor

Numbers = np.ndarray


class NGram:
    """p(character | the order - 1 characters before it).

    Witten–Bell: p_k(c) = (count(c) + t · p_{k-1}(c)) / (n + t), with n the tokens seen
    after this context and t the different ones. Kneser–Ney: a discount is taken from
    every count and given to p_{k-1}; below the highest order it counts in how many
    contexts a character was seen, instead of how often.

    Args:
        data: (N,) token ids of the training text.
        order: characters that it looks at, the predicted one included; at least 1.
        vocabulary: number of different tokens.
        kind: "witten-bell" or "kneser-ney".

    Raises:
        ValueError: if order or kind is not one of these.

    Source: Witten & Bell (1991); Chen & Goodman (1998), equations 18 to 27.
    """

    def __init__(
        self, data: Tensor, order: int, vocabulary: int, kind: str = "kneser-ney"
    ) -> None:
        if order < 1 or kind not in ("witten-bell", "kneser-ney"):
            raise ValueError(f"no such model: order {order!r}, kind {kind!r}")
        self.order, self.vocabulary, self.kind = order, vocabulary, kind
        ids = data.numpy()
        grams = [_codes(ids, length, vocabulary) for length in range(order + 1)]
        self._tables = []
        for k in range(order):
            seen = grams[k + 1]
            if kind == "kneser-ney" and k < order - 1:
                # one for each different token to the left
                seen = np.unique(grams[k + 2]) % vocabulary ** (k + 1)
            self._tables.append(self._table(seen))

    def _table(self, seen: Numbers) -> tuple[Numbers, ...]:
        keys, counts = np.unique(seen, return_counts=True)
        contexts, start = np.unique(keys // self.vocabulary, return_index=True)
        total = np.add.reduceat(counts, start)
        if self.kind == "witten-bell":
            freed = np.diff(np.append(start, len(keys)))  # t: different successors
            return keys, counts, contexts, total + freed, freed
        discount = _discounts(counts)[np.minimum(counts, 3)]
        freed = np.add.reduceat(discount, start)
        return keys, counts - discount, contexts, total, freed

    def chances(self, data: Tensor) -> Numbers:
        """What each token of a text was given by those before it, (N,)."""
        ids = data.numpy()
        p = np.full(len(ids), 1 / self.vocabulary)
        for k, table in enumerate(self._tables):
            p[k:] = self._corrected(p[k:], ids, k, table)
        return p

    def next(self, context: Tensor) -> Numbers:
        """The chances of every token after one context, (vocabulary,)."""
        ids = context.numpy()[max(0, len(context) - self.order + 1) :]
        p = np.full(self.vocabulary, 1 / self.vocabulary)
        for k in range(len(ids) + 1):
            code = _codes(ids[len(ids) - k :], k, self.vocabulary)[:1]
            p = self._mixed(p, code, np.arange(self.vocabulary), self._tables[k])
        return p

    def bits(self, data: Tensor) -> float:
        """Bits for each token of a text but the first: the mean of -log2 p."""
        return float(-np.log2(self.chances(data)[1:]).mean())

    def _corrected(
        self, p: Numbers, ids: Numbers, k: int, table: tuple[Numbers, ...]
    ) -> Numbers:
        before = _codes(ids, k, self.vocabulary)[: len(p)]
        return self._mixed(p, before, ids[k:], table)

    def _mixed(
        self, p: Numbers, context: Numbers, token: Numbers, table: tuple[Numbers, ...]
    ) -> Numbers:
        keys, counts, contexts, total, freed = table
        count = _look_up(keys, counts, context * self.vocabulary + token)
        n, f = (_look_up(contexts, values, context) for values in (total, freed))
        return np.where(n > 0, (count + f * p) / np.maximum(n, 1), p)


def _codes(ids: Numbers, length: int, vocabulary: int) -> Numbers:
    """One number for each run of `length` tokens, (N - length + 1,)."""
    code = np.zeros(len(ids) - length + 1, dtype=np.int64)
    for place in range(length):
        code = code * vocabulary + ids[place : place + len(code)]
    return code


def _discounts(counts: Numbers) -> Numbers:
    """Discounts of counts 0, 1, 2, and 3 or more, from how many there are of each."""
    n1, n2, n3, n4 = (max(1, int((counts == i).sum())) for i in (1, 2, 3, 4))
    y = n1 / (n1 + 2 * n2)
    found = [0, 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3]
    return np.clip(found, [0, 0.01, 0.01, 0.01], [0, 1, 2, 3])


def _look_up(keys: Numbers, values: Numbers, wanted: Numbers) -> Numbers:
    """The value of each wanted key; 0 where there is none."""
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], 0.0)
