"""Reading what a search needs: the chunks a filter lets through, and the paragraphs behind chunks."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from uuid import UUID

import numpy as np
from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, TextField, Value
from numpy.typing import NDArray

from corpora.in_force import chunks_searched, corpus_as_of
from corpora.models import Chunk, Corpus, Position, VersionState
from corpora.selectors import corpus_get
from corpora.services import corpus_compared
from legalqa.accounts.models import Organization
from retrieval.types import Filters


def corpus_searched(
    *, organization: Organization, corpus_id: UUID, filters: Filters, compared: Mapping[str, str]
) -> Corpus:
    """The corpus as of the day that the filters name, and by the index that a preset compares ({} for what is live).

    Raises:
        NotFound, ApplicationError, Conflict: as `corpus_get`, `corpus_as_of` and `corpus_compared`.
    """
    corpus = corpus_as_of(corpus=corpus_get(organization=organization, corpus_id=corpus_id), day=filters.as_of)
    return corpus_compared(corpus=corpus, **compared) if compared else corpus


def chunks_allowed(*, corpus: Corpus, filters: Filters) -> NDArray[np.int64] | None:
    """Ids of the searched chunks that meet the filters; None where there is nothing to meet.

    A chunk whose paragraphs are all excluded is not let through, so that it takes no other one's place. Of the others
    the excluded paragraphs are left out when chunks are opened into paragraphs: their neighbours stay.
    """
    conditions = _conditions(corpus, filters)
    if not conditions and corpus.is_searched_as_live:
        return None
    ids = chunks_searched(corpus=corpus).filter(conditions).values_list("pk", flat=True)
    return np.fromiter(ids, np.int64)


def documents_searched_count(*, corpus: Corpus, filters: Filters) -> int:
    """How many documents meet the filters."""
    chunks = chunks_searched(corpus=corpus).filter(_conditions(corpus, filters))
    return chunks.order_by().values("version_id").distinct().count()


def _conditions(corpus: Corpus, filters: Filters) -> Q:
    """What the filters ask of a chunk; empty where they ask nothing."""
    conditions = Q()
    if filters.document_ids:
        conditions &= Q(document_id__in=filters.document_ids)
    if filters.kinds:
        conditions &= Q(version__kind__in=filters.kinds)
    if filters.kind:
        conditions &= Q(document__kind__in=filters.kind)
    if filters.jurisdiction:
        conditions &= _any_of("jurisdiction", filters.jurisdiction)
    if filters.authority:
        conditions &= _any_of("authority", filters.authority)
    if filters.date_from:
        conditions &= Q(version__effective_date__gte=filters.date_from)
    if filters.date_to:
        conditions &= Q(version__effective_date__lte=filters.date_to)
    if filters.heading:
        conditions &= Q(Exists(_under_heading(filters.heading)))
    if filters.excluded_paragraph_ids and (closed := _chunks_excluded(corpus, filters.excluded_paragraph_ids)):
        conditions &= ~Q(pk__in=closed)
    return conditions


def _any_of(field: str, values: Sequence[str]) -> Q:
    """The field of the document is one of the values, in any case."""
    return reduce(or_, (Q(**{f"document__{field}__iexact": value}) for value in values))


def _chunks_excluded(corpus: Corpus, paragraph_ids: Sequence[str]) -> list[int]:
    """Searched chunks in which nothing is left but headings."""
    is_excluded = Q(paragraph__public_id__in=paragraph_ids) | Q(paragraph__external_id__in=paragraph_ids)
    positions = Position.objects.filter(is_excluded, version__corpus=corpus)
    rest = Position.objects.exclude(is_excluded | Q(kind="heading")).filter(
        version=OuterRef("version"), ordinal__gte=OuterRef("first_paragraph"), ordinal__lte=OuterRef("last_paragraph")
    )
    chunks = chunks_searched(corpus=corpus).filter(version__in=positions.values("version"))
    return list(chunks.exclude(Exists(rest)).values_list("pk", flat=True))


def _under_heading(heading: str) -> QuerySet[Position]:
    """Paragraphs of the outer chunk that are under a heading, at whatever level, with these words."""
    path = Func(F("heading_path"), Value(" › "), function="array_to_string", output_field=TextField())
    return Position.objects.annotate(path=path).filter(
        path__icontains=heading,
        version=OuterRef("version"),
        ordinal__gte=OuterRef("first_paragraph"),
        ordinal__lte=OuterRef("last_paragraph"),
    )


def chunk_map(*, corpus: Corpus, chunk_ids: Sequence[int]) -> dict[int, Chunk]:
    """Chunks by id with their documents, without the columns that only scoring reads; those still searched."""
    chunks = chunks_searched(corpus=corpus).filter(pk__in=chunk_ids).select_related("document", "version")
    return chunks.only(
        "chunk_set",
        "document__title",
        "version__number",
        "version__kind",
        "first_paragraph",
        "last_paragraph",
        "organization_id",
    ).in_bulk()


def chunk_texts(*, corpus: Corpus, chunk_ids: Sequence[int]) -> dict[int, str]:
    """The texts of chunks by id; those still searched."""
    return dict(chunks_searched(corpus=corpus).filter(pk__in=chunk_ids).values_list("pk", "text"))


def is_heading_alone() -> Q:
    """Which chunks are one heading and nothing else: no search gives them as evidence."""
    heading = Position.objects.filter(version=OuterRef("version"), ordinal=OuterRef("first_paragraph"), kind="heading")
    return Q(Exists(heading), last_paragraph=F("first_paragraph"))


def has_passages(*, corpus: Corpus) -> bool:
    """Whether there is anything that a search of the corpus can find."""
    live = Position.objects.filter(version__corpus=corpus, version__state=VersionState.READY)
    return live.exclude(kind="heading").exists()


def positions_of_chunks(*, chunks: Sequence[Chunk]) -> dict[int, list[Position]]:
    """The paragraphs that each chunk touches, in reading order, by chunk id."""
    ordinals: dict[UUID, set[int]] = {}
    for chunk in chunks:
        ordinals.setdefault(chunk.version_id, set()).update(range(chunk.first_paragraph, chunk.last_paragraph + 1))
    condition = Q(pk=None)
    for version_id, numbers in ordinals.items():
        condition |= Q(version_id=version_id, ordinal__in=numbers)
    positions: dict[tuple[object, int], Position] = {
        (p.version_id, p.ordinal): p for p in Position.objects.filter(condition).select_related("paragraph")
    }
    return {
        chunk.pk: [
            positions[key]
            for ordinal in range(chunk.first_paragraph, chunk.last_paragraph + 1)
            if (key := (chunk.version_id, ordinal)) in positions
        ]
        for chunk in chunks
    }
