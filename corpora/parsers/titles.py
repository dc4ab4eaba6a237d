"""The title of a document that does not say its own: a heading that names it, else the name of its file."""

import re
from collections.abc import Sequence
from pathlib import PurePath

from corpora.parsers.cleaning import clean_paragraph
from corpora.parsers.numbering import enumerator_match, structure_match

_MAX_CHARACTERS = 300
_LOOKED_AT = 6  # headings from the top
_MOST_WORDS = 12  # of a line that may be a title
_ENDS = (".", ":", ";", ",")  # of a sentence, or of a line that opens one
_BODY = re.compile(
    r"\b(?:parliament|council|court|commission|department|ministry|senate|congress|assembly|agency|authority|tribunal"
    r"|university|bureau)(?:\s+(?:of|for|on)\b.*)?$",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"\b(?:act|regulation|directive|law|code|statute|ordinance|rules?|treaty|convention|constitution|agreement|contract"
    r"|lease|deed|will|polic(?:y|ies)|terms|notice|licen[cs]e|decree|decision|resolution|charter|bylaws|bill|plan"
    r"|procedures?|guidelines?|manual|memorandum|report)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:syllabus|corrigendum|contents|table of contents|index|preamble|recitals|introduction|background|definitions"
    r"|summary|abstract|opinion|order|judgment|filed\b.*|\(.*\)|\W*"
    r"|(?:annex|appendix|exhibit|ex|schedule|attachment)(?:[\s.-]*[\dA-Z][\d.-]*)?)",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:1|I|i|A|a|One|ONE|one)\W*$")


def title_guess(title: str, headings: Sequence[str], name: str, *, opening: Sequence[str] = ()) -> str:
    """Choose a title.

    Rule: what the file says. Else its first heading, unless that is the name of a body that issues documents, a part
    that many documents have ("Syllabus"), or the first of a series of divisions ("Article 1 …"); then the first
    heading that names a kind of document in more than one word ("Notice of Adoption of Final Rule"), or a short line at
    the start that does ("CONTENT LICENSE AGREEMENT"). Else the name of the file.

    Args:
        title: The title that the file gives itself, "" if none.
        headings: In their order.
        name: The file's name.
        opening: The first paragraphs.

    Returns:
        The title, of 300 characters at most.
    """
    stem = clean_paragraph(PurePath(name).stem).text
    first, *further = headings[:_LOOKED_AT] or ("",)
    lines = (line for line in opening if len(line.split()) <= _MOST_WORDS and line[-1:] not in _ENDS)
    naming = (line for line in (*further, *lines) if _names_all(line) and _names_a_kind(line))
    heading = first if _names_all(first) else next(naming, "")
    return (clean_paragraph(title).text or heading or stem)[:_MAX_CHARACTERS] or "Untitled"


def _names_all(heading: str) -> bool:
    """Whether a heading may name a whole document."""
    if not heading or _PART.fullmatch(heading.strip(" .:")) or (_BODY.search(heading) and not _KIND.search(heading)):
        return False
    structure = structure_match(heading)
    return not _FIRST.search(structure.label.split()[-1] if structure else enumerator_match(heading))


def _names_a_kind(heading: str) -> bool:
    return bool(_KIND.search(heading)) and len(heading.split()) > 1
