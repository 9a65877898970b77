"""streaming_attention: time as ratios, memory in fresh processes, one thread.

Time is CPU time. The sides of a ratio are measured in turn, in one process; printed
are the median of the ratios of the rounds and, behind it, the ratio of the fastest
rounds. Other work on the machine can push one of them beyond a bound, so that only both
together count as "over"; the exit status is 1 then.

Memory is the peak of the resident memory of a process that makes one call, less what
was resident before it (not on Windows). What a call returns is not counted.

`--blocks` compares sizes of blocks. Small ones pay for their number, large ones leave
the processor's cache. Fastest rounds against SDPA, n = 2048, on a busy machine with
512 kB of second-level cache:

    queries × keys   128 × 512   256 × 512   512 × 512   1024 × 512   1024 × 1024
    forward             1.85        1.67        1.41         1.44          1.62
    training step       1.48        1.32        1.20         1.22          1.24
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from helpers.measure import process_peaks, rounds_in_turn
from helpers.streaming import streaming_attention

BATCH, HEADS, D = 1, 8, 64
MB = 1e6
GROWTH, EXTRA = 4.4, 64 * MB
LEAST = {"plain / streaming": 2.3}, {"plain / streaming": 1.3}
MOST = {"streaming / SDPA": 1.6}, {"streaming / SDPA": 1.7}
CAUSAL = 0.75
"""Bounds of the ratios, forward and in a training step. With blocks of 512, a causal
loop makes 36 of the 64 blocks of 4096 tokens; of the 4 blocks of 1024 it makes 3, and
hiding half of two of them costs as much as the one that is skipped."""
Work = Callable[[], list[Tensor]]
Attention = Callable[..., Tensor]


def plain(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """The article's code."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1) @ V


def causal(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    return streaming_attention(Q, K, V, causal=True)


WAYS: dict[str, Attention] = {
    "streaming": streaming_attention,
    "causal": causal,
    "SDPA": F.scaled_dot_product_attention,
    "plain": plain,
}


def qkv(n: int, grad: bool = False) -> list[Tensor]:
    g = torch.Generator().manual_seed(0)
    shape = BATCH, HEADS, n, D
    return [torch.randn(shape, generator=g).requires_grad_(grad) for _ in range(3)]


def call(attention: Attention, n: int, training: bool) -> Work:
    """Output, and when training the gradients too, as a function of nothing."""
    arguments = qkv(n, grad=training)
    seed = torch.ones(BATCH, HEADS, n, D)

    def work() -> list[Tensor]:
        output = attention(*arguments)
        if not training:
            return [output]
        return [output, *torch.autograd.grad(output, arguments, seed)]

    return work


def measured(works: dict[str, Work], rounds: int) -> dict[str, tuple[float, ...]]:
    """CPU seconds of each round of each work; one round takes all of them in turn."""
    times = rounds_in_turn(list(works.values()), runs=rounds, least=0)
    return dict(zip(works, zip(*times)))


def ratios(above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
    """Median over the rounds, and of the fastest ones."""
    return (
        statistics.median(a / b for a, b in zip(above, below)),
        min(above) / min(below),
    )


# Memory


def extra_bytes(way: str, n: int, training: bool) -> int:
    """Extra bytes of one call in a fresh process, beside what it returns."""
    setup = f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from bench_streaming import WAYS, call
        torch.set_grad_enabled(True)
        call(WAYS[{way!r}], 64, {training})()
        work = call(WAYS[{way!r}], {n}, {training})
    """
    peaks = process_peaks(setup, "work()")
    if peaks is None:
        raise OSError("this system does not say how much memory a process took")
    returned = 4 if training else 1
    return peaks[0] - returned * BATCH * HEADS * n * D * torch.float32.itemsize


# The page


def speed(n: int, rounds: int, training: bool) -> bool:
    """Print the ratios of one length; whether a bound is exceeded."""
    times = measured({way: call(WAYS[way], n, training) for way in WAYS}, rounds)
    most, least = MOST[training], LEAST[training]
    if n >= 4096:
        most = most | {"causal / streaming": CAUSAL}
    exceeded = False
    for pair in ("streaming / SDPA", "plain / streaming", "causal / streaming"):
        above, below = pair.split(" / ")
        middle, fastest = ratios(times[above], times[below])
        over = min(middle, fastest) > most.get(pair, math.inf)
        over |= max(middle, fastest) < least.get(pair, 0)
        allowed = f"at most {most[pair]:g}" if pair in most else ""
        allowed = f"at least {least[pair]:g}" if pair in least else allowed
        kind = "training step" if training else "forward"
        print(
            f"{n:6} {kind:14} {pair:20} {middle:6.2f} {fastest:9.2f}   {allowed}"
            f"{'   over' * over}",
            flush=True,
        )
        exceeded |= over
    return exceeded


def memory(way: str, lengths: tuple[int, int], training: bool) -> bool:
    """Print the extra memory at two lengths, the second 4 times the first."""
    small, large = (extra_bytes(way, n, training) for n in lengths)
    kind = "training step" if training else "forward"
    found = f"{small / MB:8.1f} MB {large / MB:8.1f} MB {large / small:6.2f} ×"
    over = way != "plain" and (large / small > GROWTH or large > EXTRA)
    words = f"at most {GROWTH:g} ×, {EXTRA / MB:g} MB" * (way != "plain")
    print(
        f"{lengths[0]:6} → {lengths[1]:<6} {kind:14} {way:10} {found}   {words}"
        f"{'   over' * over}",
        flush=True,
    )
    return over


def compare_blocks(n: int, rounds: int) -> None:
    sizes = [(r, c) for r in (128, 256, 512, 1024) for c in (256, 512, 1024)]
    for training in (False, True):
        ways = {
            str(size): lambda *x, size=size: streaming_attention(*x, block=size)
            for size in sizes
        }
        ways["SDPA"] = F.scaled_dot_product_attention
        works = {name: call(way, n, training) for name, way in ways.items()}
        times = measured(works, rounds)
        print(f"n = {n}, {'training step' if training else 'forward'}, block / SDPA")
        for name in list(ways)[:-1]:
            middle, fastest = ratios(times[name], times["SDPA"])
            print(f"{name:>14} {middle:6.2f} {fastest:6.2f}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--blocks", action="store_true", help="compare block sizes")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.blocks:
        compare_blocks(2048, options.rounds)
        return 0
    print(f"CPU time, batch {BATCH}, {HEADS} heads, d {D}, float32, one thread")
    print(f"{'n':>6} {'':14} {'':20} {'median':>6} {'fastest':>9}   allowed")
    few = max(3, options.rounds // 4)
    over = [
        speed(1024, options.rounds, training=False),
        speed(4096, few, training=False),
        speed(1024, options.rounds, training=True),
        speed(4096, few, training=True),
    ]
    print("\nextra memory of one call, beside what it returns")
    over += [
        memory("streaming", (4096, 16384), training=False),
        memory("streaming", (2048, 8192), training=True),
        memory("plain", (1024, 4096), training=False),
        memory("plain", (1024, 4096), training=True),
    ]
    return int(any(over))


if __name__ == "__main__":
    sys.exit(main())
