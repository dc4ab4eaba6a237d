"""The title of a document that does not say its own: a heading that names it, else the name of its file."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple

from corpora.parsers.cleaning import clean_paragraph
from corpora.parsers.numbering import enumerator_match, structure_match

_MAX_CHARACTERS = 300
_LOOKED_AT = 6  # headings, or paragraphs, from the top
_MOST_WORDS = 12  # of a line that may be a title
_ENDS = (".", ":", ";", ",")  # of a sentence, or of a line that opens one
_BODY = re.compile(
    r"\b(?:parliament|council|court|commission|department|ministry|senate|congress|assembly|agency|authority|tribunal"
    r"|university|bureau)(?:\s+(?:of|for|on)\b.*)?$",
    re.IGNORECASE,
)
_KINDS = (
    r"\b(?:act|regulation|directive|law|code|statute|ordinance|rules?|treaty|convention|constitution|agreement|contract"
    r"|lease|deed|will|polic(?:y|ies)|terms|notice|licen[cs]e|decree|decision|resolution|charter|bylaws|bill|plan"
    r"|procedures?|guidelines?|manual|memorandum|report)\b"
)
_KIND = re.compile(_KINDS, re.IGNORECASE)
# After the noun only what the document is about may follow: "policies prohibiting bribery" names none.
_KIND_NAMED = re.compile(rf"{_KINDS}(?=\W*$|\W*\(|\s+(?:of|for|on|to|and|between|with)\b)", re.IGNORECASE)
_PART = re.compile(
    r"(?:syllabus|corrigendum|contents|table of contents|index|preamble|recitals|introduction|background|definitions"
    r"|summary|abstract|opinion|order|judgment|filed\b.*|\(.*\)|\W*"
    r"|(?:annex|appendix|exhibit|ex|schedule|attachment)(?:[\s.-]*[\dA-Z][\d.-]*)?)",
    re.IGNORECASE,
)
# "REGULATION (EU) 2016/679 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL", and the name at the end of its title.
_OF_UNION = re.compile(
    r"(?P<kind>regulation|directive|decision)\s*(?P<number>\((?:EU|EC|EEC|Euratom)[^)]*\)\s*(?:No\s*)?\S+)\s+of\s+the\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\(((?:[A-Z][\w’'-]*\s+){1,6}(?:Act|Regulation|Directive|Code))\)\s*$")
_FIRSTS = frozenset(("1", "i", "a", "one"))
_SECTION_RANK = 5.0  # of a division that is one of many, however its number is written: "Section 2.02", "§ 3"
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")  # a name that a machine wrote: "data_use-policy"
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_WORD = re.compile(r"[^\W_]+")
# "GitHub", and "DMCA" where it is not among other words in capitals.
_OWN_CAPITALS = re.compile(r"\b(?:[A-Z]?[a-z0-9]+[A-Z][^\W_]*|(?<![A-Z] )(?<![A-Z], )[A-Z]{2,6}(?!,? [A-Z]{2}))\b")
_EMPTY_NAMES = frozenset(("index", "readme"))
_SMALL = frozenset(("a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))


class Heading(NamedTuple):
    """A heading of a document, and its level from 1, the outermost."""

    text: str
    level: int


def title_guess(title: str, headings: Sequence[Heading], name: str, *, opening: Sequence[str] = ()) -> str:
    """Choose a title.

    Rule: what the file says. Else, before the first sentence, the line that names a kind of document ("Terms of
    Service"), or the heading that stands above all others, opens a chapter, or has every word of the file's name. Else
    a heading near the start that names a kind of document, or stands above all others, and has none beside it. Else
    the name of the file, made readable, or the first heading where that name says nothing ("1334303_dex99").

    A law of the Union is called as its long title ends: "(Artificial Intelligence Act)".

    No title are: the name of a body that issues documents, a part that many documents have ("Syllabus"), a question
    that stands among others, and a section with a number, unless the file's name begins with the same one.

    Args:
        title: The title that the file gives itself, "" if none.
        headings: In their order.
        name: The file's name.
        opening: The first paragraphs.

    Returns:
        The title, of 300 characters at most.
    """
    said, stem = clean_paragraph(title).text, clean_paragraph(PurePath(name).stem).text
    naming = [one for place, one in enumerate(headings) if _names_all(one.text, stem, is_first=place == 0)]
    front = list(takewhile(lambda line: not _is_prose(line), opening[:_LOOKED_AT]))
    texts = [*opening[:_LOOKED_AT], *(heading.text for heading in headings)]
    chosen = (
        said
        or _at_start(front, naming, stem)
        or _alone(naming)
        or (_readable(stem, texts) if _says(stem) else "")
        or next((heading.text for heading in naming), "")
        or stem
    )
    return _called(chosen, opening)[:_MAX_CHARACTERS] or "Untitled"


def _called(title: str, opening: Sequence[str]) -> str:
    """The title of a law of the Union by the name that it has for people, and its number; any other as it is.

    >>> _called("DIRECTIVE (EU) 2019/1 OF THE EUROPEAN PARLIAMENT", ["of 1 May", "on trust (Trust Directive)"])
    'Trust Directive, Directive (EU) 2019/1'
    """
    law = _OF_UNION.match(title)
    name = next((match[1] for line in opening if (match := _CALLED.search(line))), "") if law else ""
    return f"{name}, {law['kind'].capitalize()} {law['number']}" if law and name else title


def _at_start(front: Sequence[str], naming: Sequence[Heading], stem: str) -> str:
    """What names the document before its first sentence."""
    if kind := next((line for line in front if _names_a_kind(line) and _names_all(line, stem, is_first=False)), ""):
        return kind
    if not naming or naming[0].text not in front or naming[0].level != min(heading.level for heading in naming):
        return ""
    text = naming[0].text
    is_alone = sum(heading.level == naming[0].level for heading in naming) == 1
    return text if is_alone or structure_match(text) or not _lacking(text, stem) else ""


def _alone(naming: Sequence[Heading]) -> str:
    """A heading near the start without another one beside it, that names a kind of document or has others below it."""
    levels = Counter(heading.level for heading in naming)
    alone = [heading for heading in naming[:_LOOKED_AT] if levels[heading.level] == 1]
    highest = min(levels, default=0)
    has_others = len(naming) > 1
    return next((one.text for one in alone if _names_a_kind(one.text) or (has_others and one.level == highest)), "")


def _is_prose(line: str) -> bool:
    return len(line.split()) > _MOST_WORDS or line.endswith(_ENDS)


def _names_all(heading: str, stem: str, *, is_first: bool) -> bool:
    """Whether a heading may name a whole document; of those with a number only the first one may."""
    if not heading or _PART.fullmatch(heading.strip(" .:")) or (_BODY.search(heading) and not _KIND.search(heading)):
        return False
    structure = structure_match(heading)
    label = structure.label.split()[-1] if structure else enumerator_match(heading)
    if not label:
        return True
    number = label.strip(" .()[]§–-")
    if _number_of(stem) == number.lstrip("0"):
        return True
    is_section = structure is None or structure.rank >= _SECTION_RANK
    return is_first and not is_section and re.split(r"[.–-]", number)[-1].lower().lstrip("0") not in _FIRSTS


def _number_of(stem: str) -> str:
    """The number that the last part of a file's name begins with: "11" of "11-incident_response"."""
    number = re.match(r"0*(\d+)", _parts(stem)[-1])
    return number[1] if number else ""


def _names_a_kind(line: str) -> bool:
    return bool(_KIND_NAMED.search(line)) and not line.endswith("?") and len(line.split()) > 1


def _parts(stem: str) -> list[str]:
    """The folders, and behind them the name of the file itself, where they come before it: "terms__refunds"."""
    return [part for part in stem.split("__") if part.lower() not in _EMPTY_NAMES] or [""]


def _says(stem: str) -> bool:
    """Whether the name of a file is made of words, and no number that a machine gave it."""
    letters, digits = "".join(_LETTERS.findall(_parts(stem)[-1])), re.findall(r"\d", _parts(stem)[-1])
    return len(letters) > len(digits)


def _lacking(heading: str, stem: str) -> set[str]:
    """The words of a file's name that a heading lacks."""
    own = {word.lower() for word in _WORD.findall(heading)}
    words = {word.lower() for word in _LETTERS.findall(_parts(stem)[-1].replace("_", " "))}
    return words - own - _SMALL if _says(stem) else set()


def _readable(stem: str, texts: Iterable[str]) -> str:
    """The name of a file as a title: words for dashes, short forms and names in the capitals that the document has.

    A name with blanks or capitals was written by a person, and stays. One word says too little without its folder.
    """
    *folders, last = _parts(stem)
    if not _SLUG.fullmatch(stem.replace("__", "_")):
        return stem
    written = {word.lower(): word for text in texts if not text.isupper() for word in _OWN_CAPITALS.findall(text)}
    named = [*folders[-1:], last] if len(_WORD.findall(last)) == 1 else [last]
    parts = (" ".join(written.get(word, word) for word in _WORD.findall(part)) for part in named)
    title = ": ".join(parts)
    return title[:1].upper() + title[1:]
