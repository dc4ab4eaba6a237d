"""Contradictions beside an answer are those of the versions in force today."""

from datetime import date

import pytest
from django.utils import timezone

from corpora.models import Corpus, Paragraph
from corpora.services import document_remove
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Contradiction, ReviewState
from legalqa.answering.services.beside import conflicts_of_answer
from legalqa.answering.services.conflicts import corpus_provisions
from tests.ingestion import Ingested, ingest, make_corpus
from tests.legalqa.answering.test_as_of import dated
from tests.legalqa.answering.test_taking_effect import EARLIER, LATER, TEXT, ask
from tests.people import Firm

pytestmark = pytest.mark.django_db

POLICY = "# House rules\n\nA tenant who pays late owes interest of five percent a year on the sum that is late.\n"


def confirm(corpus: Corpus, one: Paragraph, other: Paragraph) -> None:
    """Put two paragraphs into the report of their corpus, as a contradiction that a person confirmed."""
    Contradiction.objects.create(
        organization=corpus.organization,
        corpus=corpus,
        paragraph_a=one,
        paragraph_b=other,
        kind="number",
        score=0.9,
        spans=[{"start": 0, "end": 20, "words_start": 0, "words_end": 20}] * 2,
        state=ReviewState.CONFIRMED,
        reviewed_at=timezone.now(),
        seen_at=timezone.now(),
    )


def test_a_version_that_is_not_in_force_yet_contradicts_nothing(firm: Firm) -> None:
    corpus = make_corpus(firm, "Leases")
    dated(firm, ingest(firm, corpus, "lease.md", TEXT.format("five")), EARLIER)
    ingest(firm, corpus, "policy.md", POLICY)
    dated(firm, ingest(firm, corpus, "lease.md", TEXT.format("eight")), LATER)
    with organization_scope(firm.organization, user=None):
        words = " ".join(row.paragraph.text for row, _ in corpus_provisions(corpus=corpus))
        assert "five" in words
        assert "eight" not in words
        assert corpus.as_of_versions is None
        confirm(
            corpus,
            Paragraph.objects.get(text__contains="five", document__name="policy.md"),
            Paragraph.objects.get(text__contains="eight"),
        )
    answer = ask(firm, corpus)
    with organization_scope(firm.organization, user=firm.lawyer):
        beside = conflicts_of_answer(answer=answer, cited=[row["paragraph_id"] for row in answer.evidence])
    assert not [one for one in beside.findings if "eight" in one.a.text + one.b.text]


EIGHT = POLICY.replace("five", "eight")


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Leases")
    dated(firm, ingest(firm, corpus, "lease.md", TEXT.format("five")), EARLIER)
    return corpus


@pytest.fixture
def policy(firm: Firm, corpus: Corpus) -> Ingested:
    taken = ingest(firm, corpus, "policy.md", EIGHT)
    dated(firm, taken, EARLIER)
    return taken


def n_beside(firm: Firm, answer: Answer) -> int:
    with organization_scope(firm.organization, user=firm.lawyer):
        return len(conflicts_of_answer(answer=answer, cited=[row["paragraph_id"] for row in answer.evidence]).findings)


@pytest.mark.parametrize("day", [None, timezone.localdate()])
def test_a_document_that_was_removed_since_contradicts_nothing(
    day: date | None, firm: Firm, corpus: Corpus, policy: Ingested
) -> None:
    answer = ask(firm, corpus, day=day)
    before = n_beside(firm, answer)
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=policy.document.pk)

    assert (before, n_beside(firm, answer)) == (1, 0)


def test_a_passage_that_was_rewritten_since_contradicts_nothing_and_one_that_was_kept_still_does(
    firm: Firm, corpus: Corpus, policy: Ingested
) -> None:
    answer = ask(firm, corpus)
    ingest(firm, corpus, "policy.md", f"{EIGHT}\nPets are allowed in the garden.\n")
    kept = n_beside(firm, answer)
    ingest(firm, corpus, "policy.md", POLICY)

    assert (kept, n_beside(firm, answer)) == (1, 0)


def test_a_confirmed_contradiction_ends_too_where_its_passage_was_rewritten(
    firm: Firm, corpus: Corpus, policy: Ingested
) -> None:
    answer = ask(firm, corpus)
    with organization_scope(firm.organization, user=None):
        confirm(corpus, Paragraph.objects.get(text__contains="five"), Paragraph.objects.get(text__contains="eight"))
    before = n_beside(firm, answer)
    ingest(firm, corpus, "policy.md", POLICY)

    assert (before, n_beside(firm, answer)) == (1, 0)
