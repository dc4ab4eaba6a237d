"""The background work of an experiment: answers, then judgments, then the report; stored one by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.utils import timezone

from corpora.in_force import corpus_as_of, searched_mark
from corpora.models import Corpus
from corpora.services import corpus_readers
from judging.experiments.facts import facts_of
from judging.experiments.grading import item_judge, item_of, judge_for, judgments_store, judgments_take_over, sittings
from judging.experiments.provenance import TAKEN_OVER_FROM
from judging.experiments.results import results_document, results_read
from judging.experiments.rules import RULES
from judging.experiments.settings import Cell, ExperimentSettings, cell_preset
from judging.gold.services.sets import gold_questions_approved
from judging.judges.types import Judge, Status
from judging.measures.values import Undefined, number
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldQuestion
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.presets import AnswerPreset
from legalqa.answering.readers import reader_in_use
from legalqa.answering.selectors import FORMER_MAX
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.config import fingerprint_of
from legalqa.common.errors import ApplicationError
from legalqa.common.faults import crash_point
from legalqa.common.revision import code_revision
from legalqa.jobs.services import JobRefused, Lease
from legalqa.webhooks.models import EventKind
from legalqa.webhooks.services import event_emit
from retrieval.models import CaseEntry, Graph, GraphDecision, IndexedQuestion
from retrieval.rerankers.versions import ranker_in_use

REASON_MAX = 300
REPORTED = "reported"
NOT_AS_ASKED = "No model is set up for answers any more."


@dataclass(frozen=True, slots=True)
class Piece:
    """One question to one cell."""

    cell: Cell
    question: GoldQuestion
    repeat: int


@dataclass(frozen=True, slots=True)
class Run:
    """An experiment under way with what its pieces share."""

    experiment: Experiment
    organization: Organization
    corpus: Corpus
    settings: ExperimentSettings
    presets: dict[str, AnswerPreset]
    reader: str  # the name of the corpus's own; "" for that of the installation
    searched: dict[str, str]  # what searches read beside the version of the corpus

    @property
    def taken_over(self) -> Experiment | None:
        """The experiment whose answers that did not fail are taken over."""
        return self.experiment.previous if TAKEN_OVER_FROM in self.experiment.provenance else None

    def pieces(self) -> Iterator[Piece]:
        """Question by question, so that what is stopped half way compares the same questions."""
        for question in gold_questions_approved(gold_set=self.experiment.gold_set):
            for cell in self.settings.cells:
                for repeat in range(self.settings.times(cell)):
                    yield Piece(cell, question, repeat)

    def fingerprint(self, piece: Piece) -> str:
        """Everything that the answer to a piece depends on; equal answers are computed once, whatever the experiment.

        What a model or the mapping of the corpus may change without the version of the corpus is left to a rerun.
        """
        return fingerprint_of(
            {
                "corpus": str(self.corpus.pk),
                "version": self.corpus.version,
                "encoder": self.corpus.encoder,
                "threshold": self.corpus.answer_threshold,
                "reader": self.reader,
                "searched": self.searched,
                "preset": self.presets[piece.cell.key].fingerprint(),
                "generator": piece.cell.generator,
                "question": piece.question.text,
                "history": piece.question.history,
                "repeat": piece.repeat,
                "code": code_revision(),
            }
        )


def experiment_slice(*, lease: Lease) -> bool:
    """Answer and score some more questions, or report where all are; True once the report is stored.

    Raises:
        JobRefused: the experiment is gone, or one of its presets is.
    """
    if lease.stage == REPORTED:  # a worker died after its last transaction
        return True
    run = _run(lease)
    with organization_scope(run.organization, user=None):
        todo, n_done, total = _remaining(run)
    is_within_budget = True
    for piece in todo:
        if not (is_within_budget := _is_within_budget(run)):
            break
        n_done += 1
        _worked(lease, run, piece, n_done, total)
        if lease.is_over:
            return False
    if run.taken_over is not None:
        with organization_scope(run.organization, user=None):
            judgments_take_over(experiment=run.experiment, before=run.taken_over)
    if is_within_budget and not _judged(lease, run):
        return False
    _report(lease, run, is_whole=is_within_budget, total=total)
    return True


def _run(lease: Lease) -> Run:
    with organization_scope(lease.organization_id, user=None):
        experiments = Experiment.objects.select_related("corpus", "gold_set", "organization", "previous")
        experiment = experiments.filter(pk=lease.subject_id).first()
        if experiment is None:
            raise JobRefused("experiment_gone")
        reader = reader_in_use(corpus=experiment.corpus)
        searched = _searched(experiment.corpus_id)
    settings = ExperimentSettings.model_validate(experiment.settings)
    organization, corpus = experiment.organization, experiment.corpus
    try:
        presets = {
            cell.key: cell_preset(organization=organization, user=None, corpus_id=corpus.pk, cell=cell)
            for cell in settings.cells
        }
    except ApplicationError as error:
        raise JobRefused("preset_gone") from error
    return Run(experiment, organization, corpus, settings, presets, reader.name if reader else "", searched)


def _searched(corpus_id: UUID) -> dict[str, str]:
    """Everything besides the corpus's version that can change its answers.

    The day, the ranker in use, the case base, the question index, and the graph with what its reviewers decided.
    """
    corpus = Corpus.objects.get(pk=corpus_id)  # a row of its own: the experiment's is not changed
    ranker = ranker_in_use(corpus=corpus)
    return {
        "in_force": searched_mark(corpus_as_of(corpus=corpus, day=None)),
        "ranker": ranker.fingerprint if ranker else "",
        "cases": _mark(CaseEntry.objects.filter(corpus=corpus), "digest", "state"),
        "questions": _mark(IndexedQuestion.objects.filter(corpus=corpus), "text", "state"),
        "graph": _mark(Graph.objects.filter(corpus=corpus), "built_at", "uses_parser", "uses_model"),
        "graph_decisions": _mark(GraphDecision.objects.filter(corpus=corpus), "kind", "key", "into"),
    }


def _mark(rows: QuerySet[Any], *columns: str) -> str:
    """A mark that changes when a row is added, removed or changed in one of the columns."""
    return fingerprint_of([[str(value) for value in row] for row in rows.order_by("pk").values_list("pk", *columns)])


def _report(lease: Lease, run: Run, *, is_whole: bool, total: int) -> None:
    """Work the result out, with no transaction open, store it, and tell who wants to know."""
    experiment = run.experiment
    with organization_scope(run.organization, user=None):
        lease.begin(stage="reporting")
        stored = results_read(experiment=experiment)
        before = experiment.previous
        previous = (before.pk, results_read(experiment=before)) if before is not None else None
    report = results_document(settings=run.settings, stored=stored, is_whole=is_whole, previous=previous)
    with organization_scope(run.organization, user=None):
        made_from = experiment.provenance | {"reported_at": timezone.now().isoformat(timespec="seconds")}
        Experiment.objects.filter(pk=experiment.pk).update(report=report, provenance=made_from)
        lease.advance(stage=REPORTED, cursor=total, total=total)
        event_emit(
            organization_id=run.organization.pk,
            kind=EventKind.EXPERIMENT_ENDED,
            corpus_id=run.corpus.pk,
            readers=corpus_readers(corpus=run.corpus),
            experiment_id=experiment.pk,
            state="ended" if is_whole else "budget_used",
            is_regression=report["compared"]["is_regression"] if report["compared"] else None,
        )


def _remaining(run: Run) -> tuple[list[Piece], int, int]:
    """The pieces that are not stored yet, how many are, and of how many."""
    rows = ExperimentAnswer.objects.filter(experiment=run.experiment)
    stored = set(rows.values_list("question_id", "cell", "repeat"))
    pieces = list(run.pieces())
    todo = [piece for piece in pieces if (piece.question.pk, piece.cell.key, piece.repeat) not in stored]
    return todo, len(pieces) - len(todo), len(pieces)


def _worked(lease: Lease, run: Run, piece: Piece, n_done: int, total: int) -> None:
    """Answer a piece, or take the answer that is there; it is stored with its scores in one transaction."""

    def store(row: ExperimentAnswer) -> None:
        row.save()
        scores_store(rows=[row], measures=run.settings.measures)
        lease.advance(stage="answering", cursor=n_done, total=total)
        crash_point("experiment.answered")

    row = _row(run, piece)
    with organization_scope(run.organization, user=None):
        known = _known(run, piece, row)
        if known is not None:
            row.answer, row.is_reused, row.fingerprint = known.answer, True, known.fingerprint
            row.seconds, row.tokens, row.cost = known.seconds, known.tokens, known.cost
            store(row)
    if known is None:
        _answered(run, piece, row, store)
    crash_point("experiment.stored")


def _known(run: Run, piece: Piece, row: ExperimentAnswer) -> ExperimentAnswer | None:
    """The same piece of the experiment whose answers are taken over, or an earlier one of the same fingerprint.

    If the question was edited since, or the preset of that name is another one, the answer does not count.
    """
    rows = ExperimentAnswer.objects.filter(organization_id=row.organization_id, answer__isnull=False)
    answered = rows.select_related("answer__question")
    if run.taken_over is not None:
        same = {"question": row.question_id, "cell": row.cell, "repeat": row.repeat}
        known = answered.filter(experiment=run.taken_over, **same).first()
        if known is not None and known.answer is not None and _is_asked(known.answer, _question(run, piece)):
            return known
    return answered.filter(fingerprint=row.fingerprint, is_reused=False).first()


def _is_asked(answer: Answer, question: Question) -> bool:
    """Whether an answer is to a question with these words, before these, by this preset."""
    return answer.question.text == question.text.strip() and answer.asked == question.settings()


def _question(run: Run, piece: Piece) -> Question:
    return Question(
        organization=run.organization,
        user=None,
        corpus_id=run.corpus.pk,
        text=piece.question.text,
        preset=run.presets[piece.cell.key],
        former=_former(piece.question),
        purpose="experiment",
        model=piece.cell.model,
        subject=f"experiment:{run.experiment.pk}",
        sample=piece.repeat,
    )


def _answered(run: Run, piece: Piece, row: ExperimentAnswer, store: Callable[[ExperimentAnswer], None]) -> None:
    """Ask; the row is stored in the transaction of its answer, so that no answer is computed twice."""
    question = _question(run, piece)

    def beside(answer: Answer) -> None:
        generation = answer.generation
        if answer.strategy != question.policy.mode:  # quotations, because it is not possible here
            row.reason = NOT_AS_ASKED
        elif answer.state == AnswerState.FAILED or generation.get("outcome", "ok") != "ok":
            # Quotations are not its answer.
            row.reason = (generation.get("reason") or answer.why)[:REASON_MAX]
        else:
            row.answer = answer
        row.seconds = answer.seconds
        row.tokens = generation.get("input_tokens", 0) + generation.get("output_tokens", 0)
        row.cost = Decimal(generation.get("cost", 0))
        store(row)

    try:
        question_ask(question=question, beside=beside)
    except ApplicationError as error:
        row.reason = error.message[:REASON_MAX]
        with organization_scope(run.organization, user=None):
            store(row)


def _row(run: Run, piece: Piece) -> ExperimentAnswer:
    return ExperimentAnswer(
        organization=run.organization,
        experiment=run.experiment,
        question=piece.question,
        cell=piece.cell.key,
        repeat=piece.repeat,
        fingerprint=run.fingerprint(piece),
    )


def _former(question: GoldQuestion) -> tuple[str, ...]:
    """The questions before this one, the latest first, as an answer keeps them."""
    turns = [turn if isinstance(turn, str) else str(turn.get("question", "")) for turn in question.history]
    texts = (" ".join(turn.split()) for turn in reversed(turns))
    return tuple(text for text in texts if text)[:FORMER_MAX]


def scores_store(*, rows: Sequence[ExperimentAnswer], measures: Sequence[str]) -> None:
    """Measure answers by rule, in the caller's transaction; a failed answer has no score, and is counted as failed."""
    facts = facts_of(rows)
    scores = []
    for row in rows:
        if row.pk not in facts:
            continue
        for name in measures:
            value = RULES[name].rule(facts[row.pk])
            is_undefined = isinstance(value, Undefined)
            scores.append(
                ExperimentScore(
                    organization_id=row.organization_id,
                    experiment_id=row.experiment_id,
                    answer=row,
                    measure=name,
                    value=number(value),
                    status=(Status.NOT_APPLICABLE if is_undefined else Status.JUDGED).value,
                    reason=value.reason if isinstance(value, Undefined) else "",
                )
            )
    ExperimentScore.objects.bulk_create(scores)


def _judged(lease: Lease, run: Run) -> bool:
    """Let the judges judge what they have not; False where the slice is over first, True at the end or the budget's.

    No transaction is open while a judge works; what it says of one question is stored in one.
    """
    with organization_scope(run.organization, user=None):
        pending = sittings(
            experiment=run.experiment, judges=run.settings.judges, cells=[cell.key for cell in run.settings.cells]
        )
    judges: dict[tuple[str, int], Judge] = {}
    for n_done, sitting in enumerate(pending, start=1):
        if not _is_within_budget(run):
            break
        key = sitting.judge, sitting.repeat
        if key not in judges:
            judges[key] = judge_for(organization=run.organization, experiment=run.experiment, sitting=sitting)
        with organization_scope(run.organization, user=None):
            item = item_of(sitting, corpus=run.corpus)
        judgments = item_judge(judges[key], item, experiment=run.experiment)
        with organization_scope(run.organization, user=None):
            judgments_store(sitting=sitting, judgments=judgments)
            lease.advance(stage="judging", cursor=n_done, total=len(pending))
        if lease.is_over:
            return False
    return True


def _is_within_budget(run: Run) -> bool:
    if run.settings.budget is None:
        return True
    with organization_scope(run.organization, user=None):
        return cost_so_far(run.experiment) < run.settings.budget


def cost_so_far(experiment: Experiment) -> Decimal:
    """What answers and judges of this experiment have cost; answers of earlier ones were paid for there."""
    answers = ExperimentAnswer.objects.filter(experiment=experiment, is_reused=False).aggregate(n=Sum("cost"))
    judged = ExperimentScore.objects.filter(experiment=experiment).aggregate(n=Sum("cost"))
    return (answers["n"] or Decimal(0)) + (judged["n"] or Decimal(0))
