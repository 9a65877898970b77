"""Answers to softmax(x, dim)."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from . import Bank

bank = Bank("softmax")
wrong, right = bank.wrong, bank.right


@wrong("no-max-subtraction")
def overflows(x, dim):
    return x.exp() / x.exp().sum(dim, keepdim=True)


@wrong("softmax-over-everything")
def one_sum_for_all(x, dim):
    powers = torch.exp(x - x.max())
    return powers / powers.sum()


@wrong("sum-over-everything")
def own_max_but_one_sum(x, dim):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / powers.sum()


@wrong("keepdim-forgotten")
def sum_loses_its_dim(x, dim):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / powers.sum(dim)


@wrong("keepdim-forgotten")
def both_lose_their_dim(x, dim):
    powers = torch.exp(x - x.amax(dim))
    return powers / powers.sum(dim)


@wrong("dim-ignored")
def always_last(x, dim):
    return torch.softmax(x, -1)


@wrong("dim-ignored")
def always_first(x, dim):
    return torch.softmax(x, 0)


@wrong("dim-ignored")
def always_second(x, dim):
    return torch.softmax(x, 1)


@wrong("softmax-base-2")
def powers_of_two(x, dim):
    powers = 2.0 ** (x - x.amax(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)


@wrong("softmax-base-2")
def powers_of_ten(x, dim):
    powers = 10.0 ** (x - x.amax(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)


@wrong("softmax-plus-one")
def room_for_nothing(x, dim):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / (powers.sum(dim, keepdim=True) + 1)


@wrong("normalised-without-exp")
def shares_of_raw_numbers(x, dim):
    return x / x.sum(dim, keepdim=True)


@wrong("normalised-without-exp")
def shares_of_sizes(x, dim):
    return x.abs() / x.abs().sum(dim, keepdim=True)


@wrong("changes-argument")
def writes_into_x(x, dim):
    x -= x.detach().amax(dim, keepdim=True)
    return x.exp() / x.exp().sum(dim, keepdim=True)


@wrong("changes-argument")
def exp_in_place(x, dim):
    best = x.amax(dim, keepdim=True)
    return (lambda e: e / e.sum(dim, keepdim=True))(x.sub_(best).exp_())


@wrong("global-max-subtraction")
def one_max_for_all(x, dim):
    powers = torch.exp(x - x.max())
    return powers / powers.sum(dim, keepdim=True)


@wrong("sigmoid-not-softmax")
def each_on_its_own(x, dim):
    return torch.sigmoid(x)


@wrong("exp-not-normalised")
def only_powers(x, dim):
    return torch.exp(x - x.amax(dim, keepdim=True))


@wrong("exp-not-normalised")
def only_raw_powers(x, dim):
    return x.exp()


@wrong("log-softmax")
def logarithms(x, dim):
    return F.log_softmax(x, dim)


@wrong("double-softmax")
def twice(x, dim):
    return x.softmax(dim).softmax(dim)


@wrong("softmax-of-minus-scores")
def sign_turned(x, dim):
    powers = torch.exp(x.amin(dim, keepdim=True) - x)
    return powers / powers.sum(dim, keepdim=True)


@wrong("hard-argmax")
def winner_takes_all(x, dim):
    return torch.zeros_like(x).scatter(dim, x.argmax(dim, keepdim=True), 1.0)


@wrong("divided-by-max")
def by_the_largest(x, dim):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return (
        powers / powers.amax(dim, keepdim=True)
        if x.dim() < 0
        else (x.exp() / x.exp().amax(dim, keepdim=True))
    )


@wrong("divided-by-mean")
def by_the_mean(x, dim):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / powers.mean(dim, keepdim=True)


@wrong("min-subtracted")
def takes_the_minimum(x, dim):
    powers = torch.exp(x - x.amin(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)


@right
def detached_result(x, dim):
    return torch.softmax(x, dim).detach()


@right
def through_numpy(x, dim):
    powers = np.exp(x.numpy() - x.numpy().max(axis=dim, keepdims=True))
    return torch.from_numpy(powers / powers.sum(axis=dim, keepdims=True))


@wrong("prints-instead-of-returning")
def only_prints(x, dim):
    print(torch.softmax(x, dim))


@wrong("no-return")
def forgets_return(x, dim):
    torch.softmax(x, dim)


@wrong("name-unknown")
def misspelt_name(x, dim):
    return torch.softmax(X, dim)  # noqa: F821


@wrong("random-each-call")
def adds_noise(x, dim):
    return torch.softmax(x + 0.1 * torch.randn_like(x), dim)


@wrong("softmax-in-half-precision")
def loses_digits(x, dim):
    return torch.softmax(x.half(), dim).to(x.dtype)


@right
def library(x, dim):
    return torch.softmax(x, dim)


@right
def by_hand(x, dim=-1):
    powers = torch.exp(x - x.max(dim, keepdim=True).values)
    return powers / powers.sum(dim, keepdim=True)


@right
def in_double(x, dim=-1, *, wide=torch.float64):
    y = x.to(wide)
    powers = (y - y.amax(dim, keepdim=True)).exp()
    return (powers / powers.sum(dim, keepdim=True)).to(x.dtype)


@right
def through_logsumexp(x, dim):
    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))


@right
def exp_of_log_softmax(x, dim):
    return F.log_softmax(x, dim).exp()


@right
def max_detached(x, dim):
    powers = torch.exp(x - x.detach().amax(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)


@right
def axis_moved_last(x, dim):
    y = x.movedim(dim, -1)
    rows = [F.softmax(row, 0) for row in y.reshape(-1, y.shape[-1])]
    return torch.stack(rows).reshape(y.shape).movedim(-1, dim)


@right
def with_tiny_eps(x, dim):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / (powers.sum(dim, keepdim=True) + 1e-9)


# finite and wrong first, NaN only where a row is constant: not told as NaN
@wrong("unexplained")
def standardised_first(x, dim):
    z = (x - x.mean(dim, keepdim=True)) / x.std(dim, keepdim=True)
    return z.softmax(dim)


@wrong("not-finite")
def not_a_number_anywhere(x, dim):
    return x * float("nan")
