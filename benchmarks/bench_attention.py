"""Our MultiHeadAttention against nn.MultiheadAttention: CPU time as ratios, one thread.

Both sides of a ratio are measured in turn, in one process, and the median of the
pairwise ratios is printed, so that other work on the machine hits both alike.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import torch
from torch import nn

from helpers.attention import MultiHeadAttention
from helpers.measure import time_ratio

BATCH, D_MODEL, HEADS = 4, 512, 8
LENGTHS = (20, 128, 512, 1024)
Work = Callable[[], object]


def training_step(module: nn.Module, x: torch.Tensor, **options: object) -> Work:
    def step() -> None:
        module.zero_grad()
        output, weights = module(x, x, x, **options)
        output.square().mean().backward()

    return step


def inference(module: nn.Module, x: torch.Tensor, **options: object) -> Work:
    def call() -> None:
        with torch.no_grad():
            module(x, x, x, **options)

    return call


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True)
    ours = MultiHeadAttention(D_MODEL, HEADS).copy_weights_from(theirs)
    sizes = f"batch {BATCH}, d_model {D_MODEL}, {HEADS} heads"
    print(f"ours / nn.MultiheadAttention, CPU time, {sizes}")
    print(f"{'n':>6} {'':22} {'with weights':>13} {'without':>9}   allowed")
    for n in LENGTHS:
        x = torch.randn(BATCH, n, D_MODEL)
        limits = {
            "training step": (1.05, 1.0),
            "inference": (1.15 if n <= 128 else 1.3, 1.1 if n <= 128 else 0.8),
        }
        for kind, build in (("training step", training_step), ("inference", inference)):
            for module in (ours, theirs):
                module.train(kind == "training step")
            found = [
                time_ratio(
                    build(ours, x, need_weights=need),
                    build(theirs, x, need_weights=need, average_attn_weights=False),
                    runs=rounds,
                    least=0.1,
                )
                for need in (True, False)
            ]
            allowed = " / ".join(f"{limit:g}" for limit in limits[kind])
            over = any(f > limit for f, limit in zip(found, limits[kind]))
            print(
                f"{n:6} {kind:22} {found[0]:13.2f} {found[1]:9.2f}   {allowed}"
                f"{'   over' if over else ''}",
                flush=True,
            )


if __name__ == "__main__":
    main()
