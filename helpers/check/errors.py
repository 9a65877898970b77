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
    ("", r"mean\(\): could not infer output dtype", "mean-of-whole-numbers"),
    ("IndexError", r"index .*out of (bounds|range)", "index-out-of-range"),
    ("NameError", r"", "name-unknown"),
    ("UnboundLocalError", r"", "name-unknown"),
    (
        "TypeError",
        r"positional argument|unexpected keyword|required",
        "wrong-arguments",
    ),
    ("AttributeError", r"NoneType", "none-used"),
    ("AttributeError", r"before Module.__init__", "super-init-forgotten"),
    ("AttributeError", r"", "attribute-unknown"),
    ("TypeError", r"NoneType", "none-used"),
    ("RecursionError", r"", "calls-itself"),
    ("AssertionError", r"", "own-assertion"),
    ("SystemExit", r"", "exits"),
    ("", r"shape '\[.*' is invalid for input", "size-hard-coded"),
    ("", r"size|shape|dimension|expand|broadcast|Dimension", "shapes-do-not-fit"),
    ("", r"numpy", "numpy-cuts-gradient"),
    ("", r"dtype|Double|Float|Half|Long", "dtypes-do-not-fit"),
)
SPECIFIC = {
    "mean-of-whole-numbers",
    "index-out-of-range",
    "truth-of-a-tensor",
    "root-of-an-int",
    "name-unknown",
    "wrong-arguments",
    "none-used",
    "attribute-unknown",
    "mask-not-bool",
    "no-mask-not-handled",
    "minus-on-bool",
    "not-on-floats",
    "calls-itself",
    "exits",
    "view-after-transpose",
    "tensor-function-on-number",
    "own-assertion",
    "size-hard-coded",
    "reshape-miscounts",
    "super-init-forgotten",
}


def explained(trouble: Trouble, case: str, *, masked: bool = False) -> Finding:
    """The exception as a named mistake, with the line and the shapes that met there."""
    mistake = next(
        (
            m
            for kind, words, m in KNOWN
            if kind in ("", trouble.kind) and re.search(words, trouble.text)
        ),
        "raises",
    )
    if mistake == "size-hard-coded" and _computes_sizes(trouble.source):
        mistake = "reshape-miscounts"
    if mistake == "no-mask-not-handled" and masked:
        mistake = "raises"  # a mask was given: something else is a plain bool there
    shapes = ", ".join(f"{n} {s}" for n, s in trouble.shapes.items())
    line = f"line {trouble.line}: {trouble.source}" if trouble.line else ""
    evidence = {
        "case": case,
        "line": line.removeprefix("line "),
        "shapes": shapes,
        "Python says": f"{trouble.kind}: {trouble.text}",
    }
    facts = {
        "line": trouble.line,
        "place": f"Line {trouble.line}, `{trouble.source}`"
        if trouble.line
        else "Your answer, called as the exercise calls it",
        "source": trouble.source,
        "kind": trouble.kind,
        "met": f" There met {shapes}." if shapes else "",
        "name": _name(trouble.text),
        "text": trouble.text.rstrip(".") or "no reason is given",
    }
    return Finding(mistake, facts, {k: v for k, v in evidence.items() if v})


def _computes_sizes(source: str) -> bool:
    """Does every view or reshape in the line name its sizes, without a number?"""
    asked = re.findall(r"(?:view|reshape|unflatten|expand)\(([^()]*)\)", source)
    return bool(asked) and not any(re.search(r"\b(?!1\b)[1-9]\d*", a) for a in asked)


def _name(text: str) -> str:
    found = re.search(r"'([^']+)'", text)
    return found.group(1) if found else "it"
