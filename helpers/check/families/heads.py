"""split_heads(x, num_heads) and merge_heads(x): the same cut, there and back."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..space import Case, Choices, Exercise, Finding, Values

# ------------------------------------------------------------------ split_heads
# "takes": which numbers of x a head gets, laid out as (B, T, H, d_k).
# "axes": the order in which the axes B, T, H, d come out.
SPLIT_SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "takes": (
        "blocks",
        {
            "view": "split-by-view",
            "interleaved": "split-interleaved",
            "heads of H": "split-sizes-swapped",
            "tokens": "split-along-tokens",
            "blocks of tokens": "split-along-tokens",
            "first": "split-first-features-only",
            "last": "split-last-features-only",
            "view turned": "split-mixes-tokens-and-features",
            "batch mixed": "split-mixes-samples",
            "heads into batch": "split-mixes-samples",
            "tokens into batch": "split-mixes-samples",
            "x transposed": "split-mixes-tokens-and-features",
            "everything": "split-every-head-gets-all",
            "step of one": "split-overlapping",
            "reversed": "split-heads-reversed",
            "features reversed": "split-features-reversed",
            "one short": "split-one-head-short",
            "first missing": "split-one-head-short",
            "sample 0": "split-sample-0-only",
            "mean": "split-averages",
        },
    ),
    "axes": (
        "BHTd",
        {
            "BTHd": "split-not-transposed",
            "BHdT": "split-features-before-tokens",
            "HBTd": "split-heads-first",
            "list": "split-list-of-heads",
            "(BH)Td": "split-heads-in-batch",
            "(HB)Td": "split-heads-in-batch",
            "BTdH": "split-heads-last",
            "unchanged": "split-unchanged",
            **{
                "".join(axes): "split-other-axes"
                for axes in itertools.permutations("BTHd")
                if "".join(axes) not in ("BHTd", "BTHd", "BHdT", "HBTd", "BTdH")
            },
        },
    ),
}


def split_compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """(B, T, d_model) → (B, H, T, d_k), or as `c` departs."""
    x, heads = case.args
    if c["axes"] == "unchanged":
        return (x,)
    if c["takes"] == "blocks of tokens":
        return (torch.stack(x.chunk(heads, dim=1), 1),)
    cut, how = _cut(x, heads, c["takes"]), c["axes"]
    if how == "list":
        return tuple(cut.unbind(2))
    if how == "(BH)Td":
        return (cut.transpose(1, 2).flatten(0, 1),)
    if how == "(HB)Td":
        return (cut.permute(2, 0, 1, 3).flatten(0, 1),)
    return (cut.permute(*("BTHd".index(axis) for axis in how)),)


def _cut(x: torch.Tensor, heads: int, how: str) -> torch.Tensor:
    """The numbers as (B, T, H, d_k)."""
    (b, t, wide), h = x.shape, heads
    d = wide // h
    if how == "tokens" and t % h:
        raise ValueError("the tokens do not divide")
    blocks = x.reshape(b, t, h, d)
    return {
        "blocks": lambda: blocks,
        "view": lambda: x.reshape(b, h, t, d).transpose(1, 2),
        "tokens": lambda: x.reshape(b, h, t, d).transpose(1, 2),
        "view turned": lambda: x.reshape(b, h, d, t).permute(0, 3, 1, 2),
        "interleaved": lambda: x.reshape(b, t, d, h).transpose(2, 3),
        "heads of H": lambda: x.reshape(b, t, d, h),
        "first": lambda: blocks[:, :, :1].expand(b, t, h, d),
        "last": lambda: blocks[:, :, -1:].expand(b, t, h, d),
        "batch mixed": lambda: (
            blocks.permute(2, 0, 1, 3).reshape(b, h, t, d).transpose(1, 2)
        ),
        "heads into batch": lambda: (
            torch.cat(x.chunk(h, -1), 0).reshape(b, h, t, d).transpose(1, 2)
        ),
        "tokens into batch": lambda: x.reshape(t, b, h, d).transpose(0, 1),
        "x transposed": lambda: x.transpose(1, 2).reshape(b, h, t, d).transpose(1, 2),
        "everything": lambda: x.unsqueeze(2).expand(b, t, h, wide),
        "step of one": lambda: torch.stack([x[..., i : i + d] for i in range(h)], 2),
        "reversed": lambda: blocks.flip(2),
        "features reversed": lambda: blocks.flip(3),
        "one short": lambda: blocks[:, :, :-1],
        "first missing": lambda: blocks[:, :, 1:],
        "sample 0": lambda: blocks[:1],
        "mean": lambda: blocks.mean(2, keepdim=True).expand(b, t, h, d),
    }[how]()


def split_cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide."""
    g = torch.Generator().manual_seed(4001 + seed)

    def case(name, b, t, heads, d, *tags):
        x = torch.randn(b, t, heads * d, generator=g)
        about = f"{b} samples of {t} tokens, {heads} heads of {d} features"
        return Case(name, about, (x, heads), frozenset(tags), 1e-6)

    return [
        case("plain", 2, 5, 3, 7),
        case("other-sizes", 3, 7, 2, 5),
        case("tokens-divide", 2, 6, 3, 5, "a length that num_heads divides"),
        case("one-head", 2, 5, 1, 6, "a single head"),
        case("tokens-are-heads", 2, 4, 4, 3, "as many tokens as heads"),
        case("heads-are-wide", 2, 5, 3, 3, "as many features a head as heads"),
        case("batch-is-heads", 3, 5, 3, 2, "as many samples as heads"),
        case("one-sample", 1, 5, 3, 2, "a single sample"),
        case("all-equal", 3, 3, 3, 3, "as many tokens as heads"),
    ]


def refuses_ragged(trial: behave.Trial) -> Finding | None:
    """A width that the heads do not divide is an error, not a silent loss."""
    if trial.failing:
        return None
    x = torch.arange(100.0).reshape(2, 5, 10)
    outcome = trial.call((x, 3))
    got = trial.values(outcome)
    if got is None or not got[0].numel():
        return None
    evidence = {
        "case": "d_model = 10, num_heads = 3",
        "your shape": str(tuple(got[0].shape)),
        "numbers in": str(x.numel()),
        "numbers out": str(got[0].numel()),
    }
    return Finding("split-ragged-in-silence", {"got": tuple(got[0].shape)}, evidence)


def split_facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    x, heads = case.args
    return {
        "got": tuple(values[0].shape),
        "want": (x.shape[0], heads, x.shape[1], x.shape[2] // heads),
        "heads": heads,
        "d_k": x.shape[2] // heads,
        "d_model": x.shape[2],
        "tokens": x.shape[1],
        "batch": x.shape[0],
        "count": len(values),
    }


# ------------------------------------------------------------------ merge_heads
# "reads": the order of the axes B, H, T, d before they are laid out as (B, T, H·d).
MERGE_SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "reads": (
        "BTHd",
        {
            "BHTd": "merge-by-view",
            "BTdH": "merge-interleaved",
            "BHdT": "merge-turns-tokens-and-features",
            "BdTH": "merge-turns-tokens-and-features",
            "BdHT": "merge-turns-tokens-and-features",
            **{
                "".join(axes): "merge-mixes-samples"
                for axes in itertools.permutations("BHTd")
                if axes[0] != "B"
            },
            "token view": "merge-mixes-samples",
        },
    ),
    "heads": (
        "all",
        {
            "mean": "merge-averages-heads",
            "sum": "merge-sums-heads",
            "max": "merge-largest-of-heads",
            "product": "merge-multiplies-heads",
            "first": "merge-one-head-only",
            "last": "merge-one-head-only",
            "first repeated": "merge-one-head-only",
            "last repeated": "merge-one-head-only",
            "mean repeated": "merge-averages-heads",
            "one short": "merge-one-head-short",
            "first missing": "merge-one-head-short",
            "reversed": "merge-heads-reversed",
            "features reversed": "merge-features-reversed",
            "sample 0": "merge-sample-0-only",
        },
    ),
    "comes out": (
        "BT(Hd)",
        {
            "B(HT)d": "merge-along-tokens",
            "B(TH)d": "merge-along-tokens",
            "BTHd": "merge-stops-early",
            "BHTd": "merge-unchanged",
            "BH(Td)": "merge-flattens-tokens",
            "B(HTd)": "merge-flattens-all",
            "B(THd)": "merge-flattens-all",
            "(BT)(Hd)": "merge-flattens-samples",
            "TB(Hd)": "merge-tokens-first",
            "B(Hd)T": "merge-features-before-tokens",
            "(BH)Td": "merge-into-batch",
            "(HB)Td": "merge-into-batch",
            "BTd,H": "merge-stops-early",
            "1 sample": "merge-sample-0-only",
        },
    ),
}


def merge_compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """(B, H, T, d_k) → (B, T, H · d_k), or as `c` departs."""
    x = _fewer(case.args[0], c["heads"])
    if x.dim() == 3:
        return (x,)
    b, h, t, d = x.shape
    reads, out = c["reads"], c["comes out"]
    if reads == "token view":
        merged = x.transpose(1, 2).reshape(t, b, h * d).transpose(0, 1)
    else:
        order = tuple("BHTd".index(axis) for axis in reads)
        merged = x.permute(*order).reshape(b, t, h * d)
    if out == "BT(Hd)":
        return (merged,)
    apart = merged.reshape(b, t, h, d)
    return (
        {
            "B(HT)d": lambda: apart.transpose(1, 2).reshape(b, h * t, d),
            "B(TH)d": lambda: apart.reshape(b, t * h, d),
            "BTHd": lambda: apart,
            "BTd,H": lambda: apart.transpose(2, 3),
            "BHTd": lambda: apart.transpose(1, 2),
            "BH(Td)": lambda: apart.transpose(1, 2).flatten(2),
            "B(HTd)": lambda: apart.transpose(1, 2).flatten(1),
            "B(THd)": lambda: apart.flatten(1),
            "(BT)(Hd)": lambda: merged.flatten(0, 1),
            "TB(Hd)": lambda: merged.transpose(0, 1),
            "B(Hd)T": lambda: merged.transpose(1, 2),
            "(BH)Td": lambda: apart.transpose(1, 2).flatten(0, 1),
            "(HB)Td": lambda: apart.permute(2, 0, 1, 3).flatten(0, 1),
            "1 sample": lambda: merged[0],
        }[out](),
    )


def _fewer(x: torch.Tensor, how: str) -> torch.Tensor:
    """The heads that take part: 4-D, or 3-D where they became one."""
    return {
        "all": lambda: x,
        "mean": lambda: x.mean(1),
        "sum": lambda: x.sum(1),
        "max": lambda: x.amax(1),
        "product": lambda: x.prod(1),
        "first": lambda: x[:, 0],
        "last": lambda: x[:, -1],
        "first repeated": lambda: x[:, :1].expand_as(x),
        "last repeated": lambda: x[:, -1:].expand_as(x),
        "mean repeated": lambda: x.mean(1, keepdim=True).expand_as(x),
        "one short": lambda: x[:, :-1],
        "first missing": lambda: x[:, 1:],
        "reversed": lambda: x.flip(1),
        "features reversed": lambda: x.flip(3),
        "sample 0": lambda: x[:1],
    }[how]()


def merge_cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, sizes that coincide, another order in memory."""
    g = torch.Generator().manual_seed(4201 + seed)

    def case(name, b, heads, t, d, *tags, strided=False):
        x = torch.randn(b, heads, t, d, generator=g)
        about = f"{b} samples, {heads} heads, {t} tokens, {d} features a head"
        if strided:
            x = x.transpose(1, 2).contiguous().transpose(1, 2)
            about += ", as a split leaves it in memory"
        return Case(name, about, (x,), frozenset(tags), 1e-6)

    return [
        case("plain", 2, 3, 5, 7),
        case("other-sizes", 3, 2, 7, 5),
        case("one-head", 2, 1, 5, 6, "a single head"),
        case("tokens-are-heads", 2, 4, 4, 3, "as many tokens as heads"),
        case("tokens-are-wide", 2, 3, 4, 4, "as many tokens as features a head"),
        case("one-sample", 1, 3, 5, 4, "a single sample"),
        case("batch-is-tokens", 5, 3, 5, 2, "as many samples as tokens"),
        case("after-a-split", 2, 3, 5, 7, "an x that is not contiguous", strided=True),
        case("all-equal", 3, 3, 3, 3, "as many tokens as heads"),
    ]


def merge_facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    b, h, t, d = case.args[0].shape
    return {
        "got": tuple(values[0].shape),
        "want": (b, t, h * d),
        "heads": h,
        "d_k": d,
        "d_model": h * d,
        "tokens": t,
        "batch": b,
        "count": len(values),
    }


EXERCISES = [
    Exercise(
        name="split_heads",
        parts=("heads",),
        space=SPLIT_SPACE,
        compute=split_compute,
        cases=split_cases,
        facts=split_facts,
        argument_names=("x", "num_heads"),
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
            behave.gradients("plain", names=("x",)),
            refuses_ragged,
        ),
        symptoms=(behave.samples_independent, behave.not_finite),
    ),
    Exercise(
        name="merge_heads",
        parts=("merged heads",),
        space=MERGE_SPACE,
        compute=merge_compute,
        cases=merge_cases,
        facts=merge_facts,
        argument_names=("x",),
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
            behave.gradients("plain", names=("x",)),
        ),
        symptoms=(behave.samples_independent, behave.not_finite),
    ),
]
