"""draw_attention(ax, weights, query_tokens, key_tokens): a heat map, read as it looks.

Nothing is compared with one way of drawing: `_picture` reads off which number stands
where, under which label and colour scale; each rule here looks at one of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..diagnosis import number, numbers
from ..space import Case, Choices, Exercise, Finding, Values
from ._picture import Labels, Picture, drawn

TOLERANCE = 1e-3

# what may have been drawn in place of the weights, likeliest first
VALUES: Mapping[str, tuple[str, Callable[[torch.Tensor], torch.Tensor]]] = {
    "min-max": ("map-normalised", lambda w: (w - w.min()) / (w.max() - w.min())),
    "by max": ("map-normalised", lambda w: w / w.max()),
    "rows by max": ("map-rows-normalised", lambda w: w / w.amax(-1, keepdim=True)),
    "rows min-max": (
        "map-rows-normalised",
        lambda w: (
            (w - w.amin(-1, keepdim=True))
            / (w.amax(-1, keepdim=True) - w.amin(-1, keepdim=True))
        ),
    ),
    "columns by sum": ("map-columns-normalised", lambda w: w / w.sum(-2, keepdim=True)),
    "columns by max": (
        "map-columns-normalised",
        lambda w: w / w.amax(-2, keepdim=True),
    ),
    "standardised": ("map-standardised", lambda w: (w - w.mean()) / w.std()),
    "softmax": ("map-softmax-again", lambda w: w.softmax(-1)),
    "softmax down": ("map-softmax-again", lambda w: w.softmax(-2)),
    "softmax of all": (
        "map-softmax-again",
        lambda w: w.flatten().softmax(0).view_as(w),
    ),
    "log": ("map-of-logs", lambda w: w.log()),
    "log, small added": ("map-of-logs", lambda w: (w + 1e-9).log()),
    "log10": ("map-of-logs", lambda w: w.log10()),
    "minus log": ("map-of-logs", lambda w: -w.log()),
    "rounded to 0": ("map-rounded", lambda w: w.round()),
    "rounded to 1": ("map-rounded", lambda w: w.round(decimals=1)),
    "rounded to 2": ("map-rounded", lambda w: w.round(decimals=2)),
    "cut off to whole": ("map-rounded", lambda w: w.floor()),
    "percent": ("map-in-percent", lambda w: 100 * w),
    "whole percent": ("map-in-percent", lambda w: (100 * w).round()),
    "bytes": ("map-in-percent", lambda w: 255 * w),
    "whole bytes": ("map-in-percent", lambda w: (255 * w).floor()),
    "1 - w": ("map-inverted", lambda w: 1 - w),
    "-w": ("map-inverted", lambda w: -w),
    "best": ("map-of-largest", lambda w: (w == w.amax(-1, keepdim=True)).float()),
    "threshold": ("map-of-largest", lambda w: (w > 0.5).float()),
    "above mean": ("map-of-largest", lambda w: (w > w.mean()).float()),
    "square": ("map-squared", lambda w: w * w),
    "root": ("map-squared", lambda w: w.sqrt()),
    "exp": ("map-squared", lambda w: w.exp()),
    "lower triangle": ("map-half-drawn", lambda w: w.tril()),
    "upper triangle": ("map-half-drawn", lambda w: w.triu()),
    "without diagonal": ("map-half-drawn", lambda w: w - w * _eye(w)),
    "sums": ("map-of-sums", lambda w: w.cumsum(-1)),
    "mean": ("map-of-sums", lambda w: w.mean(0, keepdim=True).expand_as(w)),
    "zeros": ("map-empty", lambda w: 0 * w),
    "ones": ("map-empty", lambda w: 0 * w + 1),
}
TURNS: Mapping[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "as it is": lambda w: w,
    "transposed": lambda w: w.T,
    "rows reversed": lambda w: w.flip(0),
    "columns reversed": lambda w: w.flip(1),
    "both reversed": lambda w: w.flip(0, 1),
    "turned": lambda w: w.T.flip(0),
    "turned back": lambda w: w.T.flip(1),
    "transposed, both reversed": lambda w: w.T.flip(0, 1),
}


def _eye(w: torch.Tensor) -> torch.Tensor:
    return torch.eye(*w.shape)


def pictures(trial: Trial) -> Iterator[tuple[Case, Picture]]:
    """The cases and what was drawn for them."""
    for case, outcome in zip(trial.cases, trial.outcomes, strict=True):
        if isinstance(outcome.value, Picture):
            yield case, outcome.value


def maps(trial: Trial) -> Iterator[tuple[Case, Picture]]:
    """Those in which there is a map of numbers."""
    return ((c, p) for c, p in pictures(trial) if p.values is not None)


def shown(picture: Picture) -> torch.Tensor:
    """The numbers in the picture, blank cells as 0."""
    return torch.tensor(picture.values, dtype=torch.float32).nan_to_num(
        0.0, posinf=torch.inf, neginf=-torch.inf
    )


def something(trial: Trial) -> Finding | None:
    """There is a heat map, on the axes that were given."""
    for case, picture in pictures(trial):
        where = {"case": case.about}
        if picture.in_colours:
            return Finding("map-in-colours", {}, where)
        if picture.no_cells:
            return Finding("map-not-in-cells", {}, where)
        if picture.values is None:
            if "the map" in picture.elsewhere:
                return Finding("map-on-other-axes", {}, where)
            return Finding("nothing-drawn", {}, where)
    return None


def understood(trial: Trial) -> tuple[str, str] | None:
    """(which values, which way round) were drawn; None if nothing fits all maps."""
    fitting = None
    for case, picture in maps(trial):
        here = set(_readings(case, picture))
        fitting = here if fitting is None else fitting & here
    order = [(v, t) for v in ("weights", *VALUES) for t in TURNS]
    return min(fitting, key=order.index) if fitting else None


def _readings(case: Case, picture: Picture) -> Iterator[tuple[str, str]]:
    w, got = case.args[0], shown(picture)
    for values, made in (("weights", w), *((v, f(w)) for v, (_, f) in VALUES.items())):
        for turn, way in TURNS.items():
            due = way(made)
            if due.shape == got.shape and _close(got, due, values):
                yield values, turn


def _close(got: torch.Tensor, due: torch.Tensor, values: str) -> bool:
    if values.startswith(("log", "minus log")):
        # where a weight is 0, its log may be cut off anywhere far down
        both = due.abs() < 15
        low = got[~both].abs()
        return _close(got[both], due[both], "") and bool(((low > 6) | (low == 0)).all())
    return bool(((got - due).abs() <= TOLERANCE * due.abs().clamp_min(1.0)).all())


def right_numbers(trial: Trial) -> Finding | None:
    """The numbers are the weights."""
    found = understood(trial)
    if found:
        values = found[0]
        if values == "weights":
            return _blank(trial)
        case, picture = next(maps(trial))
        for case, picture in maps(trial):
            if ("weights", found[1]) not in set(_readings(case, picture)):
                break
        return Finding(VALUES[values][0], _facts(case, picture), _rows(case, picture))
    for case, picture in maps(trial):
        if not {v for v, _ in _readings(case, picture)} & {"weights"}:
            return _other_numbers(case, picture)
    return None


def _other_numbers(case: Case, picture: Picture) -> Finding:
    w, got = case.args[0], shown(picture)
    facts, seen = _facts(case, picture), _rows(case, picture)
    readings = list(_readings(case, picture))
    if readings:
        return Finding(VALUES[readings[0][0]][0], facts, seen)
    if got.shape not in (w.shape, w.T.shape):
        rows, columns = (min(a, b) for a, b in zip(got.shape, w.shape, strict=True))
        part = torch.allclose(got, w[:rows, :columns], atol=TOLERANCE)
        cut = part and (rows, columns) == tuple(got.shape)
        return Finding("map-cut-off" if cut else "map-other-shape", facts, seen)
    blank = got == 0
    if bool(blank.any()) and any(
        way(w).shape == got.shape
        and bool((blank | ((got - way(w)).abs() < TOLERANCE)).all())
        for way in TURNS.values()
    ):
        return Finding("map-half-drawn", facts, seen)
    if bool((got < -TOLERANCE).any()):
        return Finding("map-of-scores", facts, seen)
    if float((got.sum(-1) - 1).abs().max()) > 0.01:
        return Finding("map-rows-not-one", facts, seen)
    return Finding("map-other-numbers", facts, seen)


def _blank(trial: Trial) -> Finding | None:
    """Only cells of weight 0 may be blank, and none may lie outside the view."""
    for case, picture in maps(trial):
        if picture.hidden_cells:
            facts = {"hidden": picture.hidden_cells}
            return Finding("map-cut-off", _facts(case, picture) | facts, {})
    return None


def way_round(trial: Trial) -> Finding | None:
    """Queries go down from the top, keys across from the left."""
    found = understood(trial)
    turn = found[1] if found else None
    if turn in (None, "as it is"):
        return None
    case, picture = next(maps(trial))
    queries, keys = case.args[1:]
    names = [_word(text) for _, text in picture.labels["y"]]
    if turn == "rows reversed":
        follow = names == queries[::-1]
        mistake = "map-upside-down" if follow else "map-rows-reversed"
    elif turn == "columns reversed":
        mistake = "map-columns-reversed"
    elif turn == "both reversed":
        mistake = "map-turned"
    elif turn == "transposed":
        follow = names == keys
        mistake = "map-transposed-with-labels" if follow else "map-transposed"
    else:
        mistake = "map-transposed-and-reversed"
    return Finding(mistake, _facts(case, picture), _rows(case, picture))


def colour_scale(trial: Trial) -> Finding | None:
    """One linear scale from 0 to 1 for every map."""
    seen = {}
    odd = None
    for case, picture in maps(trial):
        low, high = picture.limits
        seen[f"colours, {case.about}"] = f"{number(low)} to {number(high)}"
        if not picture.linear:
            return Finding("scale-of-colours-not-linear", {}, {"case": case.about})
        if abs(low) > 1e-4 or abs(high - 1) > 1e-4:
            odd = odd or (case, picture)
    if odd is None:
        return None
    case, picture = odd
    low, high = picture.limits
    facts = {"low": number(low), "high": number(high)}
    got = shown(picture)
    fitted = [abs(low - float(got.min())) < 1e-4, abs(high - float(got.max())) < 1e-4]
    if low > high:
        return Finding("scale-of-colours-reversed", facts, seen)
    if all(fitted):
        return Finding("scale-of-each-map", facts, seen)
    if any(fitted) and (abs(low) < 1e-4 or abs(high - 1) < 1e-4):
        end = "lower" if fitted[0] and abs(low) > 1e-4 else "upper"
        return Finding("scale-half-fixed", facts | {"end": end}, seen)
    return Finding("scale-not-zero-to-one", facts, seen)


def labels_fit(which: str) -> Callable[[Trial], Finding | None]:
    """Every row (y) or column (x) bears its token."""

    def check(trial: Trial) -> Finding | None:
        found = understood(trial)
        turn = found[1] if found else "as it is"
        for case, picture in maps(trial):
            w, queries, keys = case.args
            if picture.values.shape not in (w.shape, w.T.shape):
                continue
            own, others = (keys, queries) if which == "x" else (queries, keys)
            if "transposed" in turn or turn.startswith("turned"):
                names = [_word(t) for _, t in picture.labels[which]]
                if sorted(names) in (sorted(own), sorted(others)):
                    continue
                own, others = others, own
            if turn in ("rows reversed", "both reversed") and which == "y":
                names = [_word(t) for _, t in picture.labels["y"]]
                own = own[::-1] if names == own[::-1] else own
            if turn in ("columns reversed", "both reversed") and which == "x":
                names = [_word(t) for _, t in picture.labels["x"]]
                own = own[::-1] if names == own[::-1] else own
            if mistake := _labels(picture.labels[which], own, others):
                side = "columns" if which == "x" else "rows"
                facts = {
                    "side": side,
                    "of": "keys" if which == "x" else "queries",
                    "count": len(picture.labels[which]),
                    "due": len(own),
                }
                got = "  ".join(
                    f"{t} (at {number(round(at, 2))})"
                    for at, t in picture.labels[which]
                )
                seen = {
                    "case": case.about,
                    f"labels of the {side}": got or "none",
                    "tokens": "  ".join(own),
                }
                return Finding(mistake, facts, seen)
        return None

    check.__qualname__ = f"labels_fit_{which}"
    return check


def _labels(found: Labels, own: list[str], others: list[str]) -> str | None:
    names = [_word(text) for _, text in found]
    places = [at for at, _ in found]
    if not found:
        return "labels-missing"
    if all(re.fullmatch(r"[-−]?[\d.]+", text) for _, text in found):
        return "labels-are-numbers"
    exact = [abs(at - i) < 0.26 for i, at in enumerate(places)]
    if len(names) == len(own) and all(map(_says, found, own)):
        if all(exact):
            return None
        return "labels-shifted"
    if len(names) == len(others) and names == others and names != own:
        return "labels-swapped"
    if names == own[::-1]:
        return "labels-reversed"
    if len(set(own)) < len(own) and names == list(dict.fromkeys(own)):
        return "labels-merged"
    if len(set(own)) < len(own) and sorted(names) == sorted(set(own)):
        return "labels-merged"
    if names == sorted(own) and names != own:
        return "labels-sorted"
    on_cells = {round(at): text for at, text in found if abs(at - round(at)) < 0.26}
    right = sum(_says((0, on_cells.get(i, "")), t) for i, t in enumerate(own))
    inside = [t for t in names if t in own]
    if len(inside) >= len(own) - 1 and right < len(own) - 1:
        return "labels-shifted"
    if right and set(names) <= set(own):
        return "labels-some-missing"
    return "labels-wrong"


def _says(label: tuple[float, str], token: str) -> bool:
    """Does a label name the token (alone, or with its place beside it)?"""
    text = label[1]
    parts = re.split(r"[\s:.,()\[\]·_'\"“”‘’-]+", text)
    return text == token or token in parts


def _word(text: str) -> str:
    """A label without the number of its place."""
    bare = re.sub(r"^\d+[\s:.)_-]+|[\s:.(_-]+\d+\)?$", "", text)
    return bare.strip("'\"“”‘’") or text


def titles(trial: Trial) -> Finding | None:
    """Both axes are named: keys across, queries down."""
    found = understood(trial)
    if found and ("transposed" in found[1] or found[1].startswith("turned")):
        return None
    for case, picture in maps(trial):
        x, y = (picture.titles[which].strip().lower() for which in "xy")
        seen = {"case": case.about, "across": x or "none", "down": y or "none"}
        facts = {"across": repr(x), "down": repr(y)}
        if not x or not y:
            lost = [n for n, t in (("across", x), ("down", y)) if not t]
            facts["lost"] = " and ".join(lost)
            return Finding("axis-titles-missing", facts, seen)
        if "key" in x and "quer" in y:
            continue
        if "quer" in x and "key" in y:
            return Finding("axis-titles-swapped", facts, seen)
        return Finding("axis-titles-other", facts, seen)
    return None


def on_axes_given(trial: Trial) -> Finding | None:
    """All lands on `ax`, also when other axes are pyplot's current ones."""
    done = next(maps(trial), None)
    if done is None:
        return None
    case, before = done
    seen = guard.run(
        lambda *args: drawn(trial.answer, *args, current=False),
        case.args,
        by=trial.answer,
    )
    after = seen.value
    if not isinstance(after, Picture) or not after.elsewhere:
        return None
    facts = {"what": " and ".join(after.elsewhere)}
    return Finding("map-on-current-axes", facts, {"case": case.about})


def settings_kept(trial: Trial) -> Finding | None:
    """A remark: global settings of matplotlib stay as they were."""
    changed = [k for _, p in pictures(trial) for k in p.settings_changed]
    if not changed:
        return None
    names = list(dict.fromkeys(changed))
    return Finding("settings-changed", {"names": ", ".join(names[:3])})


def needs_gradient(trial: Trial) -> Finding | None:
    """A remark: weights straight from a model need a gradient."""
    case = trial.cases[0]
    args = (case.args[0].clone().requires_grad_(), *case.args[1:])
    trouble = trial.call(args).trouble
    return Finding("map-needs-detach") if trouble else None


def _facts(case: Case, picture: Picture) -> dict[str, Any]:
    w, got = case.args[0], shown(picture)
    off = got.sum(-1)
    return {
        "got": tuple(got.shape),
        "want": tuple(w.shape),
        "n_q": w.shape[0],
        "n_k": w.shape[1],
        "least": number(got.min()),
        "most": number(got.max()),
        "row_sum": number(off[0]),
        "hidden": 0,
    }


def _rows(case: Case, picture: Picture) -> dict[str, str]:
    return {
        "case": case.about,
        "top row drawn": numbers(shown(picture)[0]),
        "weights of query 0": numbers(case.args[0][0]),
    }


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: the rules look at the picture."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """Two languages, a causal map, a word that comes twice, a nearly flat map."""
    g = torch.Generator().manual_seed(733 + seed)

    def case(name: str, about: str, scores: torch.Tensor, queries: str, keys: str):
        weights = scores.softmax(-1)
        return Case(name, about, (weights, queries.split(), keys.split()))

    def drawn_at_random(n_q: int, n_k: int) -> torch.Tensor:
        return torch.randn(n_q, n_k, generator=g)

    hidden = ~torch.ones(4, 4, dtype=torch.bool).tril()
    text = "the cat saw a"
    again = "the cat saw the"
    return [
        case(
            "cross",
            "3 queries, 5 keys",
            drawn_at_random(3, 5),
            "le chat vit",
            "the cat saw a dog",
        ),
        case(
            "causal",
            "a causal map of 4 tokens",
            drawn_at_random(4, 4).masked_fill(hidden, -torch.inf),
            text,
            text,
        ),
        case("twice", "a token that comes twice", drawn_at_random(4, 4), again, again),
        case(
            "flat",
            "4 queries, 3 keys, nearly equal weights",
            0.1 * drawn_at_random(4, 3),
            "un chien vit ici",
            "dog saw cat",
        ),
    ]


EXERCISES = [
    Exercise(
        name="draw_attention",
        parts=("picture",),
        space={},
        compute=compute,
        cases=cases,
        argument_names=("weights", "query_tokens", "key_tokens"),
        call=drawn,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(
            something,
            right_numbers,
            way_round,
            labels_fit("x"),
            labels_fit("y"),
            colour_scale,
            titles,
            on_axes_given,
            behave.arguments_untouched,
        ),
        remarks=(settings_kept, needs_gradient),
        praise=(
            "On all 4 maps every number stands in its row and column, under its "
            "token's label, on one colour scale from 0 to 1, and both axes are named."
        ),
    )
]
