from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.masks import (
    as_bool,
    check_mask,
    combine_masks,
    create_causal_mask,
    padding_mask,
    to_multihead_attention_mask,
)

DTYPES = (torch.bool, torch.int64, torch.uint8, torch.float32, torch.bfloat16)


def test_causal_mask_of_the_article() -> None:
    mask = create_causal_mask(4)
    assert mask.dtype == torch.bool
    assert mask.int().tolist() == [
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [1, 1, 1, 0],
        [1, 1, 1, 1],
    ]


@pytest.mark.parametrize(
    ("n_q", "n_k", "expected"),
    [
        (1, 8, [[1] * 8]),
        (3, 5, [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]),
        (5, 2, [[0, 0], [0, 0], [0, 0], [1, 0], [1, 1]]),
        (2, 0, [[], []]),
    ],
)
def test_causal_mask_between_lengths(n_q: int, n_k: int, expected: list) -> None:
    assert create_causal_mask(n_q, n_k).int().tolist() == expected


@given(n_q=st.integers(0, 17), n_k=st.integers(0, 17))
def test_causal_mask_is_aligned_bottom_right(n_q: int, n_k: int) -> None:
    mask = create_causal_mask(n_q, n_k)
    assert mask.shape == (n_q, n_k)
    ones = torch.ones(n_q, n_k, dtype=torch.bool)
    assert torch.equal(mask, ones.tril(diagonal=n_k - n_q))


@pytest.mark.parametrize("length", [-1, 2.5, "4", True, None])
def test_causal_mask_refuses_what_is_no_length(length: object) -> None:
    with pytest.raises(ValueError, match="seq_len.*whole number") as error:
        create_causal_mask(length)
    assert repr(length) in str(error.value)


def test_causal_mask_names_the_wrong_length() -> None:
    with pytest.raises(ValueError, match="key_len.*-3"):
        create_causal_mask(2, -3)


@pytest.mark.parametrize("lengths", [[2, 3, 0], (2, 3, 0), torch.tensor([2, 3, 0])])
def test_padding_mask(lengths: object) -> None:
    mask = padding_mask(lengths, max_len=5)
    assert mask.dtype == torch.bool and mask.shape == (3, 1, 1, 5)
    expected = [[1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0]]
    assert mask[:, 0, 0].int().tolist() == expected


@pytest.mark.parametrize(
    ("lengths", "essence"),
    [
        ([2, 7], "7.*max_len = 5"),
        ([-1, 2], "-1.*max_len = 5"),
        ([2.0, 3.0], "whole numbers.*float32"),
        ([True, False], "whole numbers.*bool"),
        ([[2, 3]], r"one row.*\(1, 2\)"),
        (3, r"one row.*\(\)"),
    ],
)
def test_padding_mask_refuses(lengths: object, essence: str) -> None:
    with pytest.raises(ValueError, match=essence):
        padding_mask(lengths, max_len=5)


def test_combine_masks_allows_what_all_allow() -> None:
    causal, padding = create_causal_mask(3), padding_mask([2, 3], 3)
    both = combine_masks(causal, None, padding)
    assert both.shape == (2, 1, 3, 3) and both.dtype == torch.bool
    assert both[0, 0].int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    assert both[1, 0].int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_combine_masks_takes_any_dtype(dtype: torch.dtype) -> None:
    causal, padding = create_causal_mask(3), padding_mask([2, 3], 3)
    assert torch.equal(
        combine_masks(causal.to(dtype), padding.int()), combine_masks(causal, padding)
    )


def test_combine_masks_of_none_and_of_one() -> None:
    assert combine_masks() is None
    assert combine_masks(None, None) is None
    one = create_causal_mask(3).float()
    kept = one.clone()
    assert torch.equal(combine_masks(None, one), one.bool())
    assert torch.equal(one, kept)


def test_combine_masks_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"\(3, 3\).*\(2, 1, 1, 5\).*broadcast"):
        combine_masks(create_causal_mask(3), padding_mask([2, 3], 5))
    with pytest.raises(ValueError, match="mask == 0"):
        combine_masks(torch.tensor([[0.0, float("-inf")]]))


@pytest.mark.parametrize(
    ("shape", "remedy"),
    [((3,), r"mask\[None, :\]"), ((2, 3, 3), r"mask\[:, None\]")],
)
def test_combine_masks_refuses_one_and_three_axes(shape: tuple, remedy: str) -> None:
    # (B, T, T) & (B, 1, 1, T) would broadcast to (B, B, T, T): samples become heads.
    with pytest.raises(ValueError, match=remedy) as error:
        combine_masks(padding_mask([2, 3], 3), torch.ones(shape, dtype=torch.bool))
    assert str(shape) in str(error.value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_as_bool(dtype: torch.dtype) -> None:
    assert as_bool(torch.tensor([1, 0, 1]).to(dtype)).tolist() == [True, False, True]


INF = float("inf")


@pytest.mark.parametrize(
    ("values", "essence"),
    [
        ([0.0, -INF], "-inf to 0"),
        ([0.0, -1e9], r"-1e\+09 to 0"),
        ([0.0, float("nan")], "nan"),
        ([0.0, 0.5], "0 to 0.5"),
        ([1, 2], "1 to 2"),
        ([-INF, -INF], "-inf"),
    ],
)
def test_as_bool_refuses_additive_masks(values: list, essence: str) -> None:
    with pytest.raises(ValueError, match=f"{essence}.*`mask == 0`"):
        as_bool(torch.tensor(values))


def test_zeros_are_refused_as_floats_only() -> None:
    with pytest.raises(ValueError, match=r"zeros only.*`mask == 0`.*`mask.bool\(\)`"):
        as_bool(torch.zeros(3, 5))
    assert not as_bool(torch.zeros(3, 5, dtype=torch.int64)).any()
    assert not as_bool(torch.zeros(3, 5).bool()).any()
    assert as_bool(torch.zeros(3, 0)).shape == (3, 0)


def test_as_bool_wants_a_tensor() -> None:
    with pytest.raises(TypeError, match="tensor.*list"):
        as_bool([[1, 0]])


SIZES = {"batch": 2, "heads": 3, "n_q": 5, "n_k": 7}


@pytest.mark.parametrize(
    "shape",
    [(5, 7), (1, 7), (5, 1), (1, 1), (2, 3, 5, 7), (2, 1, 1, 7), (1, 1, 5, 7)]
    + [(2, 3, 5, 1), (1, 3, 1, 7), (1, 1, 1, 1)],
)
def test_masks_that_fit(shape: tuple[int, ...]) -> None:
    assert check_mask(torch.ones(shape), **SIZES).shape == shape


@pytest.mark.parametrize(
    ("shape", "essence"),
    [
        ((2, 7), r"\(batch, n_k\).*padding_mask\(lengths, max_len\)"),
        ((7, 5), r"\(n_q, n_k\) = \(5, 7\).*create_causal_mask\(5, 7\)"),
        ((5, 5), r"\(n_q, n_k\) = \(5, 7\)"),
        ((4, 7), r"\(n_q, n_k\) = \(5, 7\)"),
        ((7,), r"1-D.*mask\[None, :\]"),
        ((2, 5, 7), r"3-D.*mask\[:, None\].*mask\[None\]"),
        ((3, 5, 7), r"3-D.*\(2, 3, 5, 7\)"),
        ((2, 3, 7, 5), r"\(2, 3, 5, 7\)"),
        ((3, 2, 5, 7), r"\(2, 3, 5, 7\)"),
        ((2, 1, 1, 5), r"\(2, 3, 5, 7\)"),
        ((), "0-D"),
        ((1, 2, 3, 5, 7), "5-D"),
    ],
)
def test_masks_that_do_not_fit(shape: tuple[int, ...], essence: str) -> None:
    with pytest.raises(ValueError, match=essence) as error:
        check_mask(torch.ones(shape, dtype=torch.bool), **SIZES)
    assert str(shape) in str(error.value)


def test_the_opposite_polarity() -> None:
    mask = create_causal_mask(3)
    for dtype in DTYPES:
        forbidden = to_multihead_attention_mask(mask.to(dtype))
        assert forbidden.dtype == torch.bool
        assert torch.equal(forbidden, torch.ones(3, 3).triu(1).bool())


@pytest.mark.parametrize(
    "length", [3.0, torch.tensor(3.0), torch.tensor([3, 4]), "3", None, True, [3]]
)
def test_lengths_are_whole_numbers(length: object) -> None:
    with pytest.raises(ValueError, match="seq_len must be a whole number"):
        create_causal_mask(length)


def test_whole_numbers_of_any_kind() -> None:
    for length in (torch.tensor(3), np.int64(3), 3):
        assert create_causal_mask(length).shape == (3, 3)


@pytest.mark.parametrize("lengths", [None, [1, None], "ab", object()])
def test_lengths_that_are_no_numbers(lengths: object) -> None:
    with pytest.raises(ValueError, match="one row of whole numbers.*got"):
        padding_mask(lengths, 3)


def test_sparse_and_complex_masks_are_read() -> None:
    mask = create_causal_mask(3)
    assert torch.equal(as_bool(mask.float().to_sparse()), mask)
    assert torch.equal(as_bool(mask.cfloat()), mask)
    with pytest.raises(ValueError, match="only 0 and 1"):
        as_bool(mask.cfloat() * 2)
