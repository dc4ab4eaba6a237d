"""What the pages of feedback show."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from judging.gold.feedback.selectors import ALL, STATES, WAITING, feedback_counts
from judging.gold.grades import answer_texts
from judging.models import Outcome
from legalqa.accounts.models import Organization
from legalqa.answering.models import AnswerGrade, Grade
from legalqa.answering.pages.grades import MARKS
from legalqa.answering.types import SILENT

LABELS = {WAITING: "Waiting", **dict(Outcome.choices), ALL: "All"}


def feedback_filters(*, organization: Organization, corpus_id: UUID, state: str) -> list[dict[str, Any]]:
    """Links that show one state only, each with its count."""
    counts = feedback_counts(organization=organization, corpus_id=corpus_id)
    return [
        {"url": f"?state={name}", "label": LABELS[name], "count": counts[name], "is_active": name == state}
        for name in STATES
        if counts[name] or name in (WAITING, ALL, state)
    ]


def feedback_rows(grades: Sequence[AnswerGrade]) -> list[dict[str, Any]]:
    """Grades from the queue with question and answer; who asked and graded is not in them."""
    texts = answer_texts(grade.answer_id for grade in grades)
    reviews: list[tuple[str | None, str | None]] = [(grade.outcome, grade.said) for grade in grades]  # type: ignore[attr-defined]  # annotated by the queue
    return [
        {
            "id": grade.pk,
            "answer_id": grade.answer_id,
            "question": grade.answer.question.text,
            "answer": texts.get(grade.answer_id, "") or SILENT,
            "grade": grade.get_grade_display(),
            "tone": MARKS[Grade(grade.grade)][0],
            "icon": MARKS[Grade(grade.grade)][1],
            "note": grade.note,
            "correction": grade.correction,
            "changed_at": grade.changed_at,
            "outcome": outcome,
            "outcome_label": LABELS[outcome or WAITING],
            "said": note or "",
            "typed": {"outcome": outcome or "", "note": note or "", "reference": grade.correction},
        }
        for grade, (outcome, note) in zip(grades, reviews, strict=True)
    ]
