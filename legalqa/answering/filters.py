"""Filters of the lists of answers, for pages and endpoints."""

from django.db.models import Q, QuerySet
from django_filters import CharFilter

from corpora.models import Corpus
from legalqa.answering.models import Answer, AnswerState, Grade, Question, ReviewState
from legalqa.answering.outdated import answer_list_outdated
from legalqa.answering.selectors import UNGRADED, answer_list_graded
from legalqa.common.filters import ListFilter, one_of

MAX_WORDS = 12  # words of a search in the history


class AnswerFilter(ListFilter):
    """Narrows `answer_list`, for the page of the history and for the API: one word for one thing on both."""

    NARROWING = ("state", "grade", "outdated")  # all but the words

    state = one_of(AnswerState.values, words="How the answer ended.")
    grade = one_of(
        [*Grade.values, UNGRADED], method="graded", words="A grade that somebody gave; `none`: not graded yet."
    )

    outdated = one_of(
        ["true", "false"], method="with_change", words="Whether a document that the answer cites has changed since."
    )
    q = CharFilter(method="worded", help_text="Words of the question, or of the name of its conversation.")

    def with_change(self, answers: QuerySet[Answer], _: str, outdated: str) -> QuerySet[Answer]:
        rows = answer_list_outdated(answers=answers)
        return rows if outdated == "true" else answers.exclude(pk__in=rows.order_by().values("pk"))

    def worded(self, answers: QuerySet[Answer], _: str, words: str) -> QuerySet[Answer]:
        """The answers whose question, or conversation's name, contains every word."""
        for word in words.split()[:MAX_WORDS]:
            named = Question.objects.filter(title__icontains=word, corpus__in=Corpus.objects.all())
            conversations = named.values("conversation")
            answers = answers.filter(Q(question__text__icontains=word) | Q(question__conversation__in=conversations))
        return answers

    def graded(self, answers: QuerySet[Answer], _: str, grade: str) -> QuerySet[Answer]:
        return answer_list_graded(answers=answers, grade=grade)


class ContradictionFilter(ListFilter):
    """Narrows `contradiction_list` for the API."""

    state = one_of(ReviewState.values, words="What a reviewer said of it.")
