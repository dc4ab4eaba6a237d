"""The queue of feedback: what waits, how it is closed, who sees what became of it; and the threshold from grades."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.gold.feedback.selectors import ALL, WAITING, feedback_list, grades_given
from judging.gold.feedback.services import feedback_review
from judging.gold.feedback.threshold import LEAST_GRADES, threshold_report, threshold_set
from judging.measures.values import Undefined
from judging.models import FeedbackReview, GoldQuestion, Outcome
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.composing.composing import THRESHOLD
from legalqa.answering.models import Answer, AnswerGrade, Question
from legalqa.common.errors import ApplicationError, Conflict
from tests.committed import committed_fixture
from tests.ingestion import Place, make_corpus
from tests.pages import one_line
from tests.people import Firm, make_firm

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

ClientOf = Callable[[User], Client]
RENT, ROOF, TEAM = "What is the rent?", "Who repairs the roof?", "Who won in 1998?"


@dataclass(frozen=True)
class Office(Place):
    grades: dict[str, AnswerGrade]

    def waiting(self) -> list[str]:
        with self.inside():
            rows = feedback_list(organization=self.firm.organization, state=WAITING)
            return [row.answer.question.text for row in rows]

    def review(self, text: str, outcome: Outcome, **said: str) -> FeedbackReview:
        with self.inside():
            return feedback_review(**self.firm.by_manager, grade_id=self.grades[text].pk, outcome=outcome, **said)

    def questions(self) -> list[GoldQuestion]:
        with self.inside():
            return list(GoldQuestion.objects.filter(gold_set__corpus=self.corpus).order_by("ordinal"))


def grade_add(firm: Firm, corpus: Corpus, text: str, grade: str, *, chance: float = 0.5, **said: str) -> AnswerGrade:
    """An answer of the reader, graded by the lawyer who asked."""
    of: dict[str, Any] = {"organization": firm.organization}
    is_silent = grade in ("rightly_silent", "missed")
    with organization_scope(firm.organization, user=firm.lawyer):
        question = Question.objects.create(**of, corpus=corpus, asker=firm.lawyer, text=text, conversation=uuid4())
        answer = Answer.objects.create(
            **of,
            question=question,
            state="insufficient_evidence" if is_silent else "answered",
            confidence=chance,
            preset="x",
            pipeline={},
            fingerprint="x",
            composition={"kind": "open"},
            made_from={"encoder": corpus.encoder},
        )
        return AnswerGrade.objects.create(**of, corpus=corpus, answer=answer, grader=firm.lawyer, grade=grade, **said)


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Leases")
    grades = {
        RENT: grade_add(firm, corpus, RENT, "wrong", correction="900 euros a month."),
        "When is it due?": grade_add(firm, corpus, "When is it due?", "right"),
        ROOF: grade_add(firm, corpus, ROOF, "right", note="But it took long."),
        TEAM: grade_add(firm, corpus, TEAM, "rightly_silent"),
    }
    return Office(firm, corpus, grades)


office = committed_fixture(make_office)


def test_what_finds_fault_or_says_something_waits_oldest_first(office: Office) -> None:
    assert office.waiting() == [RENT, ROOF]


def test_a_gold_question_is_made_with_the_corrected_answer(office: Office) -> None:
    review = office.review(RENT, Outcome.GOLD_QUESTION)

    (question,) = office.questions()
    assert review.gold_question_id == question.pk
    assert (question.text, question.reference_answer, question.is_answerable) == (RENT, "900 euros a month.", True)
    assert office.waiting() == [ROOF]


def test_a_gold_question_that_is_there_already_is_corrected_and_not_doubled(office: Office) -> None:
    made = office.review(RENT, Outcome.GOLD_QUESTION).gold_question_id
    again = office.review(RENT, Outcome.GOLD_QUESTION, reference="950 euros a month.").gold_question_id

    (question,) = office.questions()
    assert (made, again) == (question.pk, question.pk)
    assert (question.reference_answer, question.review) == ("950 euros a month.", "approved")


def test_a_question_with_the_same_words_after_another_question_keeps_its_reference(office: Office) -> None:
    office.review(RENT, Outcome.GOLD_QUESTION)
    with office.inside():
        GoldQuestion.objects.update(history=["What does the garden lease say?"])

    with pytest.raises(ApplicationError) as refused:
        office.review(RENT, Outcome.REFERENCE, reference="950 euros a month.")
    assert refused.value.code == "no_gold_question"
    assert office.questions()[0].reference_answer == "900 euros a month."


def test_the_reference_of_every_gold_question_with_the_same_words_is_corrected(office: Office) -> None:
    office.review(RENT, Outcome.GOLD_QUESTION)
    review = office.review(RENT, Outcome.REFERENCE, reference="950 euros a month.")

    (question,) = office.questions()
    assert (question.reference_answer, question.version, question.review) == ("950 euros a month.", 2, "approved")
    assert review.outcome == Outcome.REFERENCE
    with office.inside():
        assert FeedbackReview.objects.count() == 1  # the later review replaces the earlier one


@pytest.mark.parametrize(
    ("text", "outcome", "said", "code"),
    [
        (ROOF, Outcome.NO_CHANGE, {}, "note_needed"),
        (ROOF, Outcome.MISSING, {}, "note_needed"),
        (ROOF, Outcome.REFERENCE, {"reference": "The landlord."}, "no_gold_question"),
        (ROOF, Outcome.GOLD_QUESTION, {}, "answer_needed"),
        (ROOF, "closed", {}, "unknown_outcome"),
        (ROOF, Outcome.NO_CHANGE, {"note": "x" * 1001}, "too_long"),
    ],
)
def test_what_a_result_needs_is_said(office: Office, text: str, outcome: Any, said: dict[str, str], code: str) -> None:
    with pytest.raises(ApplicationError) as refused:
        office.review(text, outcome, **said)

    assert refused.value.code == code
    assert office.waiting() == [RENT, ROOF]


def test_a_grade_that_is_changed_after_its_review_waits_again(office: Office) -> None:
    office.review(ROOF, Outcome.NO_CHANGE, note="It was a busy day.")
    assert office.waiting() == [RENT]
    with office.inside(office.firm.lawyer):
        grade = AnswerGrade.objects.get(pk=office.grades[ROOF].pk)
        grade.grade = "wrong"
        grade.save()

    assert office.waiting() == [RENT, ROOF]


def test_who_graded_sees_what_became_of_it_and_nobody_else_does(office: Office, client_of: ClientOf) -> None:
    office.review(ROOF, Outcome.NO_CHANGE, note="It was a busy day.")
    pages = {
        name: one_line(client_of(person).get(reverse("feedback_mine", args=["harding"])).content.decode())
        for name, person in (("lawyer", office.firm.lawyer), ("annotator", office.firm.annotator))
    }

    assert "<strong>No change</strong>: It was a busy day." in pages["lawyer"]
    assert "No grades yet" in pages["annotator"]
    with office.inside(office.firm.lawyer):
        given = grades_given(**office.firm.by_lawyer)
        assert given.count() == 4


def test_a_reviewer_closes_a_grade_on_the_page_and_does_not_see_who_graded(office: Office, client_of: ClientOf) -> None:
    client = client_of(office.firm.manager)
    address = reverse("feedback_list", args=["harding", office.corpus.pk])
    page = client.get(address).content.decode()
    assert RENT in page and "900 euros a month." in page and "But it took long." in page
    assert "Lawyer of Harding" not in page

    client.post(
        reverse("feedback_review", args=["harding", office.grades[RENT].pk]),
        {"outcome": "missing", "note": "The rent table is not uploaded."},
    )
    assert RENT not in client.get(address).content.decode()
    assert "The rent table is not uploaded." in client.get(f"{address}?state=missing").content.decode()


def test_what_was_typed_is_kept_where_the_result_needs_more(office: Office, client_of: ClientOf) -> None:
    sent = {"outcome": "no_change", "note": "", "reference": "901 euros, after the index."}
    reply = client_of(office.firm.manager).post(
        reverse("feedback_review", args=["harding", office.grades[RENT].pk]), sent
    )
    page = one_line(reply.content.decode())

    assert reply.status_code == 422
    assert "Write a note: it tells the person who graded" in page
    assert "901 euros, after the index.</textarea>" in page
    assert '<option value="no_change" selected>' in page


def test_a_program_closes_a_grade(office: Office, client: Client) -> None:
    headers = office.firm.bearer(office.firm.manager, TokenScope.CORPORA_WRITE, TokenScope.CORPORA_READ)
    listed = client.get(reverse("api_feedback_list", args=[office.corpus.pk]), headers=headers).json()
    assert [row["question"] for row in listed["results"]] == [RENT, ROOF]

    reply = client.put(
        reverse("api_feedback_detail", args=[office.grades[RENT].pk]),
        {"outcome": "gold_question", "reference": "901 euros."},
        content_type="application/json",
        headers=headers,
    )
    assert (reply.status_code, reply.json()["outcome"]) == (200, "gold_question")
    assert office.questions()[0].reference_answer == "901 euros."


def test_what_is_exported_says_a_prompt_and_no_names(office: Office, client: Client) -> None:
    headers = office.firm.bearer(office.firm.manager, TokenScope.DOCUMENTS_READ)
    address = reverse("api_feedback_export", args=[office.corpus.pk])
    reply = client.get(address, {"kind": "pairs"}, headers=headers)

    (pair,) = reply.json()["lines"]
    assert (pair["prompt"], pair["chosen"]) == (RENT, "900 euros a month.")
    assert "lawyer" not in reply.content.decode().lower()
    assert client.get(address, {"kind": "songs"}, headers=headers).status_code == 400


def test_no_threshold_is_chosen_from_too_few_grades(office: Office, client_of: ClientOf) -> None:
    of: dict[str, Any] = {"organization": office.firm.organization, "corpus_id": office.corpus.pk}
    with office.inside():
        report = threshold_report(**of)
        with pytest.raises(Conflict, match="4 of at least 30"):
            threshold_set(**of, user=office.firm.manager, risk=0.1)
    assert (report.n_grades, report.is_own, report.threshold) == (4, False, THRESHOLD)
    assert all(isinstance(choice.threshold, Undefined) for choice in report.choices)
    page = client_of(office.firm.manager).get(reverse("threshold_page", args=["harding", office.corpus.pk]))
    assert f"4 graded questions count; {LEAST_GRADES} are needed." in one_line(page.content.decode())


def test_a_threshold_is_chosen_from_grades_and_given_back(office: Office, client_of: ClientOf) -> None:
    for n in range(40):  # chances 0.50, 0.51, …: the four lowest are wrong
        grade_add(office.firm, office.corpus, f"Number {n}?", "wrong" if n < 4 else "right", chance=0.5 + n / 100)
    with office.inside():
        report = threshold_report(organization=office.firm.organization, corpus_id=office.corpus.pk)
    # 44 questions with those of the office at 0.5, of which two are wrong there: one wrong answer in all, at 0.53,
    # is (1 + 1) / 45; two are 3 / 45, above 0.05.
    strict = report.choices[0]
    assert (report.n_grades, strict.risk) == (44, 0.05)
    assert strict.threshold == pytest.approx(0.53)
    assert strict.answered == pytest.approx(37 / 44)
    assert strict.wrong == pytest.approx(1 / 44)

    client, address = client_of(office.firm.manager), reverse("threshold_page", args=["harding", office.corpus.pk])
    client.post(address, {"risk": "0.05"})
    with office.inside():
        assert Corpus.objects.get(pk=office.corpus.pk).answer_threshold == pytest.approx(0.53)
    assert client.post(address, {"risk": "0.5"}).status_code == 422
    client.post(address)
    with office.inside():
        assert Corpus.objects.get(pk=office.corpus.pk).answer_threshold is None


def test_grades_of_another_encoder_say_nothing_about_the_threshold(office: Office) -> None:
    with office.inside():
        Corpus.objects.filter(pk=office.corpus.pk).update(encoder="another")
        report = threshold_report(organization=office.firm.organization, corpus_id=office.corpus.pk)

    assert report.n_grades == 0
    assert report.bins == []


def test_the_queue_of_all_corpora_holds_what_one_may_see(office: Office, rivals: Firm) -> None:
    with organization_scope(rivals.organization, user=rivals.owner):
        assert not feedback_list(organization=office.firm.organization, state=ALL).exists()
        assert not feedback_list(organization=rivals.organization, state=ALL).exists()
