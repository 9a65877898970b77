"""Steps and paths of a layer, found by walking the graph of what depends on what.

A cell is (layer, position): what a layer writes at one position. Layer 0 holds the
inputs. A layer is described by what one of its cells reads; nothing else is known
about it here. All layers are causal: position i depends on positions up to i.

- Cells that do not depend on each other are computed in one layer-wide tensor
  operation. So the steps that have to follow each other are the longest chain of
  cells within one layer.
- A path leads from an input to an output, cell by cell. Layers are stacked until
  every input reaches every later output. Of the shortest paths between each two of
  them, the longest counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

Cell = tuple[int, int]
Reads = Callable[[int, int], Iterable[Cell]]
"""(layer, position) → the cells that this cell is computed from."""


def self_attention(layer: int, i: int) -> list[Cell]:
    """Every position reads every position up to its own."""
    return [(layer - 1, j) for j in range(i + 1)]


def generating(layer: int, i: int) -> list[Cell]:
    """Self-attention that writes: input i is the output at i - 1."""
    return self_attention(layer, i) + [(layer, i - 1)] * (i > 0)


def rnn(layer: int, i: int) -> list[Cell]:
    """A state reads its input, and the state before it in the same layer."""
    return [(layer - 1, i)] + [(layer, i - 1)] * (i > 0)


def convolution(kernel: int, dilated: bool = False) -> Reads:
    """A position reads `kernel` inputs; if dilated, with gaps of kernelˡᵃʸᵉʳ⁻¹."""

    def reads(layer: int, i: int) -> list[Cell]:
        gap = kernel ** (layer - 1) if dilated else 1
        window = (i - gap * back for back in range(kernel))
        return [(layer - 1, j) for j in window if j >= 0]

    return reads


def restricted_attention(window: int) -> Reads:
    """A position attends to the last `window` positions, its own included."""

    def reads(layer: int, i: int) -> list[Cell]:
        return [(layer - 1, j) for j in range(max(0, i - window + 1), i + 1)]

    return reads


def steps_of(reads: Reads, n: int, layers: int = 1) -> dict[Cell, int]:
    """The earliest step at which each cell can be computed.

    Args:
        reads: what a cell is computed from.
        n: number of positions.
        layers: how many layers are stacked.

    Returns:
        cell → step; the inputs, layer 0, are there at step 0.

    >>> [steps_of(rnn, 4)[1, i] for i in range(4)]
    [1, 2, 3, 4]
    """
    _check(n)
    step = {(0, i): 0 for i in range(n)}
    for layer in range(1, layers + 1):
        for i in range(n):
            step[layer, i] = 1 + max(step[cell] for cell in reads(layer, i))
    return step


def sequential_steps(reads: Reads, n: int) -> int:
    """How many layer-wide operations of one layer must wait for each other.

    Args:
        reads: what a cell is computed from.
        n: number of positions.

    >>> sequential_steps(self_attention, 10), sequential_steps(rnn, 10)
    (1, 10)
    """
    return max(steps_of(reads, n).values())


def longest_path(reads: Reads, n: int) -> tuple[int, int]:
    """The longest of the shortest paths from an input to a later output.

    Args:
        reads: what a cell is computed from.
        n: number of positions.

    Returns:
        length of the path in cells; layers that had to be stacked.

    Raises:
        ValueError: if stacking more layers does not connect more positions.

    >>> longest_path(convolution(3), 10), longest_path(rnn, 10)
    ((5, 5), (10, 1))
    """
    _check(n)
    # shortest[cell][j]: cells on the way from input j to this cell
    shortest: dict[Cell, dict[int, int]] = {(0, i): {i: 0} for i in range(n)}
    connected, layer = n, 0
    while connected < n * (n + 1) // 2:
        layer += 1
        for i in range(n):
            found: dict[int, int] = {}
            for cell in reads(layer, i):
                for j, length in shortest[cell].items():
                    found[j] = min(length + 1, found.get(j, length + 1))
            shortest[layer, i] = found
        now = sum(len(shortest[layer, i]) for i in range(n))
        if now <= connected:
            raise ValueError(
                f"after {layer} layers only {now} of {n * (n + 1) // 2} pairs are "
                f"connected, and one more layer does not help"
            )
        connected = now
    return max(max(shortest[layer, i].values()) for i in range(n)), layer


class ScanCount(NamedTuple):
    """What joining n steps in pairs takes.

    rounds: how many layer-wide operations must wait for each other.
    joins: how many pairs of maps are joined in all.
    """

    rounds: int
    joins: int


def scan(n: int) -> ScanCount:
    """Rounds of a prefix scan, walked until the last position knows all n inputs.

    In a round, position i joins what it knows with what the position a gap before it
    knows, and the gap doubles.

    Args:
        n: number of positions.

    >>> scan(9)
    ScanCount(rounds=4, joins=21)
    """
    _check(n)
    known = [{i} for i in range(n)]
    rounds, joins, gap = 0, 0, 1
    while len(known[-1]) < n:
        before = (known[i - gap] if i >= gap else set() for i in range(n))
        known = [own | other for own, other in zip(known, before)]
        rounds, joins, gap = rounds + 1, joins + n - gap, 2 * gap
    return ScanCount(rounds, joins)


def _check(n: int) -> None:
    if n < 1:
        raise ValueError(f"n is {n}, but there must be at least 1 position")
