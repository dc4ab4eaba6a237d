"""A rerank endpoint in the place of the reader: asked over HTTP, and done without where it fails."""

import pytest
from pytest_django import Settings

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.pack import answer_pack
from legalqa.answering.strategies.endpoint_reader import probabilities_of
from legalqa.encoder.client import HTTP_READER
from legalqa.llm.types import Role
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import LATE, QUESTION, Office
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider, Wire, fails, scoring


@pytest.fixture
def office(committed_office: Office, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Office:
    settings.READER, settings.RERANK_TIMEOUT_S = HTTP_READER, 60
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(committed_office.firm, scripted_provider.url, role=Role.RERANK)
    return committed_office


def reader_note(answer: Answer) -> str:
    return next(str(step.get("note", "")) for step in answer.trace if step["step"] == "reader")


def test_the_endpoint_says_which_passage_answers_and_the_trace_says_who_read(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.always = scoring(LATE, high=0.99, low=0.01)

    answer = w.ask(office, settings={"answer.mode": "quoted"})

    assert w.shown(w.document(office, answer))[0] == LATE
    assert {asked.path for asked in scripted_provider.asked} == {"/v1/rerank"}
    assert scripted_provider.asked[0].body["query"] == QUESTION
    assert reader_note(answer).startswith("Read by ")
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        calls = answer_pack(answer=answer)["calls"]
    assert [(call["for"], call["input_tokens"]) for call in calls] == [("reading", 40)] * len(scripted_provider.asked)


def test_the_pack_holds_the_calls_that_read_passages_for_a_single_statement(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    set_up(office.firm, scripted_provider.url)
    reads, wrong = scoring(LATE, high=0.99, low=0.01), "An agent paints the fence green."

    def replies(wire: Wire) -> None:
        (reads if wire.asked.path.endswith("/rerank") else w.writes((LATE, (LATE,)), (wrong, (LATE,))))(wire)

    scripted_provider.always = replies
    answer = w.ask(office, settings={"rewriter": "off"})
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        calls = answer_pack(answer=answer)["calls"]

    asked = ["reading" if one.path.endswith("/rerank") else "answer" for one in scripted_provider.asked]
    assert asked.index("answer") < len(asked) - 1  # the statement was searched for after it was written
    assert sorted(call["for"] for call in calls) == sorted(asked)


def test_where_the_endpoint_finds_no_passage_that_answers_nothing_is_said(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.always = scoring("no such words", high=0.99, low=0.0)

    assert w.ask(office, settings={"answer.mode": "quoted"}).state == "insufficient_evidence"


def test_where_the_endpoint_fails_the_packaged_reader_reads_and_the_trace_says_so(
    office: Office, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    scripted_provider.always = fails(401)

    answer = w.ask(office, settings={"answer.mode": "quoted"})

    settings.READER = ""
    packaged = w.ask(office, settings={"answer.mode": "quoted"})
    assert w.shown(w.document(office, answer)) == w.shown(w.document(office, packaged)) != []
    assert reader_note(answer).endswith("The packaged reader read instead.")
    assert len(scripted_provider.asked) == 1


def test_scores_that_are_no_probabilities_become_some() -> None:
    assert probabilities_of([0.2, 1.0]) == [0.2, 1.0]
    assert probabilities_of([0.0, 4.0]) == pytest.approx([0.5, 0.982], abs=0.001)
