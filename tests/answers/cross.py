"""Answers to cross_attention(mha, decoder_out, encoder_out, mask=None)."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from . import Bank

bank = Bank("cross_attention")
wrong, right = bank.wrong, bank.right


@wrong("cross-roles-swapped")
def encoder_asks(mha, decoder_out, encoder_out, mask=None):
    return mha(encoder_out, decoder_out, decoder_out)


@wrong("cross-v-from-decoder")
def collects_from_itself(mha, decoder_out, encoder_out, mask=None):
    return mha(decoder_out, encoder_out, decoder_out, mask)


@wrong("cross-always-causal")
def causal_over_the_source(mha, decoder_out, encoder_out, mask=None):
    n_q, n_k = decoder_out.shape[1], encoder_out.shape[1]
    causal = torch.tril(torch.ones(n_q, n_k, dtype=torch.bool))
    both = causal if mask is None else causal & mask
    return mha(decoder_out, encoder_out, encoder_out, both)


@wrong("cross-mask-dropped")
def mask_not_passed_on(mha, decoder_out, encoder_out, mask=None):
    return mha(decoder_out, encoder_out, encoder_out)


@wrong("cross-key-first")
def key_then_query(mha, decoder_out, encoder_out, mask=None):
    return mha(encoder_out, decoder_out, encoder_out)


@wrong("mask-inverted")
def mask_turned_round(mha, decoder_out, encoder_out, mask=None):
    hidden = None if mask is None else ~mask
    return mha(decoder_out, encoder_out, encoder_out, hidden)


@wrong("cross-decoder-only")
def self_attention(mha, decoder_out, encoder_out, mask=None):
    return mha(decoder_out, decoder_out, decoder_out)


@wrong("returns-output-only")
def first_result_only(mha, decoder_out, encoder_out, mask=None):
    return mha(decoder_out, encoder_out, encoder_out, mask)[0]


@wrong("cross-residual")
def decoder_added(mha, decoder_out, encoder_out, mask=None):
    output, weights = mha(decoder_out, encoder_out, encoder_out, mask)
    return decoder_out + output, weights


@wrong("cross-residual-and-norm")
def as_in_a_decoder_layer(mha, decoder_out, encoder_out, mask=None):
    output, weights = mha(decoder_out, encoder_out, encoder_out, mask)
    return F.layer_norm(decoder_out + output, output.shape[-1:]), weights


@wrong("cross-self-attention-first")
def a_whole_decoder(mha, decoder_out, encoder_out, mask=None):
    own, _ = mha(decoder_out, decoder_out, decoder_out)
    return mha(own, encoder_out, encoder_out, mask)


@wrong("some-gradient-lost")
def source_without_gradient(mha, decoder_out, encoder_out, mask=None):
    source = encoder_out.detach()
    return mha(decoder_out, source, source, mask)


@wrong("cross-mask-dropped", "cross-residual")
def two_mistakes(mha, decoder_out, encoder_out, mask=None):
    output, weights = mha(decoder_out, encoder_out, encoder_out)
    return output + decoder_out, weights


@right
def by_keywords(mha, decoder_out, encoder_out, mask=None):
    return mha(query=decoder_out, key=encoder_out, value=encoder_out, mask=mask)


@right
def in_a_list(mha, decoder_out, encoder_out, mask=None):
    output, weights = mha(decoder_out, encoder_out, encoder_out, mask)
    return [output, weights]


@right
def through_forward(mha, decoder_out, encoder_out, mask=None, **unused):
    memory = (encoder_out, encoder_out)
    return mha.forward(decoder_out, *memory, mask=mask)
