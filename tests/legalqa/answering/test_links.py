"""Where a citation leads: the document with every passage marked that the answer cites of it."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import User
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

LEASE = (
    "# Lease\n\n## Rent\n\nThe tenant pays a rent of 900 euros on the first day of each month.\n\n"
    "## Late rent\n\nA tenant who pays the rent late owes interest of five percent a year on the rent.\n\n"
    "## Deposit\n\nThe tenant leaves a deposit of three rents with the landlord.\n"
)


def test_the_reader_marks_all_passages_of_a_document_that_the_answer_cites_beginning_with_the_one_that_was_opened(
    firm: Firm, client_of: Callable[[User], Client]
) -> None:
    corpus = make_corpus(firm)
    ingest(firm, corpus, "lease.md", LEASE)
    answer = question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text="What rent does the tenant pay, and what interest does a tenant owe who pays the rent late?",
            preset=preset_get("cited-or-silent"),
        )
    )
    client = client_of(firm.lawyer)
    page = client.get(reverse("answer_detail", args=["harding", answer.pk]))
    sources = page.context["sources"]
    places = [source["place"] for source in sources]
    assert len(set(places)) > 1

    for source in sources:
        marked = parse_qs(urlsplit(source["url"]).query)["at"]
        assert marked[0] == source["place"]
        assert sorted(marked) == sorted(set(places))
    reader = client.get(sources[1]["url"])
    assert reader.context["highlights"][0].text == sources[1]["quote"]
    assert len(reader.context["highlights"]) == len(set(places))
