"""Answers to effect_of_row."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

from . import Bank

bank = Bank("effect_of_row")


def hide(source_mask, row):
    return (torch.arange(source_mask.shape[-1]) == row[:, None])[:, None, None]


def share(decode, mask, target, counts):
    return (decode(mask).argmax(-1) == target)[counts].float().mean()


@bank.right
def with_arange(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    before = share(decode, source_mask, target, counts)
    return (before - share(decode, seen, target, counts)).item()


@bank.right
def with_one_hot(decode, source_mask, row, target, counts):
    own = F.one_hot(row, source_mask.shape[-1]).bool()[:, None, None]
    masks = (source_mask, source_mask & ~own)
    before, after = (share(decode, mask, target, counts) for mask in masks)
    return before - after


@bank.right
def with_a_clone(decode, source_mask, row, target, counts):
    seen = source_mask.clone()
    seen[torch.arange(len(row)), 0, 0, row] = False
    right = [(decode(m).argmax(dim=2) == target) & counts for m in (source_mask, seen)]
    return float((right[0].sum() - right[1].sum()) / counts.sum())


@bank.right
def with_scatter_and_a_loop(decode, source_mask, row, target, counts):
    seen = source_mask.scatter(-1, row[:, None, None, None], False)
    lost = n = 0
    first, then = decode(source_mask).argmax(-1), decode(seen).argmax(-1)
    for b in range(target.shape[0]):
        for t in range(target.shape[1]):
            if counts[b, t]:
                n += 1
                lost += int(first[b, t] == target[b, t])
                lost -= int(then[b, t] == target[b, t])
    return lost / n


@bank.right
def in_numpy(decode, source_mask, row, target, counts):
    seen = source_mask * (1 - hide(source_mask, row).int())
    hits = [(decode(m).argmax(-1) == target).numpy() for m in (source_mask, seen)]
    return np.float64(hits[0][counts].mean() - hits[1][counts].mean())


@bank.right
def a_mask_for_every_query(decode, source_mask, row, target, counts):
    full = source_mask.expand(-1, 1, target.shape[1], -1)
    before = share(decode, full, target, counts)
    return before - share(decode, full & ~hide(source_mask, row), target, counts)


@bank.wrong("effect-padding-shown")
def source_mask_forgotten(decode, source_mask, row, target, counts):
    before = share(decode, source_mask, target, counts)
    return before - share(decode, ~hide(source_mask, row), target, counts)


@bank.wrong("effect-only-row-kept")
def inverted(decode, source_mask, row, target, counts):
    before = share(decode, source_mask, target, counts)
    seen = source_mask & hide(source_mask, row)
    return before - share(decode, seen, target, counts)


@bank.wrong("all-zeros")
def same_mask_twice(decode, source_mask, row, target, counts):
    before = share(decode, source_mask, target, counts)
    return before - share(decode, source_mask, target, counts)


@bank.wrong("effect-first-row-for-all")
def one_row_for_all(decode, source_mask, row, target, counts):
    seen = source_mask.clone()
    seen[..., row[0]] = False
    before = share(decode, source_mask, target, counts)
    return before - share(decode, seen, target, counts)


@bank.wrong("effect-rows-of-all-hidden")
def every_row_for_all(decode, source_mask, row, target, counts):
    seen = source_mask.clone()
    seen[..., row] = False
    before = share(decode, source_mask, target, counts)
    return before - share(decode, seen, target, counts)


@bank.wrong("effect-all-words")
def all_words(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    hits = [decode(m).argmax(-1) == target for m in (source_mask, seen)]
    return hits[0].float().mean() - hits[1].float().mean()


@bank.wrong("effect-all-as-divisor")
def divided_by_all(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    hits = [(decode(m).argmax(-1) == target) & counts for m in (source_mask, seen)]
    return hits[0].float().mean() - hits[1].float().mean()


@bank.wrong("effect-share-after")
def only_after(decode, source_mask, row, target, counts):
    return share(decode, source_mask & ~hide(source_mask, row), target, counts)


@bank.wrong("effect-errors-after")
def errors_after(decode, source_mask, row, target, counts):
    return 1 - share(decode, source_mask & ~hide(source_mask, row), target, counts)


@bank.wrong("effect-sign")
def the_other_way(decode, source_mask, row, target, counts):
    after = share(decode, source_mask & ~hide(source_mask, row), target, counts)
    return after - share(decode, source_mask, target, counts)


@bank.wrong("effect-change-not-error")
def changed(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    first, then = decode(source_mask).argmax(-1), decode(seen).argmax(-1)
    return (first != then)[counts].float().mean()


@bank.wrong("effect-relative")
def as_a_part(decode, source_mask, row, target, counts):
    before = share(decode, source_mask, target, counts)
    after = share(decode, source_mask & ~hide(source_mask, row), target, counts)
    return 1 - after / before


@bank.wrong("effect-count")
def how_many(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    hits = [(decode(m).argmax(-1) == target)[counts] for m in (source_mask, seen)]
    return (hits[0].sum() - hits[1].sum()).item()


@bank.wrong("effect-mean-of-sentences")
def sentence_by_sentence(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    first, then = (decode(m).argmax(-1) == target for m in (source_mask, seen))
    lost = [
        a[c].float().mean() - b[c].float().mean()
        for a, b, c in zip(first, then, counts)
        if c.any()
    ]
    return torch.stack(lost).mean()


@bank.wrong("effect-padding-shown", "effect-all-words")
def two_mistakes(decode, source_mask, row, target, counts):
    hits = [
        decode(m).argmax(-1) == target for m in (source_mask, ~hide(source_mask, row))
    ]
    return hits[0].float().mean() - hits[1].float().mean()


@bank.wrong("effect-all-hidden")
def nothing_left(decode, source_mask, row, target, counts):
    before = share(decode, source_mask, target, counts)
    return before - share(decode, source_mask & False, target, counts)


@bank.wrong("changes-argument")
def in_place(decode, source_mask, row, target, counts):
    before = share(decode, source_mask, target, counts)
    source_mask[torch.arange(len(row)), 0, 0, row] = False
    return before - share(decode, source_mask, target, counts)


@bank.wrong("inner-arguments")
def a_keyword_of_torch(decode, source_mask, row, target, counts):
    seen = source_mask & ~hide(source_mask, row)
    before = share(decode, source_mask, target, counts)
    return before - share(lambda m: decode(attn_mask=m), seen, target, counts)
