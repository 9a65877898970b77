"""load_layer(checkpoint, layer) -> the eight entries of MultiHeadAttention's state.

The checkpoints are made up: names as in the first BERT's files, kernels as (in, out).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..space import Case, Choices, Exercise, Finding, Values

PLACES = {
    "W_q": "attention/self/query",
    "W_k": "attention/self/key",
    "W_v": "attention/self/value",
    "W_o": "attention/output/dense",
}
TWICE = [(a, b) for a in "kvqo" for b in "qkvo" if a != b]
ENTRIES = tuple(f"{name}.{kind}" for name in PLACES for kind in ("weight", "bias"))
SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "kernels": (
        "transposed",
        {
            "as stored": "kernel-not-transposed",
            "only W_o": "kernel-partly-transposed",
            "not W_o": "kernel-partly-transposed",
        },
    ),
    "roles": (
        "as named",
        {
            "q and k": "query-and-key-exchanged",
            "k and v": "key-and-value-exchanged",
            "all query": "one-matrix-for-all",
            "v and o": "value-and-output-exchanged",
            "q and v": "query-and-value-exchanged",
            "q and o": "query-and-output-exchanged",
            **{f"{a} is {b}": "one-name-twice" for a, b in TWICE},
        },
    ),
    "layer": (
        "as asked",
        {
            "first": "always-layer-0",
            "last": "always-the-last-layer",
            "one less": "layers-counted-from-1",
            "one more": "layers-counted-from-1",
            "same start": "layer-name-only-begins-so",
            "sorted as text": "layers-sorted-as-text",
            "from the end": "layers-counted-from-the-end",
        },
    ),
    "W_o": ("attention's", {"mlp's": "output-of-the-mlp"}),
    "biases": ("as stored", {"zero": "biases-left-at-zero"}),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The eight tensors, in the order of ENTRIES."""
    checkpoint, layer = case.args
    count = 1 + max(int(n.split("/")[1][len("layer_") :]) for n in checkpoint)
    layer = {
        "first": 0,
        "last": count - 1,
        "one less": max(0, layer - 1),
        "one more": min(count - 1, layer + 1),
        "sorted as text": int(sorted(map(str, range(count)))[layer]),
        "from the end": count - 1 - layer,
        "same start": max(i for i in range(count) if f"{i}".startswith(f"{layer}")),
    }.get(c["layer"], layer)
    found = []
    for name in PLACES:
        place = PLACES[_role(name, c["roles"])]
        if name == "W_o" and c["W_o"] == "mlp's":
            place = "output/dense"
        kernel, bias = (
            checkpoint[f"encoder/layer_{layer}/{place}/{kind}"]
            for kind in ("kernel", "bias")
        )
        turned = {
            "as stored": False,
            "only W_o": name == "W_o",
            "not W_o": name != "W_o",
        }
        found.append(kernel.T if turned.get(c["kernels"], True) else kernel)
        found.append(torch.zeros_like(bias) if c["biases"] == "zero" else bias)
    return tuple(found)


def _role(name: str, how: str) -> str:
    swaps = {
        "q and k": {"W_q": "W_k", "W_k": "W_q"},
        "k and v": {"W_k": "W_v", "W_v": "W_k"},
        "v and o": {"W_v": "W_o", "W_o": "W_v"},
        "q and v": {"W_q": "W_v", "W_v": "W_q"},
        "q and o": {"W_q": "W_o", "W_o": "W_q"},
        "all query": {"W_k": "W_q", "W_v": "W_q"},
    }
    if " is " in how:
        into, source = (f"W_{letter}" for letter in how.split(" is "))
        return source if name == into else name
    return swaps.get(how, {}).get(name, name)


def cases(seed: int) -> Sequence[Case]:
    """Few layers first, then so many that one name begins like another."""
    g = torch.Generator().manual_seed(9001 + seed)

    def checkpoint(layers: int, d_model: int, d_mlp: int) -> dict[str, torch.Tensor]:
        found = {}
        for layer in range(layers):
            sizes = {place: (d_model, d_model) for place in PLACES.values()}
            sizes["intermediate/dense"] = (d_model, d_mlp)
            sizes["output/dense"] = (d_mlp, d_model)
            for place, size in sizes.items():
                start = f"encoder/layer_{layer}/{place}"
                found[f"{start}/kernel"] = torch.randn(size, generator=g)
                found[f"{start}/bias"] = torch.randn(size[1], generator=g)
        return found

    many = frozenset(["more than 10 layers"])
    return [
        Case("three", "layer 1 of 3, 6 features", (checkpoint(3, 6, 10), 1)),
        Case("first", "layer 0 of 2, 4 features", (checkpoint(2, 4, 12), 0)),
        Case("square", "layer 2 of 4, an MLP no wider", (checkpoint(4, 5, 5), 2)),
        Case("many", "layer 1 of 12, 3 features", (checkpoint(12, 3, 7), 1), many),
        Case("more", "layer 3 of 11, 2 features", (checkpoint(11, 2, 5), 3), many),
    ]


def unpack(value: Any) -> Values:
    """The tensors of a state dict, or of a module that was filled."""
    value = _state(value)
    if value is None or any(name not in value for name in ENTRIES):
        raise TypeError("no state dict")
    return tuple(torch.as_tensor(value[name]).detach() for name in ENTRIES)


def _state(value: Any) -> dict[str, Any] | None:
    if isinstance(value, torch.nn.Module):
        value = value.state_dict()
    return value if isinstance(value, dict) else None


def eight_entries(answer: Any) -> Finding | None:
    """All eight entries are there, under our names."""
    outcome = guard.run(answer, cases(0)[0].args)
    state = _state(outcome.value)
    if outcome.trouble is not None or outcome.value in (None, ...):
        return None
    if state is None:
        return Finding("state-no-dict", {"type": type(outcome.value).__name__})
    lost = [name for name in ENTRIES if name not in state]
    if not lost:
        return None
    evidence = {
        "missing": ", ".join(lost),
        "yours": ", ".join(map(str, state)) or "none",
    }
    kinds = {name.rpartition(".")[2] for name in lost}
    if len(lost) == 4 and kinds == {"bias"}:
        return Finding("state-without-biases", {}, evidence)
    if any("/" in str(name) for name in state):
        return Finding("names-of-the-file", {"name": next(iter(state))}, evidence)
    return Finding("entries-missing", {"count": len(lost)}, evidence)


def checkpoint_untouched(trial: Trial) -> Finding | None:
    """The dict of the file and its tensors are what they were."""
    checkpoint, layer = cases(0)[0].args
    before = {name: tensor.clone() for name, tensor in checkpoint.items()}
    after = dict(checkpoint)

    def call() -> Any:
        return trial.answer(after, layer)

    guard.run(call, (), by=trial.answer)
    same_names = list(before) == list(after)
    if same_names and all(torch.equal(before[n], after[n]) for n in before):
        return None
    return Finding("changes-argument", {"argument": "checkpoint"})


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    return {"layer": case.args[1], "d": len(values[1])}


def imitate(choices: Choices) -> Any:
    """An answer that makes these choices, and returns a dict as a learner does."""

    def load_layer(checkpoint: dict[str, Any], layer: int) -> dict[str, Any]:
        values = compute(Case("", "", (checkpoint, layer)), choices, {})
        return dict(zip(ENTRIES, values))

    return load_layer


EXERCISES = [
    Exercise(
        name="load_layer",
        parts=ENTRIES,
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("checkpoint", "layer"),
        unpack=unpack,
        imitate=imitate,
        looks=(eight_entries,),
        behaviours=(checkpoint_untouched, behave.calls_agree("three")),
        praise=(
            "All eight tensors of every layer, those with square matrices included, "
            "where a forgotten transposition raises no error."
        ),
    )
]
