"""The rules read of a corpus what the question may search, and nothing else."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from corpora.models import Corpus
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from retrieval.types import Filters
from tests.ingestion import ingest, make_corpus
from tests.legalqa.answering.test_as_of import dated
from tests.people import Firm

pytestmark = pytest.mark.django_db
ASKED = "What does § 5-301 say about a bias audit?"
RULE = "# Rules\n\n§ 5-301 {}. A bias audit is done by an independent auditor before the use of the tool.\n"
OTHER = "# Other city\n\n§ 5-301 Notices. “Bias audit” or “BA” means an evaluation.\n\n" + "".join(
    f"# {title}\n\nA BA is {title.lower()}.\n\n" for title in ("Public", "Filed", "Free")
)


def rewrites(firm: Firm, corpus: Corpus, filters: Filters | None = None) -> list[str]:
    result = corpus_search(
        request=SearchRequest(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text=ASKED,
            preset=preset_get("cited-or-silent"),
            filters=filters or Filters(),
        )
    )
    return [one.text for one in result.rewriting.queries.rewrites]


def test_a_provision_is_put_in_the_words_of_the_version_that_is_in_force(firm: Firm) -> None:
    corpus, today = make_corpus(firm, "Rules"), timezone.localdate()
    for title, day in (("Bias Audit", date(2023, 7, 5)), ("Yearly Audit", today + timedelta(days=30))):
        dated(firm, ingest(firm, corpus, "rules.md", RULE.format(title)), day)

    assert rewrites(firm, corpus) == ["§ 5-301 Bias Audit"]
    assert rewrites(firm, corpus, Filters(as_of=today + timedelta(days=40))) == ["§ 5-301 Yearly Audit"]


def test_no_words_come_from_a_document_that_the_filters_leave_out(firm: Firm) -> None:
    corpus = make_corpus(firm, "Rules")
    ingest(firm, corpus, "other.md", OTHER)
    own = ingest(firm, corpus, "rules.md", RULE.format("Bias Audit")).document

    assert rewrites(firm, corpus, Filters(document_ids=(str(own.pk),))) == ["§ 5-301 Bias Audit"]
    assert rewrites(firm, corpus) == ["§ 5-301 Notices", "What does § 5-301 say about a BA?"]
