"""latent_attention(q, C, U_k, U_v) -> output: a step that never makes the keys."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..program import Program
from ..space import Case, Exercise, Finding
from ._streaming import Widest


def all_heads(x: torch.Tensor) -> torch.Tensor:
    """(B, H, …): the sum over the heads, for each head."""
    return x.sum(dim=1, keepdim=True).expand_as(x)


LINES = {
    "down": ("U_k", {"U_v": "latent-keys-from-u-v"}),
    "up": ("U_v", {"U_k": "latent-values-from-u-k"}),
    "asked": (
        "torch.einsum('bhd,hrd->bhr', q, down)",
        {"all_heads(torch.einsum('bhd,hrd->bhr', q, down))": "latent-heads-added"},
    ),
    "scale": (
        "q.shape[-1] ** 0.5",
        {
            "C.shape[-1] ** 0.5": "latent-scale-of-the-latent",
            "1.0": "no-scale",
            "q.shape[-1]": "scale-d-k",
            "C.shape[-1]": "latent-scale-of-the-latent",
            "(q.shape[1] * q.shape[-1]) ** 0.5": "latent-scale-of-all-heads",
        },
    ),
    "scores": ("asked @ C.mT / scale", {}),
    "weights": (
        "scores.softmax(-1)",
        {"scores.softmax(1)": "softmax-over-heads", "scores": "no-softmax"},
    ),
    "read": ("weights @ C", {"asked": "latent-nothing-read"}),
    "output": (
        "torch.einsum('bhr,hrd->bhd', read, up)",
        {
            "torch.einsum('bhr,hrd->bhd', read, up).mean(1, True).expand_as(q)": (
                "latent-output-averaged"
            )
        },
    ),
    "returned": (
        "output",
        {
            "read": "latent-u-v-forgotten",
            "(output, weights)": "returns-two",
            "output.flatten(1)": "latent-heads-merged",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """The latent is wider or narrower than a head, never as wide, but for one case."""
    g = torch.Generator().manual_seed(11_101 + seed)

    def case(name: str, about: str, B: int, H: int, n: int, r: int, d: int) -> Case:
        q, C = torch.randn(B, H, d, generator=g), torch.randn(B, n, r, generator=g)
        U_k, U_v = torch.randn(2, H, r, d, generator=g)
        return Case(name, about, (q, C, U_k, U_v), tol=1e-3)

    return [
        case("plain", "7 tokens, 3 heads of 5, a latent of 11", 2, 3, 7, 11, 5),
        case("narrow", "5 tokens, 2 heads of 7, a latent of 3", 3, 2, 5, 3, 7),
        case("square", "4 tokens, 4 heads of 4, a latent of 4", 4, 4, 4, 4, 4),
        case("one", "a single token and head", 1, 1, 1, 3, 5),
    ]


def keys_made(trial: Trial) -> Finding | None:
    """No tensor is as large as all keys, which would give back what a latent saves."""
    if trial.failing:
        return None
    g = torch.Generator().manual_seed(11_201)
    B, H, n, r, d = 1, 8, 512, 16, 32
    q, C = torch.randn(B, H, d, generator=g), torch.randn(B, n, r, generator=g)
    U_k, U_v = torch.randn(2, H, r, d, generator=g)
    with Widest(1, n) as watch:
        trial.call((q, C, U_k, U_v))
    copied, keys = B * H * n * r, B * H * n * d
    if watch.size < copied:
        return None
    facts = {"made": f"{watch.size:,}", "latents": f"{B * n * r:,}"}
    mistake = "latent-keys-made" if watch.size >= keys else "latent-copied"
    return Finding(mistake, facts)


EXERCISES = [
    Exercise(
        name="latent_attention",
        parts=("output",),
        compute=Program("q C U_k U_v", LINES, all_heads=all_heads),
        cases=cases,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
            keys_made,
        ),
        symptoms=(behave.not_finite,),
    )
]
