"""Answers to patch_effect, of lesson 15."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from . import Bank

bank = Bank("patch_effect")


def put(x, position, vector):
    x = x.clone()
    x[position] = vector
    return x


def share(patched, clean, other):
    turn = other - clean
    return (patched - clean) @ turn / (turn @ turn)


@bank.wrong("patch-into-the-other-run")
def noising(run, clean, other, layer, position, readout):
    x = put(other[layer], position, clean[layer][position])
    return share(run(x, layer)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-runs-exchanged")
def names_exchanged(run, other, clean, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return share(run(x, layer)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-whole-layer")
def everything(run, clean, other, layer, position, readout):
    patched = run(other[layer], layer)
    return share(patched[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-layer-off-by-one")
def from_one(run, clean, other, layer, position, readout):
    x = put(clean[layer + 1], position, other[layer + 1][position])
    return share(run(x, layer + 1)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-layer-off-by-one")
def from_one_downwards(run, clean, other, layer, position, readout):
    return right(run, clean, other, layer - 1, position, readout)


@bank.wrong("patch-layer-skipped")
def next_layer(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return share(run(x, layer + 1)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-run-from-layer-0")
def from_the_start(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return share(run(x, 0)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-position-off-by-one")
def cls_forgotten(run, clean, other, layer, position, readout):
    return right(run, clean, other, layer, position - 1, readout)


@bank.wrong("patch-length-only")
def how_far(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return ((y - c).norm() / (o - c).norm()).item()


@bank.wrong("patch-length-only")
def squared_length(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return ((y - c) ** 2).sum() / ((o - c) ** 2).sum()


@bank.wrong("patch-distance-left")
def how_near(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return 1 - torch.dist(y, o) / torch.dist(c, o)


@bank.wrong("patch-not-run-on")
def in_the_layer(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return share(x[readout], clean[layer][readout], other[layer][readout])


@bank.wrong("patch-read-where-patched")
def at_the_patch(run, clean, other, layer, position, readout):
    return right(run, clean, other, layer, position, position)


@bank.wrong("patch-at-the-readout")
def patched_at_it(run, clean, other, layer, position, readout):
    return right(run, clean, other, layer, readout, readout)


@bank.wrong("changes-argument")
def in_place(run, clean, other, layer, position, readout):
    x = clean[layer]
    x[position] = other[layer][position]
    return share(run(x, layer)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-with-zeros")
def zeroed(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, 0)
    return share(run(x, layer)[readout], clean[-1][readout], other[-1][readout])


@bank.wrong("patch-share-left")
def what_is_missing(run, clean, other, layer, position, readout):
    return 1 - right(run, clean, other, layer, position, readout)


@bank.wrong("patch-direction-only")
def cosine_of_moves(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return F.cosine_similarity(y - c, o - c, dim=0)


@bank.wrong("patch-likeness")
def like_the_other(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return F.cosine_similarity(run(x, layer)[readout], other[-1][readout], dim=0)


@bank.wrong("patch-not-divided")
def dot_product(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return (y - c) @ (o - c)


@bank.wrong("patch-divided-by-the-length")
def divided_once(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return (y - c) @ (o - c) / (o - c).norm()


@bank.wrong("patch-mean-of-quotients")
def number_by_number(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return ((y - c) / (o - c)).mean()


@bank.wrong("patch-read-everywhere")
def all_positions(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v.flatten() for v in (run(x, layer), clean[-1], other[-1]))
    return share(y, c, o)


@bank.wrong("patch-compared-in-the-layer")
def two_depths(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return share(run(x, layer)[readout], clean[layer][readout], other[layer][readout])


@bank.wrong("patch-clean-not-subtracted")
def vector_itself(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    return y @ (o - c) / ((o - c) @ (o - c))


@bank.wrong("patch-layer-off-by-one", "patch-length-only")
def two_at_once(run, clean, other, layer, position, readout):
    x = put(clean[layer + 1], position, other[layer + 1][position])
    y, c, o = (v[readout] for v in (run(x, layer + 1), clean[-1], other[-1]))
    return (y - c).norm() / (o - c).norm()


@bank.right
def right(run, clean, other, layer, position, readout):
    x = put(clean[layer], position, other[layer][position])
    return share(run(x, layer)[readout], clean[-1][readout], other[-1][readout])


@bank.right
def with_where(run, clean, other, layer, position, readout):
    here = (torch.arange(clean.shape[1]) == position)[:, None]
    patched = run(torch.where(here, other[layer], clean[layer]), layer)[readout]
    turn = other[-1, readout] - clean[-1, readout]
    moved = patched - clean[-1, readout]
    return float(torch.sum(moved * turn) / torch.sum(turn**2))


@bank.right
def by_pieces(run, clean, other, layer, position, readout):
    before, after = clean[layer, :position], clean[layer, position + 1 :]
    x = torch.cat([before, other[layer, position : position + 1], after])
    y, c, o = (v[readout] for v in (run(x, layer), clean[-1], other[-1]))
    cosine = F.cosine_similarity(y - c, o - c, dim=0)
    return cosine * (y - c).norm() / (o - c).norm()


@bank.right
def by_least_squares(run, clean, other, layer, position, readout):
    x = clean[layer].clone()
    x[position] = other[layer, position]
    y = run(x, layer)[readout] - run(clean[layer], layer)[readout]
    turn = (other[-1] - clean[-1])[readout]
    return torch.linalg.lstsq(turn[:, None], y[:, None]).solution


@bank.right
def one_layer_after_the_other(run, clean, other, layer, position, readout):
    x = torch.stack([*clean[layer]])
    x[position] += other[layer, position] - clean[layer, position]
    last = run(x, layer)
    c, o = clean[-1].numpy()[readout], other[-1].numpy()[readout]
    y = last.numpy()[readout]
    return ((y - c) * (o - c)).sum() / ((o - c) ** 2).sum()
