"""How texts name provisions by number: "Article 13", "§ 20-871", "Articles 9 to 15"."""

import re

_SECTIONS = "§{1,3}|sections?|sec\\.|rules?|regulations?|paragraphs?|clauses?"
_ARTICLES = "articles?|art\\."
UNITS = f"{_SECTIONS}|{_ARTICLES}|chapters?|part|schedule"
_PARTS = "chapter|part|schedule|annex|appendix|exhibit|title|recital"
# Possessive, so that nothing is tried twice: a question of 4,000 characters takes no time.
_DIGITS = "(?>[0-9]{1,6}[A-Za-z]?)(?>[.:-][0-9]{1,6}[A-Za-z]?){0,8}+"
_LETTERS = r"(?-i:[IVXLC]{2,8}|[B-HJ-Z]|(?<=[xXrR]\s)[AI]|[AI](?!\s+[a-z]))(?!\w)"  # "Annex I", not "the part I need"
NAMED = re.compile(rf"(?<!\w)(?P<unit>{UNITS}|{_PARTS})\s*(?P<number>{_DIGITS}|{_LETTERS})", re.IGNORECASE)
MOST_LISTED = 12  # ours: most provisions of a list in a text that are taken apart
_LISTED = rf"(?:{_DIGITS}|(?-i:[IVXLC]{{1,8}}|[A-Z])(?!\w))(?:\(\w{{1,5}}\)){{0,6}}+"
_JOINT = r"\s*(?:,\s*(?:and\b|or\b)?|and\b|or\b|to\b|through\b|vs\.?|versus\b|with\b|from\b|[–&-])\s*"
_NEXT = re.compile(
    rf"(?P<joint>{_JOINT})(?P<unit>(?:{UNITS}|{_PARTS})(?:es|s)?(?!\w))?\s*(?P<number>{_LISTED})", re.IGNORECASE
)
_FIRST = re.compile(rf"(?<!\w)(?P<unit>(?:{UNITS}|{_PARTS})(?:es|s)?)\s*(?P<number>{_LISTED})", re.IGNORECASE)
# "Article 5(1)(a) and (b)", "Article 5(1), points (a) and (b)": the rest of the name is that of the one before.
_NEXT_LABEL = re.compile(
    rf"(?P<joint>{_JOINT}|(?=\s*points?\b))\s*(?P<point>points?\s+)?(?P<label>(?<!\w)\([^\W_]{{1,5}}\))", re.IGNORECASE
)
_TO = ("to", "through", "–", "-")
_ARTICLES_TO = re.compile(r"(?i:(\b(?:articles|recitals)\s*[0-9]{1,4}))-([0-9]{1,4}\b)")  # but § 20-871
ARTICLE, RECITAL, SECTION = "article", "recital", "section"
_END = "(?![0-9A-Za-z-])"


def unit_family(unit: str) -> str:
    """ARTICLE, RECITAL, or another part by its name; SECTION for "§", "rule" and the like: two of one number differ."""
    if re.match(_ARTICLES, unit, re.IGNORECASE):
        return ARTICLE
    part = re.match(_PARTS, unit.lower())
    return part[0] if part else SECTION


def provisions_listed(text: str) -> tuple[str, tuple[str, ...], str] | None:
    """The first list of provisions in a text, with what is before and behind it; None where there is none.

    Nor is there one of more than MOST_LISTED, or of a range that cannot be counted.

    >>> provisions_listed("What do Articles 9, 12 to 14 and Annex III require?")
    ('What do ', ('Article 9', 'Article 12', 'Article 13', 'Article 14', 'Annex III'), ' require?')
    >>> provisions_listed("What does Article 5(1), points (a) and (b), prohibit?")
    ('What does ', ('Article 5(1)(a)', 'Article 5(1)(b)'), ', prohibit?')
    >>> provisions_listed("What does § 20-871 require?")
    """
    text = _ARTICLES_TO.sub(r"\1–\2", text)
    for first in _FIRST.finditer(text):
        names, end = _listed(text, first, len(text))
        if len(names) > 1:
            return None if len(names) > MOST_LISTED else (text[: first.start()], tuple(names), text[end:])
    return None


def provisions_at(text: str, start: int, stop: int) -> tuple[list[str], int]:
    """The provisions that a text lists from a place on, where NAMED finds one, and where that list ends.

    Args:
        text: Any.
        start: Of the first one's unit.
        stop: Where the list ends at the latest, as at the next unit.

    >>> provisions_at("under clauses 4.1 to 4.3 and 6(b), and Part 2", 6, 39)
    (['Clause 4.1', 'Clause 4.2', 'Clause 4.3', 'Clause 6(b)'], 33)
    """
    first = _FIRST.match(text, start)
    return _listed(text, first, stop) if first else ([], start)


def _listed(text: str, first: re.Match[str], stop: int) -> tuple[list[str], int]:
    """The provisions of the list that begins with the first, and where it ends."""
    unit, end = first["unit"], first.end()
    names = [_named(unit, first["number"])]
    while one := _NEXT.match(text, end, stop) or _NEXT_LABEL.match(text, end, stop):
        if "label" in one.groupdict():
            if not one["point"] and not names[-1].endswith(")"):
                break  # "under clause 5, (b) of goods" lists no clause (b)
            names = _with_label(names, one)
        else:
            unit = one["unit"] or unit
            if one["joint"].strip() in _TO:
                names += _between(names[-1], one["number"])
            names.append(_named(unit, one["number"]))
        end = one.end()
    return names, end


def _with_label(names: list[str], one: re.Match[str]) -> list[str]:
    """The provisions with "and (b)" behind "Article 5(1)(a)", or with "points (a)" behind "Article 5(1)"."""
    *before, last = names
    if one["point"]:
        return [*before, f"{last}{one['label']}"]
    whole, _, label = last.rpartition("(")
    first, end = label.rstrip(")"), one["label"].strip("()")
    is_range = one["joint"].strip() in _TO and len(first) == len(end) == 1
    between = [chr(n) for n in range(ord(first) + 1, ord(end))] if is_range else []
    return [*names, *(f"{whole}({each})" for each in between), f"{whole}{one['label']}"]


def _named(unit: str, number: str) -> str:
    """A provision as it is named alone: "Article 9" of "articles 9"."""
    one = unit[0] if unit.startswith("§") else unit.removesuffix("es" if unit.endswith("xes") else "s")
    return f"{one[:1].upper()}{one[1:]} {number}"


def _between(name: str, number: str) -> list[str]:
    """The provisions between the ends of a range; more than MOST_LISTED where they cannot be counted."""
    first, last = re.search(r"[0-9]+$", name), re.search(r"[0-9]+$", number)
    if first is None or last is None or not 0 < int(last[0]) - int(first[0]) <= MOST_LISTED:
        return [name] * MOST_LISTED
    return [f"{name[: first.start()]}{n}" for n in range(int(first[0]) + 1, int(last[0]))]


def beginnings_of(unit: str, number: str) -> list[str]:
    """Patterns of how a provision begins, the surest first.

    Article 27 is not the footnote "27 Directive 2014/90/EU", but section 14 may be the clause "14. Confidentiality", or
    be cut into "14.(1)" and "14.(2)".
    """
    family, ends = unit_family(unit), rf"\s*{re.escape(number)}{_END}"
    if family == ARTICLE:
        return [rf"^\s*({_ARTICLES}){ends}"]
    if family == RECITAL:
        return [rf"^\s*\(?{re.escape(number)}[.)]"]
    if family != SECTION:
        return [rf"^\s*{family}{ends}"]
    alone = r"[.:)]?(\s+[^0-9\s]|\([0-9A-Za-z]{1,4}\))"
    return [rf"^\s*({_SECTIONS}){ends}", rf"^\s*{re.escape(number)}{alone}"]


def is_later_part(text: str, number: str) -> bool:
    """Whether a paragraph continues a provision: "12.1.(2)" belongs to 12.1 and is no second provision of that number.

    >>> is_later_part("12.1.(2) He must be resident.", "12.1"), is_later_part("12.1.(1) He must be able.", "12.1")
    (True, False)
    """
    match = re.search(rf"{re.escape(number)}[.:)]?\(([0-9A-Za-z]{{1,4}})\)", text)
    return match is not None and match[1].lower() not in ("1", "a", "i")
