"""A version with a later date is announced; until that day questions are answered from the one in force."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Citation
from legalqa.answering.outdated import answer_list_outdated, outdated_answers
from legalqa.answering.pages.memo import memo_lines
from legalqa.common.dates import day_words
from legalqa.common.errors import ApplicationError
from retrieval.types import Filters
from tests.asking import quoted_answer
from tests.ingestion import Ingested, ingest, make_corpus
from tests.legalqa.answering.test_as_of import dated
from tests.pages import one_line
from tests.people import Firm

QUESTION = "What interest does a tenant who pays late owe?"
TEXT = "# Lease\n\n## Rent\n\nA tenant who pays late owes interest of {} percent a year on the sum that is late.\n"
TODAY = timezone.localdate()
LATER, EARLIER = TODAY + timedelta(days=200), TODAY - timedelta(days=200)
ANNOUNCED = f"Version 2 of “Lease” takes effect on {day_words(LATER)}; until then version 1 is searched."
pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Leases")


@pytest.fixture
def lease(firm: Firm, corpus: Corpus) -> Ingested:
    """The lease in force, its successor of a later day, and a document beside them."""
    dated(firm, ingest(firm, corpus, "lease.md", TEXT.format("five")), EARLIER)
    ingest(firm, corpus, "pets.md", "# House rules\n\n## Pets\n\nPets are allowed in the garden.\n")
    second = ingest(firm, corpus, "lease.md", TEXT.format("eight"))
    dated(firm, second, LATER)
    return second


def ask(firm: Firm, corpus: Corpus, text: str = QUESTION, day: date | None = None) -> Answer:
    return quoted_answer(firm, corpus, text, filters=Filters(as_of=day))


def quoted(firm: Firm, answer: Answer) -> str:
    with organization_scope(firm.organization, user=firm.lawyer):
        return " ".join(Citation.objects.filter(claim__answer=answer).values_list("quote", flat=True))


def in_api(firm: Firm, answer: Answer) -> dict[str, Any]:
    headers: Any = firm.bearer(firm.lawyer, TokenScope.ANSWERS_READ)
    reply: dict[str, Any] = Client().get(reverse("api_answer_detail", args=[answer.pk]), headers=headers).json()
    return reply


def memo(firm: Firm, answer: Answer) -> str:
    with organization_scope(firm.organization, user=firm.lawyer):
        return " ".join(text for _, text in memo_lines(answer=answer))


def page(firm: Firm, answer: Answer, client: Client, name: str = "answer_detail") -> str:
    return one_line(client.get(reverse(name, args=[firm.organization.slug, answer.pk])).content.decode())


def is_outdated(firm: Firm, answer: Answer) -> tuple[bool, bool]:
    with organization_scope(firm.organization, user=firm.lawyer):
        listed = answer_list_outdated(answers=Answer.objects.filter(pk=answer.pk))
        return answer.pk in outdated_answers(answer_ids=[answer.pk]), listed.exists()


@pytest.mark.parametrize("day", [None, TODAY])
def test_a_question_is_answered_from_the_version_in_force(
    firm: Firm, corpus: Corpus, lease: Ingested, day: date | None
) -> None:
    answer = ask(firm, corpus, day=day)

    assert "five" in quoted(firm, answer)
    assert "eight" not in quoted(firm, answer)
    assert is_outdated(firm, answer) == (False, False)
    assert "Pets are allowed" in quoted(firm, ask(firm, corpus, "Are pets allowed in the garden?"))
    assert "eight" in quoted(firm, ask(firm, corpus, day=LATER))


def test_the_awaited_version_is_announced_wherever_the_answer_is_read(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    answer, client = ask(firm, corpus), client_of(firm.lawyer)
    [effect] = in_api(firm, answer)["taking_effect"]

    assert all(ANNOUNCED in page(firm, answer, client, name) for name in ("answer_detail", "answer_pack"))
    assert ANNOUNCED in memo(firm, answer)
    assert (effect["version"], effect["version_until_then"], effect["is_cited"]) == (2, 1, False)
    assert (effect["effective_date"], effect["text"]) == (LATER.isoformat(), ANNOUNCED)
    others = ask(firm, corpus, "Are pets allowed in the garden?")
    assert in_api(firm, others)["taking_effect"] == []


def test_the_document_says_when_its_new_version_takes_effect(
    firm: Firm, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    client, at = client_of(firm.lawyer), (firm.organization.slug, lease.document.pk)
    told = f"Version 2 takes effect on {day_words(LATER)}; until then version 1 is searched."

    for name in ("document_detail", "document_versions"):
        assert told in one_line(client.get(reverse(name, args=at)).content.decode()), name


def test_an_answer_that_quotes_a_version_to_come_says_so_and_asks_again(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    dated(firm, lease, None)  # as answers were given before the day was known
    answer, client = ask(firm, corpus), client_of(firm.lawyer)
    dated(firm, lease, LATER)
    told = f"Version 2 of “Lease”, cited here, takes effect on {day_words(LATER)}; until then version 1 is in force."

    assert "eight" in quoted(firm, answer)
    assert told in memo(firm, answer)
    assert told in page(firm, answer, client)
    assert "Ask again as of today" in page(firm, answer, client)
    [effect] = in_api(firm, answer)["taking_effect"]
    assert (effect["is_cited"], effect["text"]) == (True, told)


def test_a_version_that_replaces_none_in_force_is_searched_and_told(firm: Firm, corpus: Corpus) -> None:
    dated(firm, ingest(firm, corpus, "lease.md", TEXT.format("five")), LATER)
    answer = ask(firm, corpus)

    assert "five" in quoted(firm, answer)
    [effect] = in_api(firm, answer)["taking_effect"]
    assert "no earlier version is in force before that day" in effect["text"]
    assert effect["version_until_then"] is None


def test_on_its_day_the_new_version_is_searched_and_the_old_answer_is_outdated(
    firm: Firm, corpus: Corpus, lease: Ingested
) -> None:
    old = ask(firm, corpus)
    dated(firm, lease, TODAY)

    assert "eight" in quoted(firm, ask(firm, corpus))
    assert is_outdated(firm, old) == (True, True)


def test_a_day_before_every_version_is_refused_in_the_words_of_the_pages(
    firm: Firm, corpus: Corpus, lease: Ingested
) -> None:
    with pytest.raises(ApplicationError, match="No document was in force on 1 January 2020"):
        ask(firm, corpus, day=date(2020, 1, 1))
