"""load_layer(checkpoint, layer) -> the eight entries of MultiHeadAttention's state.

The checkpoints are made up: names as in the first BERT's files, kernels as (in, out).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..program import Program
from ..space import Case, Choices, Exercise, Finding, Values

PLACES = {
    "q": "attention/self/query",
    "k": "attention/self/key",
    "v": "attention/self/value",
    "o": "attention/output/dense",
}
ENTRIES = tuple(f"W_{a}.{kind}" for a in PLACES for kind in ("weight", "bias"))
LINES = {
    "count": ("1 + max(layer_of(name) for name in checkpoint)", {}),
    "at": (
        "layer",
        {
            "0": "always-layer-0",
            "count - 1": "always-the-last-layer",
            "max(0, layer - 1)": "layers-counted-from-1",
            "min(count - 1, layer + 1)": "layers-counted-from-1",
            "max(i for i in range(count) if str(i).startswith(str(layer)))": (
                "layer-name-only-begins-so"
            ),
            "int(sorted(map(str, range(count)))[layer])": "layers-sorted-as-text",
            "count - 1 - layer": "layers-counted-from-the-end",
        },
    ),
    "roles": (
        "'qkvo'",
        {
            "'kqvo'": "query-and-key-exchanged",
            "'qvko'": "key-and-value-exchanged",
            "'qqqo'": "one-matrix-for-all",
            "'qkov'": "value-and-output-exchanged",
            "'vkqo'": "query-and-value-exchanged",
            "'okvq'": "query-and-output-exchanged",
            **{
                repr("qkvo".replace(a, b)): "one-name-twice"
                for a in "kvqo"
                for b in "qkvo"
                if a != b
            },
        },
    ),
    "output": ("'attention/output/dense'", {"'output/dense'": "output-of-the-mlp"}),
    "places": ("[output if r == 'o' else PLACES[r] for r in roles]", {}),
    "kernels": ("[entry(checkpoint, at, p, 'kernel') for p in places]", {}),
    "turned": ("[k.T for k in kernels]", {}),
    "weights": (
        "turned",
        {
            "kernels": "kernel-not-transposed",
            "kernels[:3] + turned[3:]": "kernel-partly-transposed",
            "turned[:3] + kernels[3:]": "kernel-partly-transposed",
        },
    ),
    "stored": ("[entry(checkpoint, at, p, 'bias') for p in places]", {}),
    "biases": ("stored", {"[0 * b for b in stored]": "biases-left-at-zero"}),
    "state": ("tuple(x for pair in zip(weights, biases) for x in pair)", {}),
}


class Checkpoint(dict):
    """The dict of the file; printed, it says no more than how much it holds."""

    def __repr__(self) -> str:
        return f"of {len(self)} tensors"


def layer_of(name: str) -> int:
    """The number in "encoder/layer_3/…"."""
    return int(name.split("/")[1].removeprefix("layer_"))


def entry(
    checkpoint: Mapping[str, Tensor], layer: int, place: str, kind: str
) -> Tensor:
    """The tensor under its full name."""
    return checkpoint[f"encoder/layer_{layer}/{place}/{kind}"]


PROGRAM = Program(
    "checkpoint layer", LINES, layer_of=layer_of, entry=entry, PLACES=PLACES
)


def cases(seed: int) -> Sequence[Case]:
    """Few layers first, then so many that one name begins like another."""
    g = torch.Generator().manual_seed(9001 + seed)

    def checkpoint(layers: int, d_model: int, d_mlp: int) -> Checkpoint:
        found = Checkpoint()
        sizes = dict.fromkeys(PLACES.values(), (d_model, d_model))
        sizes |= {"intermediate/dense": (d_model, d_mlp)}
        sizes |= {"output/dense": (d_mlp, d_model)}
        for layer in range(layers):
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
    """The tensors of a state dict."""
    if not isinstance(value, Mapping) or any(name not in value for name in ENTRIES):
        raise TypeError("no state dict")
    return tuple(torch.as_tensor(value[name]).detach() for name in ENTRIES)


def eight_entries(answer: Any) -> Finding | None:
    """A dict comes back, with all eight entries under our names."""
    outcome = guard.run(answer, cases(0)[0].args)
    state = outcome.value
    if outcome.trouble is not None or state is None or state is ...:
        return None
    if isinstance(state, torch.nn.Module):
        return Finding("state-a-module", {"type": type(state).__name__})
    if not isinstance(state, Mapping):
        return Finding("state-no-dict", {"type": type(state).__name__})
    lost = [name for name in ENTRIES if name not in state]
    if not lost:
        return None
    names = list(map(str, state))
    shown = ", ".join(names[:8]) + ", …" * (len(names) > 8)
    evidence = {"missing": ", ".join(lost), "yours": shown or "none"}
    if len(lost) == 4 and all(name.endswith("bias") for name in lost):
        return Finding("state-without-biases", {}, evidence)
    if any("/" in name for name in names):
        return Finding("names-of-the-file", {"name": names[0]}, evidence)
    count = "One" if len(lost) == 1 else len(lost)
    return Finding("entries-missing", {"count": count}, evidence)


def checkpoint_untouched(trial: Trial) -> Finding | None:
    """The dict of the file and its tensors are what they were."""
    checkpoint, layer = cases(0)[0].args
    before = {name: tensor.clone() for name, tensor in checkpoint.items()}
    after = Checkpoint(checkpoint)
    guard.run(lambda: trial.answer(after, layer), (), by=trial.answer)
    same_names = list(before) == list(after)
    if same_names and all(torch.equal(before[n], after[n]) for n in before):
        return None
    return Finding("changes-argument", {"argument": "checkpoint"})


def facts(case: Case, values: Values) -> dict[str, int]:
    """The width of the layer."""
    return {"d": len(values[1])}


def imitate(choices: Choices) -> Any:
    """An answer that makes these choices, and returns a dict as a learner does."""

    def load_layer(checkpoint: dict[str, Any], layer: int) -> dict[str, Any]:
        values = PROGRAM(Case("", "", (checkpoint, layer)), choices, {})
        return dict(zip(ENTRIES, values))

    return load_layer


EXERCISES = [
    Exercise(
        name="load_layer",
        parts=ENTRIES,
        compute=PROGRAM,
        cases=cases,
        facts=facts,
        unpack=unpack,
        imitate=imitate,
        looks=(eight_entries,),
        behaviours=(checkpoint_untouched, behave.calls_agree("three")),
        praise=(
            "All eight tensors of every layer are right, those with square matrices "
            "included, where a forgotten transposition raises no error."
        ),
    )
]
