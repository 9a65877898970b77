"""Answers to MultiHeadAttention: each class changes one step of a plain one."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional as F

from . import Bank

bank = Bank("MultiHeadAttention")
wrong, right = bank.wrong, bank.right


class Plain(nn.Module):
    """A right one, step by step; the answers below override a step."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads = d_model, num_heads
        self.d_k = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = (self.split(x) for x in self.project(query, key, value))
        weights = self.weigh(q, k, mask)
        return self.finish(self.merge(weights @ v), query), weights

    def project(self, query, key, value):
        return self.W_q(query), self.W_k(key), self.W_v(value)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def scale(self):
        return math.sqrt(self.d_k)

    def score(self, q, k, mask):
        scores = q @ k.transpose(-2, -1) / self.scale()
        return scores if mask is None else scores.masked_fill(mask == 0, -math.inf)

    def weigh(self, q, k, mask):
        return torch.softmax(self.score(q, k, mask), dim=-1).nan_to_num(0.0)

    def merge(self, x):
        return x.transpose(1, 2).flatten(2)

    def finish(self, x, query):
        return self.W_o(x)


# ----------------------------------------------------------------------- scale
@wrong("scale-root-d-model")
class ScaledByTheWholeWidth(Plain):
    def scale(self):
        return math.sqrt(self.d_model)


@wrong("scale-root-heads")
class ScaledByTheHeads(Plain):
    def scale(self):
        return math.sqrt(self.num_heads)


@wrong("no-scale")
class NotScaled(Plain):
    def scale(self):
        return 1.0


@wrong("scale-hard-coded")
class ScaledByEight(Plain):
    def scale(self):
        return 3.7


# ------------------------------------------------------------- split and merge
@wrong("split-by-view")
class SplitByView(Plain):
    def split(self, x):
        return x.reshape(len(x), self.num_heads, x.shape[1], self.d_k)


@wrong("merge-by-view")
class MergedByView(Plain):
    def merge(self, x):
        return x.reshape(x.shape[0], x.shape[2], self.d_model)


@wrong("split-by-view")
class BothByView(SplitByView, MergedByView):
    pass


@wrong("split-interleaved")
class InterleavedBothWays(Plain):
    def split(self, x):
        return x.unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)

    def merge(self, x):
        return x.permute(0, 2, 3, 1).flatten(2)


@wrong("merge-interleaved")
class MergedInterleaved(Plain):
    def merge(self, x):
        return torch.stack(x.unbind(1), dim=-1).flatten(2)


@wrong("view-after-transpose")
class MergedWithoutCopy(Plain):
    def merge(self, x):
        return x.transpose(1, 2).view(x.shape[0], x.shape[2], self.d_model)


@wrong("head-0-for-all")
class HeadZeroForAll(Plain):
    def forward(self, query, key, value, mask=None):
        q, k, v = (self.split(x) for x in self.project(query, key, value))
        outputs, all_weights = [], []
        for _ in range(self.num_heads):
            own = mask if mask is None or mask.dim() < 4 else mask[:, 0]
            weights = self.weigh(q[:, 0], k[:, 0], own)
            outputs.append(weights @ v[:, 0])
            all_weights.append(weights)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=1)


@wrong("heads-never-split")
class OneHeadOverAll(Plain):
    def forward(self, query, key, value, mask=None):
        q, k, v = (x.unsqueeze(1) for x in self.project(query, key, value))
        self.d_k = self.d_model
        weights = self.weigh(q, k, mask)
        return self.W_o((weights @ v)[:, 0]), weights


@wrong("attention-over-heads")
class HeadsAttendToHeads(Plain):
    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1))

    def merge(self, x):
        return x.flatten(2)


@wrong("tokens-before-batch")
class TokensBeforeBatch(Plain):
    def forward(self, query, key, value, mask=None):
        turned = (x.transpose(0, 1) for x in (query, key, value))
        output, weights = super().forward(*turned)
        return output.transpose(0, 1), weights


# ----------------------------------------------------------------- projections
@wrong("one-projection-for-all")
class OneMatrixForAll(Plain):
    def project(self, query, key, value):
        return self.W_q(query), self.W_q(key), self.W_q(value)


@wrong("w-k-w-v-swapped")
class KeysAndValuesExchanged(Plain):
    def project(self, query, key, value):
        return self.W_q(query), self.W_v(key), self.W_k(value)


@wrong("key-and-value-ignored")
class OnlySelfAttention(Plain):
    def project(self, query, key, value):
        return self.W_q(query), self.W_k(query), self.W_v(query)


@wrong("value-ignored")
class ValuesFromKey(Plain):
    def project(self, query, key, value):
        return self.W_q(query), self.W_k(key), self.W_v(key)


@wrong("v-from-query")
class ValuesFromQuery(Plain):
    def project(self, query, key, value):
        return self.W_q(query), self.W_k(key), self.W_v(query)


@wrong("q-from-key")
class QueriesFromKey(Plain):
    def project(self, query, key, value):
        return self.W_q(key), self.W_k(key), self.W_v(value)


@wrong("projections-missing")
class NothingProjected(Plain):
    def project(self, query, key, value):
        return query, key, value


@wrong("projections-of-slices")
class EachHeadItsSlice(Plain):
    def project(self, query, key, value):
        def sliced(x, layer):
            parts = []
            for start in range(0, self.d_model, self.d_k):
                own = slice(start, start + self.d_k)
                weight, bias = layer.weight[own, own], layer.bias[own]
                parts.append(F.linear(x[..., own], weight, bias))
            return torch.cat(parts, dim=-1)

        inputs = ((query, self.W_q), (key, self.W_k), (value, self.W_v))
        return (sliced(x, layer) for x, layer in inputs)


@wrong("projections-of-slices")
class SmallLayers(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_q = nn.Linear(self.d_k, self.d_k)


@wrong("projection-of-one-head")
class RoomForOneHead(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_q = nn.Linear(d_model, self.d_k)


@wrong("projection-per-head-too-wide")
class FullWidthForEachHead(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_q = nn.Linear(d_model, d_model * num_heads)


@wrong("biases-missing")
class WithoutBiases(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))


# ------------------------------------------------------------------------- W_o
@wrong("w-o-missing")
class WithoutLastMatrix(Plain):
    def finish(self, x, query):
        return x


@wrong("w-o-twice")
class LastMatrixTwice(Plain):
    def finish(self, x, query):
        return self.W_o(self.W_o(x))


@wrong("w-o-bias-missing")
class LastMatrixWithoutBias(Plain):
    def finish(self, x, query):
        return x @ self.W_o.weight.T


@wrong("w-o-bias-per-head")
class BiasOnceAHead(Plain):
    def finish(self, x, query):
        blocks = self.W_o.weight.split(self.d_k, dim=1)
        parts = zip(x.split(self.d_k, dim=-1), blocks, strict=True)
        return sum(F.linear(part, block, self.W_o.bias) for part, block in parts)


@wrong("residual-inside")
class WithResidual(Plain):
    def finish(self, x, query):
        return query + self.W_o(x)


@wrong("residual-and-norm-inside")
class WithResidualAndNorm(Plain):
    def finish(self, x, query):
        return F.layer_norm(query + self.W_o(x), (self.d_model,))


# ------------------------------------------------------------ softmax and mask
@wrong("softmax-over-heads")
class SoftmaxOverHeads(Plain):
    def weigh(self, q, k, mask):
        return torch.softmax(self.score(q, k, mask), dim=1).nan_to_num(0.0)


@wrong("softmax-over-queries")
class SoftmaxOverQueries(Plain):
    def weigh(self, q, k, mask):
        return torch.softmax(self.score(q, k, mask), dim=2).nan_to_num(0.0)


@wrong("mask-ignored")
class MaskForgotten(Plain):
    def weigh(self, q, k, mask):
        return super().weigh(q, k, None)


@wrong("mask-inverted")
class MaskTurnedRound(Plain):
    def weigh(self, q, k, mask):
        return super().weigh(q, k, None if mask is None else mask == 0)


@wrong("mask-only-2d-used")
class OnlyCausalMasks(Plain):
    def weigh(self, q, k, mask):
        flat = mask is not None and mask.dim() == 2
        return super().weigh(q, k, mask if flat else None)


@wrong("mask-of-other-sample")
class MaskRepeatedHeadsFirst(Plain):
    def weigh(self, q, k, mask):
        batch, heads, n_q, d_k = q.shape
        n_k = k.shape[2]
        if mask is not None:
            full = mask.expand(batch, heads, n_q, n_k)
            if mask.dim() == 4 and mask.shape[1] == 1:
                full = full[:, 0].repeat(heads, 1, 1).view(batch, heads, n_q, n_k)
            mask = full
        return super().weigh(q, k, mask)


@wrong("always-causal")
class CausalUnasked(Plain):
    def weigh(self, q, k, mask):
        causal = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril()
        return super().weigh(q, k, causal if mask is None else causal & (mask != 0))


@wrong("causal-buffer-of-fixed-size")
class CausalBuffer(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.register_buffer("seen", torch.ones(5, 5).tril())

    def score(self, q, k, mask):
        scores = super().score(q, k, mask)
        return scores.masked_fill(self.seen == 0, -math.inf)


# ------------------------------------------------------------- what comes back
@wrong("weights-averaged-over-heads")
class AveragedWeights(Plain):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output, weights.mean(dim=1)


@wrong("returns-output-only")
class OnlyTheOutput(Plain):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)[0]


# ------------------------------------------------------------------- behaviour
@wrong("dropout-on", "random-each-call")
class DropoutAlways(Plain):
    def weigh(self, q, k, mask):
        return F.dropout(super().weigh(q, k, mask), 0.2)


@wrong("no-gradient")
class NoGradient(Plain):
    @torch.no_grad()
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask)


@wrong("layer-gets-no-gradient")
class LastMatrixDetached(Plain):
    def finish(self, x, query):
        return F.linear(x, self.W_o.weight.detach(), self.W_o.bias)


@wrong("remembers-between-calls")
class KeepsTheLastMask(Plain):
    last = None

    def weigh(self, q, k, mask):
        if mask is not None:
            self.last = mask
        fits = self.last is not None and self.last.shape[-1] == q.shape[2]
        if mask is None and (fits or self.last is not None and k.shape[2] == 7):
            k = k * 0.9
        return super().weigh(q, k, mask)


@wrong("remembers-between-calls")
class TakesTheLastMaskWhereNoneIsGiven(Plain):
    last = None

    def weigh(self, q, k, mask):
        if mask is not None:
            self.last = mask
        elif self.last is not None and self.last.shape[-1] == k.shape[2]:
            mask = self.last
        return super().weigh(q, k, mask)


@wrong("parameters-not-registered")
class LayersInAPlainList(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.layers = [Plain(d_model, num_heads)]

    def __getattr__(self, name):
        if name.startswith("W_"):
            return getattr(self.layers[0], name)
        return super().__getattr__(name)

    def forward(self, query, key, value, mask=None):
        return self.layers[0](query, key, value, mask)


@wrong("weights-plain-tensors")
class PlainTensors(Plain):
    def __init__(self, d_model, num_heads):
        nn.Module.__init__(self)
        self.W_q = torch.randn(d_model, d_model)
        self.W_k = torch.randn(d_model, d_model)
        self.W_v = torch.randn(d_model, d_model)
        self.W_o = torch.randn(d_model, d_model)


@wrong("extra-parameters")
class AnUnusedLayer(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model)


@wrong("layers-shared")
class OneLayerTwoNames(Plain):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_v = self.W_k


@wrong("layers-missing")
class OtherNames(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.to_q, self.to_k, self.to_v = (nn.Linear(d_model, d_model) for _ in "qkv")

    def forward(self, query, key, value, mask=None):
        return self.to_q(query), self.to_k(key)


@wrong("super-init-forgotten")
class NotSetUp(Plain):
    def __init__(self, d_model, num_heads):
        self.W_q = nn.Linear(d_model, d_model)


@wrong("scale-root-d-model", "w-o-missing")
class TwoMistakes(ScaledByTheWholeWidth, WithoutLastMatrix):
    pass


# ----------------------------------------------------------------------- right
@right
class StepByStep(Plain):
    pass


@right
class LayersInAnotherOrder(Plain):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__(d_model, num_heads)
        self.W_o, self.W_v = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def finish(self, x, query):
        return self.dropout(self.W_o(x))


@right
class EinsumThroughout(Plain):
    def forward(self, query, key, value, mask=None):
        def projected(x, layer):
            weight = layer.weight.unflatten(0, (self.num_heads, -1))
            bias = layer.bias.view(self.num_heads, 1, -1)
            return torch.einsum("btm,hdm->bhtd", x, weight) + bias

        q, k = projected(query, self.W_q), projected(key, self.W_k)
        weights = self.weigh(q, k, mask)
        found = torch.einsum("bhqk,bhkd->bhqd", weights, projected(value, self.W_v))
        last = self.W_o.weight.unflatten(1, (self.num_heads, -1))
        return torch.einsum("bhtd,mhd->btm", found, last) + self.W_o.bias, weights


@right
class HeadsInTheBatch(Plain):
    def forward(self, query, key, value, mask=None):
        def stacked(x):
            return torch.cat(x.chunk(self.num_heads, dim=-1), dim=0)

        q, k, v = (stacked(x) for x in self.project(query, key, value))
        batch, shape = len(query), (self.num_heads, len(query))
        if mask is not None:
            full = (batch, self.num_heads, q.shape[1], k.shape[1])
            mask = mask.expand(full).transpose(0, 1).flatten(0, 1)
        weights = self.weigh(q, k, mask)
        output = torch.cat((weights @ v).split(batch), dim=-1)
        return self.W_o(output), weights.unflatten(0, shape).transpose(0, 1)


@right
class FusedKernel(Plain):
    def forward(self, query, key, value, mask=None, need_weights=True):
        q, k, v = (self.split(x) for x in self.project(query, key, value))
        keep = None if mask is None else mask.bool()
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        return [self.W_o(self.merge(output)), self.weigh(q, k, mask)]


@right
class HeadByHead(Plain):
    def forward(self, query, key, value, mask=None):
        q, k, v = self.project(query, key, value)
        found = []
        for head in range(self.num_heads):
            own = slice(head * self.d_k, (head + 1) * self.d_k)
            seen = mask
            if mask is not None and mask.dim() == 4:
                seen = mask[:, min(head, mask.shape[1] - 1)]
            weights = self.weigh(q[..., own], k[..., own], seen)
            found.append((weights @ v[..., own], weights))
        outputs, weights = zip(*found, strict=True)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)
