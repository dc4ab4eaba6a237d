"""The rooms that open from a corpus: each person sees those that their role may enter."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import User
from tests.ingestion import make_corpus
from tests.people import Firm

READ = ("contradiction_list", "clause_table", "case_list", "graph_page")
KEPT = ("judging_home", "gold_set_list", "search_lab", "corpus_indexes", "question_index", "encoder_list")


def test_a_corpus_leads_to_the_rooms_that_a_role_may_enter(firm: Firm, client_of: Callable[[User], Client]) -> None:
    corpus = make_corpus(firm)
    slug = firm.organization.slug

    def shown(user: User) -> set[str]:
        page = client_of(user).get(reverse("corpus_detail", args=(slug, corpus.pk))).content.decode()
        return {name for name in (*READ, *KEPT) if f'"{reverse(name, args=(slug, corpus.pk))}"' in page}

    assert shown(firm.manager) == {*READ, *KEPT}
    assert shown(firm.lawyer) == set(READ)
    assert shown(firm.annotator) == set()
