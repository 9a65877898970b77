"""head_jobs(weights, tokens) -> {"before", "first", "same": number of the head}.

The learner decides from numbers; the cases are made-up heads that the learner doesn't
see, among them heads that only look like the ones that are wanted.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from helpers.tasks.made_heads import made_head

from .. import behaviours as behave
from ..behaviours import Trial
from ..space import Case, Choices, Exercise, Finding, Values

NAMES = ("before", "first", "same")
NO_HEAD = torch.tensor(-7)
SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "reads": ("rows", {"columns": "jobs-read-by-columns"}),
    "before": ("one left", {"one right": "jobs-behind-for-before"}),
    "first": ("column 0", {"last column": "jobs-last-for-first"}),
    "same": (
        "elsewhere",
        {"itself too": "jobs-itself-counts", "itself only": "jobs-itself-counts"},
    ),
    "over queries": (
        "mean",
        {"best row": "jobs-one-row-decides", "first row": "jobs-one-row-decides"},
    ),
    "pick": ("largest", {"smallest": "jobs-smallest-picked"}),
    "counts": ("from 0", {"from 1": "jobs-counted-from-one"}),
    "names": (
        "before first same",
        {
            "first before same": "jobs-names-exchanged",
            "same first before": "jobs-names-exchanged",
            "before same first": "jobs-names-exchanged",
            "first same before": "jobs-names-exchanged",
            "same before first": "jobs-names-exchanged",
        },
    ),
    "answer": (
        "by scores",
        {"the same for all": "jobs-fixed", "least spread": "jobs-by-entropy"},
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The head with the largest score of each job, as the choices say."""
    weights, tokens = case.args
    if c["answer"] == "the same for all":
        found = dict(zip(NAMES, (0, 1, 2), strict=True))
    elif c["answer"] == "least spread":
        order = torch.special.entr(weights).sum(-1).mean(-1).argsort().tolist()
        found = dict(zip(NAMES, order, strict=False))
    else:
        maps = weights.mT if c["reads"] == "columns" else weights
        found = {name: _picked(maps, tokens, name, c) for name in NAMES}
    start = 1 if c["counts"] == "from 1" else 0
    return tuple(torch.tensor(found[name] + start) for name in c["names"].split())


def _picked(maps: torch.Tensor, tokens: Sequence[str], name: str, c: Choices) -> int:
    n = len(tokens)
    query, key = torch.arange(n)[:, None], torch.arange(n)
    same = torch.tensor([[a == b for b in tokens] for a in tokens])
    wanted = {
        "before": key == query + (1 if c["before"] == "one right" else -1),
        "first": (key == (n - 1 if c["first"] == "last column" else 0)).expand(n, n),
        "same": {
            "elsewhere": same & (key != query),
            "itself too": same,
            "itself only": key == query,
        }[c["same"]],
    }[name]
    rows = (maps * wanted).sum(-1)[:, wanted.any(-1)]
    score = {
        "mean": lambda: rows.mean(-1),
        "best row": lambda: rows.amax(-1),
        "first row": lambda: rows[:, 0],
    }[c["over queries"]]()
    return int(score.argmin() if c["pick"] == "smallest" else score.argmax())


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
)


def cases(seed: int) -> Sequence[Case]:
    """Heads in another order each time, and some that only resemble the wanted ones."""
    draw = random.Random(seed)
    found = []
    for number, text in enumerate(TEXTS):
        tokens = text.split()
        g = torch.Generator().manual_seed(100 * seed + number)
        others = ["behind", "itself", "last", "anywhere", "once"]
        jobs = [*NAMES, *others[: 2 + number], "once"]
        draw.shuffle(jobs)
        if jobs[:3] == list(NAMES):
            jobs.reverse()
        weights = torch.stack([_made(job, tokens, g) for job in jobs])
        about = f"{len(jobs)} heads on {text!r}"
        found.append(Case(f"text{number}", about, (weights, tokens)))
    return found


def _made(job: str, tokens: list[str], g: torch.Generator) -> torch.Tensor:
    if job != "once":
        return made_head(job, tokens, g)
    # A head that does all three jobs in a row each, and nothing in the others.
    weights = made_head("anywhere", tokens, g)
    again = next(i for i in range(2, len(tokens)) if tokens[i] in tokens[: i - 1])
    for row, place in ((1, 0), (again, tokens.index(tokens[again]))):
        weights[row] = 0.05 / (len(tokens) - 1)
        weights[row, place] = 0.95
    return weights


EXERCISES = [
    Exercise(
        name="head_jobs",
        parts=NAMES,
        space=SPACE,
        compute=compute,
        cases=cases,
        argument_names=("weights", "tokens"),
        unpack=unpack,
        behaviours=(malformed, behave.arguments_untouched),
        symptoms=(malformed, undecided),
        praise=(
            "Right on four sets of heads that you did not see, in another order each "
            "time, with heads among them that look behind, at themselves, or do a job "
            "in one row only."
        ),
    )
]
