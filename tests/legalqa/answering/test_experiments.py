"""What an answer keeps: its purpose, its steps, what repeating it takes; unchecked text is no asker's."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from corpora.models import ChunkSet
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState, AnswerStep
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.pages.history import recent
from legalqa.answering.pages.pack import answer_pack
from legalqa.answering.selectors import answer_get, answer_list
from legalqa.answering.services.answers import answer_end
from legalqa.common.errors import NotFound
from legalqa.common.revision import code_revision, package_versions
from legalqa.encoder.client import NAME
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import LATE, Office, statement, writes
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider

UNCHECKED = "The tenant owes interest of six percent a year."


@pytest.fixture
def office(committed_office: Office, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Office:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(committed_office.firm, scripted_provider.url)
    return committed_office


def inside(office: Office) -> Any:
    return organization_scope(office.firm.organization, user=office.firm.lawyer)


def experiment(office: Office, model: ScriptedProvider) -> Answer:
    model.will(writes(statement(LATE), statement(UNCHECKED, LATE)))
    return w.ask(office, purpose="experiment")


def test_an_experiment_keeps_what_the_model_wrote_and_an_answer_that_was_asked_for_does_not(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    tried = experiment(office, scripted_provider)
    scripted_provider.will(writes(statement(LATE), statement(UNCHECKED, LATE)))
    asked = w.ask(office)

    assert UNCHECKED in tried.unchecked_text
    assert (asked.purpose, asked.unchecked_text) == ("asked", "")


def test_an_experiment_gives_the_same_written_answer_as_asking(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(LATE), statement(UNCHECKED, LATE)))
    asked = w.ask(office)
    tried = experiment(office, scripted_provider)
    with inside(office):
        documents = [answer_document(answer=answer) for answer in (asked, tried)]
    claims = [[(claim["text"], claim["shown"]) for claim in document["claims"]] for document in documents]

    assert [(document["mode"], document["state"]) for document in documents] == [("written", "partial")] * 2
    assert claims[0] == claims[1]
    assert [is_shown for _, is_shown in claims[1]] == [True, False]


def test_the_database_refuses_unchecked_text_of_an_answer_that_was_asked_for(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    tried = experiment(office, scripted_provider)
    refused = [{"purpose": "asked"}, {"purpose": "curiosity"}]

    for values in refused:
        with inside(office), pytest.raises(IntegrityError), transaction.atomic():
            Answer.objects.filter(pk=tried.pk).update(**values)


def test_an_experiment_is_in_no_history_list_count_or_thread_of_its_asker(
    office: Office, scripted_provider: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    tried = experiment(office, scripted_provider)
    organization, lawyer = office.firm.organization, office.firm.lawyer

    with inside(office):
        assert list(answer_list(organization=organization, user=lawyer)) == []
        assert recent(organization=organization, user=lawyer) == []
        with pytest.raises(NotFound):
            answer_get(organization=organization, user=lawyer, answer_id=tried.pk)
    with pytest.raises(NotFound):
        w.ask(office, follows=tried.question_id)
    client = client_of(lawyer)
    history = client.get(reverse("question_list", args=[organization.slug]))
    assert (history.context["rows"], history.context["filters"]) == ([], [])
    for name in ("answer_detail", "answer_pack", "answer_pack_json"):
        assert client.get(reverse(name, args=[organization.slug, tried.pk])).status_code == 404


def test_no_document_of_an_answer_holds_unchecked_text(office: Office, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.will(w.INSUFFICIENT)
    tried = w.ask(office, purpose="experiment")
    with inside(office):
        Answer.objects.filter(pk=tried.pk).update(unchecked_text=UNCHECKED)
        tried.refresh_from_db()
        assert UNCHECKED not in str(answer_document(answer=tried))
        assert UNCHECKED not in str(answer_pack(answer=tried))


def test_the_steps_of_a_written_answer_are_rows_in_their_order(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(writes(statement(LATE)))
    answer = w.ask(office)
    with inside(office):
        steps = list(AnswerStep.objects.filter(answer=answer).order_by("ordinal"))
        parts = [[part["step"] for part in step.detail] for step in steps]

    assert [(step.name, step.state) for step in steps] == [
        ("searching", "done"),
        ("writing", "done"),
        ("checking", "done"),
    ]
    assert {"encode", "gate"} <= set(parts[0])
    assert parts[1:] == [["write"], ["verify"]]
    assert all(step.started_at and step.ended_at and step.started_at <= step.ended_at for step in steps)
    with inside(office):
        assert answer.trace == [part for step in steps for part in step.detail]


def test_a_silence_keeps_no_step_that_was_planned_and_not_begun(office: Office) -> None:
    answer = w.ask(office, w.FAR_OFF)
    with inside(office):
        assert list(AnswerStep.objects.filter(answer=answer).values_list("name", "state")) == [("searching", "done")]


def test_an_answer_that_ends_early_stops_the_step_under_way_and_drops_those_to_come(office: Office) -> None:
    answer = w.ask(office, w.FAR_OFF)
    with inside(office):
        Answer.objects.filter(pk=answer.pk).update(state="working")
        of = {"organization": office.firm.organization, "answer": answer, "label": "x"}
        AnswerStep.objects.create(**of, ordinal=1, name="writing", state="working")
        AnswerStep.objects.create(**of, ordinal=2, name="checking", state="waiting")
        assert answer_end(answer=answer, state=AnswerState.CANCELLED, why="")
        rows = AnswerStep.objects.filter(answer=answer).order_by("ordinal").values_list("name", "state")
        assert list(rows) == [("searching", "done"), ("writing", "stopped")]


def test_an_answer_keeps_what_repeating_it_takes_and_its_pack_says_so(office: Office) -> None:
    answer = w.ask(office, w.FAR_OFF)
    with inside(office):
        live = ChunkSet.objects.get(corpus=office.corpus, is_live=True)
        labels = {row["label"]: row["value"] for row in answer_pack(answer=answer)["settings"]}

    assert answer.made_from["chunk_set"] == str(live.pk)
    assert answer.made_from["encoder"] == NAME
    assert answer.made_from["corpus_version"] > 0
    assert answer.made_from["code"] == code_revision()
    assert answer.made_from["packages"] == package_versions()
    assert labels["Encoder"] == NAME
    assert labels["Revision of the code"] == code_revision()
    assert f"torch {package_versions()['torch']}" in labels["Packages"].split(", ")


def corpora_read(queries: CaptureQueriesContext) -> int:
    return sum('FROM "corpora_corpus" WHERE' in query["sql"] and "LIMIT 1" in query["sql"] for query in queries)


def test_the_corpus_is_looked_up_once_a_phase(office: Office, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.will(writes(statement(LATE)))
    with CaptureQueriesContext(connection) as written:
        w.ask(office)
    with CaptureQueriesContext(connection) as quoted:
        w.ask(office, settings={"answer.mode": "quoted"})

    assert corpora_read(quoted) == 2  # the question is read, and searched
    assert corpora_read(written) == 2 + 4  # and: it is written down, its evidence shown, its answer checked and stored
