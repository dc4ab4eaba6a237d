"""Grades of answers: one a person and answer, with a note and judgments of single passages."""

from collections.abc import Mapping
from uuid import UUID

from corpora.models import Paragraph
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.models import Answer, AnswerGrade, AnswerState, Grade, PassageJudgment
from legalqa.answering.selectors import GRADES_BY_STATE, answer_get_own, paragraphs_read
from legalqa.common.errors import ApplicationError, Conflict, existing

MAX_NOTE = 1000  # ours: a remark, not a memorandum
MAX_CORRECTION = 10_000  # ours: an answer of several pages


def grades_possible(*, answer: Answer) -> tuple[Grade, ...]:
    """The grades that fit how an answer ended; none while it is under way, and none for a fault."""
    return GRADES_BY_STATE.get(AnswerState(answer.state), ())


def answer_grade(
    *,
    organization: Organization,
    user: User,
    answer_id: UUID,
    grade: str,
    note: str | None = None,
    correction: str | None = None,
    passages: Mapping[str, bool] | None = None,
) -> AnswerGrade:
    """Grade an answer, or change one's grade of it; asking for what is there already changes nothing.

    Args:
        organization: Whose answer it is.
        user: Who grades; who asked the question.
        answer_id: The answer.
        grade: One of `grades_possible`.
        note: A remark of at most MAX_NOTE characters; None keeps the present one.
        correction: The answer as it should be, of at most MAX_CORRECTION characters; None keeps the present one.
        passages: Whether a passage supports the answer (of a silence: answers the question), by the id of its
            paragraph; replaces the present ones, None keeps them. Only passages that the answer cites or has read.

    Raises:
        NotFound: no such answer, or you may not see it.
        Conflict: the answer is under way, was cancelled, or failed.
        ApplicationError: the grade does not fit the answer, a text is too long, a passage is not one of the answer's,
            or a silence is called right and a passage said to answer the question.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    choice = _grade_checked(answer, grade)
    texts = {
        "note": None if note is None else _text_checked(note, "note", MAX_NOTE),
        "correction": None if correction is None else _text_checked(correction, "corrected answer", MAX_CORRECTION),
    }
    verdicts = None if passages is None else _judged(answer, passages)
    if choice == Grade.RIGHTLY_SILENT:
        if True in (verdicts or {}).values():
            raise ApplicationError(
                "A silence cannot be right where a passage answers the question. Take one of the two back.",
                code="grade_contradicts",
            )
        verdicts = verdicts or {}
    row, is_new = AnswerGrade.objects.select_for_update().get_or_create(
        organization=organization,
        answer=answer,
        grader=user,
        defaults={"corpus_id": answer.question.corpus_id, "grade": choice},
    )
    before = Grade(row.grade)
    changes = {name: text for name, text in texts.items() if text is not None and text != getattr(row, name)}
    for name, text in changes.items():
        setattr(row, name, text)
    row.grade = choice
    is_judged = verdicts is not None and _judgments_replace(row, verdicts)
    if is_new or is_judged or changes or before != choice:
        row.save()
        _audit(row, user, before, is_new=is_new)
    return row


def answer_ungrade(*, organization: Organization, user: User, answer_id: UUID) -> Answer:
    """Take back one's grade of an answer, with its note and its judgments of passages. Returns the answer.

    Raises:
        NotFound: no such answer, you may not see it, or you have not graded it.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    row = existing(AnswerGrade.objects.filter(organization=organization, answer=answer, grader=user).first(), "grade")
    row.delete()
    audit(
        organization=organization,
        actor=user,
        action="answer.grade_removed",
        subject_id=answer.pk,
        grade=_word(row.grade),
    )
    return answer


def _grade_checked(answer: Answer, grade: str) -> Grade:
    possible = grades_possible(answer=answer)
    if not possible:
        raise Conflict(
            "Only an answer that was given, or a silence, can be graded. Wait until it has ended, or ask again.",
            code="not_gradable",
        )
    if grade not in possible:
        raise ApplicationError(
            f"This answer cannot be graded {grade[:20]!r}. Its grades are {', '.join(possible)}.", code="bad_grade"
        )
    return Grade(grade)


def _text_checked(text: str, what: str, most: int) -> str:
    text = "\n".join(text.split("\r\n")).strip()  # a browser sends two characters for each new line
    if len(text) > most:
        raise ApplicationError(
            f"The {what} has {len(text):,} characters; at most {most:,} are kept.", code="note_too_long"
        )
    return text


def _judged(answer: Answer, passages: Mapping[str, bool]) -> dict[int, bool]:
    paragraphs: dict[str, Paragraph] = paragraphs_read(answer=answer) if passages else {}
    for key in passages:
        if key not in paragraphs:
            raise ApplicationError(
                f"The answer neither cites nor used a passage {key[:60]!r}. Name one from its evidence pack.",
                code="unknown_passage",
            )
    return {paragraphs[key].pk: is_support for key, is_support in passages.items()}


def _judgments_replace(row: AnswerGrade, verdicts: Mapping[int, bool]) -> bool:
    """Store these and no others; returns whether that changed anything."""
    judgments = PassageJudgment.objects.filter(grade=row)
    stored = dict(judgments.values_list("paragraph_id", "is_support"))
    if stored == verdicts:
        return False
    judgments.delete()
    PassageJudgment.objects.bulk_create(
        PassageJudgment(
            organization_id=row.organization_id, grade=row, paragraph_id=paragraph_id, is_support=is_support
        )
        for paragraph_id, is_support in verdicts.items()
    )
    return True


def _audit(row: AnswerGrade, user: User, before: Grade, *, is_new: bool) -> None:
    """Who said what of which answer, without the texts and without what the answer says."""
    action, details = "answer.grade_noted", {}
    if is_new:
        action, details = "answer.graded", {"grade": _word(row.grade)}
    elif before != row.grade:
        action, details = "answer.grade_changed", {"before": _word(before), "after": _word(row.grade)}
    audit(organization=row.organization, actor=user, action=action, subject_id=row.answer_id, **details)


def _word(grade: str) -> str:
    return str(Grade(grade).label).lower()
