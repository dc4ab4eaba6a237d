"""Formulas of web pages (MathML) and Word files (Office Math), written in one line: "(a) / (b)", "x^2", "√(x)".

What cannot be written so, such as a matrix, keeps its words in reading order and is counted, for a warning.
"""

import re
from collections.abc import Iterable
from typing import Any

OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

_WEB = ("math", "m:math", "mml:math")
_MAX_DEPTH = 100
_GONE = frozenset({"annotation", "annotation-xml", "del", "moveFrom", "none", "mprescripts", "script", "style"})
_BUILT_UP = frozenset(
    {
        "mtable", "mmultiscripts", "mstack", "mlongdiv", "menclose",
        "m", "eqArr", "sPre", "acc", "bar", "borderBox", "groupChr",
    }
)  # fmt: skip
_WEB_SCRIPTS = {"msub": "_", "msup": "^", "msubsup": "_^", "munder": "_", "mover": "^", "munderover": "_^"}
_OFFICE_SCRIPTS = {
    "sSub": {"_": "sub"},
    "sSup": {"^": "sup"},
    "sSubSup": {"_": "sub", "^": "sup"},
    "limLow": {"_": "lim"},
    "limUpp": {"^": "lim"},
}
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_MINUS = "\N{MINUS SIGN}"
_ONE = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*\Z|[^\w\s]?\Z")
_BLANKS = re.compile(r"\s+")
_SIGN = re.compile(r" ?([=<>≤≥≈≠≡×÷±]) ?")
_PLUS = re.compile(rf"(?<=[\w)\]%]) ?([+{_MINUS}]) ?(?=[\w(\[√∑∏∫])")
_LOOSE = re.compile(r"(?<=[(\[]) | (?=[)\],;.])")


def formulas_replace(root: Any) -> int:
    """Put in the place of each formula of a web page its words; what KaTeX draws of the same formula goes.

    Args:
        root: The page; it is changed.

    Returns:
        How many formulas could not be written in one line.
    """
    formulas = [element for element in root.iter(*_WEB) if next(element.iterancestors(*_WEB), None) is None]
    n_odd = 0
    for element in formulas:
        words, is_whole = formula_text(element)
        described = element.get("alttext", "").strip()
        if not words and (described or len(element)):
            words, is_whole = described, False
        n_odd += not is_whole
        for child in list(element):
            element.remove(child)
        element.tag, element.text = "span", f" {words} " if element.get("display") == "block" else words
        _drawing_drop(element)
    return n_odd


def formulas_warning(n_odd: int) -> tuple[str, ...]:
    """What to warn of, where this many formulas could not be written in one line."""
    return (f"formulas_to_check:{n_odd}",) if n_odd else ()


def formula_text(element: Any) -> tuple[str, bool]:
    """Write a formula in one line.

    Rule: fractions as "(a) / (b)", powers and indices as "a^b" and "a_b", the bounds of a sum as those of its sign,
    roots as "√(a)"; parts that are not a single word or number are in brackets. Matrices, stacked lines, accents and
    what is crossed out have no such form: their words are in reading order.

    Args:
        element: `math` of MathML, or `m:oMath` of Office Math.

    Returns:
        The words, and whether they say all that the formula does.
    """
    writer = _Writer()
    words = writer.write(element, 0)
    return _tidy(words), writer.is_whole


def _name(element: Any) -> str:
    """The element's name without its namespace, or without the prefix that a page of no namespaces writes."""
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.rpartition("}")[2].rpartition(":")[2]


def _drawing_drop(element: Any) -> None:
    for around in element.iterancestors("span"):
        drawing = around.getnext()
        if "katex-mathml" in around.get("class", "") and drawing is not None:
            if "katex-html" in drawing.get("class", ""):
                drawing.drop_tree()
            return


class _Writer:
    """Writes the elements of one formula, and remembers whether one of them has no form in one line."""

    def __init__(self) -> None:
        self.is_whole = True

    def write(self, element: Any, depth: int) -> str:
        name = _name(element)
        if not name or name in _GONE or name.endswith("Pr"):
            return ""
        if name in _BUILT_UP or depth > _MAX_DEPTH:
            self.is_whole = False
        if depth > _MAX_DEPTH:
            return ""
        if element.tag.startswith(OFFICE):
            return self._office(element, name, depth + 1)
        return self._web(element, name, depth + 1)

    def _web(self, element: Any, name: str, depth: int) -> str:
        if name in {"mi", "mn", "mo", "mtext", "ms", "t"}:
            words = "".join(element.itertext()).translate(_INVISIBLE)
            return _MINUS if name == "mo" and words.strip() == "-" else words
        parts = [self.write(child, depth) for child in element]
        match name:
            case "mspace" | "br" | "tab":
                return " "
            case "semantics" | "maction":
                return next((part for part in parts if part.strip()), "")
            case "mfrac" if len(parts) == 2:
                is_drawn = not element.get("linethickness", "1").startswith("0")
                return self._fraction(*parts, is_drawn=is_drawn)
            case "msqrt":
                return f"√({_tidy(_row(parts))})"
            case "mroot" if len(parts) == 2:
                return f"√[{_tidy(parts[1])}]({_tidy(parts[0])})"
            case "mfenced":
                mark = f"{element.get('separators', ',').strip()[:1]} "
                return f"{element.get('open', '(')}{mark.join(parts)}{element.get('close', ')')}"
            case "mtr" | "mlabeledtr" | "msrow":
                return f"{' '.join(parts)}; "
            case "mtable" | "mmultiscripts" | "mstack" | "mlongdiv":
                return _spread(parts)
            case "mover" | "munder" if element.get("accent", element.get("accentunder")) == "true":
                self.is_whole = False
        if name in _WEB_SCRIPTS and parts:
            return _scripts(parts[0], zip(_WEB_SCRIPTS[name], parts[1:], strict=False))
        return f"{(element.text or '').strip()}{_row(parts)}"

    def _office(self, element: Any, name: str, depth: int) -> str:
        if name == "t":
            return str(element.text or "")
        children = [(_name(child), self.write(child, depth)) for child in element]
        parts = dict(children)
        operands = [words for key, words in children if key == "e"]
        match name:
            case "f":
                is_drawn = _setting(element, "fPr", "type", "bar") != "noBar"
                return self._fraction(parts.get("num", ""), parts.get("den", ""), is_drawn=is_drawn)
            case "rad":
                degree = _tidy(parts.get("deg", ""))
                return f"√{f'[{degree}]' if degree else ''}({_tidy(parts.get('e', ''))})"
            case "nary":
                bounds = (("_", parts.get("sub", "")), ("^", parts.get("sup", "")))
                return f" {_scripts(_setting(element, 'naryPr', 'chr', '∫'), bounds)} {parts.get('e', '')}"
            case "d":
                opening, closing = _setting(element, "dPr", "begChr", "("), _setting(element, "dPr", "endChr", ")")
                mark = _setting(element, "dPr", "sepChr", "|")
                return f"{opening}{f' {mark} '.join(operands)}{closing}"
            case "func":
                return f"{parts.get('fName', '')} {parts.get('e', '')}"
            case "mr" | "eqArr":
                return f"{(' ' if name == 'mr' else '; ').join(operands)}; "
            case "m" | "sPre":
                return _spread(words for _, words in children)
        if name in _OFFICE_SCRIPTS:
            scripts = ((sign, parts.get(key, "")) for sign, key in _OFFICE_SCRIPTS[name].items())
            return _scripts(parts.get("e", ""), scripts)
        return "".join(words for _, words in children)

    def _fraction(self, numerator: str, denominator: str, *, is_drawn: bool) -> str:
        if is_drawn:
            return f" ({_tidy(numerator)}) / ({_tidy(denominator)}) "
        self.is_whole = False  # without its line it is something else, such as a binomial coefficient
        return _spread((numerator, denominator))


def _setting(element: Any, properties: str, name: str, default: str) -> str:
    setting = element.find(f"{OFFICE}{properties}/{OFFICE}{name}")
    return default if setting is None else str(setting.get(f"{OFFICE}val", ""))


def _scripts(base: str, scripts: Iterable[tuple[str, str]]) -> str:
    return _bracketed(base) + "".join(f"{sign}{_bracketed(words)}" for sign, words in scripts if words.strip())


def _bracketed(words: str) -> str:
    tidied = _tidy(words)
    return tidied if _ONE.match(tidied) else f"({tidied})"


def _spread(parts: Iterable[str]) -> str:
    return f" {' '.join(parts)} "


def _row(parts: list[str]) -> str:
    """Words and numbers beside each other stay apart; single letters are factors of one product."""
    row = last = ""
    for part in parts:
        is_apart = last[-1:].isalnum() and part[:1].isalnum() and (len(last) > 1 or len(part) > 1)
        row += f" {part}" if is_apart else part
        last = part or last
    return row


def _tidy(words: str) -> str:
    """One blank around the signs between two parts, none inside brackets."""
    spaced = _PLUS.sub(r" \1 ", _SIGN.sub(r" \1 ", _BLANKS.sub(" ", words)))
    return _LOOSE.sub("", _BLANKS.sub(" ", spaced)).strip(" ;")
