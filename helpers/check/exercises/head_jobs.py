"""head_jobs(weights, tokens) -> {"before", "first", "same": number of the head}.

The learner decides from numbers; the cases are made-up heads that the learner doesn't
see, among them heads that only look like the ones that are wanted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from helpers.tasks.made_heads import made_head

from .. import behaviours as behave
from ..behaviours import Trial
from ..program import Program
from ..space import Case, Choices, Departure, Exercise, Finding, Values

NAMES = ("before", "first", "same")
NO_HEAD = torch.tensor(-7)


def alike(tokens: Sequence[str]) -> torch.Tensor:
    """Where the token of the row is that of the column: (n, n)."""
    return torch.tensor([[a == b for b in tokens] for a in tokens])


LINES = {
    "maps": ("weights", {"weights.mT": "jobs-read-by-columns"}),
    "n": ("len(tokens)", {}),
    "query": ("torch.arange(n)[:, None].expand(n, n)", {}),
    "key": ("torch.arange(n).expand(n, n)", {}),
    "before": (
        "key == query - 1",
        {
            "key == query + 1": "jobs-behind-for-before",
            "key < query": "jobs-everything-before",
            "key <= query": "jobs-everything-before",
            "key == query - 2": "jobs-two-before",
        },
    ),
    "first": ("key == 0", {"key == n - 1": "jobs-last-for-first"}),
    "same": (
        "alike(tokens) & (key != query)",
        {"alike(tokens)": "jobs-itself-counts", "key == query": "jobs-itself-counts"},
    ),
    "rows": ("lambda wanted: (maps * wanted).sum(-1)", {}),
    "score": (
        "lambda wanted: rows(wanted)[:, wanted.any(-1)].mean(-1)",
        {
            "lambda wanted: rows(wanted).amax(-1)": "jobs-one-row-decides",
            "lambda wanted: (maps * wanted).amax((-2, -1))": "jobs-one-row-decides",
            "lambda wanted: rows(wanted)[:, wanted.any(-1)][:, 0]": (
                "jobs-one-row-decides"
            ),
            "lambda wanted: rows(wanted)[:, wanted.any(-1)][:, -1]": (
                "jobs-one-row-decides"
            ),
            "lambda wanted: rows(wanted)[:, -1]": "jobs-one-row-decides",
            "lambda wanted: rows(wanted)[:, 0]": "jobs-one-row-decides",
        },
    ),
    "pick": (
        "lambda scores: scores.argmax()",
        {"lambda scores: scores.argmin()": "jobs-smallest-picked"},
    ),
    "heads": (
        "[pick(score(wanted)) for wanted in (before, first, same)]",
        {
            "torch.special.entr(weights).sum(-1).mean(-1).argsort()[:3]": (
                "jobs-by-entropy"
            )
        },
    ),
    "returned": (
        "(heads[0], heads[1], heads[2])",
        {
            "(heads[0] + 1, heads[1] + 1, heads[2] + 1)": "jobs-counted-from-one",
            "(heads[1], heads[0], heads[2])": "jobs-names-exchanged",
            "(heads[2], heads[1], heads[0])": "jobs-names-exchanged",
            "(heads[0], heads[2], heads[1])": "jobs-names-exchanged",
            "(heads[1], heads[2], heads[0])": "jobs-names-exchanged",
            "(heads[2], heads[0], heads[1])": "jobs-names-exchanged",
            "(torch.tensor(0), torch.tensor(1), torch.tensor(2))": "jobs-fixed",
        },
    ),
}


PROGRAM = Program("weights tokens", LINES, alike=alike)


def imitate(choices: Choices) -> Callable[..., dict[str, torch.Tensor]]:
    """An answer that makes these choices."""

    def answer(*args: Any) -> dict[str, torch.Tensor]:
        return dict(zip(NAMES, PROGRAM(Case("", "", args), choices, {}), strict=True))

    return answer


def fixed(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """The same three numbers on every case."""
    heads = {
        None if values is None else tuple(map(int, values)) if len(values) == 3 else ()
        for values in seen
    }
    if len(heads) > 1 or not (found := heads.pop()) or min(found) < 0:
        return []
    tensors = ", ".join(f"torch.tensor({head})" for head in found)
    return [Departure("jobs-fixed", "returned", f"({tensors})")]


def unpack(result: Any) -> Values:
    """Three whole numbers; what is none becomes -7."""
    if isinstance(result, Mapping):
        items = [result.get(name) for name in NAMES]
    else:  # judged by `malformed`
        items = list(result) if isinstance(result, list | tuple) else []
        items = (items + [None] * 3)[:3]
    return tuple(_head(item) for item in items)


def _head(item: Any) -> torch.Tensor:
    try:
        value = float("nan" if isinstance(item, str) else item)
    except (TypeError, ValueError, RuntimeError):
        return NO_HEAD
    return torch.tensor(int(value)) if value.is_integer() else NO_HEAD


def malformed(trial: Trial) -> Finding | None:
    """A dict with the three names, each the number of a head."""
    outcome, (weights, _) = trial.outcomes[0], trial.cases[0].args
    if outcome.trouble is not None:
        return None
    value, due = outcome.value, ", ".join(map(repr, NAMES))
    if not isinstance(value, Mapping) or any(name not in value for name in NAMES):
        kind = type(value).__name__
        got = f"keys {list(value)}" if isinstance(value, Mapping) else f"a {kind}"
        shown = {"returned": repr(value)[:60]}
        return Finding("jobs-no-dict", {"due": due, "got": got}, shown)
    for name in NAMES:
        head = int(_head(value[name]))
        if not 0 <= head < len(weights) and head != len(weights):
            facts = {"name": repr(name), "last": len(weights) - 1}
            return Finding("jobs-no-head", facts, {name: repr(value[name])[:60]})
    return None


malformed.settles = True


def undecided(trial: Trial) -> Finding | None:
    """The first job that is given to the wrong head, if nothing else explains it."""
    i = trial.failing[0]
    got = trial.seen[i]
    if got is None:
        return None
    for name, mine, due in zip(NAMES, got, trial.right(trial.cases[i]), strict=True):
        if int(mine) != int(due):
            facts = {"name": repr(name), "got": int(mine), "due": int(due)}
            return Finding("jobs-wrong-head", facts)
    return None


TEXTS = (
    "the cat saw the dog and the cat ran",
    "a rose is a rose is a rose",
    "we know what we know and we say what we say",
    "she said that he said that she left",
    "the old man and the sea and the old boat",
    "one two three one two one four",
    "if not now then when if not here then where",
)


def cases(seed: int) -> Sequence[Case]:
    """Heads in another order each time, and some that only resemble the wanted ones."""
    draw = random.Random(seed)
    found = []
    for number, text in enumerate(TEXTS):
        tokens = text.split()
        g = torch.Generator().manual_seed(100 * seed + number)
        others = ["behind", "itself", "last", "anywhere", "early"]
        jobs = [*NAMES, *others[: 2 + number % 4], "early", "late"]
        draw.shuffle(jobs)
        if jobs[:3] == list(NAMES):
            jobs.reverse()
        weights = torch.stack([_made(job, tokens, g) for job in jobs])
        about = f"{len(jobs)} heads on {text!r}"
        found.append(Case(f"text{number}", about, (weights, tokens)))
    return found


def _made(job: str, tokens: list[str], g: torch.Generator) -> torch.Tensor:
    if job not in ("early", "late"):
        return made_head(job, tokens, g)
    # A head that does the jobs in one row each, and nothing in the others.
    weights, n = made_head("anywhere", tokens, g), len(tokens)
    twins = [(i, tokens.index(t)) for i, t in enumerate(tokens) if tokens.index(t) < i]
    once = {"early": [(1, 0), twins[0]], "late": [(n - 1, n - 2), twins[-1]]}
    for row, place in once[job]:
        weights[row] = 0.05 / (n - 1)
        weights[row, place] = 0.95
    return weights


EXERCISES = [
    Exercise(
        name="head_jobs",
        parts=NAMES,
        compute=PROGRAM,
        imitate=imitate,
        cases=cases,
        fit=fixed,
        unpack=unpack,
        behaviours=(malformed, behave.arguments_untouched),
        symptoms=(undecided,),
        praise=(
            "It is right on seven sets of heads that you did not see, in another order "
            "each time. Some of them look at the next word or at themselves, or do a "
            "job in one row only."
        ),
    )
]
