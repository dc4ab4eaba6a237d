"""Rewriting by a language model, and the rules where it does not do it."""

from typing import Any

import pytest
from pytest_django import Settings

from corpora.models import Corpus
from legalqa.llm.types import Role
from legalqa.llm.wire import sdk_load
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.pipelines.rewriting import Rewriting, question_rewrite
from retrieval.retrievers import Bm25
from retrieval.rewriters import Rewrite
from retrieval.stages import Pipeline
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, fails, says, says_json

LEASE = (
    "# Lease\n\n## Rent\n\nThe tenant pays the rent of 900 euros on the first day.\n\n"
    "## Deposit\n\nThe deposit is 2,000 euros."
)
ASKED = "Lovely weather. And when is it due?"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="session", autouse=True)
def sdk() -> None:
    """Loaded before any transaction is open: it takes seconds, once."""
    sdk_load()


@pytest.fixture
def model(firm: Firm, settings: Settings, scripted_provider: ScriptedProvider) -> ScriptedProvider:
    """A model for rewriting, at an address that the operator has listed."""
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.REWRITE)
    return scripted_provider


def rewrite(firm: Firm, text: str, *former: str, method: str = "auto") -> Rewriting:
    corpus = make_corpus(firm, "Leases")
    ingest(firm, corpus, "lease.md", LEASE)
    return rewriting(firm, corpus, Rewrite(method=method, q=2) >> Bm25(), text, *former)


def rewriting(firm: Firm, corpus: Corpus, pipeline: Pipeline, text: str, *former: str) -> Rewriting:
    preset = preset_get("naive").model_copy(update={"pipeline": pipeline})
    return question_rewrite(SearchRequest(firm.organization, firm.lawyer, corpus.pk, text, preset, former=former))


def test_model_rewrites_and_says_why(firm: Firm, model: ScriptedProvider) -> None:
    reply = {
        "question": "When is the rent due?",
        "reason": "“it” is the rent.",
        "queries": [
            {"text": "day on which the tenant pays the rent", "kind": "wording", "reason": "The lease's words."},
            {"text": "When is the rent  due?", "kind": "wording", "reason": ""},
        ],
    }
    model.will(says_json(reply))

    found = rewrite(firm, ASKED, "What rent does the tenant pay?")

    queries = found.queries
    assert (queries.text, queries.method, queries.note) == ("When is the rent due?", "llm", "")
    assert [(one.rule, one.text) for one in queries.rewrites] == [
        ("model", "day on which the tenant pays the rent"),
        ("asked", ASKED),
    ]
    assert "<earlier>What rent does the tenant pay?</earlier>" in model.asked[0].text
    step = found.as_step()
    assert step is not None
    assert (step["question"], step["reasons"]) == ("When is the rent due?", ["“it” is the rent."])


@pytest.mark.parametrize("reply", [fails(404), says("I would rather not.")])
def test_rules_are_used_where_a_model_fails(firm: Firm, model: ScriptedProvider, reply: Any) -> None:
    model.always = reply

    queries = rewrite(firm, ASKED, "What rent does the tenant pay?").queries

    assert (queries.method, queries.text) == ("rules", "When is tenant pay due?")
    assert queries.note.endswith("so the rules did it.")


def test_a_model_that_nobody_set_up_is_missed_only_where_it_was_asked_for(firm: Firm) -> None:
    assert rewrite(firm, ASKED, method="llm").queries.note == (
        "No language model is set up for rewriting, so the rules did it."
    )


def test_pipeline_without_a_rewriter_searches_what_was_typed(firm: Firm) -> None:
    corpus = make_corpus(firm, "Leases")
    found = rewriting(firm, corpus, Bm25() % 5, ASKED)

    assert (found.queries.texts, found.as_step()) == ((ASKED,), None)
