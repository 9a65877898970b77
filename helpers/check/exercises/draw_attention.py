"""draw_attention(ax, weights, query_tokens, key_tokens): a heat map, read as it looks.

Nothing is compared with one way of drawing: `_picture` reads off which number is where,
under which label and colour scale; each judge here looks at one of these.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..diagnosis import number, numbers
from ..judged import judged
from ..program import compiled
from ..space import Case, Finding
from ._labels import labels_fit, word_of
from ._picture import Picture, draw

TOLERANCE = 1e-3
VALUES = {
    "w": "",
    "(w - w.min()) / (w.max() - w.min())": "map-normalised",
    "w / w.max()": "map-normalised",
    "w / w.amax(1, True)": "map-rows-normalised",
    "(w - w.amin(1, True)) / (w.amax(1, True) - w.amin(1, True))": (
        "map-rows-normalised"
    ),
    "w / w.sum(0, True)": "map-columns-normalised",
    "w / w.amax(0, True)": "map-columns-normalised",
    "(w - w.mean()) / w.std()": "map-standardised",
    "w.softmax(1)": "map-softmax-again",
    "w.softmax(0)": "map-softmax-again",
    "w.flatten().softmax(0).view_as(w)": "map-softmax-again",
    "w.log()": "map-of-logs",
    "(w + 1e-9).log()": "map-of-logs",
    "w.log10()": "map-of-logs",
    "-w.log()": "map-of-logs",
    "w.round()": "map-rounded",
    "w.round(decimals=1)": "map-rounded",
    "w.round(decimals=2)": "map-rounded",
    "w.floor()": "map-rounded",
    "100 * w": "map-in-percent",
    "(100 * w).round()": "map-in-percent",
    "255 * w": "map-in-percent",
    "(255 * w).floor()": "map-in-percent",
    "1 - w": "map-inverted",
    "-w": "map-inverted",
    "(w == w.amax(1, True)).float()": "map-of-largest",
    "(w > 0.5).float()": "map-of-largest",
    "(w > w.mean()).float()": "map-of-largest",
    "w * w": "map-squared",
    "w.sqrt()": "map-squared",
    "w.exp()": "map-squared",
    "w.tril()": "map-half-drawn",
    "w.triu()": "map-half-drawn",
    "w - w * torch.eye(*w.shape)": "map-half-drawn",
    "w.cumsum(1)": "map-of-sums",
    "w.mean(0, True).expand_as(w)": "map-of-sums",
    "0 * w": "map-empty",
    "0 * w + 1": "map-empty",
}
"""What may have been drawn in place of the weights, likeliest first."""
TURNS = {
    "w": "",
    "w.T": "map-transposed",
    "w.flip(0)": "map-rows-reversed",
    "w.flip(1)": "map-columns-reversed",
    "w.flip(0, 1)": "map-turned",
    "w.T.flip(0)": "map-transposed-and-reversed",
    "w.T.flip(1)": "map-transposed-and-reversed",
    "w.T.flip(0, 1)": "map-transposed-and-reversed",
}
"""Which way round they may have been drawn."""
ORDER = [(values, turn) for values in VALUES for turn in TURNS]


def pictures_of(trial: Trial) -> list[tuple[Case, Picture]]:
    """The cases and what was drawn for them."""
    pairs = zip(trial.cases, (o.value for o in trial.outcomes))
    return [(c, p) for c, p in pairs if isinstance(p, Picture)]


def maps_of(trial: Trial) -> list[tuple[Case, Picture]]:
    """Those in which there is a map of numbers."""
    return [(c, p) for c, p in pictures_of(trial) if p.values is not None]


def something(trial: Trial) -> Finding | None:
    """There is a heat map, on the axes that were given."""
    for case, picture in pictures_of(trial):
        where = {"case": case.about}
        if picture.by_the_course:
            return Finding("map-by-plot-attention", {}, where)
        if picture.in_colours:
            return Finding("map-in-colours", {}, where)
        if picture.no_cells:
            return Finding("map-not-in-cells", {}, where)
        if picture.values is None:
            lost = "the map" not in picture.elsewhere
            return Finding("nothing-drawn" if lost else "map-on-other-axes", {}, where)
    return None


def readings_of(picture: Picture) -> set[tuple[str, str]]:
    """(which values, which way round) that agree with a picture."""
    if picture.readings is None:
        w, got = picture.weights, picture.numbers
        picture.readings = set()
        for values in VALUES:
            made = eval(compiled(values)[0], {"w": w, "torch": torch})
            for turn in TURNS:
                due = eval(compiled(turn)[0], {"w": made})
                if due.shape == got.shape and _close(got, due, "log" in values):
                    picture.readings.add((values, turn))
    return picture.readings


def _close(got: Tensor, due: Tensor, logs: bool) -> bool:
    if logs:  # where a weight is 0, its log may be cut off anywhere far down
        both = due.abs() < 15
        low = got[~both].abs()
        return _close(got[both], due[both], False) and bool(
            ((low > 6) | (low == 0)).all()
        )
    return bool(((got - due).abs() <= TOLERANCE * due.abs().clamp_min(1.0)).all())


def reading_of(trial: Trial) -> tuple[str, str] | None:
    """The likeliest reading that fits all maps, if there is one."""
    found = [readings_of(picture) for _, picture in maps_of(trial)]
    common = set.intersection(*found) if found else set()
    return min(common, key=ORDER.index) if common else None


def right_numbers(trial: Trial) -> Finding | None:
    """The numbers are the weights, and all can be seen."""
    found = reading_of(trial)
    for case, picture in maps_of(trial):
        if found and VALUES[found[0]] and ("w", found[1]) not in readings_of(picture):
            return _finding(VALUES[found[0]], case, picture)
        if not found and all(VALUES[values] for values, _ in readings_of(picture)):
            return _finding(_other_numbers(picture), case, picture)
    for case, picture in maps_of(trial) if found else ():
        if picture.hidden_cells:
            return _finding("map-cut-off", case, picture)
    return None


def _other_numbers(picture: Picture) -> str:
    w, got = picture.weights, picture.numbers
    if found := readings_of(picture):
        return VALUES[min(found, key=ORDER.index)[0]]
    if got.shape not in (w.shape, w.T.shape):
        rows, columns = (min(a, b) for a, b in zip(got.shape, w.shape))
        part = w[:rows, :columns]
        cut = part.shape == got.shape and torch.allclose(got, part, atol=TOLERANCE)
        return "map-cut-off" if cut else "map-other-shape"
    blank = got == 0
    turned = (eval(compiled(turn)[0], {"w": w}) for turn in TURNS)
    if bool(blank.any()) and any(
        v.shape == got.shape and bool((blank | ((got - v).abs() < TOLERANCE)).all())
        for v in turned
    ):
        return "map-half-drawn"
    if bool((got < -TOLERANCE).any()):
        return "map-of-scores"
    off = float((got.sum(-1) - 1).abs().max()) > 0.01
    return "map-rows-not-one" if off else "map-other-numbers"


def way_round(trial: Trial) -> Finding | None:
    """Queries go down from the top, keys across from the left."""
    turn = (reading_of(trial) or ("", "w"))[1]
    if not TURNS[turn]:
        return None
    case, picture = maps_of(trial)[0]
    _, queries, keys = case.args
    names = [word_of(text) for _, text in picture.labels["y"]]
    mistake = TURNS[turn]
    if mistake == "map-rows-reversed" and names == queries[::-1]:
        mistake = "map-upside-down"
    if mistake == "map-transposed" and names == keys:
        mistake = "map-transposed-with-labels"
    return _finding(mistake, case, picture)


def colour_scale(trial: Trial) -> Finding | None:
    """One linear scale from 0 to 1 for every map."""
    seen, odd = {}, []
    for case, picture in maps_of(trial):
        low, high = picture.limits
        seen[f"colours, {case.about}"] = f"{number(low)} to {number(high)}"
        if not picture.linear:
            return Finding("scale-of-colours-not-linear", {}, {"case": case.about})
        if abs(low) > 1e-4 or abs(high - 1) > 1e-4:
            odd.append(picture)
    if not odd:
        return None
    low, high = odd[0].limits
    facts = {"low": number(low), "high": number(high)}
    least, most = float(odd[0].numbers.min()), float(odd[0].numbers.max())
    fitted = abs(low - least) < 1e-4, abs(high - most) < 1e-4
    if low > high:
        return Finding("scale-of-colours-reversed", facts, seen)
    if all(fitted):
        return Finding("scale-of-each-map", facts, seen)
    if any(fitted) and (abs(low) < 1e-4 or abs(high - 1) < 1e-4):
        end = "lower" if fitted[0] and abs(low) > 1e-4 else "upper"
        return Finding("scale-half-fixed", facts | {"end": end}, seen)
    return Finding("scale-not-zero-to-one", facts, seen)


def labelled(which: str) -> behave.Behaviour:
    """Every row (y) or column (x) has its token."""

    def check(trial: Trial) -> Finding | None:
        turn = (reading_of(trial) or ("", "w"))[1]
        return labels_fit(which, turn, maps_of(trial))

    return check


def titles(trial: Trial) -> Finding | None:
    """Both axes are named: keys across, queries down."""
    if ".T" in (reading_of(trial) or ("", "w"))[1]:
        return None
    for case, picture in maps_of(trial):
        x, y = (picture.titles[which].strip().lower() for which in "xy")
        seen = {"case": case.about, "across": x or "none", "down": y or "none"}
        facts = {"across": repr(x), "down": repr(y)}
        if not x or not y:
            lost = [n for n, t in (("across", x), ("down", y)) if not t]
            return Finding("axis-titles-missing", {"lost": " and ".join(lost)}, seen)
        if "quer" in x and "key" in y and not ("key" in x and "quer" in y):
            return Finding("axis-titles-swapped", facts, seen)
        if "key" not in x or "quer" not in y:
            return Finding("axis-titles-other", facts, seen)
    return None


def on_axes_given(trial: Trial) -> Finding | None:
    """All of it is on `ax`, also when other axes are pyplot's current ones."""
    for case, _ in maps_of(trial)[:1]:
        after = guard.run(
            lambda *args: draw(trial.answer, *args, current=False),
            case.args,
            by=trial.answer,
        ).value
        if isinstance(after, Picture) and after.elsewhere:
            facts = {"what": " and ".join(after.elsewhere)}
            return Finding("map-on-current-axes", facts, {"case": case.about})
    return None


def settings_kept(trial: Trial) -> Finding | None:
    """A remark: global settings of matplotlib stay as they were."""
    changed = [k for _, p in pictures_of(trial) for k in p.settings_changed]
    names = ", ".join(list(dict.fromkeys(changed))[:3])
    return Finding("settings-changed", {"names": names}) if names else None


def needs_gradient(trial: Trial) -> Finding | None:
    """A remark: weights straight from a model need a gradient."""
    weights, *tokens = trial.cases[0].args
    trouble = trial.call((weights.clone().requires_grad_(), *tokens)).trouble
    return Finding("map-needs-detach") if trouble else None


def _finding(mistake: str, case: Case, picture: Picture) -> Finding:
    w, got = picture.weights, picture.numbers
    row = (
        int((got[:, 0] - w[: len(got), 0]).abs().argmax()) if len(got) <= len(w) else 0
    )
    facts = {
        "got": tuple(got.shape),
        "want": tuple(w.shape),
        "least": number(got.min()),
        "most": number(got.max()),
        "row_sum": number(got.sum(-1)[0]),
        "hidden": picture.hidden_cells,
    }
    shown = {
        "case": case.about,
        f"row {row} of the picture": numbers(got[row]),
        f"weights of query {row}": numbers(w[row]),
    }
    return Finding(mistake, facts, shown)


def cases(seed: int) -> Sequence[Case]:
    """Two languages, a causal map with a word that comes twice, a nearly flat map."""
    import matplotlib.pyplot  # noqa: F401  # what is loaded, guard.run puts back

    g = torch.Generator().manual_seed(733 + seed)

    def case(name: str, about: str, scores: Tensor, queries: str, keys: str) -> Case:
        return Case(name, about, (scores.softmax(-1), queries.split(), keys.split()))

    def drawn(n_q: int, n_k: int) -> Tensor:
        return torch.randn(n_q, n_k, generator=g)

    hidden = ~torch.ones(4, 4, dtype=torch.bool).tril()
    causal = drawn(4, 4).masked_fill(hidden, -torch.inf)
    text, again = "the cat saw the", "a causal map in which a token comes twice"
    keys, flat = "the cat saw a dog", 0.1 * drawn(4, 3)
    few = "4 queries, 3 keys, nearly equal weights"
    return [
        case("cross", "3 queries, 5 keys", drawn(3, 5), "le chat vit", keys),
        case("causal", again, causal, text, text),
        case("flat", few, flat, "un chien vit ici", "dog saw cat"),
    ]


EXERCISES = [
    judged(
        "draw_attention",
        "a heat map",
        something,
        right_numbers,
        way_round,
        labelled("x"),
        labelled("y"),
        colour_scale,
        titles,
        on_axes_given,
        behave.arguments_untouched,
        cases=cases,
        parts=("picture",),
        argument_names=("weights", "query_tokens", "key_tokens"),
        call=draw,
        remarks=(settings_kept, needs_gradient),
        praise=(
            "On all 3 maps every number is in its row and column, under its token's "
            "label, on one colour scale from 0 to 1, and both axes are named."
        ),
    )
]
