"""Evidence rankers of a corpus: trained in the background on its own gold sets, put into use, taken back, removed.

A ranker belongs to the encoder that it was trained over, because its features read that encoder's cosines. A version is
nothing until it is ready: model, report and state are stored in one transaction. Where a site has few questions, the
model stays near the packaged one (`legalqa.training.ranker.training.ranker_train`).
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from time import perf_counter
from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from corpora.models import Corpus, TrainedState
from corpora.selectors import corpus_get
from judging.models import GoldSet
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit, reply_note
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.jobs.services import JobRefused, Lease, job_cancel, job_create, job_retry, job_run
from legalqa.training.encoder.data import GoldAsked, chunks_holding, encoder_learned_texts, gold_asked
from legalqa.training.encoder.services import gold_sets_of, source_words
from legalqa.training.files import work_folder, work_remove, works_sweep
from legalqa.training.ranker.site import examined_read, examined_save, site_examine, site_fit
from legalqa.training.ranker.training import PULL, SEED
from retrieval.models import RankerActivation, TrainedRanker
from retrieval.rerankers.features import NAMES, PLACED
from retrieval.rerankers.model import model_load
from retrieval.rerankers.versions import activation_list, model_fingerprint, ranker_current, ranker_get, ranker_in_use

TRAIN = "legalqa.training.tasks.ranker_train"
VERSIONS_MAX = 50  # ours, of one corpus: a list that a person can still read
MIN_QUESTIONS = 20  # ours: below it neither side of a split says anything
EXAMINED_A_STEP = 20  # questions between two looks at the lease
GONE, NO_GOLD, TOO_FEW = "ranker_removed", "gold_set_removed", "too_few_questions"


def ranker_train_start(
    *, organization: Organization, user: User | None, corpus_id: UUID, gold_set_ids: Sequence[UUID]
) -> tuple[TrainedRanker, Job]:
    """Start the training of a new version over the encoder in use; it is not used before somebody says so.

    Raises:
        NotFound: no such corpus or gold set, or you stand outside its wall.
        ApplicationError: too few questions, or all of them share their documents.
        Conflict: the corpus has VERSIONS_MAX versions, or one is being trained.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    gold_sets = gold_sets_of(organization=organization, corpus=corpus, gold_set_ids=gold_set_ids)
    questions = gold_asked(gold_sets=gold_sets)
    _check(questions)
    works_sweep()
    Corpus.objects.select_for_update().get(pk=corpus.pk)  # numbers are given one by one
    mine = TrainedRanker.objects.filter(corpus=corpus)
    if mine.count() >= VERSIONS_MAX:
        raise Conflict(f"The corpus keeps {VERSIONS_MAX} rankers already. Remove one first.", code="too_many")
    building = mine.filter(state=TrainedState.BUILDING).values_list("pk", flat=True)
    if any(job.is_open for job in job_latest_by_subject(organization=organization, subject_ids=building).values()):
        raise Conflict("A ranker is being trained already. Wait for it, or cancel it first.", code="training_open")
    version = TrainedRanker.objects.create(
        organization=organization,
        corpus=corpus,
        number=(mine.aggregate(last=Max("number"))["last"] or 0) + 1,
        encoder=corpus.encoder,
        training={"gold_sets": [str(gold_set.pk) for gold_set in gold_sets], "seed": SEED, "pull": PULL},
        source=source_words(gold_sets),
        created_by=user,
    )
    reply_note(subject_id=version.pk)
    job = job_create(organization=organization, task=TRAIN, subject_id=version.pk, user=user)
    audit(
        organization=organization, actor=user, action="ranker.trained", subject_id=corpus.pk, questions=len(questions)
    )
    return version, job


def _check(questions: Sequence[GoldAsked]) -> None:
    if len(questions) < MIN_QUESTIONS:
        raise ApplicationError(
            f"There are {len(questions)} questions with a passage that answers them; "
            f"training takes {MIN_QUESTIONS} or more. Add some.",
            code=TOO_FEW,
        )
    if len({question.group for question in questions}) < 2:
        raise ApplicationError(
            "All of these questions share their documents, so a ranker could not be judged on one that it has not "
            "seen. Add questions on another document.",
            code="cannot_split",
        )


def ranker_work(*, job_id: UUID) -> None:
    """Work on a training until it is ready or the slice is over."""
    job_run(job_id, training_slice)


def training_slice(lease: Lease) -> bool:
    """Search for questions until the lease's time is over, then fit; True once the version is ready.

    What a question came to is kept in a file: a death costs one batch of them.

    Raises:
        JobRefused: the version or its gold set was removed, or too few of its passages are still searched.
    """
    with organization_scope(lease.organization_id, user=None):
        version = TrainedRanker.objects.filter(pk=lease.subject_id).select_related("corpus").first()
        if version is None:
            work_remove(lease.subject_id)
            raise JobRefused(GONE)
        if version.is_ready:
            return True
        if not lease.stage:
            lease.begin(stage="searching")
        wanted = list(GoldSet.objects.filter(corpus=version.corpus, pk__in=version.training["gold_sets"]))
        if len(wanted) < len(version.training["gold_sets"]):
            raise JobRefused(NO_GOLD)
        questions = gold_asked(gold_sets=wanted, with_unanswerable=True)
    connection_give_back()
    left = [at for at in range(0, len(questions), EXAMINED_A_STEP) if not _file(version, at).is_file()]
    for at in left:
        _examine(lease, version, questions[at : at + EXAMINED_A_STEP], _file(version, at))
        _say(lease, min(at + EXAMINED_A_STEP, len(questions)), len(questions))
        if lease.is_over:
            return False
    _finish(lease, version, questions)
    return True


def _file(version: TrainedRanker, at: int) -> Path:
    # What another version of this code measured, with other columns, is searched for again.
    return work_folder(version.pk) / f"{at:06}.{len(NAMES + PLACED)}.npz"


def _examine(lease: Lease, version: TrainedRanker, batch: Sequence[GoldAsked], file: Path) -> None:
    with organization_scope(lease.organization_id, user=None):
        held = chunks_holding(corpus=version.corpus, questions=batch)
    found = site_examine(corpus=version.corpus, questions=batch, held=held, encoder=version.encoder)
    examined_save(file, found)


def _say(lease: Lease, cursor: int, total: int) -> None:
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="searching", cursor=cursor, total=total)
    connection_give_back()


def _finish(lease: Lease, version: TrainedRanker, questions: Sequence[GoldAsked]) -> None:
    """Fit on everything that was searched; store model, report and state at once."""
    started = perf_counter()
    with organization_scope(lease.organization_id, user=None):
        held = chunks_holding(corpus=version.corpus, questions=questions)
        corpus = Corpus.objects.get(pk=version.corpus_id)
        corpus.encoder = version.encoder  # of this row in memory alone
        before = ranker_current(corpus=corpus)
        used = ranker_in_use(corpus=corpus)
        encoder_learned = encoder_learned_texts(corpus_id=corpus.pk, name=version.encoder)
    examined = [
        one
        for at in range(0, len(questions), EXAMINED_A_STEP)
        for one in examined_read(_file(version, at), questions[at : at + EXAMINED_A_STEP], held)
    ]
    if sum(bool(one.question.gold) for one in examined) < MIN_QUESTIONS:
        raise JobRefused(TOO_FEW)
    provenance = {
        "source": version.source,
        "questions": len(examined),
        "encoder": version.encoder,
        "before": used.number if used else "packaged",
        "pull": version.training["pull"],
        "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
    }
    fitted = site_fit(
        examined,
        {question.id: question for question in questions},
        held,
        towards=model_load(),
        before=before,
        encoder_learned=encoder_learned,
        provenance=provenance,
        seed=version.training["seed"],
    )
    fitted.report["training"]["seconds"] = round(perf_counter() - started, 1)
    model = fitted.model.as_mapping()
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="fitted", cursor=len(questions), total=len(questions))
        TrainedRanker.objects.filter(pk=version.pk, state=TrainedState.BUILDING).update(
            state=TrainedState.READY,
            model=model,
            fingerprint=model_fingerprint(model),
            report=fitted.report,
            finished_at=timezone.now(),
        )
    work_remove(version.pk)


def ranker_use(*, organization: Organization, user: User | None, corpus_id: UUID, ranker_id: UUID | None) -> None:
    """Order the corpus's passages by a version from now on; None goes to the packaged one.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is not ready, in use already, or trained over another encoder than the one in use.
    """
    corpus = _hold(organization, corpus_id)
    version = None if ranker_id is None else ranker_get(corpus=corpus, ranker_id=ranker_id)
    if version is not None and not version.is_ready:
        raise Conflict("This ranker is not ready yet. Wait until it is trained.", code="ranker_not_ready")
    if version is not None and version.encoder != corpus.encoder:
        raise Conflict(
            "This ranker was trained over another encoder than the corpus uses now. Train one over this encoder.",
            code="ranker_of_another_encoder",
        )
    used = ranker_in_use(corpus=corpus)
    if (used.pk if used else None) == ranker_id:
        raise Conflict("This ranker is in use already.", code="ranker_in_use")
    RankerActivation.objects.create(
        organization=organization, corpus=corpus, encoder=corpus.encoder, ranker=version, created_by=user
    )
    number: int | str = version.number if version else "packaged"
    audit(organization=organization, actor=user, action="ranker.activated", subject_id=corpus.pk, ranker=number)


def ranker_roll_back(*, organization: Organization, user: User | None, corpus_id: UUID) -> None:
    """Use again what was used, over the encoder in use, before the ranker that is in use now.

    Raises:
        NotFound: no such corpus.
        Conflict: nothing was put into use yet.
    """
    corpus = _hold(organization, corpus_id)
    newest = activation_list(corpus=corpus, encoder=corpus.encoder).first()
    if newest is None:
        raise Conflict("The packaged ranker is in use; there is none before it.", code="nothing_before")
    newest.delete()
    audit(organization=organization, actor=user, action="ranker.rolled_back", subject_id=corpus.pk)


def ranker_remove(*, organization: Organization, user: User | None, corpus_id: UUID, ranker_id: UUID) -> None:
    """Remove a version with its report.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is in use over its encoder, or being trained.
    """
    corpus = _hold(organization, corpus_id)
    version = ranker_get(corpus=corpus, ranker_id=ranker_id)
    used = activation_list(corpus=corpus, encoder=version.encoder).first()
    if used is not None and used.ranker_id == version.pk:
        raise Conflict("This ranker is in use. Put another one into use first.", code="ranker_in_use")
    job = job_latest_by_subject(organization=organization, subject_ids=[version.pk]).get(version.pk)
    if job is not None and job.is_open:
        raise Conflict("This ranker is being trained. Cancel that first.", code="training_open")
    work_remove(version.pk)
    version.delete()
    audit(organization=organization, actor=user, action="ranker.removed", subject_id=corpus.pk)


def ranker_cancel(*, organization: Organization, corpus_id: UUID, ranker_id: UUID) -> Job:
    """Ask a training to stop; what it has done so far is kept until the version is removed.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it has ended already.
    """
    return job_cancel(organization=organization, job_id=_job_of(organization, corpus_id, ranker_id).pk)


def ranker_resume(*, organization: Organization, corpus_id: UUID, ranker_id: UUID) -> Job:
    """Go on with a training that failed or was cancelled, from where it stopped.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is still at work, or done.
    """
    return job_retry(organization=organization, job_id=_job_of(organization, corpus_id, ranker_id).pk)


def _hold(organization: Organization, corpus_id: UUID) -> Corpus:
    """The corpus, locked, so that what is in use stays as it is read."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return Corpus.objects.select_for_update().get(pk=corpus.pk)


def _job_of(organization: Organization, corpus_id: UUID, ranker_id: UUID) -> Job:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    version = ranker_get(corpus=corpus, ranker_id=ranker_id)
    job = job_latest_by_subject(organization=organization, subject_ids=[version.pk]).get(version.pk)
    if job is None:
        raise NotFound("job")
    return job
