"""The provisions that a text names by number, "Article 13" or "§ 20-871", found in the documents of a corpus."""

import re
from collections import Counter
from collections.abc import Collection
from uuid import UUID

from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Left

from corpora.in_force import chunks_searched
from corpora.models import Chunk, Corpus, Position
from corpora.provisions.types import Role
from retrieval.indexes.statistics import ChunkIds
from retrieval.numbered import NAMED, RECITAL, beginnings_of, is_later_part, unit_family
from retrieval.selectors import chunks_allowed
from retrieval.types import Filters

MAX_NAMED = 3  # ours: provisions of one question that are looked up
MAX_LINE_WORDS = 20
MAX_PARAGRAPHS = 200  # ours: paragraphs of a named provision that are looked at
MAX_MATCHES = 2_000  # ours: headings, or paragraphs, that begin with a number
MAX_BEGINNING = 60  # ours: characters at the start of a paragraph in which its number is looked for
MAX_PLACES = 3  # ours: places of a document that may have the number: which of twenty "1. Scope" is meant, nobody knows
_PATH = Func(F("heading_path"), Value("\n"), function="array_to_string", output_field=TextField())


def provisions_named(*, corpus: Corpus, text: str, allowed: ChunkIds | None = None) -> list[str]:
    """The first lines of the provisions that a text names by number, such as "§ 5-301 Bias Audit."; at most MAX_NAMED.

    A provision is a chunk that begins with the number, or the heading over one; one of `allowed`, or any where None.
    """
    lines, chunks = list[str](), chunks_searched(corpus=corpus)
    if allowed is not None:
        chunks = chunks.filter(pk__in=allowed.tolist())
    named = dict.fromkeys((match["unit"], match["number"]) for match in NAMED.finditer(text))
    for unit, number in list(named)[:MAX_NAMED]:
        for begins in beginnings_of(unit, number):
            rows = chunks.filter(Q(text__iregex=begins) | Q(heading__iregex=begins))
            if (chunk := rows.order_by("pk").first()) is not None:
                line = chunk.text if re.match(begins, chunk.text, re.IGNORECASE) else chunk.heading
                lines.append(" ".join(line.split("\n")[0].split()[:MAX_LINE_WORDS]))
                break
    return lines


def provision_paragraphs(
    *, corpus: Corpus, unit: str, number: str, filters: Filters, most: int, versions: Collection[str] = ()
) -> dict[UUID, list[Position]]:
    """The paragraphs of the provisions of a number that a search may read, by version, in their order.

    Those under a heading that begins with the unit and the number; where there is none, those that begin with them;
    then the same with the number alone, "14. Confidentiality". One document may put under a heading what another only
    numbers: for a number of several parts, "9.3.2", the paragraphs of the one are found as well as the heading of the
    other.

    Args:
        corpus: As it is searched: of its day, and of its chunk set.
        unit: As it was typed: "Article", "§".
        number: "13", "20-871".
        filters: Of the search.
        most: Documents; where more have such a provision, or one of them more than MAX_PLACES, there is none.
        versions: Of the documents that may be meant; empty for all.
    """
    chunks, searched = _searched(corpus, filters, versions)
    text = searched.exclude(kind="heading").exclude(role__in=(Role.NOTE, Role.CONTENTS)).annotate(path=_PATH)
    if unit_family(unit) == RECITAL:
        text = text.filter(role=Role.RECITAL)
    for begins in beginnings_of(unit, number):
        headed = text.filter(path__iregex=begins.replace("^", "(^|\n)", 1))
        rows_of = dict.fromkeys(places := _headed(headed, begins), headed)
        if not places or not number.isalnum():
            begun = text.filter(paragraph__text__iregex=begins).exclude(version__in=list(places))
            beside = _begun(begun, number)
            if not places or len(places) + len(beside) <= most:
                places, rows_of = places | beside, rows_of | dict.fromkeys(beside, begun)
        if not places:
            continue
        if len(places) > most or max(places.values()) > MAX_PLACES:
            return {}
        by_version = {version: _of_version(rows, version, searched, number) for version, rows in rows_of.items()}
        return {version: own for version, rows in by_version.items() if (own := _read(rows, chunks))}
    return {}


def _headed(rows: QuerySet[Position], begins: str) -> dict[UUID, int]:
    """In how many places of a document, by version, paragraphs are under a heading of the number."""
    found = rows.order_by().values_list("version_id", "heading_path").distinct()[:MAX_MATCHES]
    return Counter(version for version, _ in {(version, _down_to(path, begins)) for version, path in found})


def _begun(rows: QuerySet[Position], number: str) -> dict[UUID, int]:
    """In how many places of a document, by version, paragraphs begin with the number."""
    found = rows.order_by("version", "ordinal").values_list("version_id", Left("paragraph__text", MAX_BEGINNING))
    counts = Counter[UUID]()
    for version, beginning in found[:MAX_MATCHES]:
        counts[version] += not (version in counts and is_later_part(beginning, number))
    return counts


def paragraphs_where(
    where: Q, *, corpus: Corpus, filters: Filters, versions: Collection[str], most: int
) -> dict[UUID, list[Position]]:
    """The paragraphs that a search may read and that meet a condition, by version, in their order.

    Args:
        where: Of positions; `path` is the headings above one, a line each.
        corpus: As it is searched: of its day, and of its chunk set.
        filters: Of the search.
        versions: Of the documents that may be meant; empty for all.
        most: Documents; where more have such paragraphs, there is none.
    """
    chunks, searched = _searched(corpus, filters, versions)
    rows = searched.exclude(kind="heading").annotate(path=_PATH).filter(where)
    by_version: dict[UUID, list[Position]] = {}
    for row in rows.order_by("version", "ordinal")[: most * MAX_PARAGRAPHS]:
        by_version.setdefault(row.version_id, []).append(row)
    if len(by_version) > most:
        return {}
    return {version: kept for version, own in by_version.items() if (kept := _read(own, chunks))}


def _searched(
    corpus: Corpus, filters: Filters, versions: Collection[str]
) -> tuple[QuerySet[Chunk], QuerySet[Position]]:
    """The chunks that a search may read, of these versions where there are any, and the paragraphs of the documents."""
    chunks = chunks_searched(corpus=corpus)
    if versions:
        chunks = chunks.filter(version__in=[UUID(version) for version in versions])
    if (allowed := chunks_allowed(corpus=corpus, filters=filters)) is not None:
        chunks = chunks.filter(pk__in=allowed.tolist())
    with_chunks = chunks.order_by().values("version")
    return chunks, Position.objects.filter(version__in=with_chunks).select_related("paragraph")


def _down_to(path: list[str], begins: str) -> tuple[str, ...]:
    """The path of headings down to that of a provision."""
    depth = next((n for n, one in enumerate(path) if re.match(begins, one, re.IGNORECASE)), len(path))
    return tuple(path[: depth + 1])


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
