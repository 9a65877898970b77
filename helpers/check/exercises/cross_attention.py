"""cross_attention(mha, decoder_out, encoder_out, mask=None) -> (output, weights)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..program import Lines, Program
from ..space import Case, Exercise, Finding, Values
from ._draw import padded

LINES: Lines = {
    "tril": ("torch.ones(D.shape[1], E.shape[1]).tril().bool()", {}),
    "late": ("tril.new_ones(tril.shape).tril(E.shape[1] - D.shape[1])", {}),
    "given": (
        "mask",
        {
            "None": "cross-mask-dropped",
            "~mask": "mask-inverted",
            "mask.mT": "mask-transposed",
            "mask.flip(-1)": "mask-flipped",
            "mask[:1]": "mask-of-first-sample",
            "mask[..., :1, :]": "mask-of-first-query",
            "mask & False": "everything-masked",
            "mask & ~torch.eye(D.shape[1], E.shape[1]).bool()": "mask-self-forbidden",
        },
    ),
    "keep": (
        "given",
        {
            "tril if given is None else tril & given": "cross-always-causal",
            "late if given is None else late & given": "cross-always-causal",
            "tril": "cross-causal-instead",
            "late": "cross-causal-instead",
            "tril if given is None else given": "cross-causal-without-mask",
        },
    ),
    "call": (
        "lambda q, k, v: mha(q, k, v) if keep is None else mha(q, k, v, keep)",
        {},
    ),
    "both": (
        "(D, E)",
        {
            "(norm(D), norm(E))": "cross-layer-norm",
            "(mha(D, D, D)[0], E)": "cross-self-attention-first",
            "(D + mha(D, D, D)[0], E)": "cross-self-attention-first",
            "(D, mha(E, E, E)[0])": "cross-encoder-attends-first",
            "(D, torch.cat([D, E], 1))": "cross-sentences-joined",
            "(torch.cat([D, E], 1), torch.cat([D, E], 1))": "cross-sentences-joined",
        },
    ),
    "d": ("both[0]", {}),
    "e": ("both[1]", {}),
    "asked": (
        "call(d, e, e)",
        {
            "call(e, d, d)": "cross-roles-swapped",
            "call(d, e, d)": "cross-v-from-decoder",
            "call(d, d, e)": "cross-k-from-decoder",
            "call(e, d, e)": "cross-key-first",
            "call(e, e, d)": "cross-value-first",
            "call(d, d, d)": "cross-decoder-only",
            "call(e, e, e)": "cross-encoder-only",
            "call(call(d, e, e)[0], e, e)": "cross-twice",
            "call(d + call(d, e, e)[0], e, e)": "cross-twice",
            "turned(call, d, e)": "cross-batch-and-tokens-exchanged",
        },
    ),
    "out": (
        "asked[0]",
        {
            "asked[0] + d": "cross-residual",
            "asked[0] + e": "cross-residual",
            "norm(asked[0] + d)": "cross-residual-and-norm",
            "norm(asked[0])": "cross-layer-norm",
        },
    ),
    "w": ("asked[1]", {}),
    "returned": (
        "(out, w)",
        {
            "(out,)": "returns-output-only",
            "(w,)": "returns-weights-only",
            "(w, out)": "returns-swapped",
            "(out, w.mean(1))": "weights-averaged-over-heads",
            "(out, w[:, 0])": "returns-head-0-weights",
            "(out, w.mT)": "returned-weights-transposed",
            "(out, out)": "returns-output-twice",
            "(out, w, out)": "returns-three",
        },
    ),
}


def norm(x: torch.Tensor) -> torch.Tensor:
    """A layer norm without parameters."""
    return layer_norm(x, x.shape[-1:])


def turned(call: Any, d: torch.Tensor, e: torch.Tensor) -> Values:
    """Tokens taken for samples."""
    d, e = d.transpose(0, 1), e.transpose(0, 1)
    out, w = call(d, e, e)
    return out.transpose(0, 1), w


class Attention(nn.Module):
    """What the learner's function is given: multi-head attention that only computes."""

    def __init__(self, d_model: int, num_heads: int, g: torch.Generator) -> None:
        super().__init__()
        self.d_model, self.num_heads = d_model, num_heads
        self.d_k = d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            layer = nn.Linear(d_model, d_model)
            with torch.no_grad():
                layer.weight.normal_(0, 1.2 / d_model**0.5, generator=g)
                layer.bias.normal_(0, 0.4, generator=g)
            setattr(self, name, layer)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """(output, weights), without any check of what it is given."""

        layers = (self.W_q, self.W_k, self.W_v)
        given = (query, key, value)
        q, k, v = (self.split_heads(layer(x)) for layer, x in zip(layers, given))
        scores = q @ k.transpose(-2, -1) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = torch.softmax(scores, -1).nan_to_num(0.0)
        return self.W_o(self.merge_heads(weights @ v)), weights

    def split_heads(self, x: torch.Tensor) -> torch.Tensor:
        """(B, T, d_model) → (B, H, T, d_k)."""
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def merge_heads(self, x: torch.Tensor) -> torch.Tensor:
        """(B, H, T, d_k) → (B, T, d_model)."""
        return x.transpose(1, 2).flatten(2)


def cases(seed: int) -> Sequence[Case]:
    """Lengths that differ, lengths that agree; with and without a mask."""
    g = torch.Generator().manual_seed(8009 + seed)
    mha = Attention(15, 3, g).eval()

    def pair(b: int, n_d: int, n_e: int) -> tuple[Tensor, Tensor]:
        first = torch.randn(b, n_d, 15, generator=g)
        return first, torch.randn(b, n_e, 15, generator=g)

    plain, square, short = pair(2, 5, 7), pair(2, 5, 5), pair(3, 6, 4)
    some = torch.rand(2, 1, 5, 7, generator=g) > 0.4
    some[..., 1] = True
    some[:, :, 2, 4] = False
    m = "a mask"

    def case(
        name: str,
        about: str,
        tensors: tuple[Tensor, Tensor],
        mask: Tensor | None = None,
        *tags: str,
    ) -> Case:
        tags = ((m,) if mask is not None else ()) + tags
        return Case(name, about, (mha, *tensors, mask), frozenset(tags), 2e-4)

    longer = "an encoder longer than the decoder"
    return [
        case("plain", longer, plain),
        case("square", "decoder and encoder of one length", square),
        case("short", "a decoder longer than the encoder", short),
        case("masked", f"{longer}, padded", plain, padded(7, 4, 6)),
        case(
            "square-masked", "one length, the encoder padded", square, padded(5, 3, 4)
        ),
        case("short-masked", "a longer decoder, padding", short, padded(4, 4, 2, 3)),
        case("per-query", "a mask (batch, 1, n_q, n_k)", plain, some),
        case("one-sample", "one sample", pair(1, 5, 7), None, "one sample"),
        case("one-token", "a decoder of one token", pair(2, 1, 7), None, "one token"),
    ]


def call(
    answer: Any,
    mha: Any,
    decoder_out: Tensor,
    encoder_out: Tensor,
    mask: Tensor | None,
) -> Any:
    """As the exercise calls it; without a mask, with three arguments."""
    if mask is None:
        return answer(mha, decoder_out, encoder_out)
    return answer(mha, decoder_out, encoder_out, mask)


def gradients(trial: Trial) -> Finding | None:
    """Both sentences get a gradient."""
    case = trial.cases[trial.case("plain")]
    if trial.failing:
        return None

    def reach(*args: Any) -> list[bool]:
        mha, d, e, mask = args
        d, e = d.requires_grad_(), e.requires_grad_()
        out = call(trial.answer, mha, d, e, mask)[0]
        out.square().sum().backward()
        return [x.grad is not None and bool(x.grad.any()) for x in (d, e)]

    outcome = guard.run(reach, case.args, by=trial.answer)
    names = ("decoder_out", "encoder_out")
    if outcome.trouble is not None:
        no_graph = "does not require grad" in outcome.trouble.text
        facts = {"lost": " and ".join(names), "text": outcome.trouble.text}
        return Finding("no-gradient" if no_graph else "gradient-raises", facts)
    lost = [n for n, r in zip(names, outcome.value, strict=True) if not r]
    if not lost:
        return None
    return Finding("some-gradient-lost", {"lost": " and ".join(lost)})


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Lengths, and what hidden tokens keep."""
    _, d, e, mask = case.args
    w = values[-1]
    out: dict[str, Any] = {"n_d": d.shape[1], "n_e": e.shape[1]}
    out |= {"heads": 3, "hidden": "", "got": tuple(values[0].shape)}
    out["want"] = tuple(d.shape)
    if mask is not None and w.dim() == 4 and w.shape[2:] == (d.shape[1], e.shape[1]):
        out["hidden"] = f", up to {float((w * ~mask).max()):.3g}"
    return out


EXERCISES = [
    Exercise(
        name="cross_attention",
        parts=("output", "weights"),
        compute=Program(
            "mha D E mask", LINES, {"mask": {"given": "None"}}, norm=norm, turned=turned
        ),
        cases=cases,
        facts=facts,
        argument_names=("mha", "decoder_out", "encoder_out", "mask"),
        call=call,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("masked"),
            gradients,
        ),
        symptoms=(behave.rows_sum_to_one, behave.not_finite, behave.masked_weight),
    )
]
