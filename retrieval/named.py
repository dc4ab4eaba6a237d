"""The provisions that a text names by number, "Article 13" or "§ 20-871", found in the documents of a corpus."""

import re
from collections.abc import Collection
from uuid import UUID

from django.db.models import F, Func, Q, QuerySet, TextField, Value

from corpora.in_force import chunks_searched
from corpora.models import Chunk, Corpus, Position
from corpora.provisions.types import Role
from retrieval.selectors import chunks_allowed
from retrieval.types import Filters

MAX_NAMED = 3  # ours: provisions of one question that are looked up
MAX_LINE_WORDS = 20
MAX_PARAGRAPHS = 200  # ours: paragraphs of a named provision that are looked at
MAX_MATCHES = 2_000  # ours: headings, or paragraphs, that begin with a number
MAX_PLACES = 3  # ours: places of a document that may have the number: which of twenty "1. Scope" is meant, nobody knows
_SECTIONS = "§{1,3}|sections?|sec\\.|rules?|regulations?|paragraphs?|clauses?"
_ARTICLES = "articles?|art\\."
UNITS = f"{_SECTIONS}|{_ARTICLES}|chapters?|part|schedule"
_PARTS = "chapter|part|schedule|annex|appendix|exhibit|title|recital"
# Nothing is tried twice: a question of 4,000 characters is read in no time.
_DIGITS = "(?>[0-9]{1,6}[A-Za-z]?)(?>[.:-][0-9]{1,6}[A-Za-z]?){0,8}+"
_LETTERS = r"(?-i:[IVXLC]{2,8}|[B-HJ-Z]|(?<=[xXrR]\s)[AI]|[AI](?!\s+[a-z]))(?!\w)"  # "Annex I", not "the part I need"
NAMED = re.compile(rf"(?<!\w)(?P<unit>{UNITS}|{_PARTS})\s*(?P<number>{_DIGITS}|{_LETTERS})", re.IGNORECASE)
_PATH = Func(F("heading_path"), Value("\n"), function="array_to_string", output_field=TextField())
MOST_LISTED = 12  # ours: provisions that a text names one after the other, and that are told apart
_LISTED = rf"(?:{_DIGITS}|(?-i:[IVXLC]{{1,8}}|[A-Z])(?!\w))(?:\(\w{{1,5}}\)){{0,6}}+"
_JOINT = r"\s*(?:,\s*(?:and\b|or\b)?|and\b|or\b|to\b|through\b|vs\.?|versus\b|with\b|from\b|[–&-])\s*"
_NEXT = re.compile(
    rf"(?P<joint>{_JOINT})(?P<unit>(?:{UNITS}|{_PARTS})(?:es|s)?(?!\w))?\s*(?P<number>{_LISTED})", re.IGNORECASE
)
_FIRST = re.compile(rf"(?<!\w)(?P<unit>(?:{UNITS}|{_PARTS})(?:es|s)?)\s*(?P<number>{_LISTED})", re.IGNORECASE)
_ARTICLES_TO = re.compile(r"(?i:(\b(?:articles|recitals)\s*[0-9]{1,4}))-([0-9]{1,4}\b)")  # but § 20-871
RECITAL = "recital"
_END = "(?![0-9A-Za-z-])"


def provision_pattern(*, numbers: str) -> str:
    """A pattern, for Python and PostgreSQL, of texts that begin with one of these numbers of provisions.

    Args:
        numbers: A pattern of them, such as "3\\.2|3\\.4".
    """
    return rf"^\s*({UNITS})?\s*({numbers}){_END}"


def provisions_listed(text: str) -> tuple[str, tuple[str, ...], str] | None:
    """The first list of provisions in a text, with what is before and behind it; None where there is none.

    Nor is there one of more than MOST_LISTED, or of a range that cannot be counted.

    >>> provisions_listed("What do Articles 9, 12 to 14 and Annex III require?")
    ('What do ', ('Article 9', 'Article 12', 'Article 13', 'Article 14', 'Annex III'), ' require?')
    >>> provisions_listed("What does § 20-871 require?")
    """
    text = _ARTICLES_TO.sub(r"\1–\2", text)
    for first in _FIRST.finditer(text):
        unit, end = first["unit"], first.end()
        names = [_named(unit, first["number"])]
        while one := _NEXT.match(text, end):
            unit, end = one["unit"] or unit, one.end()
            if one["joint"].strip() in ("to", "through", "–", "-"):
                names += _between(names[-1], one["number"])
            names.append(_named(unit, one["number"]))
        if len(names) > 1:
            return None if len(names) > MOST_LISTED else (text[: first.start()], tuple(names), text[end:])
    return None


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


def provisions_named(*, corpus: Corpus, text: str) -> list[str]:
    """The first lines of the provisions that a text names by number, such as "§ 5-301 Bias Audit."; at most MAX_NAMED.

    A provision is a chunk that begins with the number, or the heading over one.
    """
    lines: list[str] = []
    named = dict.fromkeys((match["unit"], match["number"]) for match in NAMED.finditer(text))
    for unit, number in list(named)[:MAX_NAMED]:
        for begins in _beginnings(unit, number):
            rows = chunks_searched(corpus=corpus).filter(Q(text__iregex=begins) | Q(heading__iregex=begins))
            if (chunk := rows.order_by("pk").first()) is not None:
                line = chunk.text if re.match(begins, chunk.text, re.IGNORECASE) else chunk.heading
                lines.append(" ".join(line.split("\n")[0].split()[:MAX_LINE_WORDS]))
                break
    return lines


def provision_paragraphs(
    *, corpus: Corpus, unit: str, number: str, filters: Filters, most: int
) -> dict[UUID, list[Position]]:
    """The paragraphs of the provisions of a number that a search may read, by version, in their order.

    Those under a heading that begins with the unit and the number; where there is none, those that begin with them;
    then the same with the number alone, "14. Confidentiality".

    Args:
        corpus: As it is searched: of its day, and of its chunk set.
        unit: As it was typed: "Article", "§".
        number: "13", "20-871".
        filters: Of the search.
        most: Documents; where more have such a provision, or one of them more than MAX_PLACES, there is none.
    """
    chunks, searched = _searched(corpus, filters)
    text = searched.exclude(kind="heading").exclude(role__in=(Role.NOTE, Role.CONTENTS)).annotate(path=_PATH)
    if unit.lower() == RECITAL:
        text = text.filter(role=Role.RECITAL)
    for begins in _beginnings(unit, number):
        headed = text.filter(path__iregex=begins.replace("^", "(^|\n)", 1))
        for rows, place in ((headed, "heading_path"), (text.filter(paragraph__text__iregex=begins), "ordinal")):
            found = rows.order_by().values_list("version_id", place).distinct()[:MAX_MATCHES]
            versions = [version for version, _ in {(version, _start(at, begins)) for version, at in found}]
            if not versions:
                continue
            if len(set(versions)) > most or max(map(versions.count, versions)) > MAX_PLACES:
                return {}
            by_version = {version: _of_version(rows, version, searched, number) for version in dict.fromkeys(versions)}
            return {version: own for version, rows in by_version.items() if (own := _read(rows, chunks))}
    return {}


def headed_paragraphs(
    *, corpus: Corpus, heading: str, filters: Filters, versions: Collection[str], most: int
) -> dict[UUID, list[Position]]:
    """The paragraphs that a search may read under headings with certain words, by version, in their order.

    Args:
        corpus: As it is searched: of its day, and of its chunk set.
        heading: A pattern, for PostgreSQL, of the last heading above them.
        filters: Of the search.
        versions: Of the documents that may be meant; empty for all.
        most: Documents; where more have such a heading, there is none.
    """
    chunks, searched = _searched(corpus, filters)
    rows = searched.exclude(kind="heading").annotate(path=_PATH).filter(path__iregex=rf"{heading}[^\n]*$")
    if versions:
        rows = rows.filter(version__in=[UUID(version) for version in versions])
    by_version: dict[UUID, list[Position]] = {}
    for row in rows.order_by("version", "ordinal")[: most * MAX_PARAGRAPHS]:
        by_version.setdefault(row.version_id, []).append(row)
    return (
        {key: kept for key, own in by_version.items() if (kept := _read(own, chunks))}
        if len(by_version) <= most
        else {}
    )


def _searched(corpus: Corpus, filters: Filters) -> tuple[QuerySet[Chunk], QuerySet[Position]]:
    """The chunks that a search may read, and the paragraphs of their documents."""
    chunks = chunks_searched(corpus=corpus)
    if (allowed := chunks_allowed(corpus=corpus, filters=filters)) is not None:
        chunks = chunks.filter(pk__in=allowed.tolist())
    versions = chunks.order_by().values("version")
    return chunks, Position.objects.filter(version__in=versions).select_related("paragraph")


def _start(place: int | list[str], begins: str) -> int | tuple[str, ...]:
    """Where a provision begins: the path down to its heading, or the ordinal of its first paragraph."""
    if isinstance(place, int):
        return place
    depth = next((n for n, one in enumerate(place) if re.match(begins, one, re.IGNORECASE)), len(place))
    return tuple(place[: depth + 1])


def _of_version(rows: QuerySet[Position], version: UUID, searched: QuerySet[Position], number: str) -> list[Position]:
    own = rows.filter(version_id=version).order_by("ordinal")[:MAX_PARAGRAPHS]
    return [one for position in own for one in _under_title(position, searched, number)][:MAX_PARAGRAPHS]


def _read(rows: list[Position], chunks: QuerySet[Chunk]) -> list[Position]:
    """Those of a version's paragraphs that are in the chunks of the search."""
    spans = chunks.filter(version_id=rows[0].version_id).values_list("first_paragraph", "last_paragraph")
    places = {place for first, last in spans for place in range(first, last + 1)}
    return [row for row in rows if row.ordinal in places]


def _under_title(position: Position, searched: QuerySet[Position], number: str) -> list[Position]:
    """A paragraph, or of one that is only a title ("14. Confidentiality."), those up to the next title."""
    if position.role != Role.HEADING:
        return [position]
    after = searched.filter(version_id=position.version_id, ordinal__gt=position.ordinal).order_by("ordinal")
    titles = after.filter(Q(role=Role.HEADING) | Q(kind="heading"))
    end = titles.exclude(paragraph__text__iregex=rf"^\s*{re.escape(number)}[.(]\s*[0-9a-z]").first()
    rows = after.filter(ordinal__lt=end.ordinal) if end else after
    return list(rows.exclude(role__in=(Role.NOTE, Role.CONTENTS))[:MAX_PARAGRAPHS]) or [position]


def _beginnings(unit: str, number: str) -> list[str]:
    """Patterns of how a provision begins, the surest first.

    Article 27 is not the footnote "27 Directive 2014/90/EU", but section 14 may be the clause "14. Confidentiality".
    """
    typed, ends = unit.lower(), rf"\s*{re.escape(number)}{_END}"
    if re.match(_ARTICLES, typed):
        return [rf"^\s*({_ARTICLES}){ends}"]
    if typed == RECITAL:
        return [rf"^\s*\(?{re.escape(number)}[.)]"]
    if part := re.match(_PARTS, typed):
        return [rf"^\s*{part[0]}{ends}"]
    return [rf"^\s*({_SECTIONS}){ends}", rf"^\s*{re.escape(number)}[.:)]?\s+[^0-9\s]"]
