"""Page, memo, copy and pack say which documents were asked and as of which day, and never more than that."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from corpora.models import Corpus
from corpora.services import document_rename
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.asked import NAMED, asked_page
from legalqa.answering.pages.memo import memo_lines
from legalqa.answering.pages.pack import answer_pack
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from retrieval.types import Filters
from tests.ingestion import Ingested, ingest, make_corpus
from tests.legalqa.answering.test_as_of import dated
from tests.pages import one_line
from tests.people import Firm

QUESTION = "What rent does the tenant pay each month?"
ASKED = datetime(2026, 11, 25, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Rents")


@pytest.fixture
def lease(firm: Firm, corpus: Corpus) -> Ingested:
    taken = ingest(firm, corpus, "lease.md", "# Lease agreement\n\nThe tenant pays a rent of 700 euros each month.\n")
    dated(firm, taken, date(2023, 1, 1))
    return taken


def ask(firm: Firm, corpus: Corpus, **more: Any) -> Answer:
    return question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text=QUESTION,
            preset=preset_get("fixed-5", {"answer.mode": "quoted"}),
            **more,
        )
    )


def asked(**filters: object) -> dict[str, Any]:
    return asked_page(answer=Answer(asked={"filters": filters}, created_at=ASKED))


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({}, "All of the corpus"),
        ({"as_of": "2023-06-01"}, "All of the corpus"),
        ({"kind": ["law", "policy"]}, "of the kind law or policy"),
        ({"jurisdiction": ["New York City"]}, "of the jurisdiction New York City"),
        ({"authority": ["New York City Council"]}, "by New York City Council"),
        ({"kinds": ["pdf"]}, "in the format pdf"),
        ({"date_from": "2023-01-01"}, "in effect from 1 January 2023"),
        ({"date_to": "2023-12-31"}, "in effect until 31 December 2023"),
        ({"date_from": "2023-01-01", "date_to": "2023-12-31"}, "in effect from 1 January 2023 until 31 December 2023"),
        ({"heading": "Bias"}, "under headings with “Bias”"),
        ({"excluded_paragraph_ids": ["a", "b"]}, "2 paragraphs left out"),
        ({"kind": ["law"], "jurisdiction": ["Oslo"]}, "of the kind law; of the jurisdiction Oslo"),
    ],
)
def test_every_filter_is_said_and_only_none_means_the_whole_corpus(filters: dict[str, object], words: str) -> None:
    told = asked(**filters)

    assert told["documents"] == words
    assert told["is_part"] == (words != "All of the corpus")


def test_the_day_is_the_one_that_was_chosen_or_else_that_of_the_question() -> None:
    assert asked(as_of="2023-06-01")["as_of"] == "1 June 2023: the versions in force on that day"
    assert asked()["as_of"] == "25 November 2026, the day of the question: the versions that were current"


def test_named_documents_are_named_and_those_that_are_gone_are_counted(
    firm: Firm, corpus: Corpus, lease: Ingested
) -> None:
    gone = "00000000-0000-4000-8000-000000000000"
    answer = ask(firm, corpus, filters=Filters(document_ids=(gone, str(lease.document.pk))))
    with organization_scope(firm.organization, user=firm.lawyer):
        told = asked_page(answer=answer)["documents"]

    assert told == "2 named documents: “Lease agreement”, 1 not in the corpus now"


def test_of_many_named_documents_the_first_are_named_and_the_rest_is_counted(firm: Firm, corpus: Corpus) -> None:
    files = [ingest(firm, corpus, f"{n:02}.md", f"# Lease {n:02}\n\nRent.\n") for n in range(NAMED + 2)]
    answer = ask(firm, corpus, filters=Filters(document_ids=tuple(str(file.document.pk) for file in files)))
    with organization_scope(firm.organization, user=firm.lawyer):
        told = asked_page(answer=answer)["documents"]

    assert told.startswith("12 named documents: “Lease 00”, “Lease 01”, ")
    assert told.endswith("“Lease 09”, 2 more")


def test_a_pack_names_the_documents_by_their_titles_at_the_time_and_the_page_by_the_current_ones(
    firm: Firm, corpus: Corpus, lease: Ingested
) -> None:
    answer = ask(firm, corpus, filters=Filters(document_ids=(str(lease.document.pk),)))
    with organization_scope(firm.organization, user=firm.manager):
        document_rename(**firm.by_manager, document_id=lease.document.pk, title="Old lease")
    with organization_scope(firm.organization, user=firm.lawyer):
        then, now = (asked_page(answer=answer, as_given=as_given)["documents"] for as_given in (True, False))

    assert (then, now) == ("1 named document: “Lease agreement”", "1 named document: “Old lease”")


LIMITED = ("of the kind contract", "1 June 2023: the versions in force on that day")


def everywhere(firm: Firm, answer: Answer, client: Client) -> dict[str, str]:
    """The words of every form in which an answer is read or passed on."""
    at = (firm.organization.slug, answer.pk)
    page, printed = (
        one_line(client.get(reverse(name, args=at)).content.decode()) for name in ("answer_detail", "answer_pack")
    )
    head, copied = page.split("<pre hidden data-answer-text>")
    with organization_scope(firm.organization, user=firm.lawyer):
        memo = " ".join(text for _, text in memo_lines(answer=answer))
        pack = json.dumps(answer_pack(answer=answer)["settings"], ensure_ascii=False)
    how = page.split('id="how-found"')[1]
    forms = {"page": head, "how it was found": how, "copy": copied.split("</pre>", maxsplit=1)[0], "printed": printed}
    return {name: strip_tags(html) for name, html in forms.items()} | {"memo": memo, "pack": pack}


def test_an_answer_of_some_documents_as_of_a_day_says_so_wherever_it_is_read(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    filters = Filters(kind=("contract",), as_of=date(2023, 6, 1))
    first = ask(firm, corpus, filters=filters)
    assert first.evidence, "the lease is a contract, and was in force"
    told = everywhere(firm, first, client_of(firm.lawyer))

    for name, words in told.items():
        assert all(part in words for part in LIMITED), name
        assert "All of the corpus" not in words, name
    second = ask(firm, corpus, follows=first.question_id)
    html = client_of(firm.lawyer).get(reverse("answer_detail", args=(firm.organization.slug, second.pk)))
    turn = one_line(html.content.decode()).split(f'data-turn="{first.pk}"')[1].split("</article>", maxsplit=1)[0]
    assert all(part in turn for part in LIMITED)


def test_an_answer_of_the_whole_corpus_names_the_corpus_and_the_day_of_the_question(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    told = everywhere(firm, ask(firm, corpus), client_of(firm.lawyer))
    del told["page"]  # its head names corpus and day, and says more only of a part

    for name, words in told.items():
        assert "All of the corpus" in words, name
        assert "the day of the question: the versions that were current" in words, name


def test_a_program_reads_the_filters_of_an_answer(firm: Firm, corpus: Corpus, lease: Ingested) -> None:
    answer = ask(firm, corpus, filters=Filters(kind=("contract",), as_of=date(2023, 6, 1)))
    headers: Any = firm.bearer(firm.lawyer, TokenScope.ANSWERS_READ)
    reply = Client().get(reverse("api_answer_detail", args=[answer.pk]), headers=headers).json()

    assert reply["filters"] == {"kind": ["contract"], "as_of": "2023-06-01"}
