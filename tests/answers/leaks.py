"""Answers to find_the_leak(model, x)."""

from __future__ import annotations

import torch

from . import Bank

bank = Bank("find_the_leak")
wrong, right = bank.wrong, bank.right


def other_future(x, t):
    """x with new tokens from t on."""
    return torch.cat([x[:, :t], torch.randn_like(x[:, t:])], dim=1)


def differs(a, b, tol=1e-5):
    return bool((a - b).abs().max() > tol * a.abs().max())


@wrong("leak-all-accused")
def always(model, x):
    return model(x) is not None


@wrong("leak-all-accused")
def compares_all_rows(model, x):
    return differs(model(x), model(other_future(x, 6)))


@wrong("leak-all-accused")
def compares_the_changed_row(model, x):
    return any(
        differs(model(x)[:, : t + 1], model(other_future(x, t))[:, : t + 1])
        for t in range(1, 12)
    )


@wrong("leak-all-accused")
def changes_the_past(model, x):
    y = torch.cat([torch.randn_like(x[:, :6]), x[:, 6:]], dim=1)
    return differs(model(x)[:, :6], model(y)[:, :6])


@wrong("leak-none-accused")
def never(model, x):
    return model(x) is None


@wrong("leak-none-accused")
def compares_with_itself(model, x):
    return differs(model(x), model(x.clone()))


@wrong("leak-none-accused")
def threshold_far_too_high(model, x):
    return differs(model(x)[:, :6], model(other_future(x, 6))[:, :6], tol=50)


@wrong("changes-argument")
def writes_into_x(model, x):
    before = model(x)
    found = False
    for t in range(11, 0, -1):
        x[:, t] = torch.randn_like(x[:, t])
        found |= differs(before[:, :t], model(x)[:, :t])
    return found


@wrong("leak-verdict-inverted")
def is_sound(model, x):
    return not fresh_future(model, x)


@wrong("leak-rounding-accused")
def to_the_last_bit(model, x):
    for t in range(1, x.shape[1]):
        if not torch.equal(model(x)[:, :t], model(other_future(x, t))[:, :t]):
            return True
    return False


@wrong("leak-rounding-accused")
def cut_off_to_the_last_bit(model, x):
    T = x.shape[1]
    return any(not torch.equal(model(x)[:, :t], model(x[:, :t])) for t in range(1, T))


@wrong("leak-rounding-accused")
def threshold_below_rounding(model, x):
    return any(
        differs(model(x)[:, :t], model(other_future(x, t))[:, :t], tol=1e-9)
        for t in range(1, 12)
    )


@wrong("leak-large-outputs-accused")
def absolute_threshold(model, x):
    return any(
        (model(x)[:, :t] - model(other_future(x, t))[:, :t]).abs().max() > 1e-5
        for t in range(1, 12)
    )


@wrong("leak-large-outputs-accused")
def cut_off_with_an_absolute_threshold(model, x):
    return any(
        bool((model(x)[:, :t] - model(x[:, :t])).abs().max() > 1e-5)
        for t in range(1, 12)
    )


@wrong("leak-large-outputs-accused", "leak-rounding-accused")
def allclose_as_it_comes(model, x):
    return not all(
        torch.allclose(model(x)[:, :t], model(other_future(x, t))[:, :t])
        for t in range(1, 12)
    )


@wrong("leak-one-place-only")
def last_token_only(model, x):
    return differs(model(x)[:, :-1], model(other_future(x, 11))[:, :-1])


@wrong("leak-one-place-only")
def half_way_only(model, x):
    return differs(model(x)[:, :6], model(other_future(x, 6))[:, :6])


@wrong("leak-one-place-only")
def stops_half_way(model, x):
    return any(
        differs(model(x)[:, :t], model(other_future(x, t))[:, :t]) for t in range(1, 6)
    )


@wrong("leak-one-place-only")
def first_token_never_alone(model, x):
    return any(
        differs(model(x)[:, :t], model(other_future(x, t))[:, :t])
        for t in range(2, x.shape[1])
    )


@wrong("leak-neighbour-missed")
def leaves_one_row_out(model, x):
    return any(
        differs(model(x)[:, : t - 1], model(other_future(x, t))[:, : t - 1])
        for t in range(2, x.shape[1])
    )


@wrong("leak-future-reordered")
def turns_the_future_round(model, x):
    def turned(t):
        return torch.cat([x[:, :t], x[:, t:].flip(1)], dim=1)

    return any(differs(model(x)[:, :t], model(turned(t))[:, :t]) for t in range(1, 11))


@wrong("leak-one-sample-only")
def first_sample(model, x):
    x = x[:1]
    return any(
        differs(model(torch.cat([x, x]))[0, :t], model(torch.cat([y, y]))[0, :t])
        for t in range(1, 12)
        for y in [other_future(x, t)]
    )


@wrong("leak-one-sample-only")
def compares_sample_0(model, x):
    return any(
        differs(model(x)[0, :t], model(other_future(x, t))[0, :t]) for t in range(1, 12)
    )


@wrong("leak-one-feature-only")
def compares_feature_0(model, x):
    return any(
        differs(model(x)[:, :t, 0], model(other_future(x, t))[:, :t, 0])
        for t in range(1, 12)
    )


@wrong("leak-faint-missed")
def threshold_too_high(model, x):
    return any(
        differs(model(x)[:, :t], model(other_future(x, t))[:, :t], tol=1e-2)
        for t in range(1, 12)
    )


@wrong("leak-faint-missed")
def a_loose_allclose(model, x):
    return any(
        not torch.allclose(a, b, rtol=0.05, atol=0.05 * float(a.abs().max()))
        for t in range(1, 12)
        for a, b in [(model(x)[:, :t], model(other_future(x, t))[:, :t])]
    )


@wrong("leak-small-outputs-missed")
def threshold_with_a_floor(model, x):
    def far(a, b):
        return bool((a - b).abs().max() > 5e-4 + 1e-5 * a.abs().max())

    return any(
        far(model(x)[:, :t], model(other_future(x, t))[:, :t]) for t in range(1, 12)
    )


@wrong("leak-hard-choice-missed")
def gradient_only(model, x):
    x = x.clone().requires_grad_()
    y = model(x)
    for t in range(x.shape[1] - 1):
        (grad,) = torch.autograd.grad(
            y[:, t].abs().sum(), x, retain_graph=True, allow_unused=True
        )
        if grad is None:
            continue
        if grad[:, t + 1 :].abs().max() > 1e-5 * grad.abs().max():
            return True
    return False


@wrong("leak-no-verdict")
def returns_the_difference(model, x):
    return (model(x)[:, :6] - model(other_future(x, 6))[:, :6]).abs().max()


@wrong("leak-no-verdict")
def returns_a_table(model, x):
    return (model(x) - model(other_future(x, 6))).abs() > 1e-5


@wrong("no-return")
def forgets_to_return(model, x):
    differs(model(x), model(other_future(x, 6)))


@wrong("prints-instead-of-returning")
def prints(model, x):
    print(differs(model(x)[:, :6], model(other_future(x, 6))[:, :6]))


@wrong("shapes-do-not-fit", "raises")
def forgets_to_cut(model, x):
    return bool((model(x) - model(x[:, :6])).abs().max() > 1e-5)


@right
def fresh_future(model, x):
    before = model(x)
    for t in range(1, x.shape[1]):
        if differs(before[:, :t], model(other_future(x, t))[:, :t]):
            return True
    return False


@right
def cut_off(model, x):
    T = x.shape[1]
    return any(differs(model(x)[:, :t], model(x[:, :t])) for t in range(1, T))


@right
def one_token_at_a_time(model, x):
    before, scale = model(x), model(x).abs().max()
    worst = 0.0
    for t in range(1, x.shape[1]):
        y = x.clone()
        y[:, t] = -3 * y[:, t] + 1
        worst = max(worst, float((model(y) - before)[:, :t].abs().max() / scale))
    return worst > 1e-5


@right
def a_tensor_as_verdict(model, x):
    before = model(x)
    change = torch.stack(
        [
            (before[:, :t] - model(other_future(x, t))[:, :t]).abs().amax()
            for t in range(1, x.shape[1])
        ]
    )
    return change.max() / before.abs().max() > 3e-5


@right
def in_numpy(model, x):
    import numpy as np

    with torch.no_grad():
        before = model(x).numpy()
        found = [
            np.abs(before[:, :t] - model(other_future(x, t)).numpy()[:, :t]).max()
            for t in range(1, x.shape[1])
        ]
    return np.max(found) > 1e-5 * np.abs(before).max()


@right
def double_precision_of_its_own(model, x):
    """Its own input, longer and with more samples."""
    x = torch.randn(4, 17, x.shape[-1], generator=torch.Generator().manual_seed(5))
    return fresh_future(model, x)


@right
def equal_nearly_everywhere(model, x):
    before = model(x)
    tol = 2e-5 * before.abs().max().item()
    return not all(
        torch.allclose(before[:, :t], model(other_future(x, t))[:, :t], 0, tol)
        for t in range(1, x.shape[1])
    )


@wrong("attribute-unknown")
def asks_the_box(model, x):
    return model.leaks
