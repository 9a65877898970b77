"""Answers to rnn_step."""

from __future__ import annotations

import torch
from torch import nn

from . import Bank

bank = Bank("rnn_step")
wrong, right = bank.wrong, bank.right


@wrong("rnn-no-tanh")
def linear(x, h, W_x, W_h, b):
    return x @ W_x.T + h @ W_h.T + b


@wrong("rnn-sigmoid-not-tanh")
def sigmoid(x, h, W_x, W_h, b):
    return torch.sigmoid(x @ W_x.T + h @ W_h.T + b)


@wrong("rnn-relu-not-tanh")
def relu(x, h, W_x, W_h, b):
    return torch.relu(x @ W_x.T + h @ W_h.T + b)


@wrong("rnn-state-ignored")
def token_only(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + b)


@wrong("rnn-token-ignored")
def state_only(x, h, W_x, W_h, b):
    return torch.tanh(h @ W_h.T + b)


@wrong("rnn-w-h-not-transposed")
def state_by_columns(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h @ W_h + b)


@wrong("rnn-both-not-transposed", "rnn-w-x-not-transposed")
def nothing_transposed(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


@wrong("rnn-w-x-not-transposed")
def token_by_columns(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h.T + b)


@wrong("rnn-bias-missing")
def no_bias(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h @ W_h.T)


@wrong("rnn-bias-twice")
def two_layers_with_bias(x, h, W_x, W_h, b):
    linear = nn.functional.linear
    return torch.tanh(linear(x, W_x, b) + linear(h, W_h, b))


@wrong("rnn-bias-outside")
def bias_behind(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h @ W_h.T) + b


@wrong("rnn-tanh-of-each")
def tanh_of_parts(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T) + torch.tanh(h @ W_h.T) + b


@wrong("rnn-matrices-swapped")
def matrices_swapped(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_h.T + h @ W_x.T + b)


@wrong("rnn-multiplied-not-added")
def product(x, h, W_x, W_h, b):
    return torch.tanh((x @ W_x.T) * (h @ W_h.T) + b)


@wrong("rnn-old-state-added")
def residual(x, h, W_x, W_h, b):
    return h + torch.tanh(x @ W_x.T + h @ W_h.T + b)


@wrong("rnn-state-without-matrix")
def state_as_it_is(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h + b)


@wrong("rnn-state-squashed-again")
def tanh_on_the_way_in(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + torch.tanh(h) @ W_h.T + b)


@wrong("rnn-returns-old-state")
def forgets_to_return_it(x, h, W_x, W_h, b):
    torch.tanh(x @ W_x.T + h @ W_h.T + b)
    return h


@wrong("returns-two")
def as_the_cells_of_pytorch(x, h, W_x, W_h, b):
    h = torch.tanh(x @ W_x.T + h @ W_h.T + b)
    return h, h


@wrong("rnn-no-tanh")
def linear_without_bias(x, h, W_x, W_h, b):
    return x @ W_x.T + h @ W_h.T


@wrong("rnn-sigmoid-not-tanh", "rnn-bias-missing")
def two_mistakes(x, h, W_x, W_h, b):
    return torch.sigmoid(x @ W_x.T + h @ W_h.T)


@wrong("no-return")
def nothing(x, h, W_x, W_h, b):
    h = torch.tanh(x @ W_x.T + h @ W_h.T + b)


@wrong("changes-argument")
def in_place(x, h, W_x, W_h, b):
    new = torch.tanh(x @ W_x.T + h @ W_h.T + b)
    h.copy_(new)
    return new


@right  # the card asks for numbers; that nothing could be trained is a remark
def cut_off(x, h, W_x, W_h, b):
    with torch.no_grad():
        return torch.tanh(x @ W_x.T + h @ W_h.T + b)


@wrong("rnn-token-outside")
def word_added_behind(x, h, W_x, W_h, b):
    return torch.tanh(h @ W_h.T + b) + x @ W_x.T


@wrong("rnn-state-outside")
def state_added_behind(x, h, W_x, W_h, b):
    return h @ W_h.T + (x @ W_x.T + b).tanh()


@wrong("rnn-batch-as-time")
def one_long_sentence(x, h, W_x, W_h, b):
    state, states = torch.zeros_like(b), []
    for word in x:
        state = (W_x @ word + W_h @ state + b).tanh()
        states.append(state)
    return torch.stack(states)


@wrong("rnn-step-twice")
def read_once_more(x, h, W_x, W_h, b):
    def once(state):
        return torch.tanh(x @ W_x.T + state @ W_h.T + b)

    return once(once(h))


@wrong("rnn-resembles-tanh")
def cut_at_one(x, h, W_x, W_h, b):
    return nn.functional.hardtanh(x @ W_x.T + h @ W_h.T + b)


@wrong("rnn-one-state-for-all")
def first_state_for_all(x, h, W_x, W_h, b):
    return torch.tanh(x[:1] @ W_x.T + h[:1] @ W_h.T + b).repeat(len(x), 1)


@wrong("rnn-last-sample-only")
def overwritten(x, h, W_x, W_h, b):
    for word, state in zip(x, h, strict=True):
        new = torch.tanh(W_x @ word + W_h @ state + b)
    return new


@wrong("rnn-old-state-shared")
def one_memory(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h.mean(0) @ W_h.T + b)


@wrong("rnn-another-function")
def smooth_relu(x, h, W_x, W_h, b):
    return nn.functional.silu(x @ W_x.T + h @ W_h.T + b)


@wrong("all-zeros")
def never_filled(x, h, W_x, W_h, b):
    return torch.zeros_like(h)


@wrong("axis-of-one-lost")
def squeezed(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h @ W_h.T + b).squeeze()


@right
def formula(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x.T + h @ W_h.T + b)


@right
def columns(x, h, W_x, W_h, b):
    return torch.tanh((W_x @ x.T + W_h @ h.T).T + b)


@right
def one_matrix(x, h, W_x, W_h, b):
    both, weights = torch.cat([x, h], dim=1), torch.cat([W_x, W_h], dim=1)
    return (both @ weights.T).add(b).tanh()


@right
def einsum(x, h, W_x, W_h, b):
    token = torch.einsum("bi,oi->bo", x, W_x)
    return torch.tanh(token + torch.einsum("bi,oi->bo", h, W_h) + b)


@right
def one_sample_at_a_time(x, h, W_x, W_h, b):
    rows = [torch.tanh(W_x @ a + W_h @ s + b) for a, s in zip(x, h, strict=True)]
    return torch.stack(rows)


@right
def by_exponentials(x, h, W_x, W_h, b):
    e = torch.exp(2 * (x @ W_x.T + h @ W_h.T + b))
    return (e - 1) / (e + 1)


@right
def a_cell_of_pytorch(x, h, W_x, W_h, b):
    return torch.rnn_tanh_cell(x, h, W_x, W_h, b, torch.zeros_like(b))
