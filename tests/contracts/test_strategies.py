"""What every strategy promises; and that a new one, from one file and one line, is on page, API and command line."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.modes import MODES
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.services import question_ask
from legalqa.answering.services.answers import answer_create, answer_store, paragraphs_readable
from legalqa.answering.strategies.base import Proposal, Work
from legalqa.answering.strategies.evidence import evidence_find
from legalqa.answering.strategies.quoted import quotations
from legalqa.answering.strategies.registry import STRATEGIES, strategy_register
from legalqa.answering.strategies.written import Written
from legalqa.answering.types import Question
from legalqa.common.registry import registered_name, setting_name
from retrieval.pipelines.changing import PresetError
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.commands import told
from tests.committed import committed_fixture
from tests.contracts.toys.strategy import TwoLooks
from tests.ingestion import make_corpus
from tests.legalqa.answering import writing as w
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm, make_firm
from tests.provider import ScriptedProvider

RENT = "The tenant pays a rent of 900 euros on the first day of each month."
LEASE = f"# Lease\n\n## Rent\n\n{RENT}\n"
QUESTION = "What rent does the tenant pay?"
TOY = setting_name(TwoLooks.name)
FAR_OFF = "Which team won the football world cup in France in 1998?"


def make_library() -> tuple[Firm, Corpus]:
    firm = make_firm("strategies", "Strategy & Sons")
    corpus = make_corpus(firm, "Leases", files={"lease.md": LEASE})
    return firm, corpus


library = committed_fixture(make_library)


def toy_remove() -> None:
    del STRATEGIES._entries[TwoLooks.name]  # registries have no way to unregister
    MODES.remove(TOY)


@pytest.fixture
def toy() -> Iterator[str]:
    strategy_register(TwoLooks())
    yield TOY
    toy_remove()


def asked(library: tuple[Firm, Corpus], text: str, mode: str) -> Question:
    firm, corpus = library
    preset = preset_get(DEFAULT_PRESET, {"answer.mode": mode})
    return Question(organization=firm.organization, user=firm.lawyer, corpus_id=corpus.pk, text=text, preset=preset)


@pytest.mark.parametrize("name", [*MODES, TOY])
def test_what_is_shown_is_cited_word_for_word_and_silence_stays_silence(
    name: str, library: tuple[Firm, Corpus], toy: str, db: None
) -> None:
    strategy = STRATEGIES.get(registered_name(name))
    work = Work(strategy.plan)
    ending = strategy.answer(asked(library, QUESTION, name), work).check(frozenset())
    work.end()

    assert strategy.label
    assert ending.state == "answered"
    for statement in ending.statements:
        for place in statement.places:
            assert place.passage.position.paragraph.text[place.start : place.end] in LEASE
        assert statement.places or not statement.is_shown
    assert [step.state for step in work.steps if step.started_at] == ["done"] * len(
        [step for step in work.steps if step.started_at]
    )
    silent = strategy.answer(asked(library, FAR_OFF, name), Work(strategy.plan)).check(frozenset())
    assert silent.state == "insufficient_evidence"
    assert not any(statement.is_shown for statement in silent.statements)


def test_what_a_model_writes_is_shown_where_its_paragraphs_may_be_read_and_nowhere_else(
    library: tuple[Firm, Corpus], scripted_provider: ScriptedProvider, settings: Settings, db: None
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(library[0], scripted_provider.url)
    scripted_provider.will(w.writes(w.statement(RENT)))
    proposal = STRATEGIES.get("written.v1").answer(asked(library, QUESTION, "written"), Work(Written.plan))
    with organization_scope(library[0].organization, user=library[0].lawyer):
        readable = paragraphs_readable(evidence=proposal.evidence)
    endings = [proposal.check(readable), proposal.check(frozenset())]

    assert [ending.mode for ending in endings] == ["written", "extractive"]
    assert [[one.text for one in ending.statements if one.is_shown] for ending in endings] == [[RENT], [RENT]]


def test_what_a_strategy_shows_without_a_source_is_withheld(library: tuple[Firm, Corpus], toy: str, db: None) -> None:
    def unsourced(question: Question, work: Work) -> Proposal:
        proposal = quotations(question, evidence_find(question, work))
        ending = proposal.check(frozenset())
        bare = tuple(replace(statement, places=()) for statement in ending.statements)
        return replace(proposal, check=lambda _: replace(ending, statements=bare))

    work = Work(STRATEGIES.get("quoted.v1").plan)
    work.begin("searching")
    question = asked(library, QUESTION, "quoted")
    ending = unsourced(question, work).check(frozenset())
    with organization_scope(library[0].organization, user=library[0].lawyer):
        answer = answer_create(question=question, strategy="quoted")
        answer_store(answer=answer, ending=ending, steps=work.steps, seconds=0.0)
        claims = answer_document(answer=answer)["claims"]

    assert any(statement.is_shown for statement in ending.statements)
    assert claims and not any(claim["shown"] for claim in claims)


def test_every_strategy_plans_steps_with_names_of_their_own() -> None:
    for strategy in map(STRATEGIES.get, STRATEGIES.names()):
        names = [name for name, *_ in strategy.plan]
        assert names and len(names) == len(set(names))
        assert all(sentence.endswith(".") for *_, sentence in strategy.plan)


def test_a_name_is_taken_once_and_an_unknown_one_is_refused(toy: str) -> None:
    with pytest.raises(ValueError, match="registered twice"):
        strategy_register(TwoLooks())
    with pytest.raises(PresetError, match="auto, quoted, written, two-looks"):
        preset_get(DEFAULT_PRESET, {"answer.mode": "guess"})


def test_a_new_strategy_is_offered_by_the_page_and_answers_there(
    library: tuple[Firm, Corpus], toy: str, db: None, client_of: Callable[[User], Client]
) -> None:
    firm, _ = library
    client, address = client_of(firm.lawyer), reverse("question_ask", args=[firm.organization.slug])

    form = client.get(address).context["form"]
    assert (TOY, TwoLooks.label) in form.fields["mode"].choices
    answer = question_ask(question=asked(library, QUESTION, toy))
    page = client.get(reverse("answer_detail", args=[firm.organization.slug, answer.pk])).content.decode()
    assert "900 euros" in page
    assert "second-look" in page
    pack = client.get(reverse("answer_pack", args=[firm.organization.slug, answer.pk])).content.decode()
    assert "Looks twice; at most" in pack


def test_a_new_strategy_answers_by_the_api_with_its_steps(
    library: tuple[Firm, Corpus], toy: str, db: None, client: Client
) -> None:
    firm, corpus = library
    headers = firm.bearer(firm.lawyer, *ALL_SCOPES)
    body: dict[str, Any] = {"corpus_id": str(corpus.pk), "text": QUESTION, "set": {"answer.mode": toy}}
    reply = client.post(reverse("api_question_list"), body, content_type="application/json", headers=headers)

    assert reply.status_code == 201
    answer = reply.json()
    assert answer["settings"]["strategy"] == toy
    assert [(step["name"], step["title"], step["state"]) for step in answer["steps"]] == [
        ("searching", "Searching", "done"),
        ("second-look", "Looking again", "done"),
    ]


def test_a_new_strategy_answers_on_the_command_line(library: tuple[Firm, Corpus], toy: str, db: None) -> None:
    firm, _ = library
    options = ["--organization", firm.organization.slug, "--set", f"answer.mode={toy}"]
    [answer] = told("ask", "leases", QUESTION, *options)["answers"]

    assert (answer["settings"]["strategy"], answer["state"]) == (toy, "answered")


def test_an_answer_whose_strategy_is_gone_still_opens(library: tuple[Firm, Corpus], db: None) -> None:
    strategy_register(TwoLooks())
    try:
        answer = question_ask(question=asked(library, QUESTION, TOY))
    finally:
        toy_remove()
    with organization_scope(library[0].organization, user=library[0].lawyer):
        assert answer_document(answer=answer)["settings"]["strategy"] == TOY
