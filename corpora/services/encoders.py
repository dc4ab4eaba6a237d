"""The encoder that searches of a corpus use: new vectors beside those in use, the switch, the rollback.

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
from corpora.models import AddedEncoder, Corpus, Embedding, EncoderActivation, TrainedEncoder
from corpora.selectors import activation_list, encoder_get, encoder_names, encoder_switch_pending
from corpora.services.corpus import corpus_change, corpus_lock
from corpora.services.indexing import BATCH, CHUNKS_A_STEP, chunks_embed, chunks_lacking
from corpora.services.publishing import INDEX, corpus_index_ensure
from corpora.services.reindexing import chunks_retired_remove, reindex_alone_check
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import Conflict, existing
from legalqa.common.faults import crash_point
from legalqa.common.followers import followers_call
from legalqa.encoder.client import NAME
from legalqa.encoder.weights import weights_drop
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import jobs_open
from legalqa.jobs.services import JobLater, JobRefused, Lease, job_create, job_ensure
from legalqa.jobs.sliced import job_task

SWITCH = "corpora.tasks.encoder_switch"
CLEAN = "corpora.tasks.encoder_clean"
FILL = "corpora.tasks.encoder_fill"
GONE = "encoder_gone"
VECTORS_A_STEP = 5000  # ours: removed in well under a second

Target = TrainedEncoder | AddedEncoder


def encoder_fill(*, lease: Lease, corpus_id: UUID, name: str, with_kept_sets: bool = False) -> bool:
    """Embed the next chunks of a corpus, live or replaced, that have no vector by an encoder; True once none is left.

    With `with_kept_sets` those of the chunk sets that are kept to be compared, too.

    Opens its own short transactions. Searches compare the vectors of one encoder only, so nothing of this is found
    before the corpus switches.
    """
    with organization_scope(lease.organization_id, user=None):
        chunks = chunks_kept(corpus_id=corpus_id, with_kept_sets=with_kept_sets)
        lacking = chunks_lacking(chunks=chunks, encoder_name=name).order_by("pk")
        batch = list(lacking.only("pk", "heading", "context", "text")[:CHUNKS_A_STEP])
        n_kept, n_left = (chunks.count(), lacking.count()) if batch else (0, 0)
    if not batch:
        return True
    embeddings = chunks_embed(lease=lease, corpus_id=corpus_id, batch=batch, encoder_name=name)
    with organization_scope(lease.organization_id, user=None):
        # Publishing, removing and re-indexing, which take chunks out of search, come before these rows or after them.
        Corpus.objects.select_for_update().get(pk=corpus_id)
        there = chunks.filter(pk__in=[chunk.pk for chunk in batch]).select_for_update(of=("self",), no_key=True)
        here = {chunk.pk: chunk.is_live for chunk in there.only("pk", "is_live")}
        rows = [row for row in embeddings if row.chunk_id in here]
        for row in rows:
            row.is_live = here[row.chunk_id]
        Embedding.objects.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)
        lease.advance(stage="indexing", cursor=n_kept - n_left + len(batch), total=n_kept)
    crash_point("encoder.filled")
    return False


def encoder_fill_start(*, organization: Organization, user: User | None, corpus_id: UUID, encoder_id: UUID) -> Job:
    """Start to embed what lacks a vector by an added encoder, beside what is searched; the corpus does not switch.

    Raises:
        NotFound: no such corpus or encoder, or you have no access to it.
        Conflict: that is at work already.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    encoder = existing(AddedEncoder.objects.filter(corpus=corpus, pk=encoder_id).first(), "encoder")
    if jobs_open(organization=organization).filter(task=FILL, subject_id=encoder.pk).exists():
        raise Conflict(
            "Its vectors are already being computed. Wait until that is done, or cancel it.", code="fill_open"
        )
    return job_create(organization=organization, task=FILL, subject_id=encoder.pk, user=user, corpus_id=corpus.pk)


def encoder_fill_retry_check(*, organization: Organization, subject_id: UUID) -> None:
    """Before a fill is tried again.

    Raises:
        JobRefused: the encoder was removed.
        Conflict: the corpus is being removed.
    """
    encoder = AddedEncoder.objects.filter(pk=subject_id).first()
    if encoder is None:
        raise JobRefused(GONE)
    corpus_lock(organization=organization, corpus_id=encoder.corpus_id)


@job_task
def encoder_fill_work(*, lease: Lease) -> bool:
    """Embed what lacks a vector by an added encoder, until none is left or the slice is over."""
    with organization_scope(lease.organization_id, user=None):
        encoder = AddedEncoder.objects.filter(pk=lease.subject_id).first()
    if encoder is None:
        raise JobRefused(GONE)
    while True:
        if encoder_fill(lease=lease, corpus_id=encoder.corpus_id, name=encoder.name, with_kept_sets=True):
            return True
        if lease.is_over:
            return False


def encoder_use(*, organization: Organization, user: User | None, corpus_id: UUID, encoder_id: UUID | None) -> Job:
    """Start switching a corpus to an encoder that it trained or was given; None is the packaged one.

    Searches go on by the encoder in use until every chunk has its vector by the new one. A switch that was cancelled or
    failed is given up for this one.

    Raises:
        NotFound: no such corpus or encoder, or you have no access to it.
        Conflict: it is not ready or in use already, or a switch or an indexing is at work.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    target = None if encoder_id is None else encoder_any(corpus=corpus, encoder_id=encoder_id)
    if isinstance(target, TrainedEncoder) and not target.is_ready:
        raise Conflict("This encoder is not ready yet. Wait until it is trained.", code="encoder_not_ready")
    if (NAME if target is None else target.name) == corpus.encoder:
        raise Conflict("This encoder is already in use. Choose another.", code="encoder_in_use")
    return _switch_start(organization, user, corpus, target, is_rollback=False)


def encoder_roll_back(*, organization: Organization, user: User | None, corpus_id: UUID) -> Job:
    """Start switching a corpus back to what it used before the encoder that it uses now.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: nothing was activated yet, or a switch or an indexing is under way.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    used = list(activation_list(corpus=corpus)[:2])
    if not used:
        raise Conflict(
            "The packaged encoder is in use; there is no previous one. Activate a trained encoder instead.",
            code="nothing_before",
        )
    before = used[1].target if len(used) > 1 else None
    return _switch_start(organization, user, corpus, before, is_rollback=True)


def encoder_any(*, corpus: Corpus, encoder_id: UUID) -> Target:
    """An encoder that a corpus trained or was given.

    Raises:
        NotFound: the corpus has no such encoder.
    """
    added = AddedEncoder.objects.filter(corpus=corpus, pk=encoder_id).first()
    return added or encoder_get(corpus=corpus, encoder_id=encoder_id)


def _switch_start(
    organization: Organization, user: User | None, corpus: Corpus, target: Target | None, *, is_rollback: bool
) -> Job:
    _switch_alone_check(corpus)
    pending = encoder_switch_pending(corpus=corpus)
    if pending is not None:
        pending.delete()
    activation = EncoderActivation.objects.create(
        organization=organization,
        corpus=corpus,
        encoder=target if isinstance(target, TrainedEncoder) else None,
        added=target if isinstance(target, AddedEncoder) else None,
        is_rollback=is_rollback,
        created_by=user,
    )
    audit(
        organization=organization,
        actor=user,
        action="encoder.rolled_back" if is_rollback else "encoder.activated",
        subject_id=corpus.pk,
        encoder=activation.target_name,
    )
    return job_create(organization=organization, task=SWITCH, subject_id=activation.pk, user=user, corpus_id=corpus.pk)


def _switch_alone_check(corpus: Corpus) -> None:
    if jobs_open(organization=corpus.organization_id).filter(corpus_id=corpus.pk, task=SWITCH).exists():
        raise Conflict(
            "The corpus is already switching encoders. Wait until it is done, or cancel it.", code="switch_open"
        )
    reindex_alone_check(corpus=corpus)


def encoder_switch_retry_check(*, organization: Organization, subject_id: UUID) -> None:
    """Before a switch is tried again.

    Raises:
        JobRefused: the encoder was removed, or another switch took this one's place.
        Conflict: as `encoder_use`.
    """
    activation = EncoderActivation.objects.filter(pk=subject_id).first()
    if activation is None:
        raise JobRefused(GONE)
    _switch_alone_check(corpus_lock(organization=organization, corpus_id=activation.corpus_id))


def encoder_switch_slice(*, lease: Lease) -> bool:
    """Do steps until the lease's time is over, and at least one; True once searches use the encoder.

    Raises:
        JobRefused: the encoder was removed, or another switch took this one's place.
        JobLater: the new vectors need an index, and another one is being built.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            activations = EncoderActivation.objects.filter(pk=lease.subject_id).select_related("encoder", "added")
            activation = activations.defer("encoder__artefact", "encoder__data").first()
        if activation is None:
            raise JobRefused(GONE)
        if activation.switched_at is not None:
            return True
        if encoder_fill(lease=lease, corpus_id=activation.corpus_id, name=activation.target_name):
            _index(activation, lease)
            crash_point("encoder.before_switch")
            _switch(activation, lease)
            crash_point("encoder.switched")
        if lease.is_over:
            return False


encoder_switch_work = job_task(encoder_switch_slice)


def _index(activation: EncoderActivation, lease: Lease) -> None:
    """Build the index of the new vectors where searches will need one: without it they would compare every vector."""
    coming = Corpus(pk=activation.corpus_id, organization_id=lease.organization_id, encoder=activation.target_name)
    with organization_scope(lease.organization_id, user=None):
        is_wanted = index_is_wanted(corpus=coming)
    connection_give_back()
    if is_wanted:
        if not index_build(corpus=coming):
            raise JobLater(LATER_S)
        crash_point("encoder.indexed")


def _switch(activation: EncoderActivation, lease: Lease) -> None:
    """Let searches compare the vectors of the encoder, if no live chunk lacks one; else leave it to the next step.

    The corpus's row lock keeps publishing and re-indexing out; searches go on and see one encoder or the other.
    """
    name = activation.target_name
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.select_for_update().get(pk=activation.corpus_id)
        chunks = chunks_kept(corpus_id=corpus.pk)
        if chunks_lacking(chunks=chunks, encoder_name=name).exists():
            return
        activations = EncoderActivation.objects.filter(pk=activation.pk, switched_at=None)
        if activation.is_rollback and (newest := activation_list(corpus=corpus).first()) is not None:
            EncoderActivation.objects.filter(pk=newest.pk).update(undone_at=timezone.now())
        if not activations.update(switched_at=timezone.now()):
            raise JobRefused(GONE)
        corpus.encoder = name
        corpus_change(corpus=corpus, fields=("encoder",))
        corpus_index_ensure(corpus=corpus)
        lease.advance(stage="indexing", cursor=1, total=1)  # last, as it locks the job's row, which its keeper needs


def encoder_remove(*, organization: Organization, user: User | None, corpus_id: UUID, encoder_id: UUID) -> None:
    """Remove a trained encoder with its questions and its report, or an added one; its vectors go in the background.

    Raises:
        NotFound: no such corpus or encoder, or you have no access to it.
        Conflict: it is in use, also by what follows `encoder_removing` (settings.FOLLOWERS), is being trained, or the
            corpus is switching to it.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    encoder = encoder_any(corpus=corpus, encoder_id=encoder_id)
    if encoder.name == corpus.encoder:
        raise Conflict("This encoder is in use. Switch to another one first.", code="encoder_in_use")
    pending = encoder_switch_pending(corpus=corpus)
    subjects = [encoder.pk, *([pending.pk] if pending is not None and pending.target == encoder else [])]
    if jobs_open(organization=organization).filter(subject_id__in=subjects).exists():
        raise Conflict("Work on this encoder is under way. Cancel it first.", code="encoder_busy")
    followers_call("encoder_removing", corpus=corpus, name=encoder.name)
    name, is_trained = encoder.name, isinstance(encoder, TrainedEncoder)
    encoder.delete()
    if name and is_trained:
        transaction.on_commit(lambda: weights_drop(name))
    job_ensure(organization=organization.pk, task=CLEAN, subject_id=corpus.pk, corpus_id=corpus.pk)
    audit(organization=organization, actor=user, action="encoder.removed", subject_id=corpus.pk)


def _vectors_remove(corpus: Corpus) -> int:
    """Remove some vectors by encoders that the corpus no longer has; how many went."""
    vectors = Embedding.objects.filter(corpus=corpus).exclude(encoder__in=encoder_names(corpus=corpus)).values("pk")
    return Embedding.objects.filter(pk__in=vectors[:VECTORS_A_STEP]).delete()[0]


@job_task
def encoder_clean_work(*, lease: Lease) -> bool:
    """Remove what a corpus no longer searches, a bounded number of rows at a time, until the slice is over.

    That is vectors by encoders that it no longer has, and chunks of sets that were replaced or removed.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            corpus = Corpus.objects.select_for_update(of=("self",)).filter(pk=lease.subject_id).first()
            if corpus is None:
                return True
            n_removed = chunks_retired_remove(corpus_id=corpus.pk) or _vectors_remove(corpus)
            if not n_removed:
                job_ensure(organization=lease.organization_id, task=INDEX, subject_id=corpus.pk, corpus_id=corpus.pk)
            lease.advance(stage="cleaning")
        if not n_removed:
            return True
        if lease.is_over:
            return False
