"""Words: cross-attention."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "cross-roles-swapped": Words(
        "the roles swapped",
        "The roles are swapped: the encoder asks (query) and the decoder is asked "
        "(key, value). The output has the encoder's length, {got}; due is {want}.",
        "Which of the two sentences is being written, and needs something from the "
        "other?",
    ),
    "cross-v-from-decoder": Words(
        "values from the decoder",
        "The keys come from encoder_out, but the values from decoder_out: what is "
        "compared and what is handed over belong to different tokens (and with "
        "different lengths it fails).",
        "Once the weights say which source token matters, what should be collected "
        "there?",
    ),
    "cross-k-from-decoder": Words(
        "keys from the decoder",
        "The values come from encoder_out, but the keys from decoder_out: what is "
        "compared and what is handed over belong to different tokens.",
        "With whose keys should the decoder's queries be compared?",
    ),
    "cross-key-first": Words(
        "the arguments in another order",
        "mha gets encoder_out as query, decoder_out as key and encoder_out as value, "
        "as in the order (key, query, value).",
        "In which order does mha's signature name the three?",
    ),
    "cross-value-first": Words(
        "the arguments in another order",
        "mha gets encoder_out as query and key and decoder_out as value, as in the "
        "order (value, key, query).",
        "In which order does mha's signature name the three?",
    ),
    "cross-decoder-only": Words(
        "the encoder ignored",
        "encoder_out is ignored: this is the decoder's self-attention.",
        "Through which arguments of mha does the source sentence come in?",
    ),
    "cross-encoder-only": Words(
        "the decoder ignored",
        "decoder_out is ignored: this is the encoder's self-attention, {got}.",
        "Who asks in cross-attention?",
    ),
    "cross-mask-dropped": Words(
        "the mask not passed on",
        "The mask is not passed on to mha (dropped): hidden source tokens keep "
        "weight{hidden}.",
        "Which of your arguments does the call of mha not mention?",
    ),
    "cross-always-causal": Words(
        "a causal mask in cross-attention",
        "A causal mask is added: an early word of the target sees only the first "
        "source tokens. But the whole source is known when decoding starts.",
        "Is any token of the *source* in the future of the target?",
    ),
    "cross-causal-instead": Words(
        "a causal mask in the place of the given one",
        "Whatever mask is given, a causal one is used in its place.",
        "Is any token of the *source* in the future of the target, and where does the "
        "mask that was passed in go?",
    ),
    "cross-causal-without-mask": Words(
        "causal where no mask is given",
        "Without a mask, a causal one is used.",
        "Is any token of the *source* in the future of the target?",
    ),
    "cross-residual": Words(
        "a residual added",
        "An input is added to the output (a residual connection): a decoder layer does"
        " that around cross-attention; it is no part of it.",
        "What does mha return, and what do you return?",
    ),
    "cross-residual-and-norm": Words(
        "residual and LayerNorm added",
        "The output is the LayerNorm of input plus attention: a decoder layer does "
        "that around cross-attention (residual and norm); it is no part of it.",
        "What does mha return, and what do you return?",
    ),
    "cross-layer-norm": Words(
        "a LayerNorm added",
        "A LayerNorm is applied, before or after: a decoder layer does that around "
        "cross-attention; it is no part of it.",
        "What does mha return, and what do you return?",
    ),
    "cross-self-attention-first": Words(
        "self-attention first",
        "The decoder first attends to itself and only then to the encoder: a decoder "
        "layer does both, but with an mha for each.",
        "How many times does your function call mha, and how many attentions are asked"
        " for?",
    ),
    "cross-encoder-attends-first": Words(
        "the encoder attends first",
        "The encoder first attends to itself; encoder_out is what comes out of that "
        "already.",
        "How many times does your function call mha, and how many attentions are asked"
        " for?",
    ),
    "cross-twice": Words(
        "cross-attention twice",
        "The output asks the encoder a second time.",
        "How many times does your function call mha?",
    ),
    "cross-batch-and-tokens-exchanged": Words(
        "batch and tokens exchanged",
        "The first two axes are exchanged before mha is called: the samples of a batch"
        " attend to each other.",
        "Which axis comes first everywhere in this course?",
    ),
    "cross-sentences-joined": Words(
        "both sentences asked",
        "decoder_out and encoder_out are joined into one sentence that is asked as a "
        "whole: self- and cross-attention at once.",
        "Which tokens may a query of the decoder look at in cross-attention?",
    ),
}
