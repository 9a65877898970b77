"""Answers to decode_step(x, cache, params)."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from . import Bank

bank = Bank("decode_step")
wrong, right = bank.wrong, bank.right


def past_of(cache):
    return 0 if cache is None else cache[0].shape[1]


def projected(x, first, params):
    h = x + params.pos[first : first + x.shape[1]]
    return h @ params.Wq, h @ params.Wk, h @ params.Wv


def extended(cache, k, v):
    if cache is None:
        return k, v
    return torch.cat([cache[0], k], dim=1), torch.cat([cache[1], v], dim=1)


def lower_right(t, n):
    return torch.ones(t, n, dtype=torch.bool).tril(n - t)


def attend(q, K, V, mask):
    scores = q @ K.transpose(1, 2) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return weights.nan_to_num() @ V


@wrong("decode-position-zero")
def every_call_begins_at_zero(x, cache, params):
    q, k, v = projected(x, 0, params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-position-off-by-one")
def one_position_ahead(x, cache, params):
    past = past_of(cache)
    q, k, v = projected(x, past + 1 if past else 0, params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-position-last-for-all")
def one_position_for_a_chunk(x, cache, params):
    h = x + params.pos[past_of(cache) + x.shape[1] - 1]
    K, V = extended(cache, h @ params.Wk, h @ params.Wv)
    return attend(h @ params.Wq, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-position-counts-calls")
def one_position_a_call(x, cache, params):
    calls = cache[2] if cache else 0
    q, k, v = projected(x, calls, params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V, calls + 1)


@wrong("decode-no-position")
def no_position(x, cache, params):
    K, V = extended(cache, x @ params.Wk, x @ params.Wv)
    return attend(x @ params.Wq, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-position-after-projecting")
def position_after_the_matrices(x, cache, params):
    past = past_of(cache)
    pos = params.pos[past : past + x.shape[1]]
    q, k, v = (x @ W + pos for W in (params.Wq, params.Wk, params.Wv))
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-mask-top-left")
def mask_at_the_first_key(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    return F.scaled_dot_product_attention(q, K, V, is_causal=True), (K, V)


@wrong("decode-no-mask")
def no_mask(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    return F.scaled_dot_product_attention(q, K, V), (K, V)


@wrong("decode-mask-first-call-only")
def mask_without_a_cache(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    out = F.scaled_dot_product_attention(q, K, V, is_causal=cache is None)
    return out, (K, V)


@wrong("decode-self-excluded")
def sees_the_past_only(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    t, n = x.shape[1], K.shape[1]
    mask = torch.ones(t, n, dtype=torch.bool).tril(n - t - 1)
    return attend(q, K, V, mask if cache else lower_right(t, n)), (K, V)


@wrong("decode-cache-overwritten")
def newest_call_only(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    return attend(q, k, v, lower_right(x.shape[1], x.shape[1])), (k, v)


@wrong("decode-cache-overwritten")
def extended_but_not_kept(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (k, v)


@wrong("decode-cache-in-front")
def new_before_old(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = k, v
    if cache:
        K, V = torch.cat([k, cache[0]], 1), torch.cat([v, cache[1]], 1)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-cache-swapped")
def unpacked_in_another_order(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    if cache is not None:
        V, K = cache
        k, v = torch.cat([K, k], 1), torch.cat([V, v], 1)
    return attend(q, k, v, lower_right(x.shape[1], k.shape[1])), (k, v)


@wrong("decode-old-cache-returned")
def old_cache(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, cache if cache is not None else (K, V)


@wrong("decode-cache-never-returned")
def no_cache(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), None


@wrong("decode-first-call-lost")
def empty_first_slot(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, (K, V) if cache else (0 * K, 0 * V)


@wrong("decode-appended-twice")
def two_updates(x, cache, params):
    past = cache[2] if cache else 0
    q, k, v = projected(x, past, params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, (*extended((K, V), k, v), past + x.shape[1])


@wrong("decode-positions-added-again")
def inputs_with_positions_kept(x, cache, params):
    past, t = past_of(cache), x.shape[1]
    h = x + params.pos[past : past + t]
    if cache:
        h = torch.cat([cache[0] + params.pos[:past], h], 1)
    out = attend(
        h[:, past:] @ params.Wq, h @ params.Wk, h @ params.Wv, lower_right(t, past + t)
    )
    return out, (h,)


@wrong("decode-inputs-cached-without-positions")
def inputs_kept(x, cache, params):
    past, t = past_of(cache), x.shape[1]
    h = x + params.pos[past : past + t]
    seen = torch.cat([cache[0], h], 1) if cache else h
    out = attend(
        h @ params.Wq, seen @ params.Wk, seen @ params.Wv, lower_right(t, past + t)
    )
    return out, (torch.cat([cache[0], x], 1) if cache else x,)


@wrong("decode-samples-mixed")
def values_of_other_samples(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    if cache:
        cache = (cache[0], cache[1].flip(0))
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-last-of-chunk-only")
def one_of_a_chunk_kept(x, cache, params):
    past = cache[2] if cache else 0
    q, k, v = projected(x, past, params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, (*extended(cache, k[:, -1:], v[:, -1:]), past + x.shape[1])


@wrong("no-scale")
def no_scale(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    mask = lower_right(x.shape[1], K.shape[1])
    return attend(q * math.sqrt(q.shape[-1]), K, V, mask), (K, V)


@wrong("decode-matrices-mixed")
def keys_by_the_matrix_of_values(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, v, k)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-matrices-transposed")
def as_linear_layers_have_them(x, cache, params):
    past = past_of(cache)
    h = x + params.pos[past : past + x.shape[1]]
    q, k, v = (F.linear(h, W) for W in (params.Wq, params.Wk, params.Wv))
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-last-output-only")
def newest_output(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out[:, -1:], (K, V)


shelf: list = []


@wrong("decode-remembers")
def cache_in_a_global(x, cache, params):
    kept = shelf[-1] if shelf else None
    q, k, v = projected(x, past_of(kept) % 1024, params)
    K, V = extended(kept, k, v)
    shelf.append((K, V))
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), None


@wrong("decode-no-pair")
def output_only(x, cache, params):
    q, k, v = projected(x, 0, params)
    return attend(q, k, v, lower_right(x.shape[1], x.shape[1]))


@wrong("changes-argument")
def positions_added_in_place(x, cache, params):
    past = past_of(cache)
    x += params.pos[past : past + x.shape[1]]
    K, V = extended(cache, x @ params.Wk, x @ params.Wv)
    return attend(x @ params.Wq, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-position-zero", "no-scale")
def two_mistakes(x, cache, params):
    q, k, v = projected(x, 0, params)
    K, V = extended(cache, k, v)
    mask = lower_right(x.shape[1], K.shape[1])
    return attend(q * math.sqrt(q.shape[-1]), K, V, mask), (K, V)


@right
def textbook(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@right
def a_dict_as_cache(x, cache, params):
    cache = cache or {"x": x[:, :0]}
    seen = torch.cat([cache["x"], x], dim=1)
    t, n = x.shape[1], seen.shape[1]
    h = seen + params.pos[:n]
    q, k, v = h[:, n - t :] @ params.Wq, h @ params.Wk, h @ params.Wv
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=lower_right(t, n))
    return out, {"x": seen}


@right
def lists_of_single_tokens(x, cache, params):
    keys, values = ([], []) if cache is None else cache
    outputs = []
    for i in range(x.shape[1]):
        h = x[:, i] + params.pos[len(keys)]
        keys, values = [*keys, h @ params.Wk], [*values, h @ params.Wv]
        K, V = torch.stack(keys, 1), torch.stack(values, 1)
        scores = torch.einsum("bd,bnd->bn", h @ params.Wq, K) / math.sqrt(h.shape[-1])
        outputs.append(torch.einsum("bn,bnd->bd", scores.softmax(-1), V))
    return torch.stack(outputs, 1), (keys, values)


@right
def a_buffer_filled_in_place(x, cache, params):
    B, t, D = x.shape
    if cache is None:
        cache = {"K": torch.zeros(B, 64, D), "V": torch.zeros(B, 64, D), "n": 0}
    past, n = cache["n"], cache["n"] + t
    q, k, v = projected(x, past, params)
    cache["K"][:, past:n], cache["V"][:, past:n], cache["n"] = k, v, n
    places = torch.arange(past, n)[:, None]
    mask = places >= torch.arange(n)
    return [attend(q, cache["K"][:, :n], cache["V"][:, :n], mask), cache]


@wrong("decode-position-after-chunk")
def counted_before_placed(x, cache, params):
    q, k, v = projected(x, past_of(cache) + x.shape[1], params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-cache-window")
def two_newest_kept(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, (K[:, -2:], V[:, -2:])


@wrong("decode-position-of-queries-only")
def keys_without_positions(x, cache, params):
    past = past_of(cache)
    h = x + params.pos[past : past + x.shape[1]]
    K, V = extended(cache, x @ params.Wk, x @ params.Wv)
    return attend(h @ params.Wq, K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-samples-mixed")
def keys_averaged_over_the_batch(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    out = attend(q, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, (K.mean(0, keepdim=True).expand_as(K), V)


def joined(cache, k, v, dim):
    """As `extended`, along any axis; the third item counts the tokens."""
    past = cache[2] if cache else 0
    if cache:
        k, v = torch.cat([cache[0], k], dim), torch.cat([cache[1], v], dim)
    return k, v, past


@wrong("decode-joined-on-another-axis")
def joined_along_the_features(x, cache, params):
    q, k, v = projected(x, cache[2] if cache else 0, params)
    K, V, past = joined(cache, k, v, -1)
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), (K, V, past + 1)


@wrong("decode-joined-on-another-axis")
def joined_along_the_batch(x, cache, params):
    q, k, v = projected(x, cache[2] if cache else 0, params)
    K, V, past = joined(cache, k, v, 0)
    mine = K[-len(x) :], V[-len(x) :]
    return attend(q, *mine, lower_right(x.shape[1], x.shape[1])), (K, V, past + 1)


@wrong("decode-position-counts-calls")
def one_position_a_step(x, cache, params):
    calls = cache[2] if cache else 0
    h = x + params.pos[calls]
    K, V = extended(cache, h @ params.Wk, h @ params.Wv)
    out = attend(h @ params.Wq, K, V, lower_right(x.shape[1], K.shape[1]))
    return out, (K, V, calls + 1)


@wrong("decode-no-pair")
def cache_first(x, cache, params):
    return textbook(x, cache, params)[::-1]


@right
def params_by_name_as_in_a_dict(x, cache, params):
    past = past_of(cache)
    h = x + params["pos"][past : past + x.shape[1]]
    K, V = extended(cache, h @ params["Wk"], h @ params["Wv"])
    return attend(h @ params["Wq"], K, V, lower_right(x.shape[1], K.shape[1])), (K, V)


@right
def inputs_in_an_object(x, cache, params):
    class Memory:
        pass

    memory = Memory()
    memory.x = x if cache is None else torch.cat([cache.x, x], dim=1)
    n = memory.x.shape[1]
    q, k, v = projected(memory.x, 0, params)
    return attend(q, k, v, lower_right(n, n))[:, n - x.shape[1] :], memory


@wrong("decode-cache-never-returned")
def cache_not_looked_at(x, cache, params):
    return textbook(x, None, params)


cupboard = {}


@wrong("decode-sequences-mixed")
def cache_in_a_cupboard(x, cache, params):
    """Emptied by every first call, and full of whichever sequence came last."""
    old = cupboard.get("kv") if cache else None
    output, cupboard["kv"] = textbook(x, old, params)
    return output, True


@wrong("decode-sequences-mixed")
def cache_as_an_attribute(x, cache, params):
    me = cache_as_an_attribute
    q, k, v = projected(x, past_of(me.kv if cache else None), params)
    me.kv = extended(me.kv if cache else None, k, v)
    K, V = me.kv
    return attend(q, K, V, lower_right(x.shape[1], K.shape[1])), "see attribute"


@wrong("decode-values-not-cached")
def keys_kept_and_values_not(x, cache, params):
    past = 0 if cache is None else cache.shape[1]
    q, k, v = projected(x, past, params)
    K = k if cache is None else torch.cat([cache, k], dim=1)
    return attend(q, K, v, lower_right(x.shape[1], K.shape[1])), K


@wrong("decode-mask-after-softmax")
def mask_after_the_softmax(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    weights = (q @ K.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return (weights * lower_right(x.shape[1], K.shape[1])) @ V, (K, V)


@wrong("decode-fill-too-high")
def minus_ten_will_do(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    scores = q @ K.mT / math.sqrt(q.shape[-1])
    hidden = ~lower_right(x.shape[1], K.shape[1])
    return scores.masked_fill(hidden, -10).softmax(-1) @ V, (K, V)


@wrong("decode-mask-inverted")
def hides_the_past(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    return attend(q, K, V, ~lower_right(x.shape[1], K.shape[1])), (K, V)


@wrong("decode-softmax-over-queries")
def softmax_down_the_queries(x, cache, params):
    q, k, v = projected(x, past_of(cache), params)
    K, V = extended(cache, k, v)
    scores = q @ K.mT / math.sqrt(q.shape[-1])
    hidden = ~lower_right(x.shape[1], K.shape[1])
    weights = scores.masked_fill(hidden, -math.inf).softmax(1).nan_to_num()
    return weights @ V, (K, V)


@right
def a_new_list_each_call(x, cache, params):
    """Plain exponentials: ordinary scores do not overflow."""
    keys, values = cache or ([], [])
    q, k, v = projected(x, len(keys), params)
    keys, values = [*keys, *k.unbind(1)], [*values, *v.unbind(1)]
    K, V = torch.stack(keys, 1), torch.stack(values, 1)
    e = (q @ K.mT / math.sqrt(q.shape[-1])).exp()
    e = e * lower_right(x.shape[1], K.shape[1])
    return e @ V / e.sum(-1, keepdim=True), (keys, values)
