"""Encoders of a corpus: trained in the background on its own gold sets, and judged on documents they have not seen.

A version is nothing until it is ready. Its training keeps files; a death costs what came after the last one, and
without them it begins again. Which encoder searches use is another matter: `corpora.services.encoders`.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils import timezone
from pydantic import ValidationError

from corpora.models import Corpus, TrainedEncoder, TrainedState
from corpora.selectors import corpus_get, encoder_get
from judging.gold.services import gold_set_get
from judging.models import GoldSet
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit, reply_note
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.jobs.services import JobRefused, Lease, job_cancel, job_create, job_retry, job_run
from legalqa.training.encoder.data import GoldAsked, Snapshot, gold_asked, held_out
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.training import MIN_PAIRS, Work, compare, fill, fine_tune, mine
from legalqa.training.files import fingerprint_of, work_remove, works_sweep

__all__ = ["EncoderTraining", "encoder_cancel", "encoder_resume", "encoder_train", "settings_checked", "training_work"]

TRAIN = "legalqa.training.tasks.encoder_train"
VERSIONS_MAX = 20  # ours, of one corpus: each brings 21 MB of weights, and vectors once it was compared
MIN_QUESTIONS = 20  # ours: below it neither side of a split says anything
MAX_QUESTIONS = 20_000
GONE = "encoder_removed"


def encoder_train(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    gold_set_ids: Sequence[UUID],
    settings: EncoderTraining,
    elsewhere: Sequence[UUID] = (),
) -> tuple[TrainedEncoder, Job]:
    """Start the training of a new version in the background; searches do not use it before somebody says so.

    Args:
        organization: Whose corpus it is.
        user: Who asks; None at the command line.
        corpus_id: The corpus.
        gold_set_ids: Of the corpus; whole documents of their questions are kept for the report.
        settings: How to train.
        elsewhere: Gold sets of other corpora on which the encoder is measured too.

    Raises:
        NotFound: no such corpus or gold set, or you stand outside its wall.
        ApplicationError: too few questions, or none could be kept from training.
        Conflict: the corpus has VERSIONS_MAX versions, or one is being trained.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    gold_sets = gold_sets_of(organization=organization, corpus=corpus, gold_set_ids=gold_set_ids)
    questions = gold_asked(gold_sets=gold_sets)
    snapshot = _split(questions, settings, elsewhere=_elsewhere(organization, corpus, elsewhere))
    works_sweep()
    Corpus.objects.select_for_update().get(pk=corpus.pk)  # numbers are given one by one
    mine_ = TrainedEncoder.objects.filter(corpus=corpus)
    if mine_.count() >= VERSIONS_MAX:
        raise Conflict(f"The corpus keeps {VERSIONS_MAX} encoders already. Remove one first.", code="too_many")
    building = mine_.filter(state=TrainedState.BUILDING).values_list("pk", flat=True)
    if any(job.is_open for job in job_latest_by_subject(organization=organization, subject_ids=building).values()):
        raise Conflict("An encoder is being trained already. Wait for it, or cancel it first.", code="training_open")
    data = snapshot.as_bytes()
    version = TrainedEncoder.objects.create(
        organization=organization,
        corpus=corpus,
        number=(mine_.aggregate(last=Max("number"))["last"] or 0) + 1,
        training=settings.model_dump(mode="json"),
        source=source_words(gold_sets),
        data=data,
        data_fingerprint=fingerprint_of(data),
        created_by=user,
    )
    reply_note(subject_id=version.pk)
    job = job_create(organization=organization, task=TRAIN, subject_id=version.pk, user=user)
    audit(
        organization=organization,
        actor=user,
        action="encoder.trained",
        subject_id=corpus.pk,
        questions=len(snapshot.learned),
    )
    return version, job


def gold_sets_of(*, organization: Organization, corpus: Corpus, gold_set_ids: Sequence[UUID]) -> list[GoldSet]:
    """The gold sets of a corpus that somebody chose, each once.

    Raises:
        NotFound: one of them is none of the corpus's.
        ApplicationError: none was chosen.
    """
    if not gold_set_ids:
        raise ApplicationError("Choose a gold set of this corpus to learn from.", code="no_gold_set")
    found = []
    for gold_set_id in dict.fromkeys(gold_set_ids):
        gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id)
        if gold_set.corpus_id != corpus.pk:
            raise NotFound("gold set")
        found.append(gold_set)
    return found


def source_words(gold_sets: Sequence[GoldSet]) -> str:
    """What a version says it learned from."""
    names = ", ".join(gold_set.name for gold_set in gold_sets)
    return f"gold set{'s' if len(gold_sets) > 1 else ''} {names}"[:120]


def _elsewhere(organization: Organization, corpus: Corpus, gold_set_ids: Sequence[UUID]) -> tuple[str, ...]:
    """The ids of gold sets that whoever asks may read and that are of other corpora."""
    found = [gold_set_get(organization=organization, gold_set_id=one) for one in dict.fromkeys(gold_set_ids)]
    if any(gold_set.corpus_id == corpus.pk for gold_set in found):
        raise ApplicationError(
            "What is measured elsewhere is a gold set of another corpus. Choose another one.", code="not_elsewhere"
        )
    return tuple(str(gold_set.pk) for gold_set in found)


def _split(questions: Sequence[GoldAsked], settings: EncoderTraining, *, elsewhere: tuple[str, ...]) -> Snapshot:
    if not MIN_QUESTIONS <= len(questions) <= MAX_QUESTIONS:
        raise ApplicationError(
            f"There are {len(questions):,} questions with a passage that answers them; "
            f"training takes {MIN_QUESTIONS} to {MAX_QUESTIONS:,}.",
            code="too_few_questions",
        )
    found = held_out(questions, share=settings.held_out, seed=settings.seed, elsewhere=elsewhere)
    if len(found.learned) < MIN_PAIRS:
        raise ApplicationError(
            f"Only {len(found.learned)} questions are left to learn from, because whole documents are kept for the "
            "report and these questions share theirs. Add questions on other documents, or keep a smaller share.",
            code="cannot_split",
        )
    return found


def training_work(*, job_id: UUID) -> None:
    """Work on a training until it is ready or the slice is over."""
    job_run(job_id, training_slice)


def training_slice(lease: Lease) -> bool:
    """Go on with the stage that a training has come to, until the lease's time is over; True once it is ready.

    Raises:
        JobRefused: the version was removed, or too few of its questions have a passage that is still searched.
    """
    while True:
        work = _work(lease)
        if work is None:
            return True
        if not work.snapshot.pairs:
            is_stage_done = mine(work)
        elif not work.version.fingerprint:
            is_stage_done = fine_tune(work)
        elif is_stage_done := fill(work):
            report = compare(work)
            if report is not None:
                _finish(work, report)
                return True
            is_stage_done = False
        if not is_stage_done or lease.is_over:
            return False


def _work(lease: Lease) -> Work | None:
    """What there is to work with; None where it is done."""
    with organization_scope(lease.organization_id, user=None):
        version = TrainedEncoder.objects.filter(pk=lease.subject_id).defer("artefact").select_related("corpus").first()
        if version is None:
            work_remove(lease.subject_id)
            raise JobRefused(GONE)
        if version.is_ready:
            return None
        if not lease.stage:
            lease.begin(stage="mining")
    connection_give_back()
    settings = EncoderTraining.model_validate(version.training)
    return Work(lease, version, version.corpus, Snapshot.read(bytes(version.data)), settings)


def _finish(work: Work, report: dict[str, Any]) -> None:
    """Store the report, and with it the state: from now on nothing of the version changes."""
    with organization_scope(work.lease.organization_id, user=None):
        TrainedEncoder.objects.filter(pk=work.version.pk, state=TrainedState.BUILDING).update(
            state=TrainedState.READY, report=report, finished_at=timezone.now()
        )
        total = len(work.snapshot.held_out)
        work.lease.advance(stage="comparing", cursor=total, total=total)
    work_remove(work.version.pk)


def encoder_cancel(*, organization: Organization, corpus_id: UUID, encoder_id: UUID) -> Job:
    """Ask a training to stop; what it has done so far is kept until the version is removed.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it has ended already.
    """
    return job_cancel(organization=organization, job_id=_job_of(organization, corpus_id, encoder_id).pk)


def encoder_resume(*, organization: Organization, corpus_id: UUID, encoder_id: UUID) -> Job:
    """Go on with a training that failed or was cancelled, from where it stopped.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is still at work, or done.
    """
    return job_retry(organization=organization, job_id=_job_of(organization, corpus_id, encoder_id).pk)


def _job_of(organization: Organization, corpus_id: UUID, encoder_id: UUID) -> Job:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    version = encoder_get(corpus=corpus, encoder_id=encoder_id)
    job = job_latest_by_subject(organization=organization, subject_ids=[version.pk]).get(version.pk)
    if job is None:
        raise NotFound("job")
    return job


def settings_checked(values: dict[str, Any]) -> EncoderTraining:
    """Training settings from what people typed.

    Raises:
        ApplicationError: one of them does not fit; it is named.
    """
    try:
        return EncoderTraining.model_validate(values)
    except ValidationError as error:
        name = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ApplicationError(f"The setting {name!r} of the training does not fit.", code="bad_setting") from error
