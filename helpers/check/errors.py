"""Exceptions in the learner's function, told in the learner's terms."""

from __future__ import annotations

import re

from .guard import Trouble
from .space import Finding

# (exception, words in its text, mistake id); the first that fits is taken
KNOWN = (
    ("", r"[Bb]oolean value of Tensor", "truth-of-a-tensor"),
    ("TypeError", r"sqrt\(\).*must be Tensor", "root-of-an-int"),
    (
        "TypeError",
        r"(exp|log|softmax|matmul)\(\).*must be Tensor",
        "tensor-function-on-number",
    ),
    ("", r"without overflow", "fill-overflows-half"),
    ("", r"view size is not compatible", "view-after-transpose"),
    ("TypeError", r"masked_fill.*(got \(bool|not bool)", "no-mask-not-handled"),
    ("", r"masked_fill.*(bool|Boolean)|mask.*bool", "mask-not-bool"),
    ("", r"unary -? ?.*bool|`-` operator|Subtraction.*bool", "minus-on-bool"),
    ("", r"~ \(operator\.invert\)|bitwise_not", "not-on-floats"),
    ("NameError", r"", "name-unknown"),
    ("UnboundLocalError", r"", "name-unknown"),
    ("", r"elements cannot be converted to Scalar", "number-of-many"),
    ("", r"only (one element|length-1|0-dim)", "number-of-many"),
    ("TypeError", r"'float' object cannot be interpreted", "float-as-a-size"),
    ("TypeError", r"(ints|int).*(type|got \(?).*float", "float-as-a-size"),
    ("TypeError", r"\bgot \(.*float", "float-as-a-size"),
    ("TypeError", r"NoneType", "none-used"),
    (
        "TypeError",
        r"positional argument|unexpected keyword|required|multiple values|"
        r"invalid combination|invalid keyword|\(position \d+\) must be",
        "wrong-arguments",
    ),
    ("AttributeError", r"NoneType", "none-used"),
    ("AttributeError", r"before Module.__init__", "super-init-forgotten"),
    ("AttributeError", r"", "attribute-unknown"),
    ("RecursionError", r"", "calls-itself"),
    ("AssertionError", r"", "own-assertion"),
    ("SystemExit", r"", "exits"),
    ("IndexError", r"Dimension out of range", "axis-out-of-range"),
    ("IndexError", r"out of (range|bounds)", "index-out-of-range"),
    ("IndexError", r"too many indices", "index-out-of-range"),
    ("KeyError", r"", "key-unknown"),
    ("", r"t\(\) expects a tensor with <= 2", "t-of-many-axes"),
    ("", r"could not infer output dtype|only be (floating|float)", "mean-of-bools"),
    ("", r"not implemented for '?(Bool|Long|Int)", "mean-of-bools"),
    ("", r"shape '\[.*' is invalid for input", "size-hard-coded"),
    (
        "RuntimeError",
        r"size|shape|dimension|expand|broadcast|Dimension",
        "shapes-do-not-fit",
    ),
    ("ValueError", r"size|shape|broadcast|dimension", "shapes-do-not-fit"),
    ("", r"numpy", "numpy-cuts-gradient"),
    ("RuntimeError", r"dtype|Double|Float|Half|Long", "dtypes-do-not-fit"),
)
SPECIFIC = {
    "attribute-unknown",
    "calls-itself",
    "exits",
    "float-as-a-size",
    "inner-arguments",
    "inner-refusal",
    "key-unknown",
    "mask-not-bool",
    "mean-of-bools",
    "minus-on-bool",
    "name-unknown",
    "no-mask-not-handled",
    "none-used",
    "not-on-floats",
    "number-of-many",
    "own-assertion",
    "reshape-miscounts",
    "root-of-an-int",
    "size-hard-coded",
    "super-init-forgotten",
    "t-of-many-axes",
    "tensor-function-on-number",
    "truth-of-a-tensor",
    "view-after-transpose",
    "wrong-arguments",
}
"""What is named at once, whatever numbers came back on other cases."""


def explained(
    trouble: Trouble, case: str, *, masked: bool = False, works_elsewhere: bool = True
) -> Finding:
    """The exception as a named mistake, with the line and the shapes that met there.

    Args:
        trouble: the exception.
        case: on which case, in words.
        masked: a mask was given.
        works_elsewhere: other cases raise nothing.
    """
    fits = (
        m
        for kind, words, m in KNOWN
        if kind in ("", trouble.kind) and re.search(words, trouble.text)
    )
    mistake = _narrowed(next(fits, "raises"), trouble, masked, works_elsewhere)
    shapes = ", ".join(f"{n} {s}" for n, s in trouble.shapes.items())
    line = f"{trouble.line}: {trouble.source}" if trouble.line else ""
    evidence = {
        "case": case,
        "line": line,
        "shapes": shapes,
        "Python says": f"{trouble.kind}: {trouble.text}",
    }
    place = f"Line {trouble.line}, `{trouble.source}`"
    facts = {
        "line": trouble.line,
        "place": place if line else "Your answer, called as the exercise calls it",
        "source": trouble.source,
        "kind": trouble.kind,
        "met": f" There met {shapes}." if shapes else "",
        "name": _name(trouble.text),
        "text": trouble.text.rstrip(".") or "no reason is given",
    }
    return Finding(mistake, facts, {k: v for k, v in evidence.items() if v})


def _narrowed(
    mistake: str, trouble: Trouble, masked: bool, works_elsewhere: bool
) -> str:
    """The mistake as it is true of the line that raised, and of who raised there."""
    if mistake == "wrong-arguments" and trouble.line is not None:
        return "inner-arguments"
    if mistake == "own-assertion":
        asserts = trouble.own and trouble.source.startswith(("assert", "raise"))
        return mistake if asserts else "inner-refusal"
    if mistake == "size-hard-coded":
        if not trouble.own:
            return "inner-refusal"
        fixed = works_elsewhere and not _computes_sizes(trouble.source)
        return mistake if fixed else "reshape-miscounts"
    if mistake == "no-mask-not-handled" and masked:
        return "raises"  # a mask was given: something else is a plain bool there
    if mistake == "attribute-unknown" and not trouble.own and trouble.line is None:
        return "raises"
    return mistake


def _computes_sizes(source: str) -> bool:
    """Does every view or reshape in the line name its sizes, without a number?"""
    asked = re.findall(r"(?:view|reshape|unflatten|expand)\(([^()]*)\)", source)
    return bool(asked) and not any(re.search(r"\b(?!1\b)[1-9]\d*", a) for a in asked)


def _name(text: str) -> str:
    found = re.search(r"'([^']+)'", text)
    return found.group(1) if found else "it"
