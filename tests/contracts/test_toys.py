"""A retriever and a rewriter of one file and one line of registry appear wherever a search can be set or seen."""

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.forms import QuestionForm
from legalqa.answering.pages.trace import rewrite_words, steps_words
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.registry import Registry
from retrieval.pipelines.presets import preset_get
from retrieval.retrievers import RETRIEVERS
from retrieval.rewriters import REWRITERS
from retrieval.stages import STAGES
from tests.commands import told
from tests.contracts import test_retrievers, test_rewriters
from tests.contracts.library import QUESTION, Library, library, resources
from tests.contracts.toys.retriever import Toy as ToyRetriever
from tests.contracts.toys.rewriter import Toy as ToyRewriter
from tests.people import signed_in
from tests.test_docs import component_names

__all__ = ["library", "resources"]

SEARCHED, REWRITTEN = {"retrievers": "bm25,toy", "toy.top_k": "2"}, {"rewriter": "toy"}


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two lines, undone after the test."""
    registries: tuple[Registry[Any], ...] = (STAGES, RETRIEVERS, REWRITERS)
    for registry in registries:
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))  # registries have no way to unregister
    RETRIEVERS.register("toy.v1", ToyRetriever)
    REWRITERS.register("toy.v1", ToyRewriter())


@pytest.fixture
def program(library: Library, db: None) -> Client:
    firm, _ = library
    return Client(headers=firm.bearer(firm.lawyer, TokenScope.SEARCH))


def searched(program: Client, library: Library, settings: dict[str, str]) -> dict[str, Any]:
    body = {"corpus_id": str(library[1].pk), "query": QUESTION, "preset": "fixed-3", "set": settings}
    response = program.post("/api/v1/search/", body, content_type="application/json")
    assert response.status_code == 200, response.content
    document: dict[str, Any] = response.json()
    return document


def test_the_toys_keep_the_contracts(resources: Any, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    # The one changed line that a retriever takes.
    monkeypatch.setitem(test_retrievers.ROWS, "toy.v1", ToyRetriever(top_k=3))

    test_retrievers.test_a_retriever_describes_itself("toy.v1")
    test_retrievers.test_a_retriever_gives_at_most_its_top_k_of_its_own_corpus("toy.v1", resources)
    test_retrievers.test_a_retriever_returns_only_what_is_allowed("toy.v1", resources)
    test_retrievers.test_a_retriever_says_in_the_trace_that_it_ran("toy.v1", resources)
    test_rewriters.test_a_rewriter_has_words_and_can_be_set_in_a_pipeline("toy.v1")


def test_a_program_searches_with_the_retriever_and_reads_its_side_evidence(program: Client, library: Library) -> None:
    document = searched(program, library, SEARCHED)

    assert "toy.rank" in document["hits"][0]["stages"]
    assert document["side"] == [
        {"kind": "path", "key": "tenant-rent", "text": "The tenant owes the rent.", "score": 0.5, "stage": "toy.v1"}
    ]
    assert {"stage": "toy.v1", "note": "path tenant-rent"} in document["notes"]
    assert {"kind": "toy.v1", "top_k": 2} in document["settings"]["pipeline"]["stages"][0]["branches"]


def test_a_program_searches_with_the_rewriter(program: Client, library: Library) -> None:
    document = searched(program, library, REWRITTEN)

    assert document["rewriting"]["method"] == "toy"
    assert "rewrite#1.rank" in document["hits"][0]["stages"]


def test_the_lab_offers_both_and_shows_what_they_did(library: Library, db: None) -> None:
    firm, corpus = library
    manager = signed_in(firm.manager)
    form = {
        "text": QUESTION,
        "left": "fixed-3",
        "left_settings": "retrievers=bm25,toy toy.top_k=2",
        "right": "fixed-3",
        "right_settings": "rewriter=toy",
    }

    page = manager.post(reverse("search_lab", args=(firm.organization.slug, corpus.pk)), form).content.decode()

    assert re.search(r"<code\s*>toy.top_k</code>", page)
    assert "<dt>Toy</dt>" in page
    assert "Path tenant-rent" in page
    assert "It may be heard better." in page


def test_the_question_form_offers_the_rewriter(library: Library, db: None) -> None:
    firm, _ = library
    with organization_scope(firm.organization, user=firm.lawyer):
        form = QuestionForm(organization=firm.organization)

    assert ("toy", "by a toy") in form.fields["rewriter"].choices  # type: ignore[attr-defined]  # of a ChoiceField


def test_the_command_searches_with_both(library: Library, db: None) -> None:
    firm, _ = library
    settings = [*(f"{key}={value}" for key, value in (SEARCHED | REWRITTEN).items())]

    of = {"organization": firm.organization.slug, "set": settings, "preset": "fixed-3"}
    document = told("search", "Leases", QUESTION, **of)

    assert document["side"][0]["key"] == "tenant-rent"
    assert document["rewriting"]["method"] == "toy"


def test_an_answers_trail_says_what_both_did_and_keeps_the_side_evidence(library: Library, db: None) -> None:
    firm, corpus = library
    answer = question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=UUID(str(corpus.pk)),
            text=QUESTION,
            preset=preset_get("fixed-3", SEARCHED | REWRITTEN),
        )
    )

    steps = {step["name"]: step for step in steps_words(answer.trace)}
    assert "path tenant-rent" in steps["Searched by a toy"]["detail"]
    assert "by a toy" in rewrite_words(next(step for step in answer.trace if step["step"] == "rewrite"))


def test_the_docs_check_asks_for_both() -> None:
    assert {"toy.v1"} <= component_names()
