"""A language model as a reader of paragraphs and as the one who fills in path queries."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.llm.types import Role
from retrieval.graph.model import path_search
from retrieval.graph.selectors import paragraphs_unread_count
from retrieval.models import Graph, GraphTriplet
from tests.ingestion import make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.pages import one_line
from tests.people import Firm
from tests.provider import ScriptedProvider, fails, says, says_json
from tests.retrieval.graph.world import build, make_built

TEXT = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n"
SAID = {"kind": "relation", "subject": "The tenant", "predicate": "pays", "object": "a rent of 900 euros"}
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sdk")]


@pytest.fixture
def model(firm: Firm, settings: Settings, scripted_provider: ScriptedProvider) -> ScriptedProvider:
    """A model for extraction, at an address that the operator has listed."""
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.EXTRACT)
    return scripted_provider


def read(firm: Firm, *, uses_model: bool = True) -> tuple[list[tuple[str, str, str, str]], int]:
    """What is in the graph of a small lease, and how much of the model's was refused."""
    corpus = make_corpus(firm, "Leases", files={"lease.md": TEXT})
    build(firm, corpus, uses_model=uses_model)
    with organization_scope(firm.organization, user=None):
        rows = GraphTriplet.objects.filter(corpus=corpus).values_list("subject", "predicate", "object", "by")
        return list(rows), Graph.objects.get(corpus=corpus).n_refused


def test_a_model_adds_what_the_paragraph_says(firm: Firm, model: ScriptedProvider) -> None:
    model.always = says_json({"triplets": [SAID]})

    rows, n_refused = read(firm)

    assert rows == [("The tenant", "pays", "a rent of 900 euros", "model")]
    assert n_refused == 0
    assert "<paragraph>The tenant pays" in model.asked[0].text


def test_a_statement_that_is_not_in_the_paragraph_is_refused_and_counted(firm: Firm, model: ScriptedProvider) -> None:
    others = [SAID | {"object": "a rent of 950 euros"}, SAID | {"predicate": "never pays"}]
    model.always = says_json({"triplets": [SAID, *others]})

    rows, n_refused = read(firm)

    assert [row[1:3] for row in rows] == [("pays", "a rent of 900 euros")]
    assert n_refused == 2


@pytest.mark.parametrize(
    "reply",
    [
        fails(404),
        says_json({"triplets": [SAID | {"kind": "gossip"}]}),
        says_json({"triplets": [SAID | {"extra": "field"}]}),
    ],
)
def test_a_reply_of_another_form_adds_nothing(firm: Firm, model: ScriptedProvider, reply: Any) -> None:
    model.always = reply

    assert read(firm) == ([], 0)


def test_a_paragraph_without_an_answer_is_counted_and_read_again(firm: Firm, model: ScriptedProvider) -> None:
    model.always = says("The tenant pays.")
    read(firm)
    with organization_scope(firm.organization, user=None):
        corpus = Corpus.objects.get(name="Leases")
        assert paragraphs_unread_count(corpus=corpus) == 1

    model.always = says_json({"triplets": [SAID]})
    build(firm, corpus, uses_model=True)

    with organization_scope(firm.organization, user=None):
        assert paragraphs_unread_count(corpus=corpus) == 0
        assert GraphTriplet.objects.get(corpus=corpus).by == "model"


def test_a_model_that_nobody_set_up_is_not_built_with(firm: Firm) -> None:
    with pytest.raises(ApplicationError, match="No language model is set up"):
        read(firm)


def test_a_graph_by_rules_asks_no_model(firm: Firm, model: ScriptedProvider) -> None:
    read(firm, uses_model=False)

    assert model.asked == []


def test_a_model_fills_in_a_path_query(firm: Firm, model: ScriptedProvider) -> None:
    built = make_built(firm)
    model.will(says_json({"start": "auditor", "predicates": ["deadline"], "end_kind": "value"}))

    query, paths = path_search(**firm.by_lawyer, corpus_id=built.corpus.pk, question="How long are they kept?")

    assert (query.start, query.end_kind) == ("auditor", "value")
    assert [[one.name for one in path.entities] for path in paths] == [["auditor", "five years"]]


def test_on_the_page_the_model_fills_in_the_form_for_the_next_query(
    firm: Firm, model: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    built = make_built(firm)
    model.will(says_json({"start": "auditor", "predicates": ["deadline"], "end_kind": "value"}))
    url = reverse("graph_paths", args=(firm.organization.slug, built.corpus.pk))

    body = client_of(firm.lawyer).post(url, {"question": "How long are they kept?"}).content.decode()

    assert "1 path, the shortest first" in one_line(body)
    assert 'name="start" value="auditor"' in body
    assert '<option value="value" selected>' in body


@pytest.mark.parametrize("reply", [says_json({"start": "auditor", "hops": 99}), says("MATCH (n) RETURN n"), fails(404)])
def test_a_path_query_of_another_form_is_not_run(firm: Firm, model: ScriptedProvider, reply: Any) -> None:
    corpus = make_corpus(firm)
    model.always = reply

    with pytest.raises(ApplicationError, match="Fill in the query yourself"):
        path_search(**firm.by_lawyer, corpus_id=corpus.pk, question="How long?")
