"""Legal numbering: which words and signs open a section, an article, a paragraph or a list item."""

import re
from dataclasses import dataclass

_NUMBER = r"(?:\d[\dA-Za-z]{0,7}(?:[.\-–][\dA-Za-z]{1,8}){0,8}|[IVXLCDM]+|[A-Z]{1,2})"
_DIVISION = re.compile(
    rf"(?P<label>(?P<word>PART|TITLE|BOOK|ANNEX|APPENDIX|SCHEDULE|EXHIBIT|CHAPTER|SUBCHAPTER|SUBPART|SUBTITLE|DIVISION"
    rf"|SECTION|ARTICLE|CLAUSE|RULE|SEC\.|ART\.|SUBSECTION)\s{{1,3}}{_NUMBER})(?![\w(]|[.\-–]\w)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SIGN = re.compile(r"(?P<label>§§?\s{0,3}\d[\w.\-–]*(?<![.\-–]))(?![\w(]|[.\-–]\w)(?P<rest>.*)", re.DOTALL)
_RANKS = {
    "PART": 1.0, "TITLE": 1.0, "BOOK": 1.0, "ANNEX": 1.0, "APPENDIX": 1.0, "SCHEDULE": 1.0, "EXHIBIT": 1.0,
    "CHAPTER": 2.0, "DIVISION": 2.5, "SUBTITLE": 2.5, "SUBCHAPTER": 3.0, "SUBPART": 3.0,
    "ARTICLE": 4.5, "ART.": 4.5, "SECTION": 5.0, "SEC.": 5.0, "RULE": 5.0, "CLAUSE": 5.0, "SUBSECTION": 5.5,
}  # fmt: skip
_SIGN_RANK = 5.0
SECTION_OF_ARTICLES_RANK = 4.0

_ENUMERATOR = re.compile(
    r"(?P<label>\((?:\d{1,3}[a-z]?|(?P<low>[a-z])(?P=low)?|[ivxlc]{1,6}|(?P<up>[A-Z])(?P=up)?|[IVXLC]{1,6})\)"
    r"|¶\s?\d{1,4}|\[\d{1,4}\]|\d{1,3}(?:\.\d{1,3}){1,4}[.)]?|(?:\d{1,3}|[a-z]|[A-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)])(?:\s+(?P<rest>.*)|$)",
    re.DOTALL,
)
_LONE_LETTER = re.compile(r"[a-z]+[.)]")  # "v." between two parties
_BULLET = re.compile(r"(?P<label>[•▪◦○●■□◻‣⁃➢✓☑·–—*-]|o)\s+(?P<rest>\S.*)", re.DOTALL)
_REFERENCE = re.compile(r"(?:(?:of|and|or|to|through|above|below|hereof|thereof|shall|is|are|was|may|must)\b|[,;)\]])")
_SENTENCE_OPENER = re.compile(
    r"(?:This|The|These|Those|That|A|An|In|If|Any|No|It|There|For|Each|Every|Such|When|Where|Whoever|All|By|On|As)\b"
)
_TITLE_END = re.compile(r"[.:]\s+(?=[A-Z(“\"‘§\d]|[a-z][.)]\s)")
_MAX_TITLE_WORDS = 14
_MAX_TITLE_CHARACTERS = 140


@dataclass(frozen=True, slots=True)
class Structure:
    """A place where a division of a law or contract opens.

    Attributes:
        label: Its number as printed, without the stop behind it.
        rank: Depth among divisions; smaller is further out.
        head_end: Offset after the heading in the text looked at, 0 if the division has a number but no heading.
        bare: True if there is nothing but the label.
    """

    label: str
    rank: float
    head_end: int
    bare: bool

    @property
    def word(self) -> str:
        """The division's word in capitals, "§" for a section sign."""
        return "§" if self.label.startswith("§") else self.label.split()[0].upper()


def structure_match(text: str) -> Structure | None:
    """Find the division that opens at the start of a paragraph.

    Rule: a section sign or a division word with a number, followed by nothing, a stop, or a capital. What follows up to
    the first sentence end is its heading if it is short and does not read like a sentence of the law.

    Args:
        text: A paragraph, or its first line.

    Returns:
        The division, or None: "Article 5 of the Treaty" and "§ 20-870 of the Code" open nothing.
    """
    match = _SIGN.match(text) or _DIVISION.match(text)
    if match is None:
        return None
    label, rest = match["label"], match["rest"]
    word = match.groupdict().get("word", "")
    if word and not word[0].isupper():
        return None
    rank = _RANKS[word.upper()] if word else _SIGN_RANK
    stripped = rest.lstrip(" .:—–-\t\n")
    if not stripped:
        return Structure(label, rank, len(text.rstrip()), bare=True)
    opens = rest.lstrip()[:1]
    if not (opens in ".:—–-" or stripped[0].isupper() or stripped[0] in '“"‘[') or _REFERENCE.match(stripped):
        return None
    if opens not in ".:—–-" and word and len(text) > _MAX_TITLE_CHARACTERS:
        return None
    return Structure(label, rank, _head_end(text, len(text) - len(stripped), signed=not word), bare=False)


def _head_end(text: str, start: int, *, signed: bool) -> int:
    """Return the offset after the heading that begins at `start`, 0 if a sentence of the law begins there."""
    body = text[start:]
    cut = _TITLE_END.search(body)
    title = body[: cut.start() + 1] if cut else body
    short = len(title) <= _MAX_TITLE_CHARACTERS and len(title.split()) <= _MAX_TITLE_WORDS
    if not short or _SENTENCE_OPENER.match(title):
        return 0
    is_sentence = title.rstrip().endswith((".", ";")) and len(title.split()) > _MAX_TITLE_WORDS // 2
    if cut is None and not signed and is_sentence:
        return 0
    return start + len(title)


def enumerator_match(text: str) -> str:
    """Return the label of a list item or numbered paragraph at the start of a text ("(a)", "1.", "2.3"), "" if none."""
    match = _ENUMERATOR.match(text)
    if match is None or (not match["rest"] and _LONE_LETTER.fullmatch(match["label"])):
        return ""
    return match["label"]


def item_opens(line: str) -> bool:
    """Whether a line opens a numbered paragraph, and is not a wrapped reference such as "(3) of this section"."""
    match = _ENUMERATOR.match(line)
    if match is None:
        return False
    return not (match["label"].startswith("(") and _REFERENCE.match(match["rest"] or ""))


def bullet_match(text: str) -> str:
    """Return the bullet sign at the start of a text, "" if none."""
    match = _BULLET.match(text)
    return match["label"] if match else ""


def follows_directly(earlier: str, later: str) -> bool:
    """Whether a label is the next of its series: "§ 5-301" and "§ 5-302", "Article 4" and "Article 5"."""
    first, second = re.fullmatch(r"(.*?)(\d+)", earlier), re.fullmatch(r"(.*?)(\d+)", later)
    return bool(first and second and first[1] == second[1] and int(second[2]) == int(first[2]) + 1)


def label_of(text: str) -> str:
    """Return the legal number at the start of a paragraph as printed, "" if none; bullets are not numbers."""
    structure = structure_match(text)
    return structure.label if structure else enumerator_match(text)
