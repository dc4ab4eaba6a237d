"""What the knowledge graph states, given to a model that writes: beside the passages, never in place of them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.pages.settings import prompts_used
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.llm.pricing import tokens_estimate
from retrieval.pipelines.presets import preset_get
from tests.committed import committed_fixture
from tests.legalqa.answering.writing import shown, statement, withheld, writes
from tests.legalqa.llm.setting_up import set_up
from tests.people import make_firm
from tests.provider import ScriptedProvider
from tests.retrieval.graph.world import Built, make_built

pytestmark = pytest.mark.django_db
QUESTION = "How long must the auditor keep the records of the audit?"
RECORDS = "The auditor shall keep the records of the audit for a period of five years."
INDEPENDENT = "An employer may use a hiring tool only if the auditor is independent."


committed_graph = committed_fixture(lambda: make_built(make_firm("graph-office", "Graph Office")))


@pytest.fixture
def built(committed_graph: Built, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Built:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(committed_graph.firm, scripted_provider.url)
    return committed_graph


def ask(built: Built, preset: str = "hypa-2", **changes: str) -> Answer:
    settings = {"k": "1"} | ({"classifier": "off"} if preset == "hypa-2" else {})
    changed = settings | {name.replace("__", "."): value for name, value in changes.items()}
    question = Question(
        organization=built.firm.organization,
        user=built.firm.lawyer,
        corpus_id=built.corpus.pk,
        text=QUESTION,
        preset=preset_get(preset, changed),
    )
    return question_ask(question=question)


def document(built: Built, answer: Answer) -> dict[str, Any]:
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        return answer_document(answer=answer)


def given(model: ScriptedProvider) -> str:
    [request] = model.asked
    return str(request.body["messages"][1]["content"])


def writing(built: Built, answer: Answer) -> str:
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        return str(next(step for step in answer.trace if step["step"] == "write")["note"])


def test_the_model_reads_statements_after_the_passages_with_the_passage_of_each(
    built: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(RECORDS)))
    answer = ask(built)
    text = given(scripted_provider)

    head, *statements = text.split(' statement-of="')
    assert RECORDS in head
    passage = next(one for one in statements if "The auditor shall keep" in one)
    own = next(part for part in head.split(' id="')[1:] if RECORDS in part)
    assert passage[: passage.index('"')] == own[: own.index('"')]
    assert answer.generation["n_statements"] == len(statements)
    assert answer.generation["prompt"] == "answer_cited_graph@1"
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        assert [prompt["name"] for prompt in prompts_used(answer)] == ["answer_cited_graph@1"]


def test_the_paragraph_of_a_statement_is_cited_though_no_search_gave_it(
    built: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(RECORDS), statement(INDEPENDENT)))
    answer = ask(built, graph__most="0")
    told = document(built, answer)

    assert shown(told) == [RECORDS, INDEPENDENT]
    [citation] = told["claims"][1]["citations"]
    assert citation["quote"] == INDEPENDENT
    row = next(row for row in answer.evidence if row["text"] == INDEPENDENT)
    assert not any(name.startswith("bm25") for name in row["stages"])


def test_the_printed_pack_shows_what_the_model_was_sent_for_a_statement_only(
    built: Built, scripted_provider: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    scripted_provider.will(writes(statement(RECORDS)))
    answer = ask(built, graph__most="0")
    page = client_of(built.firm.lawyer).get(reverse("answer_pack", args=["graph-office", answer.pk]))
    html = page.content.decode()

    [row] = [row for row in answer.evidence if row["text"] == INDEPENDENT]
    assert not row["read"]
    assert "Read or sent to the model, not cited" in html
    assert INDEPENDENT in html
    assert html.count("· sent to the model") == answer.generation["n_passages"]


def test_what_a_model_makes_of_a_statement_is_checked_against_its_paragraph(
    built: Built, scripted_provider: ScriptedProvider
) -> None:
    wrong = "An employer may use a hiring tool even if the auditor is not independent."
    scripted_provider.will(writes(statement(RECORDS), statement(wrong, INDEPENDENT)))
    told = document(built, ask(built, graph__most="0"))

    assert shown(told) == [RECORDS]
    assert [text for text, _ in withheld(told)] == [wrong]


def test_cut_gives_no_passage_more_and_only_the_statements_of_those_read(
    built: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(RECORDS)), writes(statement(RECORDS)))
    union, cut = ask(built), ask(built, graph__join="cut")

    assert cut.generation["n_passages"] < union.generation["n_passages"]
    assert 0 < cut.generation["n_statements"] < union.generation["n_statements"]
    assert "and 0 further passages of theirs (0 tokens)" in writing(built, cut)


def test_tokens_of_statements_and_of_their_passages_are_counted(
    built: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(RECORDS)))
    note = writing(built, ask(built, graph__triplets="1", graph__most="0"))
    text = given(scripted_provider)
    said = text.split(' statement-of="')[1].split("\n")[1]

    assert note.startswith(f"With 1 statements of the knowledge graph ({tokens_estimate([said])[0]} tokens) and ")


def test_a_preset_without_the_graph_asks_as_before(built: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.will(writes(statement(RECORDS)))
    answer = ask(built, "fixed-3")

    assert "statement-of" not in given(scripted_provider)
    assert answer.generation["prompt"] == "answer_cited@2"
    assert "n_statements" not in answer.generation
