"""Answers to split_heads(x, num_heads) and merge_heads(x)."""

from __future__ import annotations

import torch

from . import Bank

split, merge = Bank("split_heads"), Bank("merge_heads")


# ------------------------------------------------------------------ split_heads
@split.wrong("split-by-view")
def viewed_into_shape(x, num_heads):
    batch, tokens, d_model = x.shape
    return x.view(batch, num_heads, tokens, d_model // num_heads)


@split.wrong("split-interleaved")
def every_third_feature(x, num_heads):
    batch, tokens, d_model = x.shape
    apart = x.view(batch, tokens, d_model // num_heads, num_heads)
    return apart.permute(0, 3, 1, 2)


@split.wrong("split-not-transposed")
def heads_behind_tokens(x, num_heads):
    return x.unflatten(-1, (num_heads, -1))


@split.wrong("split-along-tokens")
def tokens_in_chunks(x, num_heads):
    batch, tokens, d_model = x.shape
    parts = torch.chunk(x, num_heads, dim=1)
    stacked = torch.stack(parts, dim=1)
    return stacked.reshape(batch, num_heads, tokens, d_model // num_heads)


@split.wrong("split-along-tokens")
def tokens_in_short_chunks(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, dim=1), dim=1)


@split.wrong("split-first-features-only")
def loop_without_its_index(x, num_heads):
    d_k = x.size(-1) // num_heads
    return torch.stack([x[:, :, :d_k] for _ in range(num_heads)], dim=1)


@split.wrong("size-hard-coded")
def sizes_of_one_example(x, num_heads):
    return x.reshape(2, 5, num_heads, -1).transpose(1, 2)


@split.wrong("reshape-miscounts")
def d_model_not_divided(x, num_heads):
    batch, tokens, d_model = x.shape
    return x.view(batch, tokens, num_heads, d_model).transpose(1, 2)


@split.wrong("split-mixes-samples")
def heads_stacked_on_batch(x, num_heads):
    batch, tokens, d_model = x.shape
    d_k = d_model // num_heads
    apart = x.reshape(batch, tokens, num_heads, d_k).permute(2, 0, 1, 3)
    return apart.reshape(batch, num_heads, tokens, d_k)


@split.wrong("split-features-before-tokens")
def features_above_tokens(x, num_heads):
    return x.unflatten(2, (num_heads, -1)).permute(0, 2, 3, 1)


@split.wrong("split-heads-first")
def stacked_in_front(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


@split.wrong("split-list-of-heads")
def a_tuple_of_chunks(x, num_heads):
    return x.chunk(num_heads, dim=-1)


@split.wrong("split-heads-in-batch")
def folded_into_batch(x, num_heads):
    return x.unflatten(2, (num_heads, -1)).transpose(1, 2).flatten(0, 1)


@split.wrong("split-overlapping")
def starts_one_apart(x, num_heads):
    d_k = x.shape[2] // num_heads
    return torch.stack([x[:, :, h : h + d_k] for h in range(num_heads)], dim=1)


@split.right
def rest_is_dropped(x, num_heads):
    d_k = x.shape[2] // num_heads
    parts = [x[:, :, h * d_k : (h + 1) * d_k] for h in range(num_heads)]
    return torch.stack(parts, dim=1)


@split.right
def detached_split(x, num_heads):
    return x.detach().unflatten(2, (num_heads, -1)).transpose(1, 2)


@split.wrong("changes-argument")
def doubles_its_argument(x, num_heads):
    heads = x.clone().unflatten(2, (num_heads, -1)).transpose(1, 2)
    x *= 2
    return heads


@split.wrong("split-interleaved")
def interleaved_and_not_transposed(x, num_heads):
    return x.unflatten(2, (-1, num_heads)).transpose(2, 3)


@split.right
def unflattened(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


@split.right
def filled_head_by_head(x, num_heads):
    batch, tokens, d_model = x.shape
    assert d_model % num_heads == 0, "the heads must share d_model evenly"
    d_k = d_model // num_heads
    heads = torch.empty(batch, num_heads, tokens, d_k)
    for h in range(num_heads):
        heads[:, h] = x[:, :, h * d_k : (h + 1) * d_k]
    return heads


@split.right
def stacked_chunks(x, num_heads, dim=-1):
    return torch.stack(x.chunk(num_heads, dim=dim), dim=1).contiguous()


@split.right
def viewed_and_swapped(x, num_heads):
    batch, tokens, d_model = x.shape
    return x.view(batch, tokens, num_heads, d_model // num_heads).swapaxes(1, 2)


# ------------------------------------------------------------------ merge_heads
@merge.wrong("view-after-transpose")
def viewed_without_copy(x):
    batch, heads, tokens, d_k = x.shape
    return x.transpose(1, 2).view(batch, tokens, heads * d_k)


@merge.wrong("merge-by-view")
def reshaped_at_once(x):
    batch, heads, tokens, d_k = x.shape
    return x.reshape(batch, tokens, heads * d_k)


@merge.wrong("merge-turns-tokens-and-features")
def wrong_pair_transposed(x):
    batch, heads, tokens, d_k = x.shape
    return x.transpose(2, 3).reshape(batch, tokens, heads * d_k)


@merge.wrong("merge-along-tokens")
def heads_one_after_another(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=1)


@merge.wrong("merge-interleaved")
def heads_on_the_last_axis(x):
    return torch.stack([x[:, h] for h in range(x.shape[1])], dim=-1).flatten(2)


@merge.wrong("merge-mixes-samples")
def tokens_before_samples(x):
    batch, heads, tokens, d_k = x.shape
    return x.permute(2, 0, 1, 3).reshape(batch, tokens, heads * d_k)


@merge.wrong("merge-averages-heads")
def mean_of_heads(x):
    return x.mean(dim=1)


@merge.wrong("merge-sums-heads")
def sum_of_heads(x):
    return torch.einsum("bhtd->btd", x)


@merge.wrong("merge-one-head-only")
def head_zero(x):
    return x[:, 0]


@merge.wrong("merge-stops-early")
def only_swapped(x):
    return x.transpose(1, 2)


@merge.wrong("merge-flattens-tokens")
def wrong_axes_flattened(x):
    return x.flatten(2)


@merge.wrong("merge-heads-reversed")
def last_head_first(x):
    return torch.cat(x.unbind(1)[::-1], dim=-1)


@merge.wrong("merge-mixes-samples")
def all_axes_reversed(x):
    batch, heads, tokens, d_k = x.shape
    return x.permute(3, 2, 1, 0).reshape(batch, tokens, heads * d_k)


@merge.right
def copied_by_numpy(x):
    return torch.tensor(x.detach().numpy().swapaxes(1, 2)).flatten(2)


@merge.right
def permuted_then_viewed(x):
    batch, heads, tokens, d_k = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(batch, tokens, heads * d_k)


@merge.right
def side_by_side(x):
    return torch.cat(list(x.unbind(dim=1)), dim=-1)


@merge.right
def flattened(x, start_dim=-2):
    return x.transpose(1, 2).flatten(start_dim)
