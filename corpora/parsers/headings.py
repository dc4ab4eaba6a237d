"""Is this paragraph a heading, and at what depth?"""

import re

from corpora.parsers.layout import Layout
from corpora.parsers.numbering import Structure, bullet_match, enumerator_match, structure_match
from corpora.stopwords import word_set

_MAX_CHARACTERS = 200
_MAX_DIVISION_CHARACTERS = 400
_MAX_LINES = 4
_MAX_CENTRED_CHARACTERS = 90
_MIN_CAPITALS = 4
_SMALL_WORDS = word_set("a an and as at by for from in into nor of on or per the to under upon with")

# Ranks between those of numbering.py: a large or centred title gathers sections, a bold line at the margin comes
# below.
_LARGE_RANK = 0.5
_CENTRED_RANK = 4.3
_MARGIN_RANK = 6.0
_ITEM_RANK = 6.2
_STEP = 0.1
_PART_MARK = re.compile(r"(?:[IVXLC]{1,5}|[A-Z])\.?")  # the parts of an opinion: "I", "A."
_ROMAN = re.compile(r"[IVXLC]+")


def heading_rank(layout: Layout, group: list[int], text: str) -> float:
    """Return the depth of a heading, 0.0 if the paragraph is no heading.

    Rule: a division with its number is a heading if nothing but its title follows. Otherwise a short paragraph
    without a sentence end is one if it stands out: larger, bold throughout, centred in title case, or in capitals.

    Args:
        layout: The document's lines.
        group: Indices of the paragraph's lines.
        text: Its clean text.

    Returns:
        A rank of the scale of `numbering.py`; smaller is further out.
    """
    structure = structure_match(text) or bare_first_line(layout, group)
    if structure is not None:
        whole = structure.head_end >= len(text.rstrip())
        is_short = len(text) <= _MAX_DIVISION_CHARACTERS
        stands_out = is_short and all(layout.bold(place) or layout.large(place) for place in group)
        if structure.bare and text.endswith(".") and not (stands_out or layout.centred(group[0])):
            return 0.0  # the last line of a paragraph, "… in accordance with | Article 60."
        stands_out = stands_out or (is_short and bare_first_line(layout, group) is not None)
        return structure.rank if whole or stands_out else 0.0
    return _typographic_rank(layout, group, text)


def bare_first_line(layout: Layout, group: list[int]) -> Structure | None:
    """Return the division whose number is alone and centred on the first line of a paragraph."""
    first = structure_match(layout.texts[group[0]])
    return first if first is not None and first.bare and layout.centred(group[0]) else None


def _typographic_rank(layout: Layout, group: list[int], text: str) -> float:
    if len(text) > _MAX_CHARACTERS or len(group) > _MAX_LINES or bullet_match(text):
        return 0.0
    centred = all(layout.centred(place) for place in group)
    if centred and _PART_MARK.fullmatch(text):
        return _ITEM_RANK if _ROMAN.fullmatch(text.rstrip(".")) else _ITEM_RANK + _STEP
    bold = all(layout.bold(place) for place in group)
    if not _looks_like_title(text, allow_stop=bold):
        return 0.0
    large = all(layout.large(place) for place in group)
    numbered = enumerator_match(text)
    titled = _title_case(text) and len(text) <= _MAX_CENTRED_CHARACTERS
    if large and not numbered:
        return _LARGE_RANK + 1 / layout.lines[group[0]].height
    if numbered and (bold or large or _capitals(text) or (centred and titled and not numbered.startswith("("))):
        return _ITEM_RANK + _STEP * numbered.strip("().").count(".")
    if centred and (bold or (titled and not numbered)):
        return _CENTRED_RANK
    if bold or (_capitals(text) and not numbered):
        return _MARGIN_RANK
    return 0.0


def _looks_like_title(text: str, *, allow_stop: bool) -> bool:
    plain = text.rstrip()
    if not plain or plain.endswith((",", ";")) or (plain.endswith(".") and not allow_stop):
        return False
    if plain.split()[-1].lower() in _SMALL_WORDS:
        return False  # a line that goes on: "… of the Council of"
    letters = sum(character.isalpha() for character in plain)
    return letters >= max(2, len(plain) // 2) and not plain[0].islower()


def _title_case(text: str) -> bool:
    words = [word for word in text.split() if word[:1].isalpha()]
    return bool(words) and all(word[:1].isupper() or word.lower() in _SMALL_WORDS for word in words)


def _capitals(text: str) -> bool:
    words = ["".join(character for character in word if character.isalpha()) for word in text.split()]
    return all(word.isupper() for word in words if word) and max(map(len, words), default=0) >= _MIN_CAPITALS
