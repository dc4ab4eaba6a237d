"""Judges over the answers of an experiment: each sees a question with the answers of every configuration at once."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from corpora.models import Corpus
from judging.experiments.facts import facts_of
from judging.experiments.rules import AnswerFacts
from judging.judges.services import judge_make
from judging.judges.types import Judge, JudgedAnswer, JudgedItem, Judgment
from judging.models import Experiment, ExperimentAnswer, ExperimentScore
from legalqa.accounts.models import Organization

REASON_MAX = 300


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
    """The judge, whose calls are counted as the experiment's; raises as `judge_make`."""
    return judge_make(
        organization=organization,
        name=sitting.judge,
        corpus_id=experiment.corpus_id,
        subject=f"experiment:{experiment.pk}",
        repeat=sitting.repeat,
    )


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


def judgments_take_over(*, row: ExperimentAnswer, known: ExperimentAnswer) -> None:
    """Copy what judges said of an answer that is taken over, in the caller's transaction, as paid for there.

    Where another answer to the question failed, it is left out: all of them are judged together again.
    """
    beside = ExperimentAnswer.objects.filter(
        experiment=known.experiment_id, question=known.question_id, repeat=known.repeat
    )
    if beside.filter(answer=None).exists():
        return
    scores = list(ExperimentScore.objects.filter(answer=known).exclude(judge=""))
    for score in scores:
        score.pk, score.experiment_id, score.answer, score.cost = None, row.experiment_id, row, Decimal(0)
    ExperimentScore.objects.bulk_create(scores)


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
