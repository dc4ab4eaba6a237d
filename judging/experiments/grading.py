"""Judges over the answers of an experiment: each sees a question with the answers of every configuration at once."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from corpora.models import Corpus
from judging.experiments.facts import facts_of
from judging.experiments.provenance import judges_of
from judging.experiments.rules import AnswerFacts
from judging.judges.asking import Unread
from judging.judges.kinds.base import of_all
from judging.judges.registry import Setup
from judging.judges.services import judge_make
from judging.judges.types import Judge, JudgedAnswer, JudgedItem, Judgment, Status
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldEdit
from legalqa.accounts.models import Organization

REASON_MAX = 300
NOT_READ = ["split", "topic"]  # of a gold question, by no judge
OTHER_VERSION = "The judge has changed since the experiment began. Start a new experiment."


@dataclass(frozen=True, slots=True)
class Sitting:
    """A question with the answers that are judged together, and the judge who has not judged them yet."""

    judge: str
    repeat: int
    rows: tuple[ExperimentAnswer, ...]


def sittings(*, experiment: Experiment, judges: Sequence[str], cells: Sequence[str]) -> list[Sitting]:
    """What is still to be judged, question by question; answers that failed are left out."""
    pending: list[Sitting] = []
    for judge in judges:
        judged = ExperimentScore.objects.filter(answer=OuterRef("pk"), judge=judge)
        rows = ExperimentAnswer.objects.filter(~Exists(judged), experiment=experiment, answer__isnull=False)
        together: dict[tuple[UUID, int], list[ExperimentAnswer]] = defaultdict(list)
        for row in rows.select_related("question", "answer").order_by("question__ordinal", "repeat"):
            together[row.question_id, row.repeat].append(row)
        for (_, repeat), answers in together.items():
            ordered = sorted(answers, key=lambda row: cells.index(row.cell))
            pending.append(Sitting(judge, repeat, tuple(ordered)))
    return pending


def judge_for(*, organization: Organization, experiment: Experiment, sitting: Sitting) -> Judge:
    """The judge as it was at the start, whose calls are counted as the experiment's; raises as `judge_make`."""
    made = judges_of(experiment).get(sitting.judge)
    return judge_make(
        organization=organization,
        name=sitting.judge,
        corpus_id=experiment.corpus_id,
        subject=f"experiment:{experiment.pk}",
        repeat=sitting.repeat,
        setup=Setup(sitting.judge, made["kind"], made["settings"]) if made else None,
    )


def item_judge(judge: Judge, item: JudgedItem, *, experiment: Experiment) -> Sequence[Judgment]:
    """The judgments of a judge; none if its prompts or rules have changed since the start, so that no versions mix."""
    made = judges_of(experiment).get(judge.name)
    if made is None or made["version"] == judge.version:
        return judge.judge(item)
    return of_all(item, judge.measures, Unread(Status.FAILED, OTHER_VERSION))


def item_of(sitting: Sitting, *, corpus: Corpus) -> JudgedItem:
    """What the judge reads, in the caller's transaction; the order of the answers is that of the rows."""
    facts = facts_of(sitting.rows)
    first, question = facts[sitting.rows[0].pk], sitting.rows[0].question
    return JudgedItem(
        id=str(question.pk),
        question=question.text,
        answers=tuple(_answer(row, facts[row.pk]) for row in sitting.rows),
        reference_answer=question.reference_answer,
        gold_passages=first.gold_texts,
        is_answerable=question.is_answerable,
        question_type=question.question_type,
        gold_model=question.written_by,
        as_of=_day(sitting.rows[0], corpus),
    )


def _day(row: ExperimentAnswer, corpus: Corpus) -> date | None:
    """The day whose law the answer was given by; None while the corpus is as it was then."""
    assert row.answer is not None  # what failed is not judged
    if row.answer.as_of is not None:
        return date.fromisoformat(row.answer.as_of)
    is_same = row.answer.made_from.get("corpus_version") == corpus.version
    return None if is_same else timezone.localdate(row.answer.created_at)


def judgments_store(*, sitting: Sitting, judgments: Sequence[Judgment]) -> None:
    """Keep what a judge said, in the caller's transaction."""
    ExperimentScore.objects.bulk_create(_scores(sitting, judgments))


def judgments_take_over(*, experiment: Experiment, before: Experiment) -> None:
    """Copy what judges said of the answers that are taken over, in the caller's transaction, as paid for there.

    Judged again are questions with a new answer, because all answers are judged together; questions that were edited
    since, or whose references were; and everything if the version of the judge has changed.
    """
    then, now = judges_of(before), judges_of(experiment)
    same = [name for name in now if name in then and now[name]["version"] == then[name]["version"]]
    edits = GoldEdit.objects.filter(question__gold_set=experiment.gold_set_id, edited_at__gte=before.created_at)
    edited = edits.exclude(changed__contained_by=NOT_READ).values("question")
    was, rows = _together(before), _together(experiment, but=edited)
    taken = {
        was[place][cell].pk: row
        for place, mine in rows.items()
        if {cell: row.answer_id for cell, row in mine.items()}
        == {cell: row.answer_id for cell, row in was.get(place, {}).items()}
        for cell, row in mine.items()
    }
    scores = list(ExperimentScore.objects.filter(experiment=before, judge__in=same, answer__in=list(taken)))
    for score in scores:
        score.pk, score.experiment, score.answer, score.cost = None, experiment, taken[score.answer_id], Decimal(0)
    ExperimentScore.objects.bulk_create(scores, ignore_conflicts=True)  # of an earlier slice


def _together(
    experiment: Experiment, *, but: QuerySet[Any] | None = None
) -> dict[tuple[UUID, int], dict[str, ExperimentAnswer]]:
    """The answers that are judged together, by their cell."""
    together: dict[tuple[UUID, int], dict[str, ExperimentAnswer]] = defaultdict(dict)
    answers = ExperimentAnswer.objects.filter(experiment=experiment)
    for row in answers if but is None else answers.exclude(question__in=but):
        together[row.question_id, row.repeat][row.cell] = row
    return together


def _scores(sitting: Sitting, judgments: Sequence[Judgment]) -> Iterator[ExperimentScore]:
    for judgment in judgments:
        row = sitting.rows[judgment.answer]
        yield ExperimentScore(
            organization_id=row.organization_id,
            experiment_id=row.experiment_id,
            answer=row,
            judge=sitting.judge,
            measure=judgment.measure,
            value=judgment.value,
            status=judgment.status.value,
            reason=judgment.reason[:REASON_MAX],
            warning=judgment.warning[:REASON_MAX],
            law=list(judgment.law),
            seconds=judgment.seconds,
            tokens=judgment.n_tokens,
            cost=judgment.cost,
        )


def _answer(row: ExperimentAnswer, facts: AnswerFacts) -> JudgedAnswer:
    assert row.answer is not None  # what failed is not judged
    return JudgedAnswer(
        text=facts.text,
        passages=tuple(passage["text"] for passage in row.answer.evidence if passage["read"]),
        is_silent=not facts.is_answered,
        model=row.answer.generation.get("model", ""),
    )
