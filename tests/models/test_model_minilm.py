"""The encoder of lesson 15 at small sizes: against PyTorch's own layer, and padding."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from helpers.interpret.contributions import handed_over
from helpers.interpret.head_outputs import heads_changed, held
from helpers.models.minilm import MiniLM, rename_tensors, untrained
from helpers.models.reading import Reading

CONFIG = {
    "hidden_size": 21,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
    "intermediate_size": 29,
    "vocab_size": 37,
    "max_position_embeddings": 19,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "initializer_range": 0.2,
}


@pytest.fixture
def model() -> MiniLM:
    made = untrained(CONFIG, seed=5)
    g = torch.Generator().manual_seed(7)
    with torch.no_grad():  # biases and gains other than 0 and 1
        for weight in made.parameters():
            weight.add_(0.1 * torch.randn(weight.shape, generator=g))
    return made


def sentence(length: int) -> tuple[torch.Tensor, torch.Tensor]:
    g = torch.Generator().manual_seed(length)
    ids = torch.randint(37, (1, length), generator=g)
    return ids, torch.ones_like(ids).bool()


def test_it_equals_torch_layers(model: MiniLM) -> None:
    ids, mask = sentence(11)
    place = model.position.weight[:11]
    x = model.norm(model.token(ids) + place + model.segment(torch.zeros_like(ids)))
    hidden, _, embedding = model(ids, mask)
    for index, ours in enumerate(model.layers):
        theirs = nn.TransformerEncoderLayer(
            21, 3, 29, dropout=0.0, activation="gelu", batch_first=True,
            layer_norm_eps=1e-12,
        )  # fmt: skip
        mha = ours.attention
        parts = (mha.W_q, mha.W_k, mha.W_v)
        with torch.no_grad():
            theirs.self_attn.in_proj_weight.copy_(torch.cat([w.weight for w in parts]))
            theirs.self_attn.in_proj_bias.copy_(torch.cat([w.bias for w in parts]))
        theirs.self_attn.out_proj.load_state_dict(mha.W_o.state_dict())
        theirs.linear1.load_state_dict(ours.mlp[0].state_dict())
        theirs.linear2.load_state_dict(ours.mlp[2].state_dict())
        theirs.norm1.load_state_dict(ours.norm_1.state_dict())
        theirs.norm2.load_state_dict(ours.norm_2.state_dict())
        x = theirs(x)
        assert torch.allclose(hidden[:, index + 1], x, atol=1e-5)
    mean = nn.functional.normalize(x.mean(dim=1), dim=-1)
    assert torch.allclose(embedding, mean, atol=1e-6)


def test_padding_changes_nothing(model: MiniLM) -> None:
    (short, _), (long, _) = sentence(7), sentence(13)
    ids = torch.zeros(2, 13, dtype=torch.long)
    ids[0, :7], ids[1] = short[0], long[0]
    mask = torch.arange(13) < torch.tensor([[7], [13]])
    hidden, weights, embedding = model(ids, mask)
    alone = model(*sentence(7))
    assert torch.allclose(hidden[:1, :, :7], alone[0], atol=1e-5)
    assert torch.allclose(weights[:1, ..., :7, :7], alone[1], atol=1e-6)
    assert torch.allclose(embedding[:1], alone[2], atol=1e-6)
    assert weights[0, ..., 7:].eq(0).all()


def test_names_of_the_file_are_ours(model: MiniLM) -> None:
    theirs = {
        "embeddings.LayerNorm.bias": "norm.bias",
        "embeddings.token_type_embeddings.weight": "segment.weight",
        "encoder.layer.1.attention.self.key.weight": "layers.1.attention.W_k.weight",
        "encoder.layer.0.attention.output.dense.bias": "layers.0.attention.W_o.bias",
        "encoder.layer.0.attention.output.LayerNorm.weight": "layers.0.norm_1.weight",
        "encoder.layer.1.output.dense.weight": "layers.1.mlp.2.weight",
        "encoder.layer.1.output.LayerNorm.bias": "layers.1.norm_2.bias",
    }
    ours = rename_tensors(
        dict.fromkeys([*theirs, "pooler.dense.weight"], torch.zeros(1))
    )
    assert list(ours) == list(theirs.values())
    assert ours.keys() <= model.state_dict().keys()


def test_the_seed_makes_the_weights() -> None:
    first, again, other = (untrained(CONFIG, seed).token.weight for seed in (3, 3, 4))
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_what_is_handed_over_is_what_a_head_adds_at_full_weight(model: MiniLM) -> None:
    ids, mask = sentence(5)
    with torch.no_grad():
        hidden, weights, embedding = model(ids, mask)
    reading = Reading([], [], [], hidden[0], weights[0], embedding[0])
    lengths = handed_over(model, reading)
    assert lengths.shape == (2, 3, 5)
    mha = model.layers[1].attention
    token = hidden[:, 1, 2:3]  # alone, it gets all weight
    with torch.no_grad():
        whole = mha(token, token, token)[0]
        with heads_changed(model, 1, held([2], torch.zeros(3, 7))):
            rest = mha(token, token, token)[0]
    assert torch.allclose((whole - rest).norm(), lengths[1, 2, 2], atol=1e-5)
