"""Answers to load_layer and score_head, of lesson 15."""

from __future__ import annotations

from fractions import Fraction

import torch

from helpers.attention import MultiHeadAttention

from . import Bank

loads = Bank("load_layer")
scores = Bank("score_head")

NAMES = {
    "W_q": "attention/self/query",
    "W_k": "attention/self/key",
    "W_v": "attention/self/value",
    "W_o": "attention/output/dense",
}


def state(checkpoint, layer, names=NAMES, turn=tuple(NAMES)):
    found = {}
    for ours, theirs in names.items():
        place = f"encoder/layer_{layer}/{theirs}"
        kernel = checkpoint[f"{place}/kernel"]
        found[f"{ours}.weight"] = kernel.T if ours in turn else kernel
        found[f"{ours}.bias"] = checkpoint[f"{place}/bias"]
    return found


@loads.wrong("kernel-not-transposed")
def as_stored(checkpoint, layer):
    return state(checkpoint, layer, turn=())


@loads.wrong("kernel-not-transposed")
def by_load_state_dict_without_turning(checkpoint, layer):
    wanted = state(checkpoint, layer, turn=())
    mha = MultiHeadAttention(len(wanted["W_q.bias"]), 1)
    mha.load_state_dict(wanted)
    return mha.state_dict()


@loads.wrong("kernel-not-transposed")
def turned_twice(checkpoint, layer):
    return {k: v.T.T for k, v in state(checkpoint, layer, turn=()).items()}


@loads.wrong("kernel-not-transposed")
def reshaped(checkpoint, layer):
    found = state(checkpoint, layer, turn=())
    return {k: v.reshape(v.shape[::-1]) for k, v in found.items()}


@loads.wrong("kernel-partly-transposed")
def output_not_turned(checkpoint, layer):
    return state(checkpoint, layer, turn=("W_q", "W_k", "W_v"))


@loads.wrong("kernel-partly-transposed")
def only_output_turned(checkpoint, layer):
    return state(checkpoint, layer, turn=("W_o",))


@loads.wrong("query-and-key-exchanged")
def q_is_k(checkpoint, layer):
    names = NAMES | {"W_q": NAMES["W_k"], "W_k": NAMES["W_q"]}
    return state(checkpoint, layer, names)


@loads.wrong("key-and-value-exchanged")
def k_is_v(checkpoint, layer):
    names = NAMES | {"W_v": NAMES["W_k"], "W_k": NAMES["W_v"]}
    return state(checkpoint, layer, names)


@loads.wrong("value-and-output-exchanged")
def v_is_o(checkpoint, layer):
    names = NAMES | {"W_v": NAMES["W_o"], "W_o": NAMES["W_v"]}
    return state(checkpoint, layer, names)


@loads.wrong("one-matrix-for-all")
def copied_line(checkpoint, layer):
    names = NAMES | dict.fromkeys(("W_k", "W_v"), NAMES["W_q"])
    return state(checkpoint, layer, names)


@loads.wrong("always-layer-0")
def layer_forgotten(checkpoint, layer):
    return state(checkpoint, 0)


@loads.wrong("always-the-last-layer")
def overwritten(checkpoint, layer):
    found = {}
    for name, tensor in checkpoint.items():
        for ours, theirs in NAMES.items():
            if f"/{theirs}/" in name:
                kind = "weight" if name.endswith("kernel") else "bias"
                found[f"{ours}.{kind}"] = tensor.T if kind == "weight" else tensor
    return found


@loads.wrong("layers-counted-from-1")
def from_one(checkpoint, layer):
    return state(checkpoint, max(0, layer - 1))


@loads.wrong("layer-name-only-begins-so")
def starts_with(checkpoint, layer):
    found = {}
    for name, tensor in checkpoint.items():
        if name.startswith(f"encoder/layer_{layer}"):
            for ours, theirs in NAMES.items():
                if f"/{theirs}/" in name:
                    kind = "weight" if name.endswith("kernel") else "bias"
                    found[f"{ours}.{kind}"] = tensor.T if kind == "weight" else tensor
    return found


@loads.wrong("output-of-the-mlp")
def shorter_name(checkpoint, layer):
    return state(checkpoint, layer, NAMES | {"W_o": "output/dense"})


@loads.wrong("biases-left-at-zero")
def fresh_biases(checkpoint, layer):
    found = state(checkpoint, layer)
    return {k: torch.zeros_like(v) if "bias" in k else v for k, v in found.items()}


@loads.wrong("state-without-biases")
def weights_only(checkpoint, layer):
    return {k: v for k, v in state(checkpoint, layer).items() if "weight" in k}


@loads.wrong("names-of-the-file")
def not_renamed(checkpoint, layer):
    start = f"encoder/layer_{layer}/attention"
    return {k: v.T for k, v in checkpoint.items() if k.startswith(start)}


@loads.wrong("entries-missing")
def names_without_kind(checkpoint, layer):
    found = state(checkpoint, layer)
    return {k.replace("weight", "w").replace("bias", "b"): v for k, v in found.items()}


@loads.wrong("entries-missing")
def three_of_four(checkpoint, layer):
    return state(checkpoint, layer, {k: v for k, v in NAMES.items() if k != "W_o"})


@loads.right
def a_dict(checkpoint, layer):
    return state(checkpoint, layer)


@loads.right
def a_module_state(checkpoint, layer):
    wanted = state(checkpoint, layer)
    mha = MultiHeadAttention(len(wanted["W_q.bias"]), 1)
    mha.load_state_dict(wanted)
    return mha.state_dict()


@loads.wrong("state-a-module")
def a_module(checkpoint, layer):
    wanted = state(checkpoint, layer)
    mha = MultiHeadAttention(len(wanted["W_q.bias"]), 1)
    mha.load_state_dict(wanted)
    return mha


@loads.right
def permuted_and_copied(checkpoint, layer):
    found = state(checkpoint, layer, turn=())
    turned = (1, 0)
    return {
        k: v.permute(turned).contiguous().clone() if v.dim() == 2 else v.clone()
        for k, v in found.items()
    }


def score(hits, sentence, chosen, scored):
    head = hits[chosen].float().mean(0).argmax()
    return head, hits[scored, head].float().mean()


@scores.wrong("mean-of-bools")
def mean_of_bools(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].mean(0).argmax()
    return head, hits[odd, head].double().mean()


@scores.wrong("head-0-always")
def first_head(hits, sentence):
    return 0, hits[sentence % 2 == 1, 0].double().mean()


@scores.wrong("chosen-by-sentences")
def every_sentence_alike(hits, sentence):
    even = [s for s in sentence.unique() if s % 2 == 0]
    shares = [hits[sentence == s].double().mean(0) for s in even]
    head = torch.stack(shares).mean(0).argmax()
    return head, hits[sentence % 2 == 1, head].double().mean()


@scores.wrong("same-for-any-argument")
def by_heart(hits, sentence):
    return 1, 0.5


@scores.wrong("median-not-share")
def the_usual_hit(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].double().mean(0).argmax()
    return head, hits[odd, head].double().median()


@scores.wrong("head-only")
def no_score(hits, sentence):
    return hits[sentence % 2 == 0].double().mean(0).argmax()


@scores.wrong("split-by-case")
def every_other_case(hits, sentence):
    odd = torch.arange(len(hits)) % 2 == 1
    return score(hits, sentence, ~odd, odd)


@scores.wrong("split-in-the-middle")
def first_half(hits, sentence):
    late = sentence >= (sentence.min() + sentence.max() + 1) // 2
    return score(hits, sentence, ~late, late)


@scores.wrong("chosen-on-everything")
def peeks(hits, sentence):
    return score(hits, sentence, slice(None), sentence % 2 == 1)


@scores.wrong("chosen-where-scored")
def chooses_on_odd(hits, sentence):
    odd = sentence % 2 == 1
    return score(hits, sentence, odd, odd)


@scores.wrong("scored-on-everything")
def scores_all(hits, sentence):
    return score(hits, sentence, sentence % 2 == 0, slice(None))


@scores.wrong("scored-where-chosen")
def scores_even(hits, sentence):
    even = sentence % 2 == 0
    return score(hits, sentence, even, even)


@scores.wrong("chosen-on-everything", "scored-on-everything")
def no_split(hits, sentence):
    return score(hits, sentence, slice(None), slice(None))


@scores.wrong("chosen-where-scored", "scored-where-chosen")
def halves_exchanged(hits, sentence):
    return score(hits, sentence, sentence % 2 == 1, sentence % 2 == 0)


@scores.wrong("best-again-on-the-scored-half")
def maximum_of_both(hits, sentence):
    odd = sentence % 2 == 1
    return hits[~odd].float().mean(0).argmax(), hits[odd].float().mean(0).max()


@scores.wrong("count-not-share")
def counted(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].sum(0).argmax()
    return head, hits[odd, head].sum()


@scores.wrong("divided-by-all-cases")
def wrong_divisor(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].sum(0).argmax()
    return int(head), float(hits[odd, head].sum() / len(hits))


@scores.wrong("mean-over-sentences")
def per_sentence(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].sum(0).argmax()
    numbers = sentence[odd].unique()
    means = [hits[sentence == s, head].float().mean() for s in numbers]
    return head, sum(means) / len(means)


@scores.wrong("share-of-misses")
def misses(hits, sentence):
    head, share = score(hits, sentence, sentence % 2 == 0, sentence % 2 == 1)
    return head, 1 - share


@scores.wrong("worst-head")
def smallest(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].float().mean(0).argmin()
    return head, hits[odd, head].float().mean()


@scores.wrong("no-head-chosen")
def all_heads(hits, sentence):
    odd = sentence % 2 == 1
    return hits[~odd].sum(0).argmax(), hits[odd].float().mean()


@scores.wrong("best-case-not-best-head")
def other_axis(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].float().mean(1).argmax()
    return head, hits[odd, head].float().mean()


@scores.wrong("head-and-share-swapped")
def other_order(hits, sentence):
    return score(hits, sentence, sentence % 2 == 0, sentence % 2 == 1)[::-1]


@scores.wrong("share-only")
def no_head(hits, sentence):
    return score(hits, sentence, sentence % 2 == 0, sentence % 2 == 1)[1]


@scores.right
def plain(hits, sentence):
    return score(hits, sentence, sentence % 2 == 0, sentence % 2 == 1)


@scores.right
def numbers(hits, sentence):
    head, share = score(hits, sentence, sentence % 2 == 0, sentence % 2 == 1)
    return int(head), float(share)


@scores.right
def loops(hits, sentence):
    rows = list(zip(hits.tolist(), sentence.tolist(), strict=True))
    even = [row for row, number in rows if number % 2 == 0]
    odd = [row for row, number in rows if number % 2 == 1]
    totals = [sum(row[h] for row in even) for h in range(hits.shape[1])]
    head = totals.index(max(totals))
    return head, sum(row[head] for row in odd) / len(odd)


@loads.wrong("layers-sorted-as-text")
def by_sorted_names(checkpoint, layer):
    names = sorted({name.split("/")[1] for name in checkpoint})
    return state(checkpoint, names[layer].removeprefix("layer_"))


@loads.wrong("layers-counted-from-the-end")
def from_the_end(checkpoint, layer):
    count = len({name.split("/")[1] for name in checkpoint})
    return state(checkpoint, count - 1 - layer)


@loads.wrong("one-name-twice")
def copied_line_not_changed(checkpoint, layer):
    return state(checkpoint, layer, NAMES | {"W_k": NAMES["W_q"]})


@loads.wrong("query-and-value-exchanged")
def query_for_value(checkpoint, layer):
    swapped = {"W_q": NAMES["W_v"], "W_v": NAMES["W_q"]}
    return state(checkpoint, layer, NAMES | swapped)


@loads.wrong("state-no-dict")
def eight_in_a_list(checkpoint, layer):
    return list(state(checkpoint, layer).values())


@loads.wrong("changes-argument")
def empties_the_file(checkpoint, layer):
    found = state(checkpoint, layer)
    checkpoint.clear()
    return found


def halves(hits, sentence):
    odd = sentence % 2 == 1
    head = hits[~odd].float().mean(0).argmax()
    return head, hits[odd][:, head].float().mean()


@scores.wrong("share-in-percent")
def percent(hits, sentence):
    head, share = halves(hits, sentence)
    return head, 100 * share


@scores.wrong("heads-counted-from-one")
def heads_from_one(hits, sentence):
    head, share = halves(hits, sentence)
    return head + 1, share


@scores.wrong("sentences-sorted-hits-not")
def sorted_alone(hits, sentence):
    return halves(hits, sentence.sort().values)


@scores.wrong("sentences-numbered-anew")
def ranks(hits, sentence):
    return halves(hits, sentence.unique(return_inverse=True)[1])


@scores.wrong("split-in-the-middle")
def first_half_of_the_cases(hits, sentence):
    return halves(hits, (torch.arange(len(hits)) >= len(hits) // 2).long())


@scores.right
def in_a_dict(hits, sentence):
    head, share = halves(hits, sentence)
    return {"share": share, "head": head}


@scores.right
def in_one_tensor(hits, sentence):
    return torch.stack(halves(hits, sentence))


@scores.right
def as_a_fraction(hits, sentence):
    head, _ = halves(hits, sentence)
    found = hits[sentence % 2 == 1][:, head]
    return int(head), Fraction(int(found.sum()), len(found))
