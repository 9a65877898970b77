"""Two models with the same answers and the same map, but not for the same reason.

Both are CorefNets whose block 1 looks everywhere and whose block 2 reads plain words.
Both are told where block 2 is to look: at the noun that *it* refers to. One is trained
where the thing on the way is random, the other where it gives the pronoun away.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.models.coref import CorefNet
from helpers.tasks.coref import CorefBatch, pad_sentences
from helpers.tasks.shortcut import cue_sentences
from helpers.training import build, train


def told_loss(model: nn.Module, batch: CorefBatch) -> Tensor:
    """Cross-entropy of the German pronoun, and − log of the weight on the noun."""
    out = model(batch)
    rows = torch.arange(len(batch.it))
    on_noun = out.attn_weights[1][rows, 0, batch.it, batch.referent]
    return (
        F.cross_entropy(out.pronoun, batch.pronoun)
        - on_noun.clamp_min(1e-6).log().mean()
    )


def train_told(
    seed: int, shortcut: bool, steps: int = 500, lr: float = 4e-3
) -> CorefNet:
    """Train one of the two models from scratch; about three seconds.

    Args:
        seed: of the initial parameters and of the sentences.
        shortcut: True: in training, the thing always fits the pronoun. False: it is
            random, so that only the noun and the adjective tell.
        steps: steps of 64 sentences each.
        lr: the highest learning rate.
    """
    cue = "fits" if shortcut else "random"
    model = build(lambda: CorefNet(ahead=False), seed)
    train(
        model,
        lambda generator: pad_sentences(cue_sentences(generator, 64, cue)),
        told_loss,
        steps=steps,
        lr=lr,
        seed=seed,
        optimizer=torch.optim.AdamW,
        weight_decay=0.1,
        decay=True,
        clip=1.0,
        label="told where to look",
    )
    return model
