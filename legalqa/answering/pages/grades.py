"""Grades of an answer in words: for its page and for the API."""

from collections.abc import Sequence
from typing import Any

from legalqa.accounts.models import User
from legalqa.answering.models import Answer, AnswerState, Grade
from legalqa.answering.selectors import GradeView, grade_list, paragraphs_read
from legalqa.answering.services import grades_possible
from legalqa.answering.services.cases import answer_case, answer_may_be_kept
from legalqa.answering.services.grades import MAX_CORRECTION, MAX_NOTE

MARKS = {  # tone and icon of a grade
    Grade.RIGHT: ("ok", "state-ok"),
    Grade.PARTLY: ("partly", "state-partly"),
    Grade.WRONG: ("contra", "state-contradicted"),
    Grade.RIGHTLY_SILENT: ("ok", "state-ok"),
    Grade.MISSED: ("contra", "state-contradicted"),
}
QUOTE_SHOWN = 160  # characters of a quote


def grades_document(*, answer: Answer, user: User) -> dict[str, Any]:
    """The grades of an answer as the API gives them: one's own, and those of others who may see the answer."""
    views = grade_list(answer=answer)
    names = {paragraph.pk: name for name, paragraph in paragraphs_read(answer=answer).items()}
    mine = next((view for view in views if view.grade.grader_id == user.pk), None)
    return {
        "possible": [grade.value for grade in grades_possible(answer=answer)],
        "mine": _document(mine, names) if mine else None,
        "others": [_document(view, names) for view in views if view is not mine],
    }


def _document(view: GradeView, names: dict[int, str]) -> dict[str, Any]:
    judgments = [(names[pk], is_support) for pk, is_support in view.judgments.items() if pk in names]
    return {
        "grade": view.grade.grade,
        "note": view.grade.note,
        "correction": view.grade.correction,
        "passages": [{"paragraph_id": name, "is_support": is_support} for name, is_support in sorted(judgments)],
        "grader_id": view.grade.grader_id,
        "grader": view.grade.grader.name,
        "created_at": view.grade.created_at,
        "changed_at": view.grade.changed_at,
    }


def grading_page(
    *, answer: Answer, user: User, passages: Sequence[dict[str, Any]], is_open: bool = False
) -> dict[str, Any] | None:
    """What the page shows below an answer; None where there is nothing to grade.

    Args:
        answer: The answer.
        user: Who looks at it.
        passages: Those of the page, as `presentation.answer_page` has them.
        is_open: Whether the part with passages and note is unfolded.
    """
    possible = grades_possible(answer=answer)
    if not possible:
        return None
    views = grade_list(answer=answer)
    mine = next((view for view in views if view.grade.grader_id == user.pk), None)
    by_name = {name: paragraph.pk for name, paragraph in paragraphs_read(answer=answer).items()}
    judgments = mine.judgments if mine else {}
    is_silence = answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    return {
        "title": "Are the documents silent on this?" if is_silence else "Is this answer right?",
        "is_silence": is_silence,
        "options": [_option(grade, mine) for grade in possible],
        "mine": mine.grade if mine else None,
        "word": _word(mine) if mine else "",
        "passages": [
            _row(passage, judgment=judgments.get(by_name.get(passage["paragraph_id"], 0)))
            for passage in passages
            if is_silence or passage["citation_number"]
        ],
        "asks_passages": mine is not None and mine.grade.grade != Grade.RIGHTLY_SILENT,
        "summary": _summary(mine, is_silence=is_silence) if mine else "",
        "case": answer_case(answer=answer),
        "may_be_kept": answer_may_be_kept(answer=answer),
        "max_note": MAX_NOTE,
        "max_correction": MAX_CORRECTION,
        "others": [
            {"grade": view.grade, "word": _word(view), "summary": _summary(view, is_silence=is_silence)}
            for view in views
            if view is not mine
        ],
        "is_open": is_open or (mine is not None and mine.grade.grade == Grade.MISSED and not judgments),
    }


def _option(grade: Grade, mine: GradeView | None) -> dict[str, Any]:
    tone, icon = MARKS[grade]
    is_mine = mine is not None and mine.grade.grade == grade
    return {"value": grade.value, "label": grade.label, "tone": tone, "icon": icon, "is_mine": is_mine}


def _row(passage: dict[str, Any], *, judgment: bool | None) -> dict[str, Any]:
    marked = " … ".join(segment["text"].strip() for segment in passage["segments"] if segment["is_highlighted"])
    words = " ".join((marked or passage["text"]).split())
    return {
        "rank": passage["rank"],
        "number": passage["citation_number"] or passage["rank"],
        "where": passage["heading"] or passage["document_title"],
        "document_title": passage["document_title"] if passage["heading"] else "",
        "page_label": passage["page_label"],
        "quote": words if len(words) <= QUOTE_SHOWN else f"{words[:QUOTE_SHOWN].rsplit(' ', 1)[0]} …",
        "choices": [("yes", judgment is True), ("no", judgment is False), ("", judgment is None)],
    }


def _word(view: GradeView) -> str:
    return str(Grade(view.grade.grade).label).lower()


def _summary(view: GradeView, *, is_silence: bool) -> str:
    """What a grade holds besides itself, in a few words; "" where that is nothing."""
    n_yes = sum(view.judgments.values())
    n_no = len(view.judgments) - n_yes
    one, many = ("answers it", "answer it") if is_silence else ("supports it", "support it")
    counts = [
        f"{n_yes} passage{'s' if n_yes > 1 else ''} {many if n_yes > 1 else one}" if n_yes else "",
        f"{n_no} {'do' if n_no > 1 else 'does'} not" if n_no else "",
        "with a corrected answer" if view.grade.correction else "",
    ]
    return ", ".join(filter(None, counts))
