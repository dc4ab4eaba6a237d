"""Rebuilding the index of a corpus beside the index that is searched, and switching when the new one is complete.

A build is a chunk set that is not live, filled by a job version after version. What is uploaded, changed or removed
meanwhile goes to the live set as ever; the switch, one transaction under the corpus's row lock, happens only when the
new set holds exactly the versions that are searchable then. Run again after a kill, each step stores the same rows.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from corpora.configs import ChunkerConfig
from corpora.models import Chunk, ChunkSet, Corpus, DocumentVersion, Embedding, VersionState
from corpora.selectors import chunk_set_building
from corpora.services.asking import model_check
from corpora.services.chunking import chunk_rows, version_paragraphs
from corpora.services.contexts import context_check
from corpora.services.corpus import chunker_check, corpus_change, corpus_lock
from corpora.services.indexing import BATCH, chunks_embed, chunks_lacking, chunks_to_embed
from corpora.services.notices import index_notice
from corpora.services.publishing import corpus_index_ensure
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import Conflict
from legalqa.common.faults import crash_point
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import jobs_open
from legalqa.jobs.services import JobLost, JobRefused, Lease, job_create
from legalqa.jobs.sliced import job_task

REINDEX = "corpora.tasks.corpus_reindex"
REPLACED = "index_replaced"
CLEANING = "cleaning"  # the stage of a build that is searched already


def corpus_reindex(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    chunker: dict[str, Any] | None = None,
    context: str = "",
) -> Job:
    """Start to rebuild the index of a corpus, with another chunker or with its own again.

    A build that was cancelled or failed is given up for the new one.

    Args:
        context: What is before a chunk's text when it is embedded, one of CONTEXTS; "" for the corpus's own.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the chunker's settings are wrong, or need a language model and none is set up.
        Conflict: a build is at work.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    config = chunker_check(settings=chunker or corpus.chunker)
    context = context_check(context=context or corpus.context)
    model_check(organization=organization, kind=config.kind, context=context)
    reindex_alone_check(corpus=corpus)
    before = chunk_set_building(corpus=corpus)
    if before is not None:
        chunk_set_retire(chunk_set=before)
    chunk_set = chunk_set_create(corpus=corpus, config=config, context=context)
    audit(organization=organization, actor=user, action="corpus.reindexed", subject_id=corpus.pk, chunker=config.kind)
    return job_create(organization=organization, task=REINDEX, subject_id=chunk_set.pk, user=user, corpus_id=corpus.pk)


def reindex_alone_check(*, corpus: Corpus) -> None:
    """Raise Conflict where a chunk set of the corpus is about to go live, or has just done so.

    Of two at once, the one that is done last would decide what is searched.
    """
    if jobs_open(organization=corpus.organization_id).filter(corpus_id=corpus.pk, task=REINDEX).exists():
        raise Conflict("The index is being rebuilt. Wait until it is done, or cancel it first.", code="reindex_open")


def chunk_set_create(*, corpus: Corpus, config: ChunkerConfig, context: str, is_kept: bool = False) -> ChunkSet:
    """An empty chunk set beside the live one: to take its place, or to be kept and compared with it."""
    return ChunkSet.objects.create(
        organization_id=corpus.organization_id,
        corpus=corpus,
        chunker=config.model_dump(mode="json"),
        fingerprint=config.fingerprint(),
        context=context,
        is_live=False,
        is_kept=is_kept,
    )


@job_task
def reindex_work(*, lease: Lease) -> bool:
    """Work on a build, one step at least, until it is searched and the set before it is gone, or the slice is over.

    Raises:
        JobRefused: another build has taken this one's place.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            chunk_set = ChunkSet.objects.select_related("corpus").filter(pk=lease.subject_id).first()
        if chunk_set is None or chunk_set.retired_at is not None:
            raise JobRefused(REPLACED)
        if chunk_set.is_live:
            if _remove_retired(chunk_set, lease):
                return True
        elif not _fill_step(chunk_set, lease):
            crash_point("reindex.before_switch")
            _switch(chunk_set, lease)
            crash_point("reindex.switched")
        if lease.is_over:
            return False


@job_task
def chunk_set_fill_work(*, lease: Lease) -> bool:
    """Work on a kept chunk set, one step at least, until it holds every document or the slice is over.

    What is live stays live.

    Raises:
        JobRefused: the set was removed, or is the live one by now.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            chunk_set = ChunkSet.objects.select_related("corpus").filter(pk=lease.subject_id).first()
        if chunk_set is None or chunk_set.retired_at is not None or chunk_set.is_live:
            raise JobRefused(REPLACED)
        if not _fill_step(chunk_set, lease):
            with organization_scope(lease.organization_id, user=None):
                _hold(chunk_set)
                _drop_gone(chunk_set)
                ChunkSet.objects.filter(pk=chunk_set.pk).update(filled_at=timezone.now())
            return True
        if lease.is_over:
            return False


def _fill_step(chunk_set: ChunkSet, lease: Lease) -> bool:
    """Cut or embed some more of a set; False where it holds everything with its vectors."""
    return _embed_newest(chunk_set, lease) or _cut_next(chunk_set, lease) or _embed_left(chunk_set, lease)


def _drop_gone(chunk_set: ChunkSet) -> None:
    """Remove the chunks of versions that were replaced before they were searched, or removed, meanwhile."""
    Chunk.objects.filter(chunk_set=chunk_set).exclude(version__in=_searchable(chunk_set)).delete()


def documents_behind(*, chunk_set: ChunkSet, encoder_name: str) -> int:
    """How many versions a set does not hold with all of their vectors by an encoder."""
    cut = Chunk.objects.filter(chunk_set=chunk_set, version__in=_searchable(chunk_set))
    lacking = chunks_lacking(chunks=cut, encoder_name=encoder_name).order_by().values("version").distinct()
    return _uncut(chunk_set).count() + lacking.count()


def _searchable(chunk_set: ChunkSet) -> QuerySet[DocumentVersion]:
    """The versions with text that searches of the corpus find, as of now or as of a former day."""
    versions = DocumentVersion.objects.filter(Q(document__current=F("pk")) | Q(state=VersionState.SUPERSEDED))
    return versions.filter(corpus=chunk_set.corpus_id, n_chunks__gt=0, document__removed_at=None)


def _uncut(chunk_set: ChunkSet) -> QuerySet[DocumentVersion]:
    """Searchable versions of which the set has no chunk; every chunker finds one in a text that is not blank."""
    return _searchable(chunk_set).exclude(Exists(Chunk.objects.filter(version=OuterRef("pk"), chunk_set=chunk_set)))


def _cut_next(chunk_set: ChunkSet, lease: Lease) -> bool:
    """Cut one more version; False where all are."""
    with organization_scope(lease.organization_id, user=None):
        version = _uncut(chunk_set).select_related("corpus", "document").defer("text").order_by("pk").first()
        if version is None:
            return False
        text, paragraphs = version_paragraphs(version=version)
    rows = chunk_rows(version=version, chunk_set=chunk_set, text=text, paragraphs=paragraphs)
    with organization_scope(lease.organization_id, user=None):
        _hold(chunk_set)
        _advance(chunk_set, lease)
        Chunk.objects.bulk_create(rows, batch_size=BATCH)
    crash_point("reindex.chunked")
    return True


def _embed_newest(chunk_set: ChunkSet, lease: Lease) -> bool:
    """Embed the next chunks of the version that was cut last: no other lacks vectors. False if none is left."""
    with organization_scope(lease.organization_id, user=None):
        newest = Chunk.objects.filter(chunk_set=chunk_set).order_by("-pk").values_list("version_id", flat=True).first()
    return newest is not None and _embed_some(chunk_set, newest, lease)


def _embed_left(chunk_set: ChunkSet, lease: Lease) -> bool:
    """Embed the next chunks of a version that lacks vectors because the corpus has switched to another encoder."""
    with organization_scope(lease.organization_id, user=None):
        cut = Chunk.objects.filter(chunk_set=chunk_set)
        lacking = chunks_lacking(chunks=cut, encoder_name=chunk_set.corpus.encoder)
        version_id = lacking.values_list("version_id", flat=True).first()
    return version_id is not None and _embed_some(chunk_set, version_id, lease)


def _embed_some(chunk_set: ChunkSet, version_id: UUID, lease: Lease) -> bool:
    """Embed the next chunks of a version; False if none is left."""
    name = chunk_set.corpus.encoder
    with organization_scope(lease.organization_id, user=None):
        chunks = Chunk.objects.filter(chunk_set=chunk_set, version=version_id, is_parent=False)
        batch, n_left = chunks_to_embed(chunks=chunks, encoder_name=name)
        n_mine = chunks.count() if batch else 0
    if not batch:
        return False
    embeddings = chunks_embed(lease=lease, corpus_id=chunk_set.corpus_id, batch=batch, encoder_name=name)
    with organization_scope(lease.organization_id, user=None):
        _hold(chunk_set)
        _advance(chunk_set, lease, unfinished=version_id, share=1 - (n_left - len(batch)) / n_mine)
        there = chunks.filter(pk__in=[chunk.pk for chunk in batch]).select_for_update(no_key=True)
        here = set(there.values_list("pk", flat=True))  # a version that is replaced just now takes its chunks away
        Embedding.objects.bulk_create(
            (row for row in embeddings if row.chunk_id in here), ignore_conflicts=True, batch_size=BATCH
        )
    crash_point("reindex.embedded")
    return True


def _switch(chunk_set: ChunkSet, lease: Lease) -> None:
    """Make the set the one that is searched, if it holds what is searchable now; else leave it to the next step.

    The corpus's row lock keeps publishing and removing out; searches go on and see one set or the other.
    """
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.select_for_update().get(pk=chunk_set.corpus_id)
        _hold(chunk_set)
        _drop_gone(chunk_set)
        cut = Chunk.objects.filter(chunk_set=chunk_set)
        if _uncut(chunk_set).exists() or chunks_lacking(chunks=cut, encoder_name=corpus.encoder).exists():
            return
        for before in ChunkSet.objects.filter(corpus=corpus, is_live=True):
            Chunk.objects.filter(chunk_set=before, is_live=True).update(is_live=False)
            _replaced(before, by=chunk_set)
        Embedding.objects.filter(corpus=corpus, is_live=True).update(is_live=False)
        chunks = Chunk.objects.filter(chunk_set=chunk_set, is_parent=False)
        current = DocumentVersion.objects.filter(corpus=corpus, document__current=F("pk"))
        live = chunks.filter(version__in=current.values("pk"))
        live.update(is_live=True)
        Embedding.objects.filter(chunk__in=live.values("pk")).update(is_live=True)
        ChunkSet.objects.filter(pk=chunk_set.pk).update(is_live=True, is_kept=False)
        counts = chunks.filter(version=OuterRef("pk")).order_by().values("version").annotate(n=Count("pk")).values("n")
        _searchable(chunk_set).update(n_chunks=Coalesce(Subquery(counts, output_field=IntegerField()), 0))
        corpus.chunker, corpus.context = chunk_set.chunker, chunk_set.context
        corpus_change(corpus=corpus, fields=("chunker", "context"))
        index_notice(corpus=corpus)
        corpus_index_ensure(corpus=corpus)
        lease.advance(stage=CLEANING)  # last: it locks the job's row, which the lease's keeper needs


def _replaced(before: ChunkSet, *, by: ChunkSet) -> None:
    """Keep a set that a kept one takes the place of, for the way back; retire it where one of its settings is there."""
    alike = ChunkSet.objects.filter(
        corpus=before.corpus_id, is_kept=True, fingerprint=before.fingerprint, context=before.context
    )
    if by.is_kept and not alike.filter(retired_at=None).exists():
        ChunkSet.objects.filter(pk=before.pk).update(is_live=False, is_kept=True, filled_at=timezone.now())
    else:
        chunk_set_retire(chunk_set=before)


def chunk_set_retire(*, chunk_set: ChunkSet) -> None:
    """Take a set out of every search; its chunks are removed in the background."""
    ChunkSet.objects.filter(pk=chunk_set.pk).update(is_live=False, retired_at=timezone.now())


def chunks_retired_remove(*, corpus_id: UUID) -> int:
    """Remove one version's chunks of sets that are searched no more; how many rows went."""
    retired = Chunk.objects.filter(corpus=corpus_id, chunk_set__retired_at__isnull=False)
    target = retired.values("chunk_set_id", "version_id").first()
    return Chunk.objects.filter(**target).delete()[0] if target is not None else 0


def _remove_retired(chunk_set: ChunkSet, lease: Lease) -> bool:
    """Remove one version's chunks of sets that are searched no more; True where none are left."""
    with organization_scope(lease.organization_id, user=None):
        if not chunks_retired_remove(corpus_id=chunk_set.corpus_id):
            return True
        lease.advance(stage=CLEANING)
    crash_point("reindex.removed")
    return False


def _hold(chunk_set: ChunkSet) -> None:
    """Keep the set from being given up until this transaction ends.

    Raises:
        JobLost: it was given up already.
    """
    sets = ChunkSet.objects.select_for_update().filter(pk=chunk_set.pk, is_live=False, retired_at=None)
    if not sets.exists():
        raise JobLost


def _advance(chunk_set: ChunkSet, lease: Lease, *, unfinished: UUID | None = None, share: float = 0.0) -> None:
    """Report progress in paragraphs: those of versions with vectors, and a share of the one at work."""
    versions = _searchable(chunk_set)
    total = versions.aggregate(n=Sum("n_paragraphs"))["n"] or 0
    n_left = _uncut(chunk_set).aggregate(n=Sum("n_paragraphs"))["n"] or 0
    at_work = 0
    if unfinished is not None:
        at_work = versions.filter(pk=unfinished).values_list("n_paragraphs", flat=True).first() or 0
    lease.advance(stage="indexing", cursor=max(0, total - n_left - round(at_work * (1 - share))), total=total)


def embeddings_known(*, corpus: Corpus, text_hashes: Sequence[str]) -> int:
    """For how many of the texts, given by their hashes, the corpus has a vector by its encoder.

    Never of other corpora: the number would tell what lies behind a wall.
    """
    embeddings = Embedding.objects.filter(corpus=corpus, encoder=corpus.encoder, text_hash__in=set(text_hashes))
    hashes = set(embeddings.values_list("text_hash", flat=True))
    return sum(text_hash in hashes for text_hash in text_hashes)
