r"""LaTeX formulas as MathML, which browsers draw by themselves: no script, no network.

`mathml(r"\frac{QK^\top}{\sqrt{d_k}}")` returns a <math> element.
"""

from __future__ import annotations

import re
from html import escape

from latex2mathml.converter import convert

LETTER = re.compile(r'<mi mathvariant="normal">([^<]+)</mi>')
WORD = re.compile(rf"(?:{LETTER.pattern}){{2,}}")


def mathml(tex: str, *, display: bool = False) -> str:
    r"""A formula as a <math> element.

    Args:
        tex: LaTeX, without the dollars.
        display: whether it stands on a line of its own.

    Raises:
        ValueError: if there is a command in it that is not known.
    """
    try:
        drawn = convert(tex, display="block" if display else "inline")
    except Exception as error:  # the library has many kinds, and few have words
        raise ValueError(f"{type(error).__name__} in the formula {tex!r}") from error
    if unknown := re.search(r"\\[A-Za-z]+", drawn):
        raise ValueError(f"{unknown[0]} is not known in the formula {tex!r}")
    # upright letters come one by one; a word in one piece is spaced as a word
    drawn = WORD.sub(lambda m: f"<mi>{''.join(LETTER.findall(m[0]))}</mi>", drawn)
    return drawn.replace("<math ", f'<math alttext="{escape(tex.strip())}" ', 1)
