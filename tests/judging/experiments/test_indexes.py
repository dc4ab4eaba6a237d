"""Chunk sets as a dimension of an experiment: paired figures, and what each of them is."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import ChunkSet
from corpora.services import chunk_set_fill_work, chunk_set_keep
from legalqa.accounts.models import User
from legalqa.common.errors import ApplicationError, Conflict
from tests.judging.experiments.conftest import Garden

WORDS = {"kind": "recursive.v1", "size_chars": 40, "overlap_chars": 0}


def kept(garden: Garden) -> str:
    """The name of a chunk set of short pieces, built beside the live one."""
    firm = garden.firm
    with garden.scope():
        job = chunk_set_keep(
            organization=firm.organization, user=firm.manager, corpus_id=garden.corpus.pk, chunker=WORDS
        )
        name = ChunkSet.objects.get(pk=job.subject_id).name
    with garden.scope(), pytest.raises(Conflict, match="lacks"):
        garden.begin("naive", f"naive chunk_set={name}")
    chunk_set_fill_work(job_id=job.pk)
    return name


def test_two_chunk_sets_are_compared_question_by_question_and_the_page_says_what_each_of_them_is(
    garden: Garden, client_of: Callable[[User], Client]
) -> None:
    name = kept(garden)
    experiment = garden.ended("naive", f"naive chunk_set={name}", measures=["ndcg@10", "recall/1000"])

    rows = {(row["preset"], row["metric"]): row for row in experiment.report["rows"]}
    assert rows["naive", "ndcg@10"]["n"] == rows[f"naive chunk_set={name}", "recall/1000"]["n"] == 2
    assert rows[f"naive chunk_set={name}", "ndcg@10"]["delta"]["n"] == 2
    live, other = experiment.provenance["indexes"]
    assert other["chunk_set"]["name"] == name and other["chunk_set"]["n_chunks"] > live["chunk_set"]["n_chunks"] == 3
    assert live["encoder"] == other["encoder"] and other["encoder"]["dimensions"] == 384
    at = (garden.firm.organization.slug, experiment.pk)
    page = client_of(garden.firm.manager).get(reverse("experiment_detail", args=at)).content.decode()
    assert "Indexes compared" in page and "Apache-2.0" in page and name in page


def test_a_chunk_set_or_an_encoder_that_the_corpus_has_not_is_refused_before_anything_starts(garden: Garden) -> None:
    with pytest.raises(ApplicationError, match="has no chunk set 'other'"):
        garden.begin("naive chunk_set=other")
    with pytest.raises(ApplicationError, match="has no encoder 'other'"):
        garden.begin("naive encoder=other")
