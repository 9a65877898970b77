"""Figures of coreference models: rows of *it*, what patching moves, what is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from helpers.models.coref import coref_answers, coref_looks
from helpers.plots.colours import COLOURS, WEIGHTS_MAP
from helpers.plots.style import TITLE_SIZE, finish
from helpers.tasks.coref import PRONOUNS, Sentence, pad_sentences
from helpers.tasks.substitutes import nameable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage


def plot_its_rows(
    models: Mapping[str, nn.Module], sentences: Sequence[Sentence]
) -> Figure:
    """Draw the row of *it* in block 2 of each model, one panel per sentence.

    A frame marks the noun that *it* refers to; the titles say what the models answer.

    Args:
        models: name → CorefNet.
        sentences: one panel each.

    Returns:
        The figure.
    """
    panels = []
    for sentence in sentences:
        one = pad_sentences([sentence])
        said = [PRONOUNS[coref_answers(model, one)] for model in models.values()]
        title = f"too {sentence.words[sentence.adjective]}: they say {', '.join(said)}"
        rows = {name: coref_looks(model, one)[0] for name, model in models.items()}
        panels.append((title, sentence, rows))
    title = "All answers are right, but the maps differ"
    return _figure(panels, title, "row of it in", "attention weight")


def plot_named(
    explained: Mapping[str, Mapping[str, Tensor]], sentence: Sentence, title: str
) -> Figure:
    """Draw what explanations say of one sentence, one panel per model.

    Only nameable words are drawn, and the strongest of them at 1.

    Args:
        explained: name of the model → name of the explanation → (1, T).
        sentence: its T words.
        title: the message.

    Returns:
        The figure.
    """
    (named,) = nameable(pad_sentences([sentence]).tokens)
    panels = [
        (
            f"{model} model",
            sentence,
            {kind: _scaled(words[0] * named) for kind, words in said.items()},
        )
        for model, said in explained.items()
    ]
    return _figure(panels, title, "explanation", "share of the strongest")


def plot_patching(
    measured: Mapping[str, tuple[Tensor, Tensor]], sentence: Sentence
) -> Figure:
    """Draw the row of *it* above what patching moves, one panel per model.

    Args:
        measured: name of the model → its row of *it* and the effects, each (1, T).
        sentence: its T words.

    Returns:
        The figure.
    """
    panels = [
        (f"{name} model", sentence, {"map": row[0], "patching": effects[0]})
        for name, (row, effects) in measured.items()
    ]
    title = "The map is dark where patching moves the answer"
    return _figure(panels, title, "measured by", "from 0 to 1")


def _scaled(numbers: Tensor) -> Tensor:
    return numbers / numbers.max().clamp_min(1e-12)


def _figure(
    panels: Sequence[tuple[str, Sentence, Mapping[str, Tensor]]],
    title: str,
    label: str,
    scale: str,
) -> Figure:
    import matplotlib.pyplot as plt

    count = max(len(strips) for *_, strips in panels)
    size = (8.5, 0.4 + len(panels) * (1.5 + 0.3 * count))
    fig, _ = plt.subplots(len(panels), 1, figsize=size, layout="constrained")
    fig.suptitle(title, fontsize=TITLE_SIZE)
    for ax, (name, sentence, strips) in zip(fig.axes, panels, strict=True):
        picture = _strips(ax, sentence, strips)
        finish(ax, name, x="position, labelled with its word", y=label)
        fig.colorbar(picture, ax=ax, label=scale, shrink=0.9)
    return fig


def _strips(ax: Axes, sentence: Sentence, strips: Mapping[str, Tensor]) -> AxesImage:
    from matplotlib.patches import Rectangle

    rows = torch.stack(list(strips.values())).detach().numpy()
    style = dict(vmin=0, vmax=1, cmap=WEIGHTS_MAP, aspect="auto")
    picture = ax.imshow(rows, **style)
    ax.set_xticks(range(len(sentence.words)), sentence.words, rotation=90)
    ax.set_yticks(range(len(strips)), list(strips), parse_math=False)
    corner, size = (sentence.referent - 0.5, -0.5), (1, len(strips))
    frame = dict(fill=False, edgecolor=COLOURS["rival"], linewidth=2, clip_on=False)
    ax.add_patch(Rectangle(corner, *size, **frame))
    return picture
