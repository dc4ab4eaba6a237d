"""Every page of a corpus marks its entry of the main navigation, and the API page has its landmarks."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import Role, User
from tests.ingestion import make_corpus
from tests.pages import one_line
from tests.people import Firm

PAGES = ("corpus_detail", "gold_set_list", "complexity_training", "encoder_list", "search_lab", "corpus_list")
OF_NO_CORPUS = ("corpus_list", "clause_library", "judge_list", "question_types")
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", [*PAGES, *OF_NO_CORPUS[1:]])
def test_a_page_of_a_corpus_marks_corpora(name: str, firm: Firm, client_of: Callable[[User], Client]) -> None:
    corpus = make_corpus(firm, "Leases")
    ids = [firm.organization.slug] + ([] if name in OF_NO_CORPUS else [corpus.pk])
    html = client_of(firm.manager).get(reverse(name, args=ids)).content.decode()

    nav = one_line(html).split('aria-label="Main"')[1].split("</nav>")[0]
    assert 'aria-current="page">Corpora</a>' in nav
    assert nav.count("aria-current") == 1


@pytest.mark.parametrize("role", list(Role))
def test_the_page_of_the_api_is_reached_from_the_tokens_and_not_from_the_menu(
    role: Role, firm: Firm, client_of: Callable[[User], Client]
) -> None:
    """Everybody may make tokens, and few do: programs are no entry of the main menu."""
    pages = {
        name: client_of(firm.member(role)).get(reverse(name, args=[firm.organization.slug])).content.decode()
        for name in ("corpus_list", "token_list")
    }
    link = f'href="{reverse("api_docs")}"'
    assert [html.count(link) for html in pages.values()] == [0, 1]


def test_the_page_of_the_api_has_a_main_landmark_and_a_heading() -> None:
    html = Client().get(reverse("api_docs")).content.decode()

    assert html.count("<main>") == html.count("<h1") == 1
