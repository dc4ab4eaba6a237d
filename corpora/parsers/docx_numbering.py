"""The numbers that Word computes for lists and headings; they are nowhere in the text of the file."""

import re
from typing import Any

from docx.oxml.ns import qn

from corpora.parsers.counters import numeral
from legalqa.common.numbers import whole_number

_STYLES = {
    "decimal": "1", "decimalZero": "1", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I",
}  # fmt: skip
_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")


class Numbering:
    """Counts along the paragraphs of a document, as Word does."""

    def __init__(self, part: Any) -> None:
        self._levels: dict[str, dict[int, Any]] = {}
        self._abstract: dict[str, str] = {}
        self._overrides: dict[str, dict[int, int]] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._seen: set[str] = set()
        relation = next(
            (candidate for candidate in part.rels.values() if candidate.reltype.endswith("/numbering")), None
        )
        if relation is not None and not relation.is_external:
            self._read(relation.target_part.element)

    def _read(self, root: Any) -> None:
        for abstract in root.iter(qn("w:abstractNum")):
            key = abstract.get(qn("w:abstractNumId"), "")
            self._levels[key] = {_number(level, "w:ilvl"): level for level in abstract.iter(qn("w:lvl"))}
        for instance in root.iter(qn("w:num")):
            key = instance.get(qn("w:numId"), "")
            self._abstract[key] = _value(instance, "w:abstractNumId")
            self._overrides[key] = {
                _number(override, "w:ilvl"): _number(start, "w:val")
                for override in instance.iter(qn("w:lvlOverride"))
                if (start := override.find(qn("w:startOverride"))) is not None
            }

    def number(self, paragraph: Any, styles: list[Any]) -> str:
        """Count a paragraph and return its number or bullet as printed, "" if it has none.

        Args:
            paragraph: The w:p element.
            styles: Its style and those below it.

        Returns:
            For example "2.1", "(a)" or "•".
        """
        key, level = self._reference(paragraph, styles)
        levels = self._levels.get(self._abstract.get(key, ""), {})
        if not key or level not in levels:
            return ""
        counts = self._count(key, level, levels)
        if _value(levels[level], "w:numFmt") == "bullet":
            return "•"
        return self._printed(levels, level, counts)

    def _reference(self, paragraph: Any, styles: list[Any]) -> tuple[str, int]:
        key, level = "", None
        for holder in (paragraph, *(style.element for style in styles)):
            properties = holder.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
            if properties is None:
                continue
            number, depth = properties.find(qn("w:numId")), properties.find(qn("w:ilvl"))
            if level is None and depth is not None:
                level = _number(depth, "w:val")
            if number is not None:
                key = number.get(qn("w:val"), "")
                break
        return ("" if key == "0" else key), level or 0

    def _count(self, key: str, level: int, levels: dict[int, Any]) -> list[int | None]:
        counts = self._counts.setdefault(self._abstract[key], [None] * _LEVELS)
        if key not in self._seen:
            self._seen.add(key)
            for place, start in self._overrides[key].items():
                if place < _LEVELS:
                    counts[place] = start - 1
        for place in range(level + 1):
            if counts[place] is None:
                counts[place] = _start(levels, place) - (1 if place == level else 0)
        counts[level] = (counts[level] or 0) + 1
        counts[level + 1 :] = [None] * (_LEVELS - level - 1)
        return counts

    def _printed(self, levels: dict[int, Any], level: int, counts: list[int | None]) -> str:
        def place(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            style = _STYLES.get(_value(levels[at], "w:numFmt"), "") if at in levels else ""
            return numeral(counts[at] or 0, style) if style and at <= level else ""

        return _PLACE.sub(place, _value(levels[level], "w:lvlText")).strip()


def _start(levels: dict[int, Any], place: int) -> int:
    start = _value(levels[place], "w:start") if place in levels else ""
    number = whole_number(start, digits=6)
    return 1 if number is None else number


def _value(level: Any, tag: str) -> str:
    element = level.find(qn(tag))
    return (element.get(qn("w:val")) or "") if element is not None else ""


def _number(element: Any, attribute: str) -> int:
    return whole_number(element.get(qn(attribute), ""), digits=6) or 0
