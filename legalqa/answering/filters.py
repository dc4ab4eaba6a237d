"""Filters of the lists of answers, for pages and endpoints."""

from django.db.models import QuerySet

from legalqa.answering.models import Answer, AnswerState, Grade
from legalqa.answering.selectors import UNGRADED, answer_list_graded
from legalqa.common.filters import ListFilter, one_of


class AnswerFilter(ListFilter):
    """Narrows `answer_list`."""

    state = one_of(AnswerState.values, words="How the answer ended.")
    grade = one_of(
        [*Grade.values, UNGRADED], method="graded", words="A grade that somebody gave; `none`: not graded yet."
    )

    def graded(self, answers: QuerySet[Answer], _: str, grade: str) -> QuerySet[Answer]:
        return answer_list_graded(answers=answers, grade=grade)
