"""Chunk sets of a corpus side by side: one is live, others are kept to be compared by searches that name them.

A kept set is filled by the steps of a rebuild (`corpora.services.reindexing`) and goes live by its switch, which keeps
the set that was live, so the way back is a switch as well. Documents that are published later are not chunked for kept
sets: these are then behind, which every list says, and no search reads them. Filling a set again chunks only what it
lacks.
"""

from typing import Any
from uuid import UUID

from corpora.models import ChunkSet, Corpus
from corpora.selectors import encoder_names
from corpora.services.asking import model_check
from corpora.services.contexts import context_check
from corpora.services.corpus import chunker_check, corpus_lock
from corpora.services.encoders import CLEAN
from corpora.services.reindexing import (
    CLEANING,
    REINDEX,
    REPLACED,
    chunk_set_create,
    chunk_set_retire,
    documents_behind,
    reindex_alone_check,
)
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, existing
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest, jobs_open
from legalqa.jobs.services import JobRefused, job_create, job_ensure

FILL = "corpora.tasks.chunk_set_fill"
KEPT_MAX = 8  # ours: each holds the whole corpus once more


def chunk_set_keep(
    *, organization: Organization, user: User | None, corpus_id: UUID, chunker: dict[str, Any], context: str = ""
) -> Job:
    """Start to split a corpus by another chunker beside the live one, to compare the two.

    Args:
        context: What is before a chunk's text when it is embedded, one of CONTEXTS; "" for the corpus's own.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the chunker's settings are wrong, or need a language model and none is set up.
        Conflict: a set of these settings is there, or there are KEPT_MAX already.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    config, context = chunker_check(settings=chunker), context_check(context=context or corpus.context)
    model_check(organization=organization, kind=config.kind, context=context)
    there = ChunkSet.objects.filter(corpus=corpus, retired_at=None)
    if (same := there.filter(fingerprint=config.fingerprint(), context=context).first()) is not None:
        raise Conflict(
            f"The chunk set {same.name} already has these settings. Use it, or change a setting.",
            code="chunk_set_there",
        )
    if there.filter(is_kept=True).count() >= KEPT_MAX:
        raise Conflict(f"At most {KEPT_MAX} chunk sets are kept. Remove one first.", code="too_many_chunk_sets")
    chunk_set = chunk_set_create(corpus=corpus, config=config, context=context, is_kept=True)
    audit(organization=organization, actor=user, action="chunk_set.kept", subject_id=corpus.pk, chunker=chunk_set.name)
    return _job(organization, user, chunk_set, FILL)


def chunk_set_update(*, organization: Organization, user: User | None, corpus_id: UUID, chunk_set_id: UUID) -> Job:
    """Start to bring a kept set up to date: only what it lacks is cut and embedded.

    Raises:
        NotFound: no such corpus or kept set, or you have no access to it.
        Conflict: work on it is under way.
    """
    chunk_set = _kept(organization, corpus_id, chunk_set_id)
    return _job(organization, user, chunk_set, FILL)


def chunk_set_use(*, organization: Organization, user: User | None, corpus_id: UUID, chunk_set_id: UUID) -> Job:
    """Start to make a kept set the one that is searched; what it lacks is filled first, and the live one is kept.

    Raises:
        NotFound, Conflict: as `chunk_set_update`; Conflict also where the index is being rebuilt.
    """
    chunk_set = _kept(organization, corpus_id, chunk_set_id)
    reindex_alone_check(corpus=chunk_set.corpus)
    audit(organization=organization, actor=user, action="chunk_set.used", subject_id=corpus_id, chunker=chunk_set.name)
    return _job(organization, user, chunk_set, REINDEX)


def chunk_set_fill_retry_check(*, organization: Organization, subject_id: UUID) -> None:
    """Before a fill is tried again.

    Raises:
        JobRefused: the set was removed, or is live by now.
        Conflict: as `chunk_set_update`.
    """
    chunk_set = ChunkSet.objects.filter(pk=subject_id, is_kept=True, retired_at=None).first()
    if chunk_set is None:
        raise JobRefused(REPLACED)
    _kept(organization, chunk_set.corpus_id, chunk_set.pk)


def reindex_retry_check(*, organization: Organization, subject_id: UUID) -> str:
    """Before a rebuild, or the use of a kept set, is tried again; returns its stage, which says whether it was live.

    Raises:
        JobRefused: the set was removed, or another took its place after it had gone live.
        Conflict: as `chunk_set_use`.
    """
    chunk_set = ChunkSet.objects.filter(pk=subject_id, retired_at=None).first()
    job = job_latest(organization=organization, subject_id=subject_id, task=REINDEX)
    was_live = job is not None and job.stage == CLEANING
    if chunk_set is None or (was_live and not chunk_set.is_live):
        raise JobRefused(REPLACED)
    corpus = corpus_lock(organization=organization, corpus_id=chunk_set.corpus_id)
    _idle_check(organization, chunk_set)
    reindex_alone_check(corpus=corpus)
    return CLEANING if chunk_set.is_live else ""


def chunk_set_remove(*, organization: Organization, user: User | None, corpus_id: UUID, chunk_set_id: UUID) -> None:
    """Remove a kept set; its chunks and vectors go in the background.

    Raises:
        NotFound, Conflict: as `chunk_set_update`.
    """
    chunk_set = _kept(organization, corpus_id, chunk_set_id)
    chunk_set_retire(chunk_set=chunk_set)
    job_ensure(organization=organization.pk, task=CLEAN, subject_id=corpus_id, corpus_id=corpus_id)
    audit(
        organization=organization, actor=user, action="chunk_set.removed", subject_id=corpus_id, chunker=chunk_set.name
    )


def corpus_compared(*, corpus: Corpus, chunk_set: str = "", encoder: str = "") -> Corpus:
    """The corpus, to be searched by a kept chunk set and by another encoder's vectors; "" leaves either as it is.

    Changes the row in memory alone. What is behind is refused: a search of half the documents would compare nothing.

    Raises:
        ApplicationError: no such set or encoder.
        Conflict: it is behind.
    """
    live = ChunkSet.objects.filter(corpus=corpus, is_live=True).first()
    named = live
    if encoder:
        _encoder_check(corpus, encoder)
        corpus.encoder = encoder
    if chunk_set and (live is None or chunk_set != live.name):
        chunk_sets = {one.name: one for one in ChunkSet.objects.filter(corpus=corpus, is_kept=True, retired_at=None)}
        named = chunk_sets.get(chunk_set)
        if named is None:
            choices = ", ".join([*([live.name] if live else []), *chunk_sets])
            raise ApplicationError(
                f"The corpus has no chunk set {chunk_set[:80]!r}; it has: {choices or 'none yet'}.", code="no_chunk_set"
            )
    if named is None:
        return corpus
    if (encoder or named is not live) and (n := documents_behind(chunk_set=named, encoder_name=corpus.encoder)):
        raise Conflict(
            f"The chunk set {named.name} lacks {n} document{'s' * (n != 1)} by the encoder {corpus.encoder}. Bring it "
            "up to date, then search again.",
            code="chunk_set_behind",
        )
    if named is not live:
        if named.filled_at is None:
            raise Conflict(
                f"The chunk set {named.name} is still being built. Wait until it is done, then search again.",
                code="chunk_set_behind",
            )
        corpus.kept_set = (named.pk, named.filled_at)
    return corpus


def _encoder_check(corpus: Corpus, name: str) -> None:
    names = encoder_names(corpus=corpus)
    if name not in names:
        raise ApplicationError(
            f"The corpus has no encoder {name[:80]!r}; it has: {', '.join(names)}.", code="no_encoder"
        )


def _kept(organization: Organization, corpus_id: UUID, chunk_set_id: UUID) -> ChunkSet:
    """A kept set on which nobody works, with its corpus locked."""
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    chunk_set = existing(
        ChunkSet.objects.filter(corpus=corpus, pk=chunk_set_id, is_kept=True, retired_at=None).first(), "chunk set"
    )
    _idle_check(organization, chunk_set)
    return chunk_set


def _idle_check(organization: Organization, chunk_set: ChunkSet) -> None:
    if jobs_open(organization=organization).filter(subject_id=chunk_set.pk).exists():
        raise Conflict("Work on this chunk set is under way. Cancel it first.", code="chunk_set_busy")


def _job(organization: Organization, user: User | None, chunk_set: ChunkSet, task: str) -> Job:
    return job_create(
        organization=organization, task=task, subject_id=chunk_set.pk, user=user, corpus_id=chunk_set.corpus_id
    )
