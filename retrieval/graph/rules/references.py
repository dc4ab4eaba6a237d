"""Sections by one name: where a paragraph is, and which sections its words refer to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpora.parsers.numbering import structure_match

_INNER = "paragraphs?|subparagraphs?|points?|subdivisions?|subsections?|clauses?|items?"
_OUTER = "Articles?|Sections?|Annex(?:es)?|Chapters?|Titles?|Rules?|Schedules?|Exhibits?|Appendix|Appendices|Parts?"
_NUMBER = (
    r"(?:\(?(?:\d+[\dA-Za-z]*(?:[.\-–]\d+[\dA-Za-z]*)*|[IVXLC]+(?![a-z])|[A-Z](?![a-z])"
    r"|(?<![A-Za-z])[a-z](?![a-z’']))\)?(?:\(\w{1,4}\))*)"
)
_LIST = rf"{_NUMBER}(?:(?:\s*,\s*|,?\s+(?:and|or|to)\s+){_NUMBER}(?![\w’']))*"
# What follows the name of a law is no part of it, and a name that is cut ends with a whole word.
_NAME_CHAR = r"(?:(?!\s+(?:is|are|was|were|be|has|have|shall|must|may|will|to|as|which|that|and|or)\b)[^,;.])"
_LAW = (
    r"\s+of\s+(?:(?:Council\s+|Commission\s+)?(?:Implementing\s+|Delegated\s+)?(?:Regulations?|Directives?|Decisions?"
    r"|Framework Decision)\s+\(?[\w)/ .No]{3,30}\d|(?:the\s+)?(?:TFEU|TEU|Treaty|Charter|Treaties)\b"
    rf"{_NAME_CHAR}{{0,40}}(?!\w)|(?:[Tt]itle|[Cc]hapter|[Pp]art)\s+\d+{_NAME_CHAR}{{0,60}}(?!\w)"
    r"|(?:the\s+)?(?:[A-Z][\w.]+\s+){1,5}(?:Code|Act|Charter|Law|Rules?"
    r"|Regulations?)\b|that\s+(?:Regulation|Directive|Decision|Framework Decision|Act|Law))"
)
_REFERENCE = re.compile(
    rf"(?:(?P<sign>§§?)\s?|\b(?P<unit>{_OUTER}|{_INNER}|sections?)\s+)(?P<numbers>{_LIST})"
    rf"(?P<inner>(?:,\s+(?:\w+\s+)?(?:points?|paragraphs?)\s+{_LIST})?)"
    rf"(?P<outer>(?:\s+of\s+(?:this\s+(?:Article|Section|section|Annex|Chapter|paragraph|subchapter|subdivision)|"
    rf"(?:{_OUTER}|{_INNER}|sections?)\s+{_NUMBER}|§\s?{_NUMBER}))*)(?P<law>{_LAW})?"
)
_STEP = re.compile(
    rf"of\s+(?:(?P<this>this)\s+(?P<own>\w+)|(?:(?P<sign>§)\s?|(?P<unit>{_OUTER}|{_INNER}|sections?)\s+)"
    rf"(?P<number>{_NUMBER}))"
)
_SPLIT = re.compile(r"\s*,\s*|,?\s+(?:and|or|to)\s+")
_RANGE = re.compile(r"^\(?(\d+)\)?\s+to\s+\(?(\d+)\)?$")
_HEAD = re.compile(
    r"(?P<word>Article|Section|Annex|Chapter|Title|Rule|Schedule|Exhibit|Appendix|Part|Clause)\s+(?P<number>[\w.\-–]+)",
    re.IGNORECASE,
)
_MAX_RANGE = 30


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference as printed, the sections it names ("Article 5(1)"), and its place; `law` names another act."""

    words: str
    names: tuple[str, ...]
    law: str
    start: int
    end: int


def section_name(path: Sequence[str], labels: Sequence[str]) -> str:
    """The name of the section of a paragraph: "Article 43(1)(a)", "§ 20-871(b)(1)"; "" where nothing is numbered.

    Args:
        path: Headings above it, outermost first, and itself if it is one.
        labels: Its own number and those of the items above it, outermost first.
    """
    base = ""
    for heading in reversed(path):
        structure = structure_match(heading)
        if structure is not None:
            base = _base_name(structure.label)
            if base.startswith("Section ") and (outer := _chapter(path)):
                base = f"{outer}, {base}"
            break
    inner = "".join(f"({label.strip('()[]. ')})" for label in labels if label.strip("()[]. ") and len(label) < 8)
    return f"{base}{inner}" if base else ""


def references_in(text: str, *, section: str) -> Iterator[Reference]:
    """The references of a text to sections by number; "paragraph 2" is one of the `section` it is in.

    >>> [r.names for r in references_in("referred to in point (a) of Article 5(1)", section="Article 6")]
    [('Article 5(1)(a)',)]
    """
    base = re.sub(r"\(.*", "", section)
    for match in _REFERENCE.finditer(text):
        unit = (match["unit"] or "§").lower()
        is_inner = re.fullmatch(_INNER, unit) is not None
        law = (match["law"] or "").strip()
        outer, relative = _outer(match["outer"] or "", section)
        if is_inner and not outer:
            outer = base if not law else ""
            if unit.startswith("point") and "(" in section and not relative:
                outer = re.sub(r"(\(\d+\w?\)).*", r"\1", section)
            if not outer and not law:
                continue
        names = tuple(
            _joined(unit, number, outer, is_inner=is_inner) + _points(match["inner"])
            for number in _numbers(match["numbers"])
        )
        yield Reference(" ".join(match[0].split()).strip(" ,."), names, law.removeprefix("of ").strip(), *match.span())


def _base_name(label: str) -> str:
    if label.startswith("§"):
        return f"§ {label.strip('§ .')}"
    head = _HEAD.match(label)
    return _unit_name(head["word"], head["number"].rstrip(".")) if head else label.strip()


def _unit_name(word: str, number: str) -> str:
    single = word.lower()
    if single.startswith(("section", "sec")) and re.search(r"\d[-–.]\d", number):
        return f"§ {number}"
    single = single.removesuffix("s") if not single.endswith("es") else single.removesuffix("es")
    single = {
        "annex": "annex",
        "articl": "article",
        "rul": "rule",
        "titl": "title",
        "schedul": "schedule",
        "appendic": "appendix",
    }.get(single, single)
    return f"{single.capitalize()} {number.strip('()') if '(' not in number.strip('()') else number}"


def _chapter(path: Sequence[str]) -> str:
    for heading in reversed(path):
        head = _HEAD.match(heading)
        if head and head["word"].lower() in ("chapter", "title", "annex"):
            return _unit_name(head["word"], head["number"])
    return ""


def _outer(text: str, section: str) -> tuple[str, bool]:
    """The section that "of Article 5(1)", "of this Article", "of subdivision b of section 20-871" names."""
    name = ""
    inner: list[str] = []
    for step in _STEP.finditer(text):
        if step["this"]:
            own = step["own"].lower()
            name = section if own in ("paragraph", "subdivision") else re.sub(r"\(.*", "", section)
            continue
        unit = (step["unit"] or "§").lower()
        if re.fullmatch(_INNER, unit):
            inner.insert(0, f"({step['number'].strip('()')})")
        else:
            name = f"§ {step['number']}" if step["sign"] else _unit_name(unit, step["number"])
    if inner and not name:
        name = re.sub(r"\(.*", "", section)
    return (name + "".join(inner) if name else ""), bool(text)


def _numbers(text: str) -> list[str]:
    whole = _RANGE.match(" ".join(text.split()))
    if whole and 0 < int(whole[2]) - int(whole[1]) < _MAX_RANGE:
        return [str(number) for number in range(int(whole[1]), int(whole[2]) + 1)]
    return [part for part in _SPLIT.split(text) if part]


def _joined(unit: str, number: str, outer: str, *, is_inner: bool) -> str:
    if is_inner:
        first, _, more = number.lstrip("(").partition("(")
        return f"{outer}({first.rstrip(')')})" + (f"({more}" if more else "")
    if unit == "§":
        return f"§ {number}"
    name = _unit_name(unit, number)
    return f"{outer}, {name}" if outer and outer != name and name.startswith(("Section", "Part")) else name


def _points(text: str | None) -> str:
    match = re.search(rf"(?:points?|paragraphs?)\s+({_NUMBER})$", text or "")
    return f"({match[1].strip('()')})" if match else ""
