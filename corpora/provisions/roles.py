"""The role of each paragraph of a document: operative text, definition, recital, preamble, example, note …"""

import re
from collections.abc import Sequence
from functools import lru_cache

from corpora.provisions.features import facts_of
from corpora.provisions.types import Part, Role
from corpora.stopwords import word_set

_ENACTS = re.compile(
    r"(?:ha(?:ve|s) (?:adopted|decided|agreed)\b|be it (?:therefore )?enacted\b|hereby (?:enacts|orders)\b)", re.I
)
_WHEREAS = re.compile(r"whereas\b", re.I)
_AGREED = re.compile(r"now,? therefore\b|it is (?:hereby )?agreed\b|the parties (?:hereby )?agree as follows", re.I)
_SIGNED = re.compile(
    r"in witness whereof\b|done at\b|for the european parliament\b|the president\b|(?:by|name"
    r"|title|date|signature):?\s*_{3,}"
    r"|signed (?:by|for)\b|.{0,80}\b(?:by|name|title|date):?\s*(?:name|title|date):"
    r"|\W{0,3}name:\s.{2,80}?\btitle:|(?:per|by|name|title):\W*$",
    re.I,
)
_FURNITURE = re.compile(
    r"\W*|[ivxlc]{1,6}|\d{1,4}|page \d+(?: of \d+)?|-\s?\d+\s?-|source: .{3,80}, \d{1,2}/\d{1,2}/\d{2,4}"
    r"|\((?:l\.l\.|added|amended|repealed) [^()]{3,120}\)|[a-z]{2}\s?/\s?[a-z]{2}|ls #\d+|[\d/.: ]+(?:am|pm)?",
    re.I,
)
# A form's place that nobody has filled in: "____", "[●]", "[ENTER TITLE: ____]", "[insert date]".
_BLANK = re.compile(
    r"[\W_]*|\W*\[[^\[\]]{0,80}(?:__|[●•])[^\[\]]{0,80}\]\W*"
    r"|\W*\[(?:enter|insert|fill in|name of|date of|specify)\b[^\[\]]{0,80}\]\W*",
    re.I,
)
_FOOTNOTE = re.compile(
    r"(?:\d{1,3}|\*+)\s+(?:(?:OJ|See|Regulation|Directive|Council|Commission|Decision"
    r"|Recommendation|Position|European|Judgment|Case|Opinion"
    r"|Communication|Ibid|Cf|Id\.|Available|http)\b|[A-Z][^.]{0,200}\(OJ )"
)
_EXAMPLE = re.compile(r"(?:examples?|illustrations?)(?:\s+(?:\d+|[A-Z]))?\s?[.:–—]|for example[,:]", re.I)
_EXAMPLE_HEADING = re.compile(
    r"(?:worked |practical )?(?:examples?|illustrations?|scenarios?|sample)\b(?: \w+){0,2}$", re.I
)
_NOTE = re.compile(
    r"(?:(?:explanatory |editor'?s |drafting )?notes?(?: \d+)?|comment(?:ary)?|short version"
    r"|in short|summary|nb|n\.b\.|revision history|disclaimer)\s?[.:–—]",
    re.I,
)
_NOTE_HEADING = re.compile(
    r"(?:statement of (?:basis|purpose)|explanatory (?:note|memorandum|statement|report)|commentary|executive summary"
    r"|summary of (?:changes|the)|plain[- ](?:language|english) summary|(?:revision|version"
    r"|document|amendment|legislative) history"
    r"|change ?log|changes? (?:history|log)|(?:editor'?s )?notes?$"
    r"|(?:regulatory )?impact (?:assessment|analysis)|disclaimer$)",
    re.I,
)
_PREAMBLE_HEADING = re.compile(
    r"(?:notice of (?:adoption|proposed|public|intent)|preamble$|enacting (?:clause|formula))", re.I
)
_RECITAL_HEADING = re.compile(r"(?:recitals?$|background$|whereas$)", re.I)
_SUPERSEDED = re.compile(
    r"[\[(]?(?:repealed|superseded|deleted|withdrawn|revoked|reserved|intentionally (?:omitted"
    r"|left blank)|archived)\b[^.;]{0,40}[\])]?\.?$"
    r"|this (?:policy|document|version|section|procedure|guidance|standard|page|rule|clause"
    r"|article) (?:has been|is|was) "
    r"(?:\w+ )?(?:superseded|replaced|withdrawn|repealed|revoked|retired|archived)\b",
    re.I,
)
_SUPERSEDED_HEADING = re.compile(
    r"(?:.*\((?:superseded|repealed|withdrawn|archived|former)\b|(?:superseded|repealed|archived|former|previous) "
    r"(?:text|version|policy|wording|provisions?))",
    re.I,
)
_WHOLE_DOCUMENT = re.compile(r"this (?:policy|document|version|procedure|guidance|standard|page)\b", re.I)
_DEFINING_HEADING = re.compile(
    r"(?:.*\b(?:definitions?|glossary|defined terms|key terms)\b(?! of )|.*\binterpretation\W*$)", re.I
)
_DEFINES = re.compile(
    r"(?:[\w ,/-]{2,120}\.\s+)?(?:\S{1,6}\s+)?(?:[\w ,/-]{2,60}\.\s+)?(?:the (?:term|word|expression)s? |the )?"
    r"[“\"‘'«][^”\"’»]{1,120}[”\"’'»](?:\s?\([^)]{1,80}\))?(?:,? (?:or"
    r"|and) [“\"‘'][^”\"’]{1,80}[”\"’'])*[^.;:]{0,80}?\s"
    r"(?:means?|shall mean|ha(?:s|ve) the (?:same )?meanings?|shall have the meanings?"
    r"|refers? to|shall refer to|includes?|shall include|is defined)\b",
    re.I,
)
_DEFINES_PLAIN = re.compile(
    r"(?:\S{1,6}\s+)?(?:[\w ,/()-]{2,70}\.\s+)?[\w ,/()-]{2,70}\s(?:shall mean"
    r"|(?<!by )means(?= (?:an?|any|the|that|all|each|either|one|every|those|[“\"])\b|[:,]))",
    re.I,
)
_DEFINING_STEM = re.compile(
    r"following (?:terms|definitions|words|expressions)\b.*(?:mean|apply|defin)"
    r"|shall have the (?:following )?meanings?\b.*:$",
    re.I | re.S,
)
_FORMULA = re.compile(r"[^.;]{2,80}\s=\s|or$", re.I)
_UNFINISHED = re.compile(r"(?:[:;,]|[;,]?\s(?:and|or))$")
_CONTENTS_HEADING = re.compile(
    r"(?:table of contents|contents|index|in this (?:document|policy|guide|page|section))\W*$", re.I
)
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4,}|(?:\t|\s{3,})\d{1,3}\s*$")
_CONTENTS_ENTRIES = re.compile(r"(?:Section|Article|Clause|§)\s*[\dIVX.]+\s[^.;]{3,90}?\s\d{1,3}(?=\s|$)")
_VERB = re.compile(
    r"\b(?:shall|must|may|will|is|are|was|were|has|have|can|means?|includes?|should|does|do"
    r"|applies|apply|agrees?|requires?|required|needs?)\b"
)
_LABEL = re.compile(r"(?:\(?[\dA-Za-z]{1,5}(?:\.\d+)*[.)]+|§+\s?[\d.\-–]+\.?)\s*")
_SMALL = word_set("a an and as at between by for from in of on or our per the to under upon vs with without your")
_MAX_TITLE_WORDS = 14
_MAX_TITLE = 150
_FEW = 3  # ours: words that say nothing by themselves, whatever they are
_MAX_STEM = 400
_MAX_CAPTION = 60
_MAX_BLANK = 160
_FRONT = 30  # paragraphs in which a contents page without a heading is looked for


def roles_of(parts: Sequence[Part]) -> list[Role]:
    """Say what each paragraph of a whole document is.

    Rule: clues of the document first ("HAVE ADOPTED THIS REGULATION", "Whereas", "Be it enacted", "NOW, THEREFORE",
    a contents page, "this policy has been superseded by"), then of the section (its headings), then of the paragraph.
    What gives no clue is operative: a rule that is called a note would be lost to answers.

    Args:
        parts: All paragraphs of one version in order.

    Returns:
        A role for each.

    Source: ours.
    """
    front = _front(parts)
    roles: list[Role] = []
    for place, part in enumerate(parts):
        told = front.get(place) or _own(part) or _follows(parts, place, roles) or _of_section(part)
        roles.append(told or (Role.DEFINITION if defines(part.text) else Role.OPERATIVE))
    if any(_WHOLE_DOCUMENT.match(part.text) and _SUPERSEDED.match(part.text) for part in parts[:8]):
        roles = [Role.SUPERSEDED if role in {Role.OPERATIVE, Role.DEFINITION} else role for role in roles]
    return roles


def _front(parts: Sequence[Part]) -> dict[int, Role]:
    """Preamble and recitals before the words that enact or agree, the contents pages, and the signatures."""
    roles = _contents(parts)
    texts = [part.text.lstrip()[:80] for part in parts]
    end = next((i for i, text in enumerate(texts) if _ENACTS.match(text) or _AGREED.match(text)), None)
    start = next((i for i, text in enumerate(texts) if _WHEREAS.match(text)), None)
    if end is None and start is not None and start < 40:  # recitals of a contract without "NOW, THEREFORE"
        end = max(i for i, text in enumerate(texts) if _WHEREAS.match(text))
    for place in range(0 if end is None else end + 1):
        if place in roles or _own(parts[place]) in {Role.NOTE, Role.CONTENTS}:
            continue
        is_recital = start is not None and start <= place and (place < (end or 0) or bool(_WHEREAS.match(texts[place])))
        if is_recital:
            roles[place] = Role.RECITAL
        elif parts[place].kind != "heading" or place == end:
            roles[place] = Role.PREAMBLE
    return roles


def _contents(parts: Sequence[Part]) -> dict[int, Role]:
    contents: dict[int, Role] = {}
    inside = False
    for place, part in enumerate(parts):
        text = part.text.strip()
        if _CONTENTS_HEADING.match(text) and len(text) < 60 and not _VERB.search(text.lower()):
            inside = True
            contents[place] = Role.CONTENTS
            continue
        is_entry = text[-1:].isdigit() and part.kind != "table" and bool(_CONTENTS_LINE.search(text[-60:]))
        is_entry = is_entry or (inside and len(_CONTENTS_ENTRIES.findall(text[:600])) >= 3)
        is_entry = is_entry or (place < _FRONT and len(_CONTENTS_ENTRIES.findall(text[:600])) >= 3)
        if is_entry or (inside and part.kind == "list" and len(text) < 80 and not _VERB.search(text)):
            contents[place] = Role.CONTENTS
        elif not _FURNITURE.fullmatch(text):
            inside = False
    return contents


def _own(part: Part) -> Role | None:
    """What the paragraph says of itself."""
    text = part.text.strip()
    if part.kind == "heading":
        return Role.SUPERSEDED if _SUPERSEDED_HEADING.match(text) else Role.HEADING
    if part.kind == "table":
        return None
    if len(text) < 160 and (_FURNITURE.fullmatch(text) or is_blank(text)):
        return Role.NOTE
    if (part.kind == "text" and _FOOTNOTE.match(text)) or (part.kind in ("text", "list") and _SIGNED.match(text)):
        return Role.NOTE
    words = _LABEL.sub("", text, count=1) if part.label else text
    if _SUPERSEDED.match(words):
        return Role.SUPERSEDED
    if _EXAMPLE.match(words):
        return Role.EXAMPLE
    if _NOTE.match(words):
        return Role.NOTE
    return Role.HEADING if is_title(part) else None


def is_title(part: Part) -> bool:
    """Whether a paragraph that is not marked as a heading is nothing but one ("I. TERM AND TERMINATION")."""
    text = part.text.strip()
    if len(text) > _MAX_TITLE:
        return False
    words = (_LABEL.sub("", text, count=1) if part.label else text).split()
    if not words:
        return True  # a number that lost its text
    if len(words) > _MAX_TITLE_WORDS or text.endswith((";", ",", ":", "?")) or "\n" in text:
        return False
    letters = [word for word in words if word[0].isalpha()]
    if letters and all(word.isupper() for word in letters) and len(text) > 3:
        return True
    if part.kind == "passage":
        return not text.endswith(".")
    numbered = bool(part.label) or re.match(r"\d{1,2}(?:\.\d{1,2})*\s+[A-Z][a-z]", text) is not None
    return numbered and bool(letters) and _is_titled(letters) and not _VERB.search(text)


def names_only(text: str) -> bool:
    """Whether a text, by its words, says nothing on its own: a heading, a name, a cell of a table."""
    facts, words = facts_of(text), _LABEL.sub("", text.strip(), count=1).split()
    if len(words) > _MAX_TITLE_WORDS or ":" in text or _VERB.search(text.lower()):
        return False
    is_short = len(words) <= _FEW or _is_titled([word for word in words if word[0].isalpha()])
    return is_short and not (facts.amounts or facts.durations or facts.dates)


def _is_titled(words: Sequence[str]) -> bool:
    return all(word[0].isupper() or word.lower() in _SMALL for word in words)


def is_blank(text: str) -> bool:
    """Whether a text is nothing but a place that is left to be filled in: it says nothing of any subject."""
    return len(text) < _MAX_BLANK and _BLANK.fullmatch(text.strip()) is not None


def _follows(parts: Sequence[Part], place: int, roles: Sequence[Role]) -> Role | None:
    """Tables of an example, items and formulas of a definition, further items of a note in the same section."""
    part = parts[place]
    last = next((i for i in range(place - 1, max(-1, place - 4), -1) if roles[i] != Role.HEADING), None)
    if last is None:
        return None
    before, role = parts[last], roles[last]
    if before.path[: len(part.path)] != part.path[: len(before.path)]:
        return None
    is_caption = place + 1 < len(parts) and parts[place + 1].kind == "table" and len(part.text) < _MAX_CAPTION
    if role == Role.EXAMPLE and (part.kind == "table" or (is_caption and part.kind == "text" and not part.label)):
        return role
    is_bullet = part.kind == "list" and not part.label
    if role in {Role.EXAMPLE, Role.NOTE} and part.kind == "list" and before.text.rstrip().endswith(":"):
        return role
    if role in {Role.EXAMPLE, Role.NOTE} and is_bullet and before.kind == "list" and not before.label:
        return role
    if role != Role.DEFINITION or defines(part.text):
        return None
    is_formula = part.kind == "text" and _FORMULA.match(part.text.strip())
    is_item = part.kind == "list" or part.text.lstrip()[:1] in ">-" or part.text.lstrip()[:1].islower()
    goes_on = is_item and _UNFINISHED.search(before.text.rstrip()[-8:]) and not opens_definitions(before.text)
    return role if is_formula or goes_on else None


def _of_section(part: Part) -> Role | None:
    """What the headings above the paragraph say, the innermost first."""
    above = [_under_heading(heading) for heading in part.path[-3:]]
    if part.kind == "table":
        return Role.EXAMPLE if Role.EXAMPLE in above[-1:] else Role.TABLE_ROW
    if part.label and not _LABEL.match(part.label):  # "Section 1. … is amended to read as follows:"
        return None
    for role in reversed(above):
        if role == Role.RECITAL and not re.match(r"\(?[A-Z0-9]{1,3}[.)]", part.text):
            continue
        if role is not None and (role != Role.DEFINITION or role is above[-1]):
            return role
    return None


_SECTIONS = (
    (_SUPERSEDED_HEADING, Role.SUPERSEDED),
    (_EXAMPLE_HEADING, Role.EXAMPLE),
    (_NOTE_HEADING, Role.NOTE),
    (_PREAMBLE_HEADING, Role.PREAMBLE),
    (_RECITAL_HEADING, Role.RECITAL),
    (_DEFINING_HEADING, Role.DEFINITION),
)


@lru_cache(maxsize=1024)
def _under_heading(heading: str) -> Role | None:
    """What paragraphs under a heading are, None where it does not say."""
    bare = _LABEL.sub("", heading[:200], count=1).strip()
    return next((role for pattern, role in _SECTIONS if pattern.match(bare)), None)


def defines(text: str) -> bool:
    """Whether a paragraph says what a term means, and is not only the line above such paragraphs."""
    beginning = text.strip()[:_MAX_STEM]
    return bool(_DEFINES.match(beginning) or _DEFINES_PLAIN.match(beginning[:160]) or opens_definitions(beginning))


def opens_definitions(text: str) -> bool:
    """Whether a paragraph is the line above a list of definitions."""
    return len(text) < _MAX_STEM and _DEFINING_STEM.search(text.strip()) is not None
