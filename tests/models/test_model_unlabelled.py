"""The layers without labels: their costs are told apart only as the exercise says."""

from __future__ import annotations

from helpers.models.unlabelled import LAYERS, SIZES, unlabelled_costs


def test_the_costs_tell_what_the_exercise_asks_for():
    (_, d), _, _ = SIZES
    found = {LAYERS[letter][0]: c for letter, c in unlabelled_costs().items()}
    first, longer, wider = zip(*found.values(), strict=True)
    names = list(found)
    grows = [n for n, a, b in zip(names, first, longer) if b.state > a.state]
    assert grows == ["self-attention"]
    assert [n for n, a in zip(names, first) if a.state == d] == ["RNN"]
    assert found["window"][0].state == found["convolution"][0].state
    squared = {n for n, a, b in zip(names, first, wider) if b.work == 4 * a.work}
    assert squared == {"RNN", "convolution"}
