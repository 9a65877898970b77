"""Answers to the exercises on attention with a state of fixed size."""

from __future__ import annotations

import torch

from . import Bank

whole = Bank("linear_attention")


@whole.wrong("linear-softmax-kept")
def attention_as_before(Q, K, V):
    scores = Q @ K.transpose(-2, -1)
    future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return scores.masked_fill(future, float("-inf")).softmax(dim=-1) @ V


@whole.wrong("linear-softmax-kept")
def softmax_then_mask(Q, K, V):
    return torch.tril((Q @ K.mT).softmax(-1)) @ V


@whole.wrong("linear-no-mask")
def brackets_moved(Q, K, V):
    return Q @ (K.transpose(-2, -1) @ V)


@whole.wrong("linear-itself-hidden")
def exclusive_sum(Q, K, V):
    pairs = torch.einsum("bhtk,bhtv->bhtkv", K, V)
    before = pairs.cumsum(2) - pairs
    return torch.einsum("bhtk,bhtkv->bhtv", Q, before)


@whole.wrong("linear-one-ahead")
def off_by_one(Q, K, V):
    return (Q @ K.mT).tril(1) @ V


@whole.wrong("linear-mask-transposed")
def upper(Q, K, V):
    return (Q @ K.mT).triu() @ V


@whole.wrong("linear-scaled")
def scaled(Q, K, V):
    return (Q @ K.mT / Q.shape[-1] ** 0.5).tril() @ V


@whole.wrong("linear-divided-by-sum")
def normalised(Q, K, V):
    products = (Q @ K.mT).tril()
    return products / products.sum(dim=-1, keepdim=True) @ V


@whole.wrong("linear-mean-not-sum")
def running_mean(Q, K, V):
    pairs = (K[..., :, None] * V[..., None, :]).cumsum(2)
    count = torch.arange(1, Q.shape[2] + 1)[:, None, None]
    return (Q[..., None, :] @ (pairs / count)).squeeze(-2)


@whole.wrong("linear-roles-swapped")
def keys_ask(Q, K, V):
    return (K @ Q.mT).tril() @ V


@whole.wrong("linear-last-token-only")
def only_the_last(Q, K, V):
    return Q[:, :, -1:] @ (K.mT @ V)


@whole.wrong("linear-negatives-cut")
def clipped(Q, K, V):
    return (Q @ K.mT).clamp(min=0).tril() @ V


@whole.right
def masked_products(Q, K, V):
    return torch.tril(Q @ K.transpose(-2, -1)) @ V


@whole.right
def running_state(Q, K, V):
    S = torch.zeros(*Q.shape[:2], Q.shape[-1], V.shape[-1], dtype=Q.dtype)
    rows = []
    for t in range(Q.shape[2]):
        S = S + K[:, :, t, :, None] * V[:, :, t, None, :]
        rows.append((Q[:, :, t, None] @ S).squeeze(2))
    return torch.stack(rows, dim=2)


@whole.right
def cumulative(Q, K, V):
    states = torch.einsum("bhtk,bhtv->bhtkv", K, V).cumsum(dim=2)
    return torch.einsum("bhtk,bhtkv->bhtv", Q, states)


step = Bank("linear_attention_step")


@step.wrong("step-read-before-write")
def reads_first(S, q, k, v):
    return S.T @ q, S + torch.outer(k, v)


@step.wrong("step-state-overwritten")
def forgets(S, q, k, v):
    S = torch.outer(k, v)
    return q @ S, S


@step.wrong("step-old-state-returned")
def not_carried(S, q, k, v):
    return q @ (S + torch.outer(k, v)), S


@step.wrong("shapes-do-not-fit")
def the_other_way_round(S, q, k, v):
    S = S + torch.outer(v, k)
    return q @ S, S


@step.wrong("step-writes-with-q")
def query_as_key(S, q, k, v):
    S = S + q[:, None] * v[None]
    return S.T @ q, S


@step.wrong("step-writes-with-q")
def roles_swapped(S, q, k, v):
    S = S + q[:, None] * v[None]
    return S.T @ k, S


@step.wrong("step-returns-swapped")
def state_first(S, q, k, v):
    S = S + torch.outer(k, v)
    return S, q @ S


@step.wrong("changes-argument")
def in_place(S, q, k, v):
    S += torch.outer(k, v)
    return q @ S, S


@step.wrong("step-write-scaled")
def scaled_write(S, q, k, v):
    S = S + torch.outer(k, v) / len(k) ** 0.5
    return q @ S, S


@step.wrong("step-output-only")
def output_only(S, q, k, v):
    return q @ (S + torch.outer(k, v))


@step.wrong("step-softmax-of-output")
def softmax_left(S, q, k, v):
    S = S + torch.outer(k, v)
    return (q @ S).softmax(-1), S


@step.right
def by_outer(S, q, k, v):
    S = S + torch.outer(k, v)
    return q @ S, S


@step.right
def by_columns(S, q, k, v):
    new = S.clone()
    for i in range(len(k)):
        new[i] += k[i] * v
    return (new * q[:, None]).sum(0), new


@step.right
def reads_both(S, q, k, v):
    return S.T @ q + (q @ k) * v, S + k[:, None] @ v[None]


decay = Bank("decay_step")


@decay.wrong("decay-own-pair-too")
def decays_after(S, q, k, v, a):
    S = a * (S + torch.outer(k, v))
    return q @ S, S


@decay.wrong("decay-write-scaled")
def running_average(S, q, k, v, a):
    S = a * S + (1 - a) * torch.outer(k, v)
    return q @ S, S


@decay.wrong("decay-one-minus-a")
def loses_a(S, q, k, v, a):
    S = (1 - a) * S + torch.outer(k, v)
    return q @ S, S


@decay.wrong("decay-in-the-read-only")
def decay_not_kept(S, q, k, v, a):
    return q @ (a * S + torch.outer(k, v)), S + torch.outer(k, v)


@decay.wrong("decay-missing")
def no_decay(S, q, k, v, a):
    S = S + torch.outer(k, v)
    return q @ S, S


@decay.wrong("step-read-before-write")
def reads_old(S, q, k, v, a):
    return q @ S, a * S + torch.outer(k, v)


@decay.wrong("decay-not-in-the-read")
def reads_undecayed(S, q, k, v, a):
    return q @ (S + torch.outer(k, v)), a * S + torch.outer(k, v)


@decay.wrong("decay-subtracted")
def subtracts(S, q, k, v, a):
    S = S - a + torch.outer(k, v)
    return q @ S, S


@decay.wrong("changes-argument")
def decays_in_place(S, q, k, v, a):
    S *= a
    S += torch.outer(k, v)
    return q @ S, S


@decay.right
def plain_decay(S, q, k, v, a):
    S = a * S + k[:, None] * v
    return S.T @ q, S


@decay.right
def decay_by_parts(S, q, k, v, a):
    return a * (q @ S) + (q @ k) * v, a * S + torch.einsum("k,v->kv", k, v)


delta = Bank("delta_step")


@delta.wrong("delta-error-at-the-query")
def error_at_the_query(S, q, k, v, beta):
    S = S + beta * torch.outer(k, v - S.T @ q)
    return q @ S, S


@delta.wrong("delta-sign")
def adds_the_old(S, q, k, v, beta):
    S = S + beta * torch.outer(k, v + S.T @ k)
    return q @ S, S


@delta.wrong("delta-beta-on-the-value-only")
def beta_on_v(S, q, k, v, beta):
    S = S + torch.outer(k, beta * v - S.T @ k)
    return q @ S, S


@delta.wrong("delta-beta-on-the-stored-only")
def beta_on_old(S, q, k, v, beta):
    S = S - beta * torch.outer(k, S.T @ k) + torch.outer(k, v)
    return q @ S, S


@delta.wrong("delta-no-beta")
def no_beta(S, q, k, v, beta):
    S = S + torch.outer(k, v - k @ S)
    return q @ S, S


@delta.wrong("delta-no-error-term")
def no_error(S, q, k, v, beta):
    S = S + beta * torch.outer(k, v)
    return q @ S, S


@delta.wrong("delta-is-decay")
def decays_all(S, q, k, v, beta):
    S = (1 - beta) * S + beta * torch.outer(k, v)
    return q @ S, S


@delta.wrong("step-read-before-write")
def delta_reads_first(S, q, k, v, beta):
    return q @ S, S + beta * torch.outer(k, v - k @ S)


@delta.wrong("delta-both-signs")
def wrong_way(S, q, k, v, beta):
    S = S - beta * torch.outer(k, v - k @ S)
    return q @ S, S


@delta.wrong("changes-argument")
def delta_in_place(S, q, k, v, beta):
    S += beta * torch.outer(k, v - k @ S)
    return q @ S, S


@delta.right
def by_the_error(S, q, k, v, beta):
    S = S + beta * torch.outer(k, v - S.T @ k)
    return q @ S, S


@delta.right
def erase_then_write(S, q, k, v, beta):
    erased = S - beta * torch.outer(k, k) @ S
    S = erased + beta * k[:, None] * v
    return S.T @ q, S


@delta.right
def as_two_rows(S, q, k, v, beta):
    old = (S * k[:, None]).sum(0)
    new = (1 - beta) * old + beta * v
    S = S + torch.outer(k, new - old)
    return (q[None] @ S)[0], S


chunks = Bank("chunked_linear_attention")


def in_chunks(Q, K, V, chunk, mask=True, diagonal=0, carry=True, **how):
    """The loop, with what the answers below vary."""
    S, out = torch.zeros(*Q.shape[:2], Q.shape[-1], V.shape[-1]), []
    for start in range(0, Q.shape[2], chunk):
        q, k, v = (x[:, :, start : start + chunk] for x in (Q, K, V))
        scores = q @ k.mT
        if mask:
            scores = scores.tril(diagonal)
        if how.get("early"):
            S = S + k.mT @ v
        out.append((q @ S if carry else 0) + scores @ v)
        if how.get("last_token"):
            S = S + k[:, :, -1:].mT @ v[:, :, -1:]
        elif not how.get("early"):
            S = (0 if how.get("overwrite") else S) + k.mT @ v
    return torch.cat(out, dim=2)


@chunks.wrong("chunk-no-mask")
def no_mask(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk, mask=False)


@chunks.wrong("chunk-itself-hidden")
def strict(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk, diagonal=-1)


@chunks.wrong("chunk-state-not-read", "chunk-state-never-written")
def only_inside(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk, carry=False)


@chunks.wrong("chunk-state-too-early")
def written_first(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk, early=True)


@chunks.wrong("chunk-state-overwritten")
def one_chunk_back(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk, overwrite=True)


@chunks.wrong("chunk-last-token-only")
def last_token(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk, last_token=True)


@chunks.wrong("chunk-last-left-out")
def zeros_at_the_end(Q, K, V, chunk):
    full = Q.shape[2] // chunk * chunk
    out = torch.zeros(*Q.shape[:3], V.shape[-1])
    if full:
        parts = (x[:, :, :full] for x in (Q, K, V))
        out[:, :, :full] = in_chunks(*parts, chunk)
    return out


@chunks.wrong("linear-no-mask")
def all_at_once(Q, K, V, chunk):
    return Q @ (K.mT @ V)


@chunks.right
def as_the_card_says(Q, K, V, chunk):
    return in_chunks(Q, K, V, chunk)


@chunks.right
def without_chunks(Q, K, V, chunk):
    return (Q @ K.mT).tril() @ V


@chunks.right
def by_split(Q, K, V, chunk):
    state, out = 0, []
    for q, k, v in zip(*(x.split(chunk, dim=2) for x in (Q, K, V))):
        before = q @ state if out else 0
        out.append(before + (q @ k.mT).tril() @ v)
        state = state + k.mT @ v
    return torch.cat(out, dim=2)
