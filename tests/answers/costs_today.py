"""Answers to the exercises on what a token costs, and on sharing the cache."""

from __future__ import annotations

import math

import torch
from torch.nn import functional as F

from . import Bank

grouped = Bank("grouped_query_attention")


def causal(scores):
    future = torch.ones(scores.shape[-2:]).triu(1).bool()
    return scores.masked_fill(future, float("-inf"))


def shared(Q, K, V, keys, values):
    return causal(Q @ keys.mT / Q.shape[-1] ** 0.5).softmax(-1) @ values


@grouped.right
def repeated(Q, K, V):
    r = Q.shape[1] // K.shape[1]
    return shared(Q, K, V, K.repeat_interleave(r, 1), V.repeat_interleave(r, 1))


@grouped.right
def pytorchs_own(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)


@grouped.right
def rows_of_one_product(Q, K, V):
    (B, H, n, d), G = Q.shape, K.shape[1]
    scores = (Q.reshape(B, G, -1, d) @ K.mT).view(B, H, n, n) / math.sqrt(d)
    weights = causal(scores).softmax(-1).view(B, G, -1, n)
    return (weights @ V).view(B, H, n, -1)


@grouped.right
def head_by_head(Q, K, V):
    r = Q.shape[1] // K.shape[1]
    outputs = []
    for h in range(Q.shape[1]):
        scores = Q[:, h] @ K[:, h // r].mT / Q.shape[-1] ** 0.5
        outputs.append(causal(scores).softmax(-1) @ V[:, h // r])
    return torch.stack(outputs, dim=1)


@grouped.wrong("grouped-tiled")
def repeat(Q, K, V):
    r = Q.shape[1] // K.shape[1]
    return shared(Q, K, V, K.repeat(1, r, 1, 1), V.repeat(1, r, 1, 1))


@grouped.wrong("grouped-tiled")
def modulo(Q, K, V):
    G = K.shape[1]
    index = torch.arange(Q.shape[1]) % G
    return shared(Q, K, V, K[:, index], V[:, index])


@grouped.wrong("grouped-values-tiled")
def values_only(Q, K, V):
    r = Q.shape[1] // K.shape[1]
    return shared(Q, K, V, K.repeat_interleave(r, 1), V.repeat(1, r, 1, 1))


@grouped.wrong("grouped-first-only")
def group_zero(Q, K, V):
    return shared(Q, K, V, K[:, :1], V[:, :1])


@grouped.wrong("grouped-averaged")
def mean_of_groups(Q, K, V):
    return shared(Q, K, V, K.mean(1, keepdim=True), V.mean(1, keepdim=True))


@grouped.wrong("grouped-no-mask")
def open_future(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V, enable_gqa=True)


@grouped.wrong("no-scale")
def unscaled(Q, K, V):
    return repeated(Q * Q.shape[-1] ** 0.5, K, V)


@grouped.wrong("grouped-queries-averaged")
def one_query_per_group(Q, K, V):
    r = Q.shape[1] // K.shape[1]
    return repeated(Q.unflatten(1, (-1, r)).mean(2).repeat_interleave(r, 1), K, V)


@grouped.wrong("returns-two")
def with_weights(Q, K, V):
    r = Q.shape[1] // K.shape[1]
    weights = causal(Q @ K.repeat_interleave(r, 1).mT / Q.shape[-1] ** 0.5).softmax(-1)
    return weights @ V.repeat_interleave(r, 1), weights


fit = Bank("tokens_that_fit")


@fit.right
def floor_of_the_room(
    memory, numbers, layers, kv_heads, d_head, bytes_per_number, batch
):
    per_token = 2 * layers * kv_heads * d_head * bytes_per_number
    return max(0, (memory - numbers * bytes_per_number) // (batch * per_token))


@fit.right
def as_a_tensor(memory, numbers, layers, kv_heads, d_head, bytes_per_number, batch):
    return torch.tensor(
        floor_of_the_room(
            memory, numbers, layers, kv_heads, d_head, bytes_per_number, batch
        )
    )


def wrong_fit(mistake, formula):
    def answer(memory, numbers, layers, kv_heads, d_head, bytes_per_number, batch):
        token = layers * kv_heads * d_head * bytes_per_number
        return formula(memory, numbers, bytes_per_number, token, batch)

    answer.__name__ = mistake.replace("-", "_")
    fit.wrong(mistake)(answer)


wrong_fit("keys-or-values-only", lambda m, p, s, t, b: max(0, (m - p * s) // (b * t)))
wrong_fit("fit-weights-forgotten", lambda m, p, s, t, b: m // (2 * b * t))
wrong_fit(
    "fit-weights-in-numbers", lambda m, p, s, t, b: max(0, (m - p) // (2 * b * t))
)
wrong_fit("fit-batch-forgotten", lambda m, p, s, t, b: max(0, (m - p * s) // (2 * t)))
wrong_fit("fit-below-zero", lambda m, p, s, t, b: (m - p * s) // (2 * b * t))
wrong_fit(
    "fit-weights-per-sequence",
    lambda m, p, s, t, b: max(0, (m - b * p * s) // (2 * b * t)),
)
wrong_fit("fit-rounded-up", lambda m, p, s, t, b: max(0, -((p * s - m) // (2 * b * t))))
wrong_fit("fit-not-whole", lambda m, p, s, t, b: max(0, (m - p * s) / (2 * b * t)))

intensity = Bank("arithmetic_intensity")


@intensity.right
def flops_over_bytes(b, d_in, d_out, bytes_per_number):
    numbers = d_in * d_out + b * d_in + b * d_out
    return 2 * b * d_in * d_out / (numbers * bytes_per_number)


@intensity.right
def counted_one_by_one(b, d_in, d_out, bytes_per_number):
    flops = sum(2 * d_in for _ in range(b) for _ in range(d_out))
    moved = bytes_per_number * (d_in * (d_out + b) + d_out * b)
    return flops / moved


@intensity.wrong("intensity-one-per-pair")
def half(b, d_in, d_out, bytes_per_number):
    return flops_over_bytes(b, d_in, d_out, bytes_per_number) / 2


@intensity.wrong("intensity-weights-only")
def matrix_alone(b, d_in, d_out, bytes_per_number):
    return 2 * b / bytes_per_number


@intensity.wrong("intensity-weights-per-vector")
def no_sharing(b, d_in, d_out, bytes_per_number):
    numbers = b * (d_in * d_out + d_in + d_out)
    return 2 * b * d_in * d_out / (numbers * bytes_per_number)


@intensity.wrong("numbers-not-bytes")
def per_number(b, d_in, d_out, bytes_per_number):
    return flops_over_bytes(b, d_in, d_out, 1)


@intensity.wrong("intensity-upside-down")
def inverse(b, d_in, d_out, bytes_per_number):
    return 1 / flops_over_bytes(b, d_in, d_out, bytes_per_number)


@intensity.wrong("intensity-no-output")
def nothing_written(b, d_in, d_out, bytes_per_number):
    numbers = d_in * d_out + b * d_in
    return 2 * b * d_in * d_out / (numbers * bytes_per_number)


latent = Bank("latent_attention")


def absorbed(q, C, U_k, U_v, scale=None):
    asked = (q[:, :, None] @ U_k.mT)[:, :, 0]
    weights = (asked @ C.mT / (scale or q.shape[-1] ** 0.5)).softmax(-1)
    return ((weights @ C)[:, :, None] @ U_v)[:, :, 0]


@latent.right
def rows_of_c(q, C, U_k, U_v):
    return absorbed(q, C, U_k, U_v)


@latent.right
def with_einsum(q, C, U_k, U_v):
    asked = torch.einsum("bhd,hrd->bhr", q, U_k)
    scores = torch.einsum("bhr,bnr->bhn", asked, C) / math.sqrt(q.shape[-1])
    read = torch.einsum("bhn,bnr->bhr", scores.softmax(-1), C)
    return torch.einsum("bhr,hrd->bhd", read, U_v)


@latent.wrong("latent-keys-made")
def written_out(q, C, U_k, U_v):
    K, V = C[:, None] @ U_k, C[:, None] @ U_v
    weights = (K @ q[..., None])[..., 0] / q.shape[-1] ** 0.5
    return (weights.softmax(-1)[:, :, None] @ V)[:, :, 0]


@latent.wrong("latent-copied")
def copied_for_each_head(q, C, U_k, U_v):
    C = C[:, None].repeat(1, q.shape[1], 1, 1)
    asked = (q[:, :, None] @ U_k.mT) / q.shape[-1] ** 0.5
    return ((asked @ C.mT).softmax(-1) @ C @ U_v)[:, :, 0]


@latent.wrong("latent-scale-of-the-latent")
def root_of_r(q, C, U_k, U_v):
    return absorbed(q, C, U_k, U_v, C.shape[-1] ** 0.5)


@latent.wrong("no-scale")
def not_scaled(q, C, U_k, U_v):
    return absorbed(q, C, U_k, U_v, 1.0)


@latent.wrong("latent-values-from-u-k")
def one_matrix(q, C, U_k, U_v):
    return absorbed(q, C, U_k, U_k)


@latent.wrong("latent-u-v-forgotten")
def means_of_latents(q, C, U_k, U_v):
    asked = (q[:, :, None] @ U_k.mT)[:, :, 0]
    return (asked @ C.mT / q.shape[-1] ** 0.5).softmax(-1) @ C


@latent.wrong("softmax-over-heads")
def over_heads(q, C, U_k, U_v):
    asked = (q[:, :, None] @ U_k.mT)[:, :, 0]
    weights = (asked @ C.mT / q.shape[-1] ** 0.5).softmax(1)
    return ((weights @ C)[:, :, None] @ U_v)[:, :, 0]
