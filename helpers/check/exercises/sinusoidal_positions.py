"""sinusoidal_positions(length, d_model) -> (length, d_model): waves, fast to slow."""

from __future__ import annotations

from collections.abc import Sequence

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise

LINES = {
    "times": (
        "torch.arange(length).double()[:, None]",
        {"torch.arange(1, length + 1).double()[:, None]": "sinusoid-places-from-one"},
    ),
    "evens": (
        "torch.arange(0, d_model, 2).double()",
        {
            "torch.arange(d_model // 2).double()": "sinusoid-index-halved",
            "2 * torch.arange(0, d_model, 2).double()": "sinusoid-index-doubled",
        },
    ),
    "rates": (
        "10_000.0 ** (-evens / d_model)",
        {
            "10_000.0 ** (evens / d_model)": "sinusoid-exponent-positive",
            "(10_000.0 ** (-evens / d_model)).flip(0)": "sinusoid-rates-reversed",
            "1 / (10_000.0 * torch.where(evens > 0, evens, 1) / d_model)": (
                "sinusoid-power-as-product"
            ),
            "1_000.0 ** (-evens / d_model)": "sinusoid-another-base",
            "100_000.0 ** (-evens / d_model)": "sinusoid-another-base",
            "torch.ones_like(evens)": "sinusoid-one-rate",
            "1 / (evens + 1)": "sinusoid-no-base",
        },
    ),
    "cosine_rates": (
        "rates",
        {"10_000.0 ** (-(evens + 1) / d_model)": "sinusoid-cosine-another-rate"},
    ),
    "turn": ("1.0", {"2 * math.pi": "sinusoid-in-turns"}),
    "sines": ("(turn * times * rates).sin()", {}),
    "cosines": ("(turn * times * cosine_rates).cos()", {"sines": "sinusoid-no-cosine"}),
    "waves": ("(sines, cosines)", {"(cosines, sines)": "sinusoid-cosine-first"}),
    "rows": (
        "torch.stack(waves, -1).flatten(-2)",
        {"torch.cat(waves, -1)": "sinusoid-in-halves"},
    ),
    "returned": ("rows.float()", {"rows.float().T": "sinusoid-transposed"}),
}


def cases(seed: int) -> Sequence[Case]:
    """Nothing is drawn: the formula has no random part.

    A wrong sign makes angles of thousands, which float32 rounds by 1e-3; hence the
    tolerance, and few places.
    """
    sizes = ((3, 10), (23, 4), (2, 14), (6, 6), (5, 2), (1, 4))
    return [
        Case(f"{n} × {d}", f"length {n}, d_model {d}", (n, d), tol=5e-3)
        for n, d in sizes
    ]


EXERCISES = [
    Exercise(
        name="sinusoidal_positions",
        parts=("positions",),
        compute=Program("length d_model", LINES),
        cases=cases,
        behaviours=(behave.calls_agree("3 × 10"),),
        symptoms=(behave.not_finite,),
    )
]
