"""Operators see that questions were asked and how they went, not their words."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState, AnswerStep, Purpose, Question
from tests.ingestion import make_corpus
from tests.people import PASSWORD, Firm

SECRET = "Kestrel"


@pytest.fixture
def answer(firm: Firm) -> Answer:
    corpus = make_corpus(firm)
    with organization_scope(firm.organization, user=firm.lawyer):
        question = Question.objects.create(
            organization=firm.organization,
            corpus=corpus,
            asker=firm.lawyer,
            text=f"May {SECRET} be dismissed?",
            conversation=uuid4(),
        )
        answer = Answer.objects.create(
            organization=firm.organization,
            question=question,
            purpose=Purpose.EXPERIMENT,
            state=AnswerState.ANSWERED,
            why=f"Quoted from the documents on {SECRET}.",
            unchecked_text=f"{SECRET} must be dismissed.",
            asked={"question": f"May {SECRET} be dismissed?", "follows": f"Who is {SECRET}?"},
            generation={"reply": f"{SECRET} may be dismissed."},
            preset="naive",
            pipeline={},
            evidence=[{"text": f"{SECRET} may be dismissed."}],
        )
        detail = [{"step": "rewrite", "question": f"May {SECRET} be let go?"}]
        AnswerStep.objects.create(
            organization=firm.organization, answer=answer, ordinal=0, name="x", label="x", state="done", detail=detail
        )
        return answer


@pytest.fixture
def operator(firm: Firm, answer: Answer, client_of: Callable[[User], Client]) -> Client:
    client = client_of(User.objects.create_user("ops@example.org", PASSWORD, name="Olga Ops", is_staff=True))
    entered = {"organization": str(firm.organization.pk), "reason": "Ticket 4711: an answer that hangs"}
    assert client.post(reverse("admin:enter"), entered).status_code == 302
    return client


def test_no_page_of_the_operators_shows_the_words_of_a_question_or_an_answer(operator: Client, answer: Answer) -> None:
    rows = {"question": answer.question_id, "answer": answer.pk}
    for model, row in rows.items():
        for page, arguments in (("changelist", []), ("change", [row]), ("history", [row])):
            response = operator.get(reverse(f"admin:answering_{model}_{page}", args=arguments))
            assert response.status_code == 200
            assert SECRET not in response.content.decode(), (model, page)
    shown = operator.get(reverse("admin:answering_answer_change", args=[answer.pk])).content.decode()
    assert "Answered" in shown
    assert str(answer.question_id) in shown


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("question", "text__contains"),
        ("question", "follows__text__contains"),
        ("question", "corpus__name__startswith"),
        ("answer", "evidence__icontains"),
        ("answer", "trace__icontains"),
        ("answer", "asked__icontains"),
        ("answer", "generation__icontains"),
        ("answer", "why__contains"),
        ("answer", "question__text__contains"),
    ],
)
def test_the_words_cannot_be_guessed_through_filters_in_the_address(model: str, lookup: str, operator: Client) -> None:
    address = reverse(f"admin:answering_{model}_changelist")
    answers = [operator.get(address, {lookup: guess}) for guess in (SECRET, "Heron")]

    assert [response.status_code for response in answers] == [400, 400]


def test_filters_that_are_offered_still_work(operator: Client) -> None:
    address = reverse("admin:answering_answer_changelist")
    pages = [operator.get(address, {"state__exact": state}).content.decode() for state in ("answered", "failed")]

    assert ["1 answer" in page for page in pages] == [True, False]
