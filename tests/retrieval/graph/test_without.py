"""Settings that only a graph reads are shown and offered where the corpus has one."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from retrieval.pipelines.adaptive import mapping_hand_set
from retrieval.services.mappings import mapping_active
from tests.ingestion import make_corpus
from tests.pages import one_line
from tests.retrieval.graph.world import LAW, Built

WHERE = "the corpus has none, and <a href="
pytestmark = pytest.mark.django_db
ClientOf = Callable[[User], Client]


@pytest.fixture
def plain(built: Built) -> Corpus:
    """Another corpus of the firm, without a graph; the second by name."""
    return make_corpus(built.firm, "Without", files={"law.md": LAW})


def mapping(built: Built, corpus: Corpus, client_of: ClientOf, **sent: Any) -> str:
    url = reverse("mapping_page", args=[built.firm.organization.slug, corpus.pk, 2])
    client = client_of(built.firm.manager)
    return one_line((client.post(url, sent, follow=True) if sent else client.get(url)).content.decode())


def methods(built: Built, corpus: Corpus, client_of: ClientOf, **query: str) -> str:
    url = reverse("question_ask", args=[built.firm.organization.slug])
    html = client_of(built.firm.lawyer).get(url, {"corpus": str(corpus.pk)} | query).content.decode()
    return one_line(html).split('id="id_preset"')[1].split("</select>")[0]


def test_the_mapping_shows_what_a_graph_reads_where_there_is_one(
    built: Built, plain: Corpus, client_of: ClientOf
) -> None:
    for corpus, has_graph in ((built.corpus, True), (plain, False)):
        html = mapping(built, corpus, client_of)
        of_the_graph = ("Keywords followed in the graph", "Steps of a path in the graph", 'name="keywords_mode"')
        assert [words in html for words in of_the_graph] == [has_graph] * 3
        assert (WHERE in html) != has_graph


def test_what_is_not_shown_is_kept_when_the_rest_is_changed(built: Built, plain: Corpus, client_of: ClientOf) -> None:
    sent = {"k_mode": "fixed", "k_0": "8", "rewrites_mode": "off"}
    html = mapping(built, plain, client_of, **sent)
    with organization_scope(built.firm.organization, user=built.firm.manager):
        saved = mapping_active(corpus=plain, n_classes=2).mapping

    assert saved.k.values == (8,)
    assert (saved.keywords, saved.path_length) == (mapping_hand_set(2).keywords, mapping_hand_set(2).path_length)
    assert "k 8, Q off, not ranked" in html


def test_methods_that_follow_a_graph_are_offered_where_there_is_one(
    built: Built, plain: Corpus, client_of: ClientOf
) -> None:
    assert "Adaptive with graph" in methods(built, built.corpus, client_of)
    assert "Adaptive with graph" not in methods(built, plain, client_of)


def test_a_method_stays_chosen_with_another_corpus_that_has_it(
    built: Built, plain: Corpus, client_of: ClientOf
) -> None:
    assert '<option value="pa-3" selected>' in methods(built, plain, client_of, preset="pa-3")
    assert '<option value="hypa-2" selected>' in methods(built, built.corpus, client_of, preset="hypa-2")
    assert '<option value="cited-or-silent" selected>' in methods(built, plain, client_of, preset="hypa-2")


def test_a_method_that_is_not_offered_is_refused_in_words(built: Built, plain: Corpus, client_of: ClientOf) -> None:
    url = reverse("question_ask", args=[built.firm.organization.slug])
    sent = {"corpus": str(plain.pk), "text": "Who keeps the records?", "preset": "hypa-2"}
    refused = client_of(built.firm.lawyer).post(url, sent)

    assert refused.status_code == 422
    assert "follows a knowledge graph, which the corpus does not have" in refused.content.decode()
