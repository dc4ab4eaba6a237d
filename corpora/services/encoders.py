"""Which encoder a corpus is searched by: vectors beside those in use, the switch, the way back.

A switch is a row and a job. The job embeds every live chunk that lacks a vector by the new encoder, beside the vectors
that are searched, and builds their index where there are too many to compare one by one; the switch itself, one
transaction under the corpus's row lock, happens only when no chunk lacks a vector. A version that is uploaded meanwhile
is published with vectors by the encoder in use at that moment: before the switch it keeps the job filling, after it it
is embedded by the new one first. Vectors of an encoder that is no longer in use stay, so that a rollback fills only
what came since. Run again after a kill, each step stores the same rows.
"""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from corpora.hnsw import LATER_S, index_build, index_is_wanted
from corpora.in_force import chunks_kept
from corpora.models import Corpus, Embedding, EncoderActivation, TrainedEncoder
from corpora.selectors import activation_list, chunk_set_building, corpus_get, encoder_get, encoder_switch_pending
from corpora.services.encoding import StoredEncoder, encoder_by_name, encoder_load
from corpora.services.indexing import BATCH, CHUNKS_A_STEP, chunks_embed, chunks_lacking
from corpora.services.publishing import INDEX, index_if_large
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import Conflict
from legalqa.common.faults import ENCODER_INDEX_CRASH_POINT, crash_point
from legalqa.encoder.client import NAME
from legalqa.encoder.weights import weights_drop
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.jobs.services import JobLater, JobRefused, Lease, job_create, job_ensure, job_run

__all__ = [
    "StoredEncoder",
    "encoder_by_name",
    "encoder_clean_work",
    "encoder_fill",
    "encoder_load",
    "encoder_remove",
    "encoder_roll_back",
    "encoder_switch_work",
    "encoder_use",
]

SWITCH = "corpora.tasks.encoder_switch"
CLEAN = "corpora.tasks.encoder_clean"
GONE = "encoder_gone"
VECTORS_A_STEP = 5000  # ours: removed in well under a second


def encoder_fill(*, lease: Lease, corpus_id: UUID, name: str) -> bool:
    """Embed the next chunks of a corpus, live or replaced, that have no vector by an encoder; True once none is left.

    Opens its own short transactions. Searches compare the vectors of one encoder only, so nothing of this is found
    before the corpus switches.
    """
    with organization_scope(lease.organization_id, user=None):
        kept = chunks_kept(corpus_id=corpus_id)
        lacking = chunks_lacking(chunks=kept, encoder_name=name).order_by("pk")
        batch = list(lacking.only("pk", "heading", "text")[:CHUNKS_A_STEP])
        n_kept, n_left = (kept.count(), lacking.count()) if batch else (0, 0)
    if not batch:
        return True
    made = chunks_embed(lease=lease, corpus_id=corpus_id, batch=batch, encoder_name=name)
    with organization_scope(lease.organization_id, user=None):
        # Publishing, removing and re-indexing, which take chunks out of search, come before these rows or after them.
        Corpus.objects.select_for_update().get(pk=corpus_id)
        there = kept.filter(pk__in=[chunk.pk for chunk in batch]).select_for_update(of=("self",), no_key=True)
        here = {chunk.pk: chunk.is_live for chunk in there.only("pk", "is_live")}
        rows = [row for row in made if row.chunk_id in here]
        for row in rows:
            row.is_live = here[row.chunk_id]
        Embedding.objects.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)
        lease.advance(stage="indexing", cursor=n_kept - n_left + len(batch), total=n_kept)
    crash_point("encoder.filled")
    return False


def encoder_use(*, organization: Organization, user: User | None, corpus_id: UUID, encoder_id: UUID | None) -> Job:
    """Start switching a corpus to a trained encoder; None is the packaged one.

    Searches go on by the encoder in use until every chunk has its vector by the new one. A switch that was cancelled or
    failed is given up for this one.

    Raises:
        NotFound: no such corpus or encoder, or you have no access to it.
        Conflict: it is not ready or in use already, or a switch or an indexing is at work.
    """
    corpus = _hold(organization, corpus_id)
    target = None if encoder_id is None else encoder_get(corpus=corpus, encoder_id=encoder_id)
    if target is not None and not target.is_ready:
        raise Conflict("This encoder is not ready yet. Wait until it is trained.", code="encoder_not_ready")
    if _name(target) == corpus.encoder:
        raise Conflict("This encoder is already in use.", code="encoder_in_use")
    return _switch_start(organization, user, corpus, target, is_rollback=False)


def encoder_roll_back(*, organization: Organization, user: User | None, corpus_id: UUID) -> Job:
    """Start switching a corpus back to what it used before the encoder that it uses now.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: nothing was activated yet, or a switch or an indexing is under way.
    """
    corpus = _hold(organization, corpus_id)
    used = list(activation_list(corpus=corpus)[:2])
    if not used:
        raise Conflict("The packaged encoder is in use; there is no previous one.", code="nothing_before")
    before = used[1].encoder if len(used) > 1 else None
    return _switch_start(organization, user, corpus, before, is_rollback=True)


def _hold(organization: Organization, corpus_id: UUID) -> Corpus:
    """The corpus, locked, so that what is in use and what is at work stay as they are read."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return Corpus.objects.select_for_update().get(pk=corpus.pk)


def _name(encoder: TrainedEncoder | None) -> str:
    return NAME if encoder is None else encoder.name


def _switch_start(
    organization: Organization, user: User | None, corpus: Corpus, target: TrainedEncoder | None, *, is_rollback: bool
) -> Job:
    building, pending = chunk_set_building(corpus=corpus), encoder_switch_pending(corpus=corpus)
    at_work = [found.pk for found in (building, pending) if found is not None]
    jobs = job_latest_by_subject(organization=organization, subject_ids=at_work)
    if pending is not None and pending.pk in jobs and jobs[pending.pk].is_open:
        raise Conflict(
            "The corpus is already switching encoders. Wait until it is done, or cancel it.", code="switch_open"
        )
    if building is not None and building.pk in jobs and jobs[building.pk].is_open:
        raise Conflict("The index is being rebuilt. Wait until it is done, or cancel it first.", code="reindex_open")
    if pending is not None:
        pending.delete()
    activation = EncoderActivation.objects.create(
        organization=organization, corpus=corpus, encoder=target, is_rollback=is_rollback, created_by=user
    )
    audit(
        organization=organization,
        actor=user,
        action="encoder.rolled_back" if is_rollback else "encoder.activated",
        subject_id=corpus.pk,
        encoder=_name(target),
    )
    return job_create(organization=organization, task=SWITCH, subject_id=activation.pk, user=user, corpus_id=corpus.pk)


def encoder_switch_work(*, job_id: UUID) -> None:
    """Work on a switch until searches use the encoder, or the slice is over."""
    job_run(job_id, switch_slice)


def switch_slice(lease: Lease) -> bool:
    """Do steps until the lease's time is over, and at least one; True once searches use the encoder.

    Raises:
        JobRefused: the encoder was removed, or another switch took this one's place.
        JobLater: the new vectors need an index, and another one is being built.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            found = EncoderActivation.objects.filter(pk=lease.subject_id).select_related("encoder")
            activation = found.defer("encoder__artefact", "encoder__data").first()
        if activation is None:
            raise JobRefused(GONE)
        if activation.switched_at is not None:
            return True
        if encoder_fill(lease=lease, corpus_id=activation.corpus_id, name=_name(activation.encoder)):
            _index(activation, lease)
            crash_point("encoder.before_switch")
            _switch(activation, lease)
            crash_point("encoder.switched")
        if lease.is_over:
            return False


def _index(activation: EncoderActivation, lease: Lease) -> None:
    """Build the index of the new vectors where searches will need one: without it they would compare every vector."""
    coming = Corpus(pk=activation.corpus_id, encoder=_name(activation.encoder))
    with organization_scope(lease.organization_id, user=None):
        is_wanted = index_is_wanted(corpus=coming)
    connection_give_back()
    if is_wanted:
        if not index_build(corpus=coming):
            raise JobLater(LATER_S)
        crash_point(ENCODER_INDEX_CRASH_POINT)


def _switch(activation: EncoderActivation, lease: Lease) -> None:
    """Let searches compare the vectors of the encoder, if no live chunk lacks one; else leave it to the next step.

    The corpus's row lock keeps publishing and re-indexing out; searches go on and see one encoder or the other.
    """
    name = _name(activation.encoder)
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.select_for_update().get(pk=activation.corpus_id)
        kept = chunks_kept(corpus_id=corpus.pk)
        if chunks_lacking(chunks=kept, encoder_name=name).exists():
            return
        mine = EncoderActivation.objects.filter(pk=activation.pk, switched_at=None)
        if activation.is_rollback and (newest := activation_list(corpus=corpus).first()) is not None:
            EncoderActivation.objects.filter(pk=newest.pk).update(undone_at=timezone.now())
        if not mine.update(switched_at=timezone.now()):
            raise JobRefused(GONE)
        corpus.encoder = name
        corpus.version += 1
        corpus.save(update_fields=["encoder", "version"])
        index_if_large(corpus)
        lease.advance(stage="indexing", cursor=1, total=1)  # last: it locks the job's row, which its keeper needs


def encoder_remove(*, organization: Organization, user: User | None, corpus_id: UUID, encoder_id: UUID) -> None:
    """Remove a trained encoder with its questions and its report; its vectors go in the background.

    Raises:
        NotFound: no such corpus or encoder, or you have no access to it.
        Conflict: it is in use, is being trained, or the corpus is switching to it.
    """
    corpus = _hold(organization, corpus_id)
    encoder = encoder_get(corpus=corpus, encoder_id=encoder_id)
    if encoder.name == corpus.encoder:
        raise Conflict("This encoder is in use. Switch to another one first.", code="encoder_in_use")
    pending = encoder_switch_pending(corpus=corpus)
    subjects = [encoder.pk, *([pending.pk] if pending is not None and pending.encoder_id == encoder.pk else [])]
    if any(job.is_open for job in job_latest_by_subject(organization=organization, subject_ids=subjects).values()):
        raise Conflict("Work on this encoder is under way. Cancel it first.", code="encoder_busy")
    name = encoder.name
    encoder.delete()
    if name:
        transaction.on_commit(lambda: weights_drop(name))
    job_ensure(organization=organization.pk, task=CLEAN, subject_id=corpus.pk, corpus_id=corpus.pk)
    audit(organization=organization, actor=user, action="encoder.removed", subject_id=corpus.pk)


def encoder_clean_work(*, job_id: UUID) -> None:
    """Remove a corpus's vectors by encoders that it no longer has, until none is left or the slice is over."""
    job_run(job_id, clean_slice)


def clean_slice(lease: Lease) -> bool:
    """Remove a bounded number of vectors at a time; True once none is left."""
    while True:
        with organization_scope(lease.organization_id, user=None):
            corpus = Corpus.objects.select_for_update(of=("self",)).filter(pk=lease.subject_id).first()
            if corpus is None:
                return True
            known = [NAME, *(row.name for row in TrainedEncoder.objects.filter(corpus=corpus).only("fingerprint"))]
            left = Embedding.objects.filter(corpus=corpus).exclude(encoder__in=known).values("pk")[:VECTORS_A_STEP]
            n_removed, _ = Embedding.objects.filter(pk__in=left).delete()
            if not n_removed:
                job_ensure(organization=lease.organization_id, task=INDEX, subject_id=corpus.pk, corpus_id=corpus.pk)
            lease.advance(stage="cleaning")
        if not n_removed:
            return True
        if lease.is_over:
            return False
