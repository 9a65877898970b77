"""Memory of a call: every tensor it makes, the most it holds, what training keeps.

On the CPU these are counts of tensors, byte by byte, the same on every machine. What
a kernel needs internally is not seen; `process_peaks` sees it, from a process of its
own. On a GPU `peak_bytes` asks PyTorch's allocator, which sees everything.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode


class Made(NamedTuple):
    """A tensor that an operation made: its operation, its shape, its bytes."""

    operation: str
    shape: tuple[int, ...]
    bytes: int


class _Watch(TorchDispatchMode):
    """Sees every operation; counts storages that are new until they are freed."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Made] = []
        self.alive: set[int] = set()
        self.held = self.peak = 0

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        given = {t.untyped_storage()._cdata for t in _tensors((args, kwargs))}
        result = func(*args, **kwargs)
        for tensor in _tensors(result):
            storage = tensor.untyped_storage()
            key, size = storage._cdata, storage.nbytes()
            if key in given or key in self.alive or not size:
                continue  # a view, or overwritten in place: nothing new
            self.alive.add(key)
            self.held += size
            self.made.append(
                Made(func.overloadpacket.__name__, tuple(tensor.shape), size)
            )
            weakref.finalize(storage, self._freed, key, size).atexit = False
        self.peak = max(self.peak, self.held)
        return result

    def _freed(self, key: int, size: int) -> None:
        self.alive.discard(key)
        self.held -= size


def _tensors(values: Any) -> Iterator[Tensor]:
    if isinstance(values, Tensor):
        yield values
    elif isinstance(values, dict):
        yield from _tensors(list(values.values()))
    elif isinstance(values, list | tuple):
        for value in values:
            yield from _tensors(value)


def tensors_made(call: Callable[[], Any]) -> list[Made]:
    """Every tensor that a call makes, in order; views of others are left out.

    Args:
        call: takes no arguments; what it returns is dropped.

    Returns:
        one Made(operation, shape, bytes) per tensor; the names are PyTorch's own.
    """
    with _Watch() as watch:
        call()
    return watch.made


def peak_bytes(call: Callable[[], Any], device: torch.device | str = "cpu") -> int:
    """The most bytes that a call holds at one time, on top of what was there before.

    Args:
        call: takes no arguments; its result counts.
        device: where it computes. On "cpu" tensors are counted as they come and go;
            on "cuda" the figure is that of PyTorch's allocator.

    Returns:
        bytes.
    """
    device = torch.device(device)
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        before = torch.cuda.memory_allocated(device)
        torch.cuda.reset_peak_memory_stats(device)
        call()
        torch.cuda.synchronize(device)
        return torch.cuda.max_memory_allocated(device) - before
    with _Watch() as watch:
        call()
    return watch.peak


def saved_bytes(call: Callable[[], Any], *given: Tensor) -> int:
    """Bytes that a call keeps for the backward pass: what training has to store.

    Args:
        call: takes no arguments and returns what a loss would be computed from.
        given: tensors that exist anyway (inputs, parameters) and do not count.

    Returns:
        bytes, each tensor once, however often it is kept.
    """
    ours = {t.untyped_storage()._cdata for t in given}
    kept: dict[int, Any] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage._cdata not in ours:
            kept[storage._cdata] = storage
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = call()
    del result
    return sum(storage.nbytes() for storage in kept.values())
