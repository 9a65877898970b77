"""plot_attention with 512 tokens: CPU time, and the ratio to a bare imshow of as much.

Each side makes a new figure and writes it as a PNG into memory.
"""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Callable

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import torch

from helpers.plots import plot_attention

TOKENS, ROUNDS, SECONDS = 512, 5, 2.0


def seconds(draw: Callable[[], plt.Figure]) -> float:
    start = time.process_time()
    figure = draw()
    figure.savefig(io.BytesIO(), format="png")
    taken = time.process_time() - start
    plt.close(figure)
    return taken


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    weights = torch.randn(1, 8, TOKENS, TOKENS).softmax(dim=-1)
    names = [f"token{i}" for i in range(TOKENS)]

    def ours() -> plt.Figure:
        return plot_attention(weights, names, head=3).figure

    def bare() -> plt.Figure:
        figure, ax = plt.subplots(figsize=size)
        ax.imshow(weights[0, 3], vmin=0, vmax=1, cmap="Blues")
        return figure

    figure = ours()
    size = figure.get_size_inches()
    plt.close(figure)
    times = [(seconds(ours), seconds(bare)) for _ in range(ROUNDS)]
    taken = statistics.median(a for a, _ in times)
    ratio = statistics.median(a / b for a, b in times)
    print(f"plot_attention with {TOKENS} tokens, CPU time, median of {ROUNDS}")
    print(f"{taken:8.2f} s   allowed {SECONDS:g} s{'   over' * (taken > SECONDS)}")
    print(f"{ratio:8.2f}     times a bare imshow + savefig")


if __name__ == "__main__":
    main()
