"""Encoders of another dimension and chunk sets beside the live ones: built, compared, switched and switched back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from corpora.models import AddedEncoder, Corpus, Embedding
from corpora.services import (
    encoder_add,
    encoder_fill_work,
    encoder_roll_back,
    encoder_switch_work,
    encoder_use,
)
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder.client import NAME, model_folder
from legalqa.jobs.models import Job
from retrieval.pipelines.presets import preset_get
from retrieval.services.search import SearchResult, corpus_search
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

RENT = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\n"
LEASE = RENT + "A tenant who pays late owes interest of five percent.\n"
NOTICE = "# Notice\n\nEither party may end the lease by a notice of three months.\n"
DEPOSIT = "# Deposit\n\nThe tenant leaves a deposit of two rents with the landlord.\n"
QUESTION = "What interest does a tenant who pays late owe?"
SMALL: dict[str, object] = {"kind": "sentence.v1", "size_tokens": 24, "overlap_tokens": 0}
WIDE: dict[str, Any] = {"kind": "sentence.v1", "size_tokens": 200, "overlap_tokens": 0}


@pytest.fixture(scope="module")
def encoders_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The packaged model as a folder of the operator's, cut to its first 128 dimensions, with cues."""
    root = tmp_path_factory.mktemp("encoders")
    folder = root / "mini-128"
    folder.mkdir()
    for file in model_folder().iterdir():
        (folder / file.name).symlink_to(file, target_is_directory=file.is_dir())
    card = {"title": "MiniLM, 128", "dimensions": 128, "window": 64, "cue_query": "query: ", "licence": "Apache-2.0"}
    (folder / "encoder.json").write_text(json.dumps(card))
    with override_settings(ENCODERS=str(root)):
        yield root


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    made = make_corpus(firm, chunker=SMALL)
    ingest(firm, made, "lease.md", LEASE)
    ingest(firm, made, "notice.md", NOTICE)
    return made


def work(job: Job, by: Any, *, steps: int = 0) -> Job:
    """Work on the job until it has ended, or for a number of single steps."""
    for _ in range(steps or 50):
        with override_settings(JOB_SLICE_S=0 if steps else 60):
            by(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
        if not job.is_open:
            break
    return job


def add(firm: Firm, corpus: Corpus, **given: Any) -> AddedEncoder:
    added, job = encoder_add(
        organization=firm.organization, user=firm.manager, corpus_id=corpus.pk, **(given or {"folder": "mini-128"})
    )
    assert work(job, encoder_fill_work).state == "done"
    return added


def done(firm: Firm, corpus: Corpus, service: Any, by: Any, **given: Any) -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        job = service(organization=firm.organization, user=firm.manager, corpus_id=corpus.pk, **given)
    return work(job, by)


def found(firm: Firm, corpus: Corpus, **settings: str) -> SearchResult:
    return corpus_search(
        organization=firm.organization,
        user=firm.lawyer,
        corpus_id=corpus.pk,
        text=QUESTION,
        preset=preset_get("fixed-5", settings),
    )


def now(firm: Firm, corpus: Corpus) -> Corpus:
    with organization_scope(firm.organization, user=None):
        return Corpus.objects.get(pk=corpus.pk)


def dimensions(firm: Firm, corpus: Corpus) -> dict[str, set[int]]:
    """The lengths of the live vectors, by encoder."""
    with organization_scope(firm.organization, user=None):
        lengths: dict[str, set[int]] = {}
        for name, vector in Embedding.objects.filter(corpus=corpus, is_live=True).values_list("encoder", "vector"):
            lengths.setdefault(name, set()).add(len(vector))
    return lengths


def score(result: SearchResult) -> float:
    best = result.passages[0]
    assert "five percent" in best.text
    return dict(best.parts)["dense.score"]


def test_a_second_encoder_of_another_dimension_is_built_beside_the_first_switched_to_and_back(
    firm: Firm, corpus: Corpus, encoders_folder: Path
) -> None:
    before = score(found(firm, corpus))
    added = add(firm, corpus)
    assert (added.dimensions, added.window_tokens, added.pooling, added.licence) == (128, 62, "mean", "Apache-2.0")
    assert dimensions(firm, corpus) == {NAME: {384}, added.name: {128}}
    assert score(found(firm, corpus)) == before
    beside = score(found(firm, corpus, encoder=added.name))
    assert beside != before

    assert done(firm, corpus, encoder_use, encoder_switch_work, encoder_id=added.pk).state == "done"
    assert (now(firm, corpus).encoder, score(found(firm, corpus))) == (added.name, beside)
    ingest(firm, corpus, "deposit.md", DEPOSIT)
    with organization_scope(firm.organization, user=None):
        assert Embedding.objects.filter(chunk__document__name="deposit.md").get().encoder == added.name

    assert done(firm, corpus, encoder_roll_back, encoder_switch_work).state == "done"
    assert (now(firm, corpus).encoder, score(found(firm, corpus))) == (NAME, before)
    assert dimensions(firm, corpus) == {NAME: {384}, added.name: {128}}
