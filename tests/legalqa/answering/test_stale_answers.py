"""Answers whose source has changed: every one flagged, listed with the right count, and asked again with one button."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, Document
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_document
from retrieval.types import Filters
from tests.asking import quoted_answer
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.legalqa.answering.test_as_of import BEFORE, PROVISIONS, Provision, dated
from tests.pages import one_line, path_of
from tests.people import Firm, make_firm

UNTOUCHED = Provision("Pets", "The tenant may keep {} cats in the house.", ("two", "two"), "How many cats may be kept?")


@dataclass(frozen=True)
class Office:
    firm: Firm
    corpus: Corpus
    answers: dict[str, Answer]


def ask(firm: Firm, corpus: Corpus, text: str, day: date | None = None, document: str = "law") -> Answer:
    with organization_scope(firm.organization, user=firm.lawyer):
        only = Document.objects.get(corpus=corpus, name=f"{document}.md")
    return quoted_answer(firm, corpus, text, filters=Filters(as_of=day, document_ids=(str(only.pk),)))


def law(place: int) -> str:
    """All provisions in one document, with the numbers of the earlier or of the later law."""
    return "\n".join(provision.file(provision.numbers[place]) for provision in PROVISIONS)


def make_office() -> Office:
    """Twenty questions are asked, then every number in the law changes; one more is of a document that stays."""
    firm = make_firm("changing", "Changing Laws")
    corpus = make_corpus(firm, "Laws")
    ingest(firm, corpus, "law.md", law(0))
    ingest(firm, corpus, "pets.md", UNTOUCHED.file("two"))
    answers = {
        provision.name: ask(firm, corpus, provision.question, document="pets" if provision is UNTOUCHED else "law")
        for provision in (*PROVISIONS, UNTOUCHED)
    }
    ingest(firm, corpus, "law.md", law(1))
    return Office(firm, corpus, answers)


committed_office = committed_fixture(make_office)


@pytest.fixture
def office(committed_office: Office, db: None) -> Office:
    return committed_office


def document(office: Office, answer: Answer) -> dict[str, Any]:
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        return answer_document(answer=answer)


@pytest.mark.parametrize("provision", PROVISIONS, ids=lambda provision: provision.name)
def test_an_answer_whose_source_changed_is_flagged(office: Office, provision: Provision) -> None:
    assert document(office, office.answers[provision.name])["outdated"]


def test_an_answer_whose_source_did_not_change_is_not(office: Office) -> None:
    assert not document(office, office.answers[UNTOUCHED.name])["outdated"]


def listed(client: Client, headers: Any, **query: str) -> list[str]:
    reply = client.get(reverse("api_question_list"), {"limit": "100", **query}, headers=headers)
    return [row["answer_id"] for row in reply.json()["results"]]


def test_the_list_of_stale_answers_holds_them_all_and_no_other(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    stale = {str(office.answers[provision.name].pk) for provision in PROVISIONS}
    headers = office.firm.bearer(office.firm.lawyer, TokenScope.ANSWERS_READ)
    fresh = str(office.answers[UNTOUCHED.name].pk)

    assert set(listed(Client(), headers, outdated="true")) == stale
    assert listed(Client(), headers, outdated="false") == [fresh]
    html = (
        client_of(office.firm.lawyer)
        .get(reverse("question_list", args=["changing"]), {"outdated": "true"})
        .content.decode()
    )
    assert 'Source changed <span class="num">20</span>' in one_line(html)
    assert html.count('id="question-list"') == 1
    assert fresh not in html
    assert all(answer in html for answer in stale)


def test_the_page_lists_them_by_the_filter_that_programs_use(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    headers, client = office.firm.bearer(office.firm.lawyer, TokenScope.ANSWERS_READ), client_of(office.firm.lawyer)
    html = one_line(client.get(reverse("question_list", args=["changing"])).content.decode())
    (link,) = re.findall(r'href="\?([^"]*)"[^>]*>Source changed', html)
    name, value = link.split("=")

    assert set(listed(Client(), headers, **{name: value})) == {str(office.answers[p.name].pk) for p in PROVISIONS}
    chosen = one_line(client.get(reverse("question_list", args=["changing"]), {name: value}).content.decode())
    assert re.search(r'aria-current="true"[^>]*>Source changed', chosen)
    assert not re.search(r'aria-current="true"[^>]*>All', chosen)


def test_nobody_else_finds_them(office: Office, client_of: Callable[[User], Client]) -> None:
    headers = office.firm.bearer(office.firm.owner, TokenScope.ANSWERS_READ)
    assert listed(Client(), headers, outdated="true") == []
    html = (
        client_of(office.firm.owner)
        .get(reverse("question_list", args=["changing"]), {"outdated": "true"})
        .content.decode()
    )
    assert not any(str(answer.pk) in html for answer in office.answers.values())


def test_asking_again_answers_from_the_current_version_and_names_the_earlier_answer(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    provision, client = PROVISIONS[14], client_of(office.firm.lawyer)
    old = office.answers[provision.name]
    page = client.get(reverse("answer_detail", args=["changing", old.pk])).content.decode()
    assert 'id="ask-again"' in page

    reply = client.post(reverse("answer_again", args=["changing", old.pk]))
    new_id = path_of(reply["Location"]).rstrip("/").rsplit("/", 1)[-1]
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        new = Answer.objects.select_related("question", "question__corpus").get(pk=new_id)
    made = document(office, new)

    assert (made["outdated"], made["again_of"], made["question"]) == (False, str(old.pk), provision.question)
    assert "$500" in made["text"]
    assert (new.fingerprint, new.asked["filters"]) == (old.fingerprint, old.asked["filters"])
    assert f"answers/{new_id}" in client.get(reverse("answer_detail", args=["changing", old.pk])).content.decode()
    assert f"answers/{old.pk}" in client.get(reverse("answer_detail", args=["changing", new_id])).content.decode()


def test_a_program_asks_again(office: Office) -> None:
    old = office.answers[PROVISIONS[14].name]
    headers: Any = office.firm.bearer(office.firm.lawyer, TokenScope.QUESTIONS_WRITE)
    reply = Client().post(
        reverse("api_answer_again", args=[old.pk]), json.dumps({}), "application/json", headers=headers
    )
    assert (reply.status_code, reply.json()["again_of"]) == (201, str(old.pk))


def test_an_answer_as_of_a_day_is_stale_only_when_the_law_of_that_day_is_another(office: Office) -> None:
    provision, firm = PROVISIONS[14], office.firm
    corpus = make_corpus(firm, "Penalties")
    dated(firm, ingest(firm, corpus, "law.md", provision.file(provision.numbers[0])), date(2023, 1, 1))
    second = ingest(firm, corpus, "law.md", provision.file(provision.numbers[1]))
    dated(firm, second, date(2024, 1, 1))
    answer = ask(firm, corpus, provision.question, BEFORE)
    headers = firm.bearer(firm.lawyer, TokenScope.ANSWERS_READ)

    assert "$375" in document(office, answer)["text"]
    assert not document(office, answer)["outdated"]
    assert str(answer.pk) not in listed(Client(), headers, outdated="true")

    dated(firm, second, date(2023, 2, 1))
    assert document(office, answer)["outdated"]
    assert str(answer.pk) in listed(Client(), headers, outdated="true")
