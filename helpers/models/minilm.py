"""A real sentence encoder, all-MiniLM-L6-v2, on the course's own MultiHeadAttention.

Six layers of twelve heads, trained by others on a billion pairs of sentences. It reads
in both directions: its only mask hides padding. pretrained.py finds the parameters;
here is what they go into.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention
from helpers.training import build

NAMES = {
    "embeddings.word_embeddings": "token",
    "embeddings.position_embeddings": "position",
    "embeddings.token_type_embeddings": "segment",
    "embeddings.LayerNorm": "norm",
    "encoder.layer": "layers",
    "attention.self.query": "attention.W_q",
    "attention.self.key": "attention.W_k",
    "attention.self.value": "attention.W_v",
    "attention.output.dense": "attention.W_o",
    "attention.output.LayerNorm": "norm_1",
    "intermediate.dense": "mlp.0",
    "output.dense": "mlp.2",
    "output.LayerNorm": "norm_2",
}
"""Piece of a name in the file → the same piece here, longer ones first."""
UNUSED = ("pooler", "embeddings.position_ids")
"""What the file holds beyond what the encoder needs."""


class Layer(nn.Module):
    """Attention, then an MLP; each is added to its input, and the sum is normalised.

    x ← LayerNorm(x + MultiHead(x, x, x));  x ← LayerNorm(x + MLP(x))
    """

    def __init__(self, d_model: int, num_heads: int, d_mlp: int, eps: float) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model, eps)
        wide, narrow = nn.Linear(d_model, d_mlp), nn.Linear(d_mlp, d_model)
        self.mlp = nn.Sequential(wide, nn.GELU(), narrow)
        self.norm_2 = nn.LayerNorm(d_model, eps)

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """(B, T, d_model) → the same, and the weights (B, H, T, T)."""
        attended, attn_weights = self.attention(x, x, x, mask)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.mlp(x)), attn_weights


class MiniLM(nn.Module):
    """Embeddings, layers, and the mean of the last vectors as the sentence's embedding.

    Args:
        config: the sizes, as config.json of the model names them.

    Source: Wang et al. (2020), MiniLM; Devlin et al. (2019), BERT; Reimers and
    Gurevych (2019), Sentence-BERT, for the mean.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        d_model, eps = config["hidden_size"], config["layer_norm_eps"]
        self.token = nn.Embedding(config["vocab_size"], d_model)
        self.position = nn.Embedding(config["max_position_embeddings"], d_model)
        self.segment = nn.Embedding(config["type_vocab_size"], d_model)
        self.norm = nn.LayerNorm(d_model, eps)
        sizes = (config["num_attention_heads"], config["intermediate_size"], eps)
        layers = (Layer(d_model, *sizes) for _ in range(config["num_hidden_layers"]))
        self.layers = nn.ModuleList(layers)

    def embed(self, ids: Tensor) -> Tensor:
        """(B, T) ids → (B, T, d_model): token, position and segment 0, normalised."""
        place = self.position.weight[: ids.shape[1]]
        return self.norm(self.token(ids) + place + self.segment.weight[0])

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Run the encoder.

        Args:
            ids: (B, T) token ids.
            mask: (B, T), True = a token, False = padding.

        Returns:
            hidden: (B, layers + 1, T, d_model), what goes in and what each layer makes.
            attn_weights: (B, layers, H, T, T).
            embedding: (B, d_model), the mean over the tokens, of length 1.
        """
        x = self.embed(ids)
        hidden, maps = [x], []
        for layer in self.layers:
            x, attn_weights = layer(x, mask[:, None, None, :])
            hidden.append(x)
            maps.append(attn_weights)
        tokens = mask[..., None].to(x.dtype)
        mean = (x * tokens).sum(dim=1) / tokens.sum(dim=1)
        embedding = nn.functional.normalize(mean, dim=-1)
        return torch.stack(hidden, dim=1), torch.stack(maps, dim=1), embedding


def rename_tensors(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of the file under the names of this class, without unused ones."""
    found = {}
    for name, weight in weights.items():
        if name.startswith(UNUSED):
            continue
        for theirs, ours in NAMES.items():
            name = name.replace(theirs, ours)
        found[name] = weight
    return found


def untrained(config: Mapping[str, Any], seed: int) -> MiniLM:
    """The same network with random parameters, as it is before training."""

    def make() -> MiniLM:
        model = MiniLM(config)
        for module in model.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=config["initializer_range"])
        return model.eval()

    return build(make, seed)
