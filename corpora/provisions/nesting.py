"""How deep each numbered paragraph or item is in the list that surrounds it."""

import re
from dataclasses import dataclass
from functools import lru_cache

_ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
BULLET = "•"
BULLETS = "•–·"  # the signs of lists one inside the other, as Markdown files are read
_NEAR = 8  # numbers by which two items of one list may be apart


@dataclass(frozen=True, slots=True)
class Mark:
    """One way to read a label: series of one style count on by ones."""

    style: str
    value: int


@lru_cache(maxsize=4096)
def marks_of(label: str) -> tuple[Mark, ...]:
    """Readings of a label, the likelier first; none where it numbers no item ("Article 5").

    >>> marks_of("(i)")
    (Mark(style='(roman)', value=1), Mark(style='(low)', value=9))
    """
    if label and label in BULLETS:
        return (Mark(label, 0),)
    core = label.strip("()[].¶ ")
    around = label.replace(core, "{}", 1) if core else ""
    if re.fullmatch(r"\d+", core):
        return (Mark(around.format("1"), int(core)),)
    if re.fullmatch(r"\d+(?:\.\d+)+", core):
        return (Mark(around.format("1" + ".1" * core.count(".")), int(core.rsplit(".", 1)[1])),)
    if re.fullmatch(r"\d+[a-z]", core):  # inserted between two numbers
        return (Mark(around.format("1"), int(core[:-1])),)
    if not re.fullmatch(r"[A-Za-z]{1,6}", core):
        return ()
    case = "low" if core.islower() else "up"
    letters = [Mark(around.format(case), _letter_value(core))] if len(set(core)) == 1 else []
    romans = [Mark(around.format("roman" if case == "low" else "ROMAN"), _roman_value(core))] if is_roman(core) else []
    return tuple(romans + letters if core.lower() in {"i", "ii", "iii"} else letters + romans)


def is_roman(core: str) -> bool:
    return _ROMAN.fullmatch(core) is not None


def _roman_value(core: str) -> int:
    values = [_DIGITS[sign] for sign in core.lower()]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))


def _letter_value(core: str) -> int:
    return ord(core[0].lower()) - ord("a") + 1 + 26 * (len(core) - 1)


def counts_on(earlier: str, later: str) -> bool:
    """Whether two labels may be of one series, a few numbers apart: "B." and "D.", not "V." and "C."."""
    if not earlier or not later:
        return False
    return any(
        first.style == second.style and 0 < second.value - first.value <= _NEAR
        for first in marks_of(earlier)
        for second in marks_of(later)
    )


class Nesting:
    """The series of numbers that are open at a place of an article or section."""

    def __init__(self) -> None:
        self._series: list[Mark] = []

    def clear(self) -> None:
        """Something begins that no open series goes on in."""
        self._series = []

    def depth(self, label: str, *, following: str, after_stem: bool) -> int:
        """Depth of the next label, from 0.

        Rule: a label that counts on one of the open series belongs to the innermost in which it is the next number,
        else to the innermost of all; "1", "a" or "i" opens a series below the last label; any other label starts again
        at the outside. "(i)" after "(h)" is a letter, unless the text before it opens a list or "(ii)" comes next.

        Args:
            label: As printed, one of `BULLETS` for a bullet.
            following: The next label, "" if none.
            after_stem: Whether the paragraph before it opens a list (ends with a colon).
        """
        mark = _reading(marks_of(label), self._series, marks_of(following) if following else (), after_stem=after_stem)
        depth = _depth(mark, self._series, after_stem=after_stem)
        self._series = [*self._series[:depth], mark]
        return depth


def _reading(readings: tuple[Mark, ...], series: list[Mark], following: tuple[Mark, ...], *, after_stem: bool) -> Mark:
    if len(readings) == 1:
        return readings[0]

    def likelihood(mark: Mark) -> tuple[bool, bool]:
        leads_on = any(later.style == mark.style and later.value == mark.value + 1 for later in following)
        counts_on = any(one.style == mark.style and mark.value == one.value + 1 for one in series)
        return (leads_on and (counts_on or mark.value == 1), counts_on and not (after_stem and mark.value == 1))

    return max(readings, key=likelihood)


def _depth(mark: Mark, series: list[Mark], *, after_stem: bool) -> int:
    same = [depth for depth, one in enumerate(series) if one.style == mark.style]
    if mark.style in BULLETS:
        return same[-1] if same else len(series)
    if mark.value == 1 and (after_stem or not same):
        return len(series)
    counting = [depth for depth in same if series[depth].value < mark.value <= series[depth].value + 3]
    if counting:
        # After "3.", "1." and "2.", a "4." is the next item of the outer list, not a later one of the inner list.
        return max(counting, key=lambda depth: (series[depth].value + 1 == mark.value, depth))
    if mark.value == 1:  # counted from 1 again: a list inside an item of the same style
        return same[-1] + 1 if series[same[-1]].value == 1 else same[-1]
    return same[-1] if same else 0
