"""Reading what a search needs: the chunks a filter lets through, and the paragraphs behind chunks."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np
from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, TextField, Value
from numpy.typing import NDArray

from corpora.models import Chunk, Corpus, Position, VersionState
from retrieval.types import Filters


def chunks_allowed(*, corpus: Corpus, filters: Filters) -> NDArray[np.int64] | None:
    """Ids of the live chunks that meet the filters; None where there is nothing to meet.

    Excluded paragraphs are left out later, when chunks are opened into paragraphs: their neighbours stay.
    """
    conditions = Q()
    if filters.document_ids:
        conditions &= Q(document_id__in=filters.document_ids)
    if filters.kinds:
        conditions &= Q(version__kind__in=filters.kinds)
    if filters.date_from:
        conditions &= Q(version__effective_date__gte=filters.date_from)
    if filters.date_to:
        conditions &= Q(version__effective_date__lte=filters.date_to)
    if filters.heading:
        conditions &= Q(Exists(_under_heading(filters.heading)))
    if not conditions:
        return None
    ids = Chunk.objects.filter(conditions, corpus=corpus, is_live=True).values_list("pk", flat=True)
    return np.fromiter(ids, np.int64)


def _under_heading(heading: str) -> QuerySet[Position]:
    """Paragraphs of the outer chunk that stand under a heading, at whatever level, with these words."""
    path = Func(F("heading_path"), Value(" › "), function="array_to_string", output_field=TextField())
    return Position.objects.annotate(path=path).filter(
        path__icontains=heading,
        version=OuterRef("version"),
        ordinal__gte=OuterRef("first_paragraph"),
        ordinal__lte=OuterRef("last_paragraph"),
    )


def chunk_map(*, chunk_ids: Sequence[int]) -> dict[int, Chunk]:
    """Chunks by id with their documents, without the columns that only scoring reads; those still live."""
    chunks = Chunk.objects.filter(pk__in=chunk_ids, is_live=True).select_related("document", "version")
    return chunks.only(
        "document__title",
        "version__number",
        "version__kind",
        "first_paragraph",
        "last_paragraph",
        "organization_id",
    ).in_bulk()


def chunk_texts(*, chunk_ids: Sequence[int]) -> dict[int, str]:
    """The texts of live chunks by id."""
    return dict(Chunk.objects.filter(pk__in=chunk_ids, is_live=True).values_list("pk", "text"))


def corpus_size(*, corpus: Corpus) -> int:
    """How many passages a search of the corpus can find."""
    live = Position.objects.filter(version__corpus=corpus, version__state=VersionState.READY)
    return live.exclude(kind="heading").count()


def positions_of_chunks(*, chunks: Sequence[Chunk]) -> dict[int, list[Position]]:
    """The paragraphs that each chunk touches, in reading order, by chunk id."""
    ordinals: dict[UUID, set[int]] = {}
    for chunk in chunks:
        ordinals.setdefault(chunk.version_id, set()).update(range(chunk.first_paragraph, chunk.last_paragraph + 1))
    wanted = Q(pk=None)
    for version_id, touched in ordinals.items():
        wanted |= Q(version_id=version_id, ordinal__in=touched)
    found: dict[tuple[object, int], Position] = {
        (p.version_id, p.ordinal): p for p in Position.objects.filter(wanted).select_related("paragraph")
    }
    return {
        chunk.pk: [
            found[key]
            for ordinal in range(chunk.first_paragraph, chunk.last_paragraph + 1)
            if (key := (chunk.version_id, ordinal)) in found
        ]
        for chunk in chunks
    }
