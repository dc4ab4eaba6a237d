"""The ranker that a corpus uses: its own over the encoder in use, else the packaged one."""

from typing import Any

import pytest
from django.utils import timezone

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder.client import NAME, trained_name
from retrieval.models import RankerActivation, TrainedRanker
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.rerankers.model import model_load
from retrieval.rerankers.versions import model_fingerprint, ranker_current, ranker_in_use
from retrieval.services.search import corpus_search
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

OTHER = trained_name("ab" * 32)


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm)


def trained(firm: Firm, corpus: Corpus, model: dict[str, Any], *, over: str = NAME) -> TrainedRanker:
    """A ranker of the corpus, in use over an encoder."""
    with organization_scope(firm.organization, user=None):
        made = TrainedRanker.objects.create(
            organization=firm.organization,
            corpus=corpus,
            number=TrainedRanker.objects.filter(corpus=corpus).count() + 1,
            state="ready",
            encoder=over,
            training={},
            source="a gold set",
            model=model,
            fingerprint=model_fingerprint(model),
            finished_at=timezone.now(),
        )
        RankerActivation.objects.create(organization=firm.organization, corpus=corpus, encoder=over, ranker=made)
    return made


def with_bias(bias: float) -> dict[str, Any]:
    model = model_load().as_mapping()
    return model | {"order": model["order"] | {"bias": bias}}


def test_a_corpus_uses_the_ranker_activated_last_over_its_encoder_and_else_the_packaged_one(
    firm: Firm, corpus: Corpus
) -> None:
    with organization_scope(firm.organization, user=None):
        assert ranker_current(corpus=corpus) is model_load()
    mine, theirs = trained(firm, corpus, with_bias(7.0)), trained(firm, corpus, with_bias(9.0), over=OTHER)

    with organization_scope(firm.organization, user=None):
        assert ranker_current(corpus=corpus).order.bias == 7.0
        assert ranker_current(corpus=corpus) is ranker_current(corpus=corpus)
        assert ranker_in_use(corpus=corpus) == mine
        corpus.encoder = OTHER
        assert (ranker_current(corpus=corpus).order.bias, ranker_in_use(corpus=corpus)) == (9.0, theirs)
        corpus.encoder = NAME
        RankerActivation.objects.create(organization=firm.organization, corpus=corpus, encoder=NAME, ranker=None)
        assert (ranker_current(corpus=corpus), ranker_in_use(corpus=corpus)) == (model_load(), None)


def test_a_search_is_ordered_by_the_ranker_in_use_and_says_so_where_that_is_of_another_version(
    firm: Firm, corpus: Corpus
) -> None:
    ingest(firm, corpus, "lease.md", "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n")

    def searched() -> Any:
        return corpus_search(
            request=SearchRequest(
                **firm.by_lawyer, corpus_id=corpus.pk, text="What rent is paid?", preset=preset_get("cited-or-silent")
            )
        )

    before = dict(searched().passages[0].parts)["learned.score"]
    trained(firm, corpus, with_bias(model_load().order.bias + 5.0))
    assert dict(searched().passages[0].parts)["learned.score"] == pytest.approx(before + 5.0, abs=1e-4)

    trained(firm, corpus, with_bias(1.0) | {"features": ["something else"]})
    result = searched()
    assert any("other features" in time.note for time in result.times)
    assert result.passages
