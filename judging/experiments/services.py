"""Experiments of a corpus: started, read, stopped, resumed, repeated."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

from django.db.models import Avg, Q, QuerySet
from django.utils import timezone

from corpora.runs.services import Runs
from judging.experiments.indexes import indexes_check
from judging.experiments.provenance import TAKEN_OVER_FROM, own_judging_words, provenance_now
from judging.experiments.settings import ExperimentError, ExperimentSettings, cell_preset
from judging.gold.services.sets import gold_questions, gold_questions_approved, gold_set_get
from judging.models import Experiment, ExperimentAnswer, GoldSet, Rerun
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.answering.models import Answer, AnswerState, Purpose
from legalqa.answering.models import Question as QuestionRow
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.common.revision import code_revision
from legalqa.jobs.models import Lane
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import Role

MAX_NAME, MAX_EXPERIMENTS = 80, 200  # ours, a corpus: a list that a person can still read
MAX_FAILED = 50  # ours: failed answers of an experiment that are listed
SECONDS = {False: 0.7, True: 12.0}  # ours: by whether a model writes, where this corpus has no answers yet
EVERY = {Rerun.DAILY: timedelta(days=1), Rerun.WEEKLY: timedelta(days=7)}


class Experiments(Runs[Experiment]):
    """Experiments, as many at a time as are asked for, beside other work."""

    name = "experiment"
    model = Experiment
    task = "judging.tasks.experiment_work"
    lane = Lane.SPARE
    joined = ("gold_set", "corpus", "created_by")


EXPERIMENTS = Experiments()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an experiment will take; `cost` is None where a model is asked and nothing is known of its price.

    `left_out` counts the questions that are not asked: drafts and rejected ones. `own_judging` says where a model would
    judge answers of its own.
    """

    answers: int
    seconds: float
    cost: Decimal | None
    left_out: int
    own_judging: str = ""


def experiment_estimate(*, gold_set: GoldSet, settings: ExperimentSettings) -> Estimate:
    """How many answers, how long and at what cost, by the corpus's earlier experiments; known answers count too."""
    n_questions = gold_questions_approved(gold_set=gold_set).count()
    n = dict.fromkeys(SECONDS, 0)
    for cell in settings.cells:
        n[cell.is_written] += n_questions * settings.times(cell)
    rows = ExperimentAnswer.objects.filter(experiment__corpus=gold_set.corpus_id, answer__isnull=False)
    seconds, cost = 0.0, Decimal(0)
    is_known = True
    for is_written, count in n.items():
        alike = rows.filter(Q(tokens__gt=0) if is_written else Q(tokens=0))
        totals = alike.aggregate(seconds=Avg("seconds"), cost=Avg("cost"))
        seconds += count * (SECONDS[is_written] if totals["seconds"] is None else totals["seconds"])
        cost += count * (totals["cost"] or Decimal(0))
        is_known &= not is_written or not count or totals["cost"] is not None
    n_left_out = gold_questions(gold_set=gold_set).count() - n_questions
    own_judging = own_judging_words(gold_set=gold_set, settings=settings)
    return Estimate(sum(n.values()), seconds, cost if is_known else None, n_left_out, own_judging)


def experiment_start(
    *,
    organization: Organization,
    user: User | None,
    gold_set_id: UUID,
    settings: ExperimentSettings,
    name: str = "",
    rerun: str = Rerun.NEVER,
    corpus_id: UUID | None = None,
    previous: Experiment | None = None,
    takes_over: bool = False,
    is_enqueued: bool = True,
) -> Experiment:
    """Start an experiment as a background job; drafts and rejected questions of the gold set are not asked.

    Args:
        organization: Whose gold set it is.
        user: Who starts it; None for the system.
        gold_set_id: Whose questions are asked.
        settings: What is compared.
        name: "" for the gold set's and the day.
        rerun: How often it is repeated.
        corpus_id: Of which the gold set must be; None for any.
        previous: The experiment that this one repeats.
        takes_over: Whether the answers of `previous` that did not fail are its own, too.
        is_enqueued: False where the caller works on the job at once.

    Raises:
        NotFound: no such gold set, or its corpus is walled off.
        ApplicationError: a preset or judge that does not fit, no approved questions, or no model where one is needed.
        Conflict: the corpus has MAX_EXPERIMENTS already.
    """
    gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id, corpus_id=corpus_id)
    n_questions = _check(organization, user, gold_set, settings)
    experiment = Experiment(
        organization=organization,
        corpus_id=gold_set.corpus_id,
        gold_set=gold_set,
        name=_name(name) or f"{gold_set.name[: MAX_NAME - 12]}, {timezone.now():%Y-%m-%d}",
        settings=settings.model_dump(mode="json"),
        provenance=provenance_now(gold_set, settings, user=user, taken_over=previous if takes_over else None),
        rerun=_rerun(rerun),
        previous=previous,
        created_by=user,
    )
    EXPERIMENTS.add(experiment, "experiment.started")
    total = n_questions * sum(settings.times(cell) for cell in settings.cells)
    EXPERIMENTS.work(experiment, user=user, total=total, is_enqueued=is_enqueued)
    return experiment


def experiment_resume(*, organization: Organization, user: User | None, experiment_id: UUID) -> Experiment:
    """Resume an experiment that was cancelled or failed, or ask again what failed in one that has ended.

    What has ended never changes: a new experiment takes over the answers that came, and asks again those that failed.
    It has the whole budget again, and asks what was not asked before a budget was used up, too.

    Returns:
        The experiment that is at work now, the same one or the new one.

    Raises:
        NotFound, Conflict: as `job_retry`; also Conflict where no answer failed, or a later one asks again already.
        ApplicationError: as `experiment_start`.
    """
    experiment, job = EXPERIMENTS.get(organization=organization, run_id=experiment_id)
    if experiment.report and (job is None or not job.is_open):
        if not _unanswered(experiment).exists():
            raise Conflict("No answer failed, so there is nothing to ask again.", code="experiment_whole")
        return _asked_again(organization, user, experiment)
    EXPERIMENTS.resume(experiment)
    experiment.refresh_from_db(fields=["provenance"])
    return experiment


def experiment_reopen(*, organization: Organization, subject_id: UUID) -> None:
    """Before a cancelled or failed experiment is resumed: failed answers are asked again, and the code is noted.

    Raises:
        NotFound: no such experiment.
        Conflict: it has a report, so that nothing of it changes any more.
    """
    experiment, _ = EXPERIMENTS.get(organization=organization, run_id=subject_id)
    if experiment.report:
        raise Conflict("This experiment has ended. Ask again on its page what failed in it.", code="experiment_ended")
    _unanswered(experiment).delete()
    experiment.provenance |= {
        "resumed_at": timezone.now().isoformat(timespec="seconds"),
        "resumed_code": code_revision(),
        "resumed_corpus_version": experiment.corpus.version,
    }
    experiment.save(update_fields=["provenance"])


def _unanswered(experiment: Experiment) -> QuerySet[ExperimentAnswer]:
    return ExperimentAnswer.objects.filter(experiment=experiment, answer=None)


def experiment_successor(*, experiment: Experiment) -> Experiment | None:
    """The experiment that asks again what failed in this one; None where there is none."""
    return Experiment.objects.filter(previous=experiment, provenance__has_key=TAKEN_OVER_FROM).first()


def experiment_rerun_set(*, organization: Organization, user: User, experiment_id: UUID, rerun: str) -> Experiment:
    """Say how often an experiment is repeated.

    Raises:
        NotFound: no such experiment.
        ExperimentError: other than a day, a week or never.
    """
    experiment, _ = EXPERIMENTS.get(organization=organization, run_id=experiment_id)
    experiment.rerun = _rerun(rerun)
    experiment.save(update_fields=["rerun"])
    audit(organization=organization, actor=user, action="experiment.scheduled", subject_id=experiment.corpus_id)
    return experiment


def experiment_remove(*, organization: Organization, user: User, experiment_id: UUID) -> Experiment:
    """Remove an experiment with the answers that no other experiment uses.

    Raises:
        NotFound: no such experiment.
        Conflict: it is at work, or one that takes its answers over is.
    """
    experiment, job = EXPERIMENTS.get(organization=organization, run_id=experiment_id)
    if job is not None and job.is_open:
        raise Conflict("The experiment is running. Cancel it first.", code="experiment_open")
    if (later := experiment_successor(experiment=experiment)) is not None:
        _, job = EXPERIMENTS.get(organization=organization, run_id=later.pk)
        if job is not None and job.is_open:
            raise Conflict(
                "A later experiment is taking over the answers of this one. Remove it when that one has ended.",
                code="experiment_open",
            )
    mine = set(ExperimentAnswer.objects.filter(experiment=experiment).values_list("answer_id", flat=True))
    experiment_id = experiment.pk
    experiment.delete()
    used = ExperimentAnswer.objects.filter(answer__in=mine).values_list("answer_id", flat=True)
    gone = Answer.objects.filter(organization=organization, purpose=Purpose.EXPERIMENT, pk__in=mine - set(used))
    QuestionRow.objects.filter(
        organization=organization, pk__in=list(gone.values_list("question_id", flat=True))
    ).delete()
    audit(organization=organization, actor=user, action="experiment.removed", subject_id=experiment.corpus_id)
    experiment.pk = experiment_id
    return experiment


def experiments_repeat() -> int:
    """Repeat every experiment whose time has come and that is the last of its kind; returns how many."""
    n_begun = 0
    for organization in Organization.objects.all():
        with organization_scope(organization, user=None):
            kept = Experiment.objects.filter(organization=organization, corpus__removal_begun_at=None)
            scheduled = kept.exclude(rerun=Rerun.NEVER).select_related("gold_set")
            due = [one for one in scheduled if one.created_at < timezone.now() - EVERY[Rerun(one.rerun)]]
        for experiment in due:
            try:
                with organization_scope(organization, user=None):
                    _repeat(organization, experiment)
                n_begun += 1
            except ApplicationError:  # a preset or the model is gone: tried again in an hour; `repeat_refused` says why
                continue
    return n_begun


def repeat_refused(*, user: User, experiment: Experiment) -> str:
    """Why a scheduled experiment cannot be repeated as things are; "" where it can, or is not scheduled.

    `user` asks: what is checked is checked in the scope that is open.
    """
    if experiment.rerun == Rerun.NEVER:
        return ""
    settings = ExperimentSettings.model_validate(experiment.settings)
    try:
        _check(experiment.organization, user, experiment.gold_set, settings)
    except ApplicationError as error:
        return str(error)
    return ""


def answers_failed(*, experiment: Experiment) -> list[ExperimentAnswer]:
    """The first MAX_FAILED answers of an experiment that failed, with their questions, in the order of these."""
    rows = ExperimentAnswer.objects.filter(experiment=experiment).select_related("question")
    failed = rows.filter(Q(answer=None) | Q(answer__state=AnswerState.FAILED))
    return list(failed.order_by("question__ordinal", "cell", "repeat")[:MAX_FAILED])


def _repeat(
    organization: Organization, experiment: Experiment, *, user: User | None = None, takes_over: bool = False
) -> Experiment:
    """A new experiment, which takes the schedule over."""
    repeated = experiment_start(
        organization=organization,
        user=user,
        gold_set_id=experiment.gold_set_id,
        settings=ExperimentSettings.model_validate(experiment.settings),
        name=experiment.name,
        rerun=experiment.rerun,
        previous=experiment,
        takes_over=takes_over,
    )
    Experiment.objects.filter(pk=experiment.pk).update(rerun=Rerun.NEVER)
    return repeated


def _asked_again(organization: Organization, user: User | None, experiment: Experiment) -> Experiment:
    if not Experiment.objects.select_for_update().filter(pk=experiment.pk).exists():  # of two who ask one comes first
        raise NotFound("experiment")
    if experiment_successor(experiment=experiment) is not None:
        raise Conflict("A later experiment asks again what failed in this one.", code="experiment_asked_again")
    return _repeat(organization, experiment, user=user, takes_over=True)


def _check(organization: Organization, user: User | None, gold_set: GoldSet, settings: ExperimentSettings) -> int:
    """That an experiment can start, as `experiment_start` raises; returns how many questions are asked."""
    n_questions = gold_questions_approved(gold_set=gold_set).count()
    if not n_questions:
        raise ExperimentError("The gold set has no approved questions. Add some, or approve its drafts.")
    corpus_id = gold_set.corpus_id
    presets = [
        cell_preset(organization=organization, user=user, corpus_id=corpus_id, cell=cell) for cell in settings.cells
    ]
    indexes_check(corpus=gold_set.corpus, presets=presets)
    models = candidate_list(organization=organization, role=Role.ANSWER)
    if any(cell.is_written for cell in settings.cells) and not models:
        raise ExperimentError(
            "A model must write some of these answers, and none is set up for answers. Set one up under Models, or "
            "compare quoted answers."
        )
    for cell in settings.cells:
        if cell.model and not any(model.is_called(cell.model) for model in models):
            names = ", ".join(model.model for model in models)
            raise ExperimentError(f"No model for answers is called {cell.model!r}; choose of: {names}.")
    if Experiment.objects.filter(organization=organization, corpus=gold_set.corpus_id).count() >= MAX_EXPERIMENTS:
        raise Conflict(
            f"The corpus has {MAX_EXPERIMENTS} experiments already. Remove one first.", code="too_many_experiments"
        )
    return n_questions


def _name(name: str) -> str:
    name = " ".join(name.split())
    if len(name) > MAX_NAME or "\x00" in name:
        raise ExperimentError(f"Give the experiment a name of at most {MAX_NAME} characters.")
    return name


def _rerun(word: str) -> Rerun:
    if word not in Rerun.values:
        raise ExperimentError(f"An experiment is repeated daily, weekly or never, not {word[:20]!r}.")
    return Rerun(word)
