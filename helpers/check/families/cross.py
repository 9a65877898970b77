"""cross_attention(mha, decoder_out, encoder_out, mask=None) -> (output, weights)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..space import Case, Choices, Exercise, Finding, Values

# who is query, key, value: d = decoder_out, e = encoder_out
SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "roles": (
        "dee",
        {
            "edd": "cross-roles-swapped",
            "ded": "cross-v-from-decoder",
            "dde": "cross-k-from-decoder",
            "ede": "cross-key-first",
            "eed": "cross-value-first",
            "ddd": "cross-decoder-only",
            "eee": "cross-encoder-only",
        },
    ),
    "mask": (
        "as given",
        {
            "dropped": "cross-mask-dropped",
            "inverted": "mask-inverted",
            "causal too": "cross-always-causal",
            "causal too, right": "cross-always-causal",
            "causal instead": "cross-causal-instead",
            "causal instead, right": "cross-causal-instead",
            "causal without one": "cross-causal-without-mask",
            "transposed": "mask-transposed",
            "flipped": "mask-flipped",
            "first sample": "mask-of-first-sample",
            "first query": "mask-of-first-query",
            "nothing allowed": "everything-masked",
            "self hidden": "mask-self-forbidden",
        },
    ),
    "around": (
        "nothing",
        {
            "residual": "cross-residual",
            "residual encoder": "cross-residual",
            "residual and norm": "cross-residual-and-norm",
            "norm": "cross-layer-norm",
            "norm first": "cross-layer-norm",
            "self first": "cross-self-attention-first",
            "self first, residual": "cross-self-attention-first",
            "encoder first": "cross-encoder-attends-first",
            "twice": "cross-twice",
            "twice, residual": "cross-twice",
            "joined": "cross-sentences-joined",
            "joined, own": "cross-sentences-joined",
            "turned": "cross-batch-and-tokens-exchanged",
        },
    ),
    "returns": (
        "output, weights",
        {
            "output": "returns-output-only",
            "weights": "returns-weights-only",
            "weights, output": "returns-swapped",
            "averaged": "weights-averaged-over-heads",
            "head 0": "returns-head-0-weights",
            "transposed": "returned-weights-transposed",
            "output twice": "returns-output-twice",
            "three": "returns-three",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """mha with the decoder as query and the encoder as key and value, or as `c`."""
    mha, d, e, mask = case.args
    around = c["around"]
    mask = mask_of(mask, d, e, c["mask"])
    if around == "norm first":
        d, e = (F.layer_norm(x, x.shape[-1:]) for x in (d, e))
    if around.startswith("self first"):
        own = mha(d, d, d)[0]
        d = d + own if around.endswith("residual") else own
    if around == "encoder first":
        e = mha(e, e, e)[0]
    if around.startswith("joined"):
        e = torch.cat([d, e], dim=1)
        d = e if around.endswith("own") else d
    if around == "turned":
        d, e = d.transpose(0, 1), e.transpose(0, 1)
    q, k, v = ({"d": d, "e": e}[who] for who in c["roles"])
    out, w = mha(q, k, v) if mask is None else mha(q, k, v, mask)
    if around.startswith("twice"):
        again = q + out if around.endswith("residual") else out
        out, w = mha(again, k, v) if mask is None else mha(again, k, v, mask)
    out = {
        "residual": lambda: out + q,
        "residual encoder": lambda: out + e,
        "residual and norm": lambda: F.layer_norm(out + q, out.shape[-1:]),
        "norm": lambda: F.layer_norm(out, out.shape[-1:]),
        "turned": lambda: out.transpose(0, 1),
    }.get(around, lambda: out)()
    return {
        "output, weights": lambda: (out, w),
        "output": lambda: (out,),
        "weights": lambda: (w,),
        "weights, output": lambda: (w, out),
        "averaged": lambda: (out, w.mean(1)),
        "head 0": lambda: (out, w[:, 0]),
        "transposed": lambda: (out, w.transpose(-2, -1)),
        "output twice": lambda: (out, out),
        "three": lambda: (out, w, out),
    }[c["returns"]]()


def mask_of(mask, d, e, how: str) -> torch.Tensor | None:
    """The mask that is handed on."""
    n_q, n_k = d.shape[1], e.shape[1]
    if how.startswith("causal"):
        if how == "causal without one" and mask is not None:
            return mask
        offset = n_k - n_q if how.endswith("right") else 0
        tril = torch.ones(n_q, n_k, dtype=torch.bool).tril(offset)
        return tril & mask if mask is not None and "too" in how else tril
    if mask is None or how == "dropped":
        return None
    return {
        "as given": lambda: mask,
        "inverted": lambda: ~mask,
        "transposed": lambda: mask.transpose(-2, -1),
        "flipped": lambda: mask.flip(-1),
        "first sample": lambda: mask[:1],
        "first query": lambda: mask[..., :1, :],
        "nothing allowed": lambda: mask & False,
        "self hidden": lambda: mask & ~torch.eye(n_q, n_k, dtype=torch.bool),
    }[how]()


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

    def forward(self, query, key, value, mask=None):
        """(output, weights), without any check of what it is given."""

        def split(x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        q, k, v = (
            split(layer(x))
            for layer, x in (
                (self.W_q, query),
                (self.W_k, key),
                (self.W_v, value),
            )
        )
        scores = q @ k.transpose(-2, -1) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = torch.softmax(scores, -1).nan_to_num(0.0)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights


def cases(seed: int) -> Sequence[Case]:
    """Lengths that differ, lengths that agree; with and without a mask."""
    g = torch.Generator().manual_seed(8009 + seed)
    mha = Attention(15, 3, g).eval()

    def pair(b, n_d, n_e):
        return torch.randn(b, n_d, 15, generator=g), torch.randn(
            b, n_e, 15, generator=g
        )

    def padded(n, *lengths):
        return (torch.arange(n) < torch.tensor(lengths)[:, None])[:, None, None]

    plain, square, short = pair(2, 5, 7), pair(2, 5, 5), pair(3, 6, 4)
    some = torch.rand(2, 1, 5, 7, generator=g) > 0.4
    some[..., 1] = True
    some[:, :, 2, 4] = False
    m = "a mask"

    def case(name, about, tensors, mask=None, *tags):
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
    ]


def call(answer, mha, decoder_out, encoder_out, mask) -> Any:
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
    """Numbers the sentences may mention."""
    _, d, e, mask = case.args
    w = values[-1]
    out: dict[str, Any] = {
        "got": tuple(values[0].shape),
        "want": tuple(d.shape),
        "n_d": d.shape[1],
        "n_e": e.shape[1],
        "heads": 3,
        "hidden": "",
    }
    if mask is not None and w.dim() == 4 and w.shape[2:] == (d.shape[1], e.shape[1]):
        out["hidden"] = f", up to {float((w * ~mask).max()):.3g}"
    return out


EXERCISES = [
    Exercise(
        name="cross_attention",
        parts=("output", "weights"),
        space=SPACE,
        compute=compute,
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
