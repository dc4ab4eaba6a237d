"""An old answer says when a document that it cites is no longer what it quoted."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from corpora.services import document_remove
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.pack import answer_pack
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm

LATE = "A tenant who pays late owes interest of five percent a year on the sum that is late."
LEASE = f"# Lease\n\n## Rent\n\n{LATE}\n\n## Repairs\n\nThe landlord repairs the roof and the windows.\n"
QUESTION = "What interest does a tenant who pays late owe?"
pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Leases")


@pytest.fixture
def lease(firm: Firm, corpus: Corpus) -> Ingested:
    return ingest(firm, corpus, "lease.md", LEASE)


def ask(firm: Firm, corpus: Corpus) -> Answer:
    return question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text=QUESTION,
            preset=preset_get("fixed-5", {"answer.mode": "quoted"}),
        )
    )


def packed(firm: Firm, answer: Answer) -> dict[str, Any]:
    with organization_scope(firm.organization, user=firm.lawyer):
        return answer_pack(answer=answer)


def pages(firm: Firm, answer: Answer, client: Client) -> dict[str, str]:
    """The pages that show an answer, by name."""
    slug = firm.organization.slug
    addresses = {name: reverse(name, args=[slug, answer.pk]) for name in ("answer_detail", "answer_pack")}
    addresses |= {name: reverse(name, args=[slug]) for name in ("question_list", "question_ask")}
    return {name: client.get(address).content.decode() for name, address in addresses.items()}


def changed(pack: dict[str, Any]) -> list[str | None]:
    return [
        c["changed"]
        for claim in pack["answer"]["claims"]
        if "five percent" in claim["text"]
        for c in claim["citations"]
    ]


def test_an_answer_from_current_documents_has_no_flag(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    answer = ask(firm, corpus)
    pack = packed(firm, answer)

    assert (pack["answer"]["outdated"], changed(pack)) == (False, [None])
    for name, html in pages(firm, answer, client_of(firm.lawyer)).items():
        assert "changed since" not in html, name
        assert "document changed" not in html, name
        assert ("Quoted word for word" in html) == (name in ("answer_detail", "answer_pack")), name


def test_an_answer_whose_passage_was_rewritten_says_which_version_it_quotes(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: Callable[[User], Client]
) -> None:
    answer = ask(firm, corpus)
    ingest(firm, corpus, "lease.md", LEASE.replace("five", "six"))
    pack, html = packed(firm, answer), pages(firm, answer, client_of(firm.lawyer))

    assert (pack["answer"]["outdated"], changed(pack)) == (True, ["changed"])
    told = "The document has changed since, and this passage with it; quoted from version 1."
    assert told in html["answer_detail"]
    assert told in html["answer_pack"]
    assert "A document cited here has changed since." in html["answer_detail"]
    assert "The document has changed since</span>" in html["answer_detail"]
    assert "word for word" not in html["answer_detail"]
    assert "document changed" in html["question_list"]
    assert "document changed" in html["question_ask"]


def test_a_new_version_that_leaves_the_passage_alone_is_told_too(firm: Firm, corpus: Corpus, lease: Ingested) -> None:
    answer = ask(firm, corpus)
    ingest(firm, corpus, "lease.md", LEASE.replace("roof", "chimney"))
    pack = packed(firm, answer)

    assert pack["answer"]["outdated"]
    assert changed(pack) == ["newer_version"]


def test_a_removed_document_is_told(firm: Firm, corpus: Corpus, lease: Ingested) -> None:
    answer = ask(firm, corpus)
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=lease.document.pk)
    pack = packed(firm, answer)

    assert (pack["answer"]["outdated"], changed(pack)) == (True, ["removed"])


def test_a_change_of_a_place_that_only_has_the_same_words_leaves_the_answer_alone(
    firm: Firm, corpus: Corpus, lease: Ingested
) -> None:
    ingest(firm, corpus, "terms.md", f"# General terms\n\n## Delay\n\n{LATE}\n")
    answer = ask(firm, corpus)
    (claim,) = [c for c in packed(firm, answer)["answer"]["claims"] if "five percent" in c["text"]]
    other = claim["also_in"][0]["document_id"]
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=other)
    pack = packed(firm, answer)
    (claim,) = [c for c in pack["answer"]["claims"] if "five percent" in c["text"]]

    assert (changed(pack), claim["also_in"][0]["changed"]) == ([None], "removed")
    assert pack["answer"]["outdated"] == any(
        c["changed"] for one in pack["answer"]["claims"] for c in one["citations"] if one["shown"]
    )
