"""Memo and copy hold back nothing that the page says of an answer: doubts, changes, promises."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.composing.together import parts_unstated
from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_page
from legalqa.answering.pages.memo import memo_lines
from legalqa.answering.pages.wording import answer_lines
from legalqa.answering.types import AskedPart
from tests.asking import quoted_answer
from tests.ingestion import ingest, make_corpus
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import LATE, Office, statement, writes
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm, make_firm
from tests.provider import Reply, ScriptedProvider, Wire

PARAPHRASE = LATE.replace("that is late", "which is late")
DOUBT = "(Partly supported. Its quote is a paraphrase of the passage.)"
DEFINED = "“Rent” means 900 euros a month."
pytestmark = pytest.mark.django_db


@pytest.fixture
def office(committed_office: Office, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Office:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(committed_office.firm, scripted_provider.url)
    return committed_office


def paraphrases(*more: tuple[str, tuple[str, ...]]) -> Reply:
    """A reply that quotes its passage nearly word for word, and further statements."""

    def reply(wire: Wire) -> None:
        cited = next(key for key, words in w.blocks_of(wire).items() if LATE in words)
        writes(statement(LATE, PARAPHRASE), *more, instead={PARAPHRASE: cited})(wire)

    return reply


def copied_and_memo(firm: Firm, answer: Answer) -> tuple[str, str]:
    with organization_scope(firm.organization, user=firm.lawyer):
        copied = answer_page(answer=answer, slug=firm.organization.slug)["copy_text"]
        return copied, "\n".join(text for _, text in memo_lines(answer=answer))


def test_a_statement_that_is_only_partly_supported_says_so_wherever_it_is_read(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(paraphrases(statement("The tenant owes interest of six percent a year.", LATE)))
    answer = w.ask(office)

    assert f"{LATE} {DOUBT}" in w.document(office, answer)["text"]
    for text in copied_and_memo(office.firm, answer):
        assert f"{LATE} [1] {DOUBT}" in text
        assert text.index("Partly answered.") < text.index("Every statement is only partly") < text.index(DOUBT)


def test_a_part_of_the_question_that_a_written_answer_leaves_out_is_named_wherever_it_is_read(
    office: Office, scripted_provider: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    scripted_provider.will(writes(statement(LATE)))
    answer = w.ask(office, f"{w.QUESTION[:-1]}, and who won the football world cup in 1998?")
    page = client_of(office.firm.lawyer).get(reverse("answer_detail", args=["harding", answer.pk])).content.decode()
    left_out = "No statement was recognised on: “who won the football world cup in 1998?”."

    assert answer.state == "partial"
    assert left_out in page
    for text in (w.document(office, answer)["text"], *copied_and_memo(office.firm, answer)):
        assert text.index(left_out) < text.index(LATE)


def test_a_part_that_a_statement_is_on_is_not_said_to_be_left_out() -> None:
    parts: list[AskedPart] = [{"text": "What is owed?", "provisions": [1]}, {"text": "Who won?", "provisions": []}]

    assert parts_unstated(parts, ["Interest is owed."]) == ["Who won?"]
    assert parts_unstated(parts, ["Interest is owed.", "France won."]) == []


def test_a_part_that_only_the_source_of_a_statement_is_on_is_not_said_to_be_left_out(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement("The tenant owes interest of five percent.", LATE)))
    answer = w.ask(office, f"{w.QUESTION[:-1]}, and who won the football world cup in that year?")

    assert answer.state == "answered"
    assert "unstated" not in answer.composition


def test_an_answer_that_its_sources_support_is_told_without_doubt(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(LATE)))

    for text in copied_and_memo(office.firm, w.ask(office)):
        assert "artly" not in text


@pytest.fixture
def firm() -> Firm:
    return make_firm("quoting", "Quoting & Sons")


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Leases")
    ingest(firm, corpus, "lease.md", w.LEASE)
    return corpus


def ask(firm: Firm, corpus: Corpus, text: str = w.QUESTION, **more: Any) -> Answer:
    return quoted_answer(firm, corpus, text, **more)


def test_copy_and_memo_name_versions_and_what_is_promised_and_on_what_ground(firm: Firm, corpus: Corpus) -> None:
    for text in copied_and_memo(firm, ask(firm, corpus)):
        place, quote = "[1] Lease, Rent, version 1", f"“{LATE}”"
        promised = "Quoted word for word. Answers the question: "
        assert text.index(promised) < text.index("none of them yours") < text.index(place) < text.index(quote)
        assert text.count(place) == 1


def test_copy_and_memo_of_an_answer_whose_document_has_changed_say_so(firm: Firm, corpus: Corpus) -> None:
    answer = ask(firm, corpus)
    ingest(firm, corpus, "lease.md", w.LEASE.replace("five", "six"))

    for text in copied_and_memo(firm, answer):
        assert "The document has changed since, and this passage with it; quoted from version 1." in text
        assert "The document has changed since. Answers the question: " in text
        assert "word for word" not in text


def test_what_a_judgment_is_based_on_opens_on_the_page_and_is_printed(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    at, client = (firm.organization.slug, ask(firm, corpus).pk), client_of(firm.lawyer)
    page, pack = (client.get(reverse(name, args=at)).content.decode() for name in ("answer_detail", "answer_pack"))

    summary, rest = page.split("data-judgment-help>", maxsplit=1)[1].split("</summary>", maxsplit=1)
    assert "What this is based on" in summary
    assert "none of them yours" in rest.split("</details>", maxsplit=1)[0]
    assert "none of them yours" in pack


def test_an_earlier_turn_has_the_notices_of_its_answer(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    first = ask(firm, corpus, w.QUESTION.replace("tenant", "tenant in Texas"))
    second = ask(firm, corpus, follows=first.question_id)
    address = reverse("answer_detail", args=[firm.organization.slug, second.pk])
    html = client_of(firm.lawyer).get(address).content.decode()

    turn = html.split(f'data-turn="{first.pk}"')[1].split("</article>", maxsplit=1)[0]
    assert "The documents do not mention “Texas”." in turn


def test_quotes_of_one_source_are_together_with_marks_inside_them_single() -> None:
    place: dict[str, Any] = {"number": 1, "document_title": "Lease", "heading": "", "page_label": ""}
    source = place | {"version_number": 1, "changed": ""}
    other = place | {"document_title": "Old lease"}
    silent = {"state": "failed", "reason": ""}
    sources = [source | {"quote": DEFINED, "also_in": [other]}, source | {"quote": LATE}]
    page = {"conflicts": [], "shown_claims": [], "answer": silent, "passages": [], "sources": sources}
    lines = [text for _, text in answer_lines(page)]

    assert lines[lines.index("Sources") :] == [
        "Sources",
        "[1] Lease, version 1",
        "“‘Rent’ means 900 euros a month.”",
        f"“{LATE}”",
        "Also in Old lease",
    ]
