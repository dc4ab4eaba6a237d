"""Removing a corpus with everything in it: asked for, due after a while in which it can be called off, then final.

The job removes rows in bounded steps, the ones that point at others first, and the corpus itself last. From its first
step on nobody reads the corpus or writes to it. Run again after a kill, it continues with what is left.
"""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from corpora.files import file_remove
from corpora.hnsw import indexes_drop_others
from corpora.models import Corpus, DocumentVersion, TrainedVersion
from corpora.removal import REMOVE, TOLD, parts, removal_counts, removal_jobs
from corpora.services.corpus import corpus_change, corpus_lock
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.faults import crash_point
from legalqa.common.followers import followers_call
from legalqa.encoder.weights import weights_drop
from legalqa.jobs.models import OPEN_STATES, Job, Lane
from legalqa.jobs.services import JobCancelled, Lease, job_cancel, job_create, job_retry
from legalqa.jobs.sliced import job_task

ROWS_A_STEP = 500  # ours: removed in about a second, the largest tables included


def removal_delay() -> timedelta:
    """How long a removal that was asked for can be cancelled."""
    return timedelta(seconds=settings.CORPUS_REMOVAL_DELAY_S)


def corpus_remove(*, organization: Organization, user: User | None, corpus_id: UUID, name: str) -> Job:
    """Let a corpus be removed with everything in it, CORPUS_REMOVAL_DELAY_S from now.

    Until then it works as ever and the removal can be cancelled; then its documents and files, the answers to
    questions about it, its gold sets and its trained models are gone for good.

    Args:
        organization: Whose it is.
        user: Who asks for it.
        corpus_id: Which one.
        name: Its name, as the person typed it.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the name is not the corpus's.
        Conflict: it is being removed already.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id, even_leaving=True)
    if name.strip() != corpus.name:
        raise ApplicationError(
            f"This is not the name of the corpus. Type {corpus.name!r}, without the quotation marks.", code="wrong_name"
        )
    job = removal_jobs(organization=organization, corpus_ids=[corpus.pk]).get(corpus.pk)
    if job is not None and corpus.removal_due_at is not None:
        if job.can_retry:
            return job_retry(organization=organization, job_id=job.pk)
        raise Conflict(
            "This corpus is already scheduled for removal. Wait for it, or cancel the removal to keep the corpus.",
            code="removal_open",
        )
    due_at = timezone.now() + removal_delay()
    corpus.removal_due_at = due_at
    corpus.save(update_fields=["removal_due_at"])
    is_now = not removal_delay()
    job = job_create(
        organization=organization,
        task=REMOVE,
        subject_id=corpus.pk,
        user=user,
        corpus_id=corpus.pk,
        lane=Lane.ALWAYS,
        is_enqueued=is_now,
    )
    if not is_now:  # the sweeper enqueues it once it is due; until then it has not been idle
        Job.objects.filter(pk=job.pk).update(lease_until=due_at, updated_at=due_at)
    audit(organization=organization, actor=user, action="corpus.removal_asked", subject_id=corpus.pk)
    return job


def corpus_removal_cancel(*, organization: Organization, user: User, corpus_id: UUID) -> Corpus:
    """Keep a corpus whose removal was asked for and has not begun.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: nobody asked for its removal, or it has begun.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id, even_leaving=True)
    if corpus.removal_due_at is None:
        raise Conflict(
            "This corpus is not scheduled for removal, so there is nothing to cancel. Reload the page.",
            code="no_removal",
        )
    if corpus.removal_begun_at is not None:
        raise Conflict(
            "The removal has started, so it can no longer be cancelled. Ask the operator for a backup.",
            code="removal_begun",
        )
    corpus.removal_due_at = None
    corpus.save(update_fields=["removal_due_at"])
    job = removal_jobs(organization=organization, corpus_ids=[corpus.pk])[corpus.pk]
    if job.can_cancel:
        job_cancel(organization=organization, job_id=job.pk)
    audit(organization=organization, actor=user, action="corpus.removal_cancelled", subject_id=corpus.pk)
    return corpus


@job_task
def removal_work(*, lease: Lease) -> bool:
    """Work on the removal of a corpus, one step at least, until nothing of it is left or the slice is over.

    Raises:
        JobCancelled: somebody kept the corpus before anything was removed.
    """
    if not lease.stage:
        _begin(lease)
        crash_point("removal.begun")
    while _remove_some(lease):
        crash_point("removal.step")
        if lease.is_over:
            return False
    connection_give_back()
    indexes_drop_others(corpus_id=lease.subject_id, encoder_names=())
    crash_point("removal.before_end")
    return _finish(lease)


def _begin(lease: Lease) -> None:
    """Close the corpus, stop what works on it, and count what goes."""
    with organization_scope(lease.organization_id, user=None):
        corpus = _leaving(lease)
        if corpus is None:
            return
        if corpus.removal_due_at is None:
            raise JobCancelled
        counts = removal_counts(corpus=corpus)
        total = sum(part.rows(corpus.pk).count() for part in parts())
        is_first_try = corpus.removal_begun_at is None
        corpus.removal_begun_at = corpus.removal_begun_at or timezone.now()
        corpus_change(corpus=corpus, fields=("removal_begun_at",))
        work = Job.objects.filter(organization_id=corpus.organization_id, corpus_id=corpus.pk, state__in=OPEN_STATES)
        work.exclude(task=REMOVE).update(cancel_requested_at=timezone.now())
        lease.advance(stage="removing", cursor=0, total=total)
        if is_first_try:
            totals = {TOLD[label][1].replace(" ", "_"): counts.get(label, 0) for label in TOLD}
            _write_down(corpus.organization, lease, "corpus.removal_begun", **totals)


def _remove_some(lease: Lease) -> bool:
    """Remove the next rows, with the files that they name; False where none are left."""
    with organization_scope(lease.organization_id, user=None):
        for part in parts():
            ids = list(part.rows(lease.subject_id).values_list("pk", flat=True)[:ROWS_A_STEP])
            if not ids:
                continue
            _forget_files(part.model, ids, lease)
            part.model._default_manager.filter(pk__in=ids).only("pk").delete()
            job = Job.objects.get(pk=lease.job_id)
            lease.advance(stage="removing", cursor=min(job.total, job.cursor + len(ids)), total=job.total)
            return True
    return False


def _forget_files(model: type[Model], ids: list[Any], lease: Lease) -> None:
    """Remove the files of rows that are about to go: a kill in between leaves rows, and the next try removes them."""
    if model is DocumentVersion:
        for file_id in DocumentVersion.objects.filter(pk__in=ids).values_list("file_id", flat=True):
            file_remove(organization_id=lease.organization_id, file_id=file_id)
    if issubclass(model, TrainedVersion):
        followers_call("trainings_removed", subject_ids=ids)
        trained = model._default_manager.filter(pk__in=ids).exclude(fingerprint="")
        for fingerprint in trained.values_list("fingerprint", flat=True):
            transaction.on_commit(partial(weights_drop, fingerprint))


def _finish(lease: Lease) -> bool:
    """Remove the corpus itself; False where something was written to it after all."""
    with organization_scope(lease.organization_id, user=None):
        corpus = _leaving(lease)
        if corpus is None:
            return True
        if any(part.rows(corpus.pk).exists() for part in parts()):
            return False
        organization = corpus.organization
        corpus.delete()
        lease.advance(stage="removed", cursor=1, total=1)
        _write_down(organization, lease, "corpus.removed")
    crash_point("removal.done")
    return True


def _leaving(lease: Lease) -> Corpus | None:
    corpora = Corpus.objects.select_for_update(of=("self",)).select_related("organization")
    return corpora.filter(pk=lease.subject_id).first()


def _write_down(organization: Organization, lease: Lease, action: str, **counts: int) -> None:
    asked_by = Job.objects.get(pk=lease.job_id).requested_by_id
    person = User.objects.filter(pk=asked_by).first() if asked_by else None
    audit(organization=organization, actor=person, action=action, subject_id=lease.subject_id, **counts)
