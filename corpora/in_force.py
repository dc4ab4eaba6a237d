"""Which version of a document was in force on a day, and what a search as of that day reads."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from corpora.models import Chunk, Corpus, DocumentVersion, Embedding, Position, VersionState
from legalqa.common.dates import day_words
from legalqa.common.errors import Conflict


@dataclass(frozen=True, slots=True)
class DatedVersion:
    """A version of a document: the day on which it took effect, if known, and the day it was added."""

    id: UUID
    number: int
    effective: date | None
    added: date


def version_in_force(versions: Iterable[DatedVersion], *, day: date) -> DatedVersion | None:
    """The version of one document that was in force on a day; None where there was none yet.

    A version is in force from its effective date, else from the day it was added, until the next one begins. A version
    without an effective date begins no later than a later version does, which replaced it. Of two that begin on one
    day, the later version counts.
    """
    best: tuple[date, DatedVersion] | None = None
    first_after = date.max
    for version in sorted(versions, key=lambda v: v.number, reverse=True):
        start = min(version.added, first_after) if version.effective is None else version.effective
        first_after = min(first_after, start)
        if start <= day and (best is None or start > best[0]):
            best = (start, version)
    return None if best is None else best[1]


def versions_in_force(*, day: date, **where: Any) -> dict[UUID, UUID]:
    """The version in force on a day of each document, by document; those that had none yet are left out.

    Args:
        day: The day.
        where: Which versions count, as `QuerySet.filter` takes it.
    """
    was_searched = Q(ready_at__isnull=False) | Q(n_chunks__gt=0)
    states = (VersionState.READY, VersionState.SUPERSEDED)
    rows = DocumentVersion.objects.filter(was_searched, state__in=states, document__removed_at=None, **where)
    by_document: dict[UUID, list[DatedVersion]] = defaultdict(list)
    columns = ("document_id", "pk", "number", "effective_date", "ready_at", "created_at")
    for document_id, pk, number, effective, ready_at, created_at in rows.values_list(*columns):
        added = timezone.localdate(ready_at or created_at)
        by_document[document_id].append(DatedVersion(pk, number, effective, added))
    chosen = {document_id: version_in_force(versions, day=day) for document_id, versions in by_document.items()}
    return {document_id: version.id for document_id, version in chosen.items() if version is not None}


@dataclass(frozen=True, slots=True)
class Awaited:
    """The current version of a document that takes effect on a later day, and the one that is searched until then."""

    version_id: UUID
    number: int
    day: date
    until_id: UUID
    until_number: int

    @property
    def words(self) -> str:
        return f"takes effect on {day_words(self.day)}; until then version {self.until_number} is searched"


def versions_awaited(**where: Any) -> dict[UUID, Awaited]:
    """By document, the current version that takes effect later while an earlier, indexed one is in force today.

    A version with a later day that replaces none in force is searched from the first, and is not among them.

    Args:
        where: Which versions count, as `QuerySet.filter` takes it.
    """
    today = timezone.localdate()
    later = _live_versions().filter(effective_date__gt=today, **where)
    coming = {row[0]: row[1:] for row in later.values_list("document_id", "pk", "number", "effective_date")}
    if not coming:
        return {}
    until = versions_in_force(day=today, document__in=list(coming))
    rows = DocumentVersion.objects.filter(pk__in=until.values())
    numbers = dict(rows.values_list("pk", "number"))
    cut = Chunk.objects.filter(version__in=until.values(), chunk_set__is_live=True, is_parent=False)
    searchable = set(cut.order_by().values_list("version_id", flat=True).distinct())
    searchable |= set(rows.filter(n_chunks=0).values_list("pk", flat=True))
    return {
        document: Awaited(pk, number, day, until[document], numbers[until[document]])
        for document, (pk, number, day) in coming.items()
        if day and until.get(document) in searchable
    }


def awaited_words(*, document_id: UUID) -> str:
    """From when the current version of a document is searched; "" where it is searched already."""
    awaited = versions_awaited(document=document_id).get(document_id)
    return f"Version {awaited.number} {awaited.words}." if awaited else ""


def corpus_as_of(*, corpus: Corpus, day: date | None) -> Corpus:
    """The corpus, to be searched as it was in force on a day; where nothing differs, as it is now.

    Without a day, documents whose current version is not in force yet are read in the version that is; the others,
    whatever their dates, in the current one.

    Raises:
        Conflict: a version of that day is not indexed, because it was replaced before versions were kept searchable.
    """
    live = versions_live(corpus=corpus)
    if day is None:
        if awaited := versions_awaited(corpus=corpus):
            others = live.exclude(document__in=list(awaited)).values_list("pk", flat=True)
            corpus.as_of_versions = tuple(sorted([*others, *(one.until_id for one in awaited.values())]))
            corpus.is_as_of_today = True
        return corpus
    in_force = set(versions_in_force(day=day, corpus=corpus).values())
    if in_force == set(live.values_list("pk", flat=True)):
        return corpus
    corpus.as_of_versions = tuple(sorted(in_force))
    cut = chunks_searched(corpus=corpus).order_by().values("version_id")
    lacking = DocumentVersion.objects.filter(pk__in=in_force, n_chunks__gt=0).exclude(pk__in=cut)
    if missing := lacking.select_related("document").defer("text").first():
        raise Conflict(
            f"Version {missing.number} of {missing.document.title!r} was in force on that day and is not indexed any "
            "more. Rebuild the index of the corpus, then ask again.",
            code="version_not_indexed",
        )
    return corpus


def _live_versions() -> QuerySet[DocumentVersion]:
    """The current versions of documents that were not removed."""
    return DocumentVersion.objects.filter(document__current=F("pk"), document__removed_at=None)


def versions_live(*, corpus: Corpus) -> QuerySet[DocumentVersion]:
    """The current versions of the documents of a corpus."""
    return _live_versions().filter(corpus=corpus)


def versions_searched(*, corpus: Corpus) -> QuerySet[DocumentVersion]:
    """The versions that searches of a corpus read: the current ones, or those of the day that was named."""
    if corpus.as_of_versions is None:
        return versions_live(corpus=corpus)
    return DocumentVersion.objects.filter(pk__in=corpus.as_of_versions)


def positions_live(*, corpus: Corpus) -> QuerySet[Position]:
    """The places of the paragraphs of current versions; none of removed documents."""
    return Position.objects.filter(
        version__corpus=corpus, version__document__current=F("version"), version__document__removed_at=None
    )


def positions_today(*, corpora: "QuerySet[Corpus] | Iterable[Corpus]") -> QuerySet[Position]:
    """The places of the paragraphs of the versions that a question of today is answered from."""
    awaited = versions_awaited(corpus__in=corpora).values()
    is_current = Q(version__document__current=F("version")) & ~Q(version__in=[one.version_id for one in awaited])
    is_until_then = Q(version__in=[one.until_id for one in awaited])
    return Position.objects.filter(
        is_current | is_until_then, version__corpus__in=corpora, version__document__removed_at=None
    )


def chunks_searched(*, corpus: Corpus) -> QuerySet[Chunk]:
    """The chunks that searches of a corpus read: the live ones, or those of the day and the set that were named."""
    if corpus.is_searched_as_live:
        return Chunk.objects.filter(corpus=corpus, is_live=True)
    of_set = Q(chunk_set__is_live=True) if corpus.kept_set is None else Q(chunk_set=corpus.kept_set[0])
    if corpus.as_of_versions is None:
        of_day = Q(version__document__current=F("version"), document__removed_at=None)
    else:
        of_day = Q(version__in=corpus.as_of_versions)
    return Chunk.objects.filter(of_set, of_day, corpus=corpus, is_parent=False)


def windows_searched(*, corpus: Corpus) -> QuerySet[Embedding]:
    """The vectors that searches of a corpus compare, by its encoder."""
    windows = Embedding.objects.filter(corpus=corpus, encoder=corpus.encoder)
    if corpus.is_searched_as_live:
        return windows.filter(is_live=True)
    return windows.filter(chunk__in=chunks_searched(corpus=corpus).values("pk"))


def chunks_kept(*, corpus_id: UUID, with_kept_sets: bool = False) -> QuerySet[Chunk]:
    """The chunks that a search may read, as of now or as of a former day; of kept chunk sets where they are wanted."""
    condition = Q(is_live=True) | Q(chunk_set__is_live=True, version__state=VersionState.SUPERSEDED)
    if with_kept_sets:
        condition |= Q(chunk_set__is_kept=True, chunk_set__retired_at=None)
    return Chunk.objects.filter(condition, corpus_id=corpus_id, is_parent=False)


def searched_mark(corpus: Corpus) -> str:
    """A key for searches of different days and chunk sets; "" for a search of what is live."""
    day = sha256(b"".join(v.bytes for v in corpus.as_of_versions)).hexdigest() if corpus.as_of_versions else ""
    if corpus.as_of_versions == ():
        day = "none"
    return day if corpus.kept_set is None else f"{day} {corpus.kept_set[0]} {corpus.kept_set[1].isoformat()}"
