"""FLOPs of matrix products: by formula, and by PyTorch's own counter.

One multiplication and one addition are two FLOPs: (a × b) times (b × c) takes 2abc.
The softmax is not a matrix product and is counted in neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def attention_flops(n_q: int, n_k: int, d_k: int, d_v: int) -> int:
    """FLOPs of QKᵀ and of weights · V, for one head of one sequence.

    2 · n_q · n_k · d_k + 2 · n_q · n_k · d_v.

    Args:
        n_q, n_k: number of queries and of keys.
        d_k, d_v: width of queries and keys, and of values.

    Returns:
        FLOPs. A mask does not lower them: forbidden scores are computed and dropped.

    >>> attention_flops(n_q=5, n_k=7, d_k=3, d_v=11)
    980
    """
    return 2 * n_q * n_k * (d_k + d_v)


def projection_flops(n: int, d_model: int) -> int:
    """FLOPs of the four projections W_q, W_k, W_v and W_o of n tokens: 8 · n · d².

    Args:
        n: number of tokens.
        d_model: their width.

    >>> projection_flops(n=5, d_model=16)
    10240
    """
    return 4 * 2 * n * d_model * d_model


def mlp_flops(n: int, d_model: int, widening: int = 4) -> int:
    """FLOPs of an MLP with one hidden layer: 2 · 2 · n · d · (widening · d).

    Args:
        n: number of tokens.
        d_model: their width.
        widening: how many times wider the hidden layer is.

    >>> mlp_flops(n=5, d_model=16)
    20480
    """
    return 2 * 2 * n * d_model * widening * d_model


def counted_flops(call: Callable[[], Any]) -> int:
    """FLOPs of the matrix products (and convolutions) of a call, by PyTorch's counter.

    It knows the operations that PyTorch calls by name. Additions, the softmax and
    anything inside a fused kernel on the CPU count 0: for
    `F.scaled_dot_product_attention` on a CPU it counts 0, not just too few.

    Args:
        call: takes no arguments; what it returns is dropped.

    Returns:
        FLOPs, of the backward pass too, if the call runs one.
    """
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()
