"""The questions behind a figure, sorted by change, with what two configurations said."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from judging.experiments.facts import SAID
from judging.experiments.figures.report import measure_of
from judging.experiments.figures.selectors import scores_of
from judging.experiments.report import measure_key
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldQuestion
from legalqa.answering.models import Claim

CHANGES = {"": "All", "better": "Better", "worse": "Worse", "same": "Same", "undefined": "Without a value"}


@dataclass(frozen=True, slots=True)
class Side:
    """A configuration of an experiment."""

    experiment: Experiment
    cell: str


@dataclass(frozen=True, slots=True)
class Change:
    """A question with the value of either side, repeats averaged; None where it has none, or there is no other side."""

    question: UUID
    text: str
    kind: str
    ordinal: int
    ours: float | None
    theirs: float | None
    is_less_better: bool
    has_other: bool

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.theirs is None else self.ours - self.theirs

    @property
    def word(self) -> str:
        """A key of CHANGES."""
        if self.difference is None:
            return "undefined" if self.ours is None or self.has_other else "same"
        if not self.difference:
            return "same"
        return "better" if (self.difference > 0) is not self.is_less_better else "worse"


@dataclass(frozen=True, slots=True)
class Shown:
    """What is compared, as an address asks for it.

    Attributes:
        other: The side to compare with; None lists one side alone.
        kind: One question type only; "" for all.
    """

    measure: Mapping[str, Any]
    ours: Side
    other: Side | None
    kind: str = ""


def shown_of(*, experiment: Experiment, previous: Experiment | None, query: Mapping[str, str]) -> Shown:
    """What an address asks for; what the report does not know falls back to what it has.

    Args:
        experiment: With its report.
        previous: Another experiment to compare with; None for the baseline, or the cell of `against`.
        query: `measure`, `cell`, `against`, `type`.
    """
    report = experiment.report
    keys = [cell["key"] for cell in report["cells"]]
    cell = query.get("cell", "")
    ours = cell if cell in keys else next((key for key in keys if key != report["baseline"]), keys[0])
    against = query.get("against", "")
    theirs = against if against in keys else report["baseline"]
    other = Side(previous, ours) if previous else Side(experiment, theirs) if theirs != ours else None
    return Shown(measure_of(report, query.get("measure", "")), Side(experiment, ours), other, query.get("type", ""))


def changes_of(selection: Shown) -> list[Change]:
    """The questions with the greatest change first; of equal ones those that became worse, then by their order."""
    ours = _values(selection.ours, selection.measure)
    theirs = _values(selection.other, selection.measure) if selection.other else {}
    questions = GoldQuestion.objects.filter(pk__in=ours.keys() | theirs.keys())
    if selection.kind:
        questions = questions.filter(question_type=selection.kind)
    is_less_better = bool(selection.measure["less_is_better"])
    changes = [
        Change(*row, ours.get(row[0]), theirs.get(row[0]), is_less_better, selection.other is not None)
        for row in questions.values_list("pk", "text", "question_type", "ordinal")
    ]
    return sorted(changes, key=_order)


def _order(change: Change) -> tuple[float, float, int]:
    shift = change.difference if change.difference is not None else 0.0
    if not change.has_other:
        shift, worst = 0.0, change.ours if change.ours is not None else float("inf")
        return (0.0, -worst if change.is_less_better else worst, change.ordinal)
    return (-abs(shift), -shift if change.is_less_better else shift, change.ordinal)


def _values(side: Side, measure: Mapping[str, Any]) -> dict[UUID, float | None]:
    scores = scores_of(experiment=side.experiment, judge=measure["judge"], measure=measure["name"])
    by_question: dict[UUID, list[float]] = defaultdict(list)
    for question, value in scores.filter(answer__cell=side.cell).values_list("answer__question_id", "value"):
        by_question[question] += [] if value is None else [value]
    return {question: sum(values) / len(values) if values else None for question, values in by_question.items()}


def items_of(selection: Shown, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Questions with what either side said to them, its values and what judges wrote, in five queries."""
    questions = GoldQuestion.objects.in_bulk([change.question for change in changes])
    sides = [side for side in (selection.ours, selection.other) if side is not None]
    answers = [_answers(side, list(questions)) for side in sides]
    rows = [row for by_question in answers for mine in by_question.values() for row in mine]
    claims, judged = _claims(rows), _judged(rows)
    return [
        {
            "question": questions[change.question],
            "change": change,
            "sides": [
                {
                    "name": side.cell,
                    "experiment": side.experiment,
                    "value": value,
                    "answers": [
                        {
                            "row": row,
                            "claims": claims.get(row.answer_id, ()) if row.answer_id else (),
                            "judged": judged.get(row.pk, ()),
                        }
                        for row in by_question.get(change.question, ())
                    ],
                }
                for side, by_question, value in zip(sides, answers, (change.ours, change.theirs), strict=False)
            ],
        }
        for change in changes
    ]


def _answers(side: Side, questions: Sequence[UUID]) -> dict[UUID, list[ExperimentAnswer]]:
    rows = ExperimentAnswer.objects.filter(experiment=side.experiment, cell=side.cell, question__in=questions)
    answers: dict[UUID, list[ExperimentAnswer]] = defaultdict(list)
    for row in rows.select_related("answer").order_by("repeat"):
        answers[row.question_id].append(row)
    return answers


def _claims(rows: Sequence[ExperimentAnswer]) -> dict[UUID, list[Claim]]:
    claims: dict[UUID, list[Claim]] = defaultdict(list)
    answers = [row.answer for row in rows if row.answer is not None and row.answer.state in SAID]
    for claim in Claim.objects.filter(answer__in=answers).order_by("answer_id", "ordinal"):
        claims[claim.answer_id].append(claim)
    return claims


def _judged(rows: Sequence[ExperimentAnswer]) -> dict[UUID, list[ExperimentScore]]:
    by_answer: dict[UUID, list[ExperimentScore]] = defaultdict(list)
    scores = ExperimentScore.objects.filter(answer__in=rows).exclude(judge="")
    for score in scores.order_by("judge", "measure"):
        by_answer[score.answer_id].append(score)
    return by_answer


def items_address(shown_measure: Mapping[str, Any], *, cell: str, kind: str = "", against: str = "") -> dict[str, str]:
    """The parameters that lead to the items of a figure."""
    parameters = {"measure": measure_key(shown_measure), "cell": cell, "type": kind, "against": against}
    return {name: value for name, value in parameters.items() if value}
