"""Switching a corpus to an encoder of its own: one encoder at any time, nothing lost, and the way back."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.db import connections
from django.utils import timezone

from corpora.hnsw import BUILDS, index_is_ready
from corpora.models import Chunk, Corpus, Embedding, EncoderActivation, TrainedEncoder
from corpora.selectors import activation_list, encoder_get, encoder_in_use, encoder_list
from corpora.services import (
    corpus_reindex,
    encoder_clean_work,
    encoder_fill_start,
    encoder_remove,
    encoder_roll_back,
    encoder_use,
    encoders,
    indexing,
    ingestion,
    reindex_work,
)
from corpora.services.encoding import encoder_by_name, encoder_load
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import Conflict, NotFound
from legalqa.encoder import weights as encoder_weights
from legalqa.encoder.client import NAME, encoder_here
from legalqa.encoder.weights import weights_drop
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_cancel
from retrieval.pipelines import rewriting
from retrieval.pipelines.request import SearchRequest
from retrieval.services import search as services
from tests.corpora.switching import DEPOSIT, LEASE, QUESTION, SMALL, again, found, make_leases, now, work
from tests.encoders import disturbed_weights
from tests.ingestion import finished, ingest, make_corpus, upload
from tests.people import Firm, make_firm

WEIGHTS = {seed: disturbed_weights(seed) for seed in (1, 2)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the weights' files of this test are."""
    # The setting above it says where the tests' database is, too.
    monkeypatch.setattr(encoder_weights, "weights_folder", lambda: tmp_path / "encoders")
    return tmp_path / "encoders"


@pytest.fixture(autouse=True, scope="module")
def _unloaded() -> Iterator[None]:
    yield
    encoder_here()._trained.clear()


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_leases(firm)


def trained(firm: Firm, corpus: Corpus, *, seed: int = 1, is_ready: bool = True) -> TrainedEncoder:
    with organization_scope(firm.organization, user=None):
        return TrainedEncoder.objects.create(
            organization=firm.organization,
            corpus=corpus,
            number=seed,
            state="ready" if is_ready else "building",
            training={},
            source="a gold set",
            data=b"",
            data_fingerprint="0" * 64,
            artefact=WEIGHTS[seed],
            fingerprint=hashlib.sha256(WEIGHTS[seed]).hexdigest(),
            finished_at=timezone.now() if is_ready else None,
        )


def use(firm: Firm, corpus: Corpus, encoder_id: UUID | None) -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        return encoder_use(**firm.by_manager, corpus_id=corpus.pk, encoder_id=encoder_id)


def roll_back(firm: Firm, corpus: Corpus) -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        return encoder_roll_back(**firm.by_manager, corpus_id=corpus.pk)


def remove(firm: Firm, corpus: Corpus, encoder_id: UUID) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        encoder_remove(**firm.by_manager, corpus_id=corpus.pk, encoder_id=encoder_id)


def compared_by(firm: Firm, corpus: Corpus) -> str:
    """The name of the encoder that the best passage's score is the cosine of."""
    result = found(firm, corpus)
    best = result.passages[0]
    assert "five percent" in best.text
    score = dict(best.parts)["dense.score"]
    with organization_scope(firm.organization, user=None):
        [chunk] = Chunk.objects.filter(is_live=True, corpus=corpus, text__contains="five percent")
        stored = dict(Embedding.objects.filter(chunk=chunk).values_list("encoder", "vector"))
    off = {name: abs(float(encoded(firm, corpus, name) @ vector) - score) for name, vector in stored.items()}
    nearest = min(off, key=off.__getitem__)
    assert off[nearest] < 0.003, "a thousandth is what number formats differ by"
    return nearest


def encoded(firm: Firm, corpus: Corpus, name: str) -> np.ndarray:
    known = encoder_by_name(organization_id=firm.organization.pk, corpus_id=corpus.pk, name=name)
    vector: np.ndarray = known.encode([QUESTION])[0]
    return vector


def whole(firm: Firm, corpus: Corpus) -> None:
    """Every live chunk has one vector by the encoder in use, live; no vector of a chunk that is not live is live."""
    with organization_scope(firm.organization, user=None):
        name = Corpus.objects.get(pk=corpus.pk).encoder
        live = set(Chunk.objects.filter(corpus=corpus, is_live=True).values_list("pk", flat=True))
        rows = Embedding.objects.filter(corpus=corpus, encoder=name, is_live=True).values_list("chunk_id", flat=True)
        assert sorted(rows) == sorted(live)
        assert set(Embedding.objects.filter(is_live=True, corpus=corpus).values_list("chunk_id", flat=True)) == live


def test_a_switch_fills_what_lacks_and_searches_compare_by_the_new_encoder_until_it_is_taken_back(
    firm: Firm, corpus: Corpus
) -> None:
    mine = trained(firm, corpus)
    assert compared_by(firm, corpus) == NAME
    job = work(use(firm, corpus, mine.pk), steps=1)
    assert (job.is_open, job.stage, job.cursor, compared_by(firm, corpus)) == (True, "indexing", job.total, NAME)

    assert work(job).state == "done"
    assert (now(firm, corpus).encoder, compared_by(firm, corpus)) == (mine.name, mine.name)
    whole(firm, corpus)
    with organization_scope(firm.organization, user=None):
        assert encoder_in_use(corpus=corpus) == mine

    ingest(firm, corpus, "deposit.md", DEPOSIT)
    whole(firm, corpus)
    assert work(roll_back(firm, corpus)).state == "done"
    assert compared_by(firm, corpus) == now(firm, corpus).encoder == NAME
    whole(firm, corpus)
    with organization_scope(firm.organization, user=None):
        assert (encoder_in_use(corpus=corpus), activation_list(corpus=corpus).count()) == (None, 0)
        assert EncoderActivation.objects.filter(is_rollback=True, encoder=None).count() == 1
    with pytest.raises(Conflict, match="no previous one"):
        roll_back(firm, corpus)


def test_a_large_corpus_switches_once_the_index_of_its_new_vectors_is_built(
    committed_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EXACT_SEARCH_MAX = 0
    monkeypatch.setattr(encoders, "LATER_S", 0.0)  # no setting: a job that is put off would come back in a minute
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, chunker=SMALL, files={"lease.md": LEASE})
    mine = trained(firm, corpus)
    job = use(firm, corpus, mine.pk)
    other = connections.create_connection("owner")
    with other.cursor() as cursor:  # somebody else's build is under way
        cursor.execute("SELECT pg_advisory_lock(%s)", [BUILDS])
        job = work(job, steps=3)
    assert (job.state, now(firm, corpus).encoder) == ("queued", NAME)
    other.close()

    with monkeypatch.context() as patch:
        patch.setattr(encoders, "_switch", lambda *_: None)  # the step before the last, held still to be looked at
        work(job, steps=1)
    assert now(firm, corpus).encoder == NAME
    assert index_is_ready(corpus=Corpus(pk=corpus.pk, encoder=mine.name))
    assert work(job).state == "done"
    assert compared_by(firm, corpus) == mine.name


def test_a_rollback_goes_to_the_encoder_before_and_encodes_only_what_came_since(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = trained(firm, corpus, seed=1), trained(firm, corpus, seed=2)
    for one in (first, second):
        work(use(firm, corpus, one.pk))
    ingest(firm, corpus, "deposit.md", DEPOSIT)
    filled: list[int] = []
    real = indexing.chunks_embed

    def counting(**given: object) -> list[Embedding]:
        made = real(**given)  # type: ignore[arg-type]  # passed on as they came
        filled.append(len(made))
        return made

    monkeypatch.setattr(encoders, "chunks_embed", counting)  # the real one, counted: rows do not say who made them
    work(roll_back(firm, corpus))

    assert (filled, compared_by(firm, corpus)) == ([1], first.name)
    whole(firm, corpus)


def test_what_is_uploaded_during_a_switch_is_neither_lost_nor_half_visible(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    mine = trained(firm, corpus)

    def meanwhile(name: str) -> None:
        steps.append(name)
        if steps == ["encoder.filled", "encoder.before_switch"]:
            ingest(firm, corpus, "deposit.md", DEPOSIT)

    monkeypatch.setattr(encoders, "crash_point", meanwhile)  # the one place to step between two transactions
    assert work(use(firm, corpus, mine.pk)).state == "done"

    assert steps == [
        "encoder.filled",
        "encoder.before_switch",
        "encoder.switched",  # not yet: the new document lacked vectors
        "encoder.filled",
        "encoder.before_switch",
        "encoder.switched",
    ]
    assert now(firm, corpus).encoder == mine.name
    whole(firm, corpus)


def test_a_version_that_is_published_after_the_switch_is_embedded_by_the_new_encoder_first(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched: list[Job] = []
    mine = trained(firm, corpus)

    def switch_once(name: str) -> None:
        if name == "publish.before" and not switched:
            switched.append(work(use(firm, corpus, mine.pk)))

    taken = upload(firm, corpus, "deposit.md", DEPOSIT)
    monkeypatch.setattr(ingestion, "crash_point", switch_once)  # as above
    done = finished(firm, taken)

    assert (switched[0].state, done.version.state) == ("done", "ready")
    whole(firm, corpus)


def test_a_question_that_was_encoded_before_the_switch_is_encoded_again(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, real = trained(firm, corpus), rewriting.question_rewrite

    def switched_since(request: SearchRequest) -> rewriting.Rewriting:
        before = real(request)
        if now(firm, corpus).encoder == NAME:
            work(use(firm, corpus, mine.pk))
        return before

    # The real one, and then the switch: the moment after the question was encoded.
    monkeypatch.setattr(services, "question_rewrite", switched_since)

    assert compared_by(firm, corpus) == mine.name


def test_two_corpora_of_one_process_are_searched_each_by_its_own_encoder(firm: Firm, corpus: Corpus) -> None:
    other_firm = make_firm("rivals", "Rival Chambers")
    other = make_corpus(other_firm, chunker=SMALL, files={"lease.md": LEASE})
    mine, theirs = trained(firm, corpus, seed=1), trained(other_firm, other, seed=2)
    work(use(firm, corpus, mine.pk))
    work(use(other_firm, other, theirs.pk))
    third = make_corpus(firm, "Third", chunker=SMALL, files={"lease.md": LEASE})

    for _ in range(2):
        assert compared_by(firm, corpus) == mine.name
        assert compared_by(other_firm, other) == theirs.name
        assert compared_by(firm, third) == NAME


def test_an_index_rebuilt_after_a_switch_is_whole_by_the_encoder_in_use(firm: Firm, corpus: Corpus) -> None:
    mine = trained(firm, corpus)
    with organization_scope(firm.organization, user=firm.manager):
        build = corpus_reindex(organization=firm.organization, user=None, corpus_id=corpus.pk, chunker=SMALL)
    with pytest.raises(Conflict, match="being rebuilt"):
        use(firm, corpus, mine.pk)
    build = work(build, steps=2, by=reindex_work)
    job_cancel(organization=firm.organization, job_id=build.pk)
    work(build, by=reindex_work)
    assert work(use(firm, corpus, mine.pk)).state == "done"

    assert work(again(firm, build), by=reindex_work).state == "done"
    assert compared_by(firm, corpus) == mine.name
    whole(firm, corpus)


def test_weights_whose_file_is_gone_come_from_the_database_again(firm: Firm, corpus: Corpus, folder: Path) -> None:
    mine = trained(firm, corpus)
    work(use(firm, corpus, mine.pk))
    before = encoder_load(corpus=now(firm, corpus)).encode([QUESTION])
    weights_drop(mine.name)
    encoder_here()._trained.clear()

    assert np.array_equal(encoder_load(corpus=now(firm, corpus)).encode([QUESTION]), before)
    assert [file.stem for file in folder.iterdir()] == [mine.fingerprint]


def test_a_cancelled_switch_changes_nothing_and_makes_room_for_the_next(firm: Firm, corpus: Corpus) -> None:
    first, second = trained(firm, corpus, seed=1), trained(firm, corpus, seed=2)
    job = use(firm, corpus, first.pk)
    with pytest.raises(Conflict, match="already switching encoders"):
        use(firm, corpus, second.pk)
    job_cancel(organization=firm.organization, job_id=job.pk)
    assert (work(job).state, compared_by(firm, corpus)) == ("cancelled", NAME)

    assert work(use(firm, corpus, second.pk)).state == "done"
    with pytest.raises(Conflict, match="Another switch took its place"):
        again(firm, job)
    assert compared_by(firm, corpus) == second.name


def test_what_is_not_ready_in_use_or_worked_on_is_refused(firm: Firm, corpus: Corpus) -> None:
    building, ready = trained(firm, corpus, seed=1, is_ready=False), trained(firm, corpus, seed=2)
    with pytest.raises(Conflict, match="not ready"):
        use(firm, corpus, building.pk)
    with pytest.raises(Conflict, match="already in use"):
        use(firm, corpus, None)
    job = use(firm, corpus, ready.pk)
    with pytest.raises(Conflict, match="under way"):
        remove(firm, corpus, ready.pk)
    work(job)
    with pytest.raises(Conflict, match="in use"):
        remove(firm, corpus, ready.pk)


def test_a_removed_encoder_takes_its_vectors_and_its_file_with_it(
    firm: Firm, corpus: Corpus, folder: Path, django_capture_on_commit_callbacks: Any
) -> None:
    mine = trained(firm, corpus)
    work(use(firm, corpus, mine.pk))
    work(use(firm, corpus, None))
    encoder_weights.weights_keep(WEIGHTS[1])
    with django_capture_on_commit_callbacks(execute=True):
        remove(firm, corpus, mine.pk)
    [job] = Job.objects.filter(task=encoders.CLEAN)

    assert work(job, by=encoder_clean_work).state == "done"
    assert list(folder.iterdir()) == []
    with organization_scope(firm.organization, user=None):
        assert set(Embedding.objects.values_list("encoder", flat=True)) == {NAME}
        assert not encoder_list(corpus=corpus).exists()
    assert compared_by(firm, corpus) == NAME
    whole(firm, corpus)


def test_an_encoder_goes_with_its_corpus_and_stays_behind_its_wall(firm: Firm, corpus: Corpus) -> None:
    mine = trained(firm, corpus)
    work(use(firm, corpus, mine.pk))
    with organization_scope(firm.organization, user=None):
        assert encoder_get(corpus=corpus, encoder_id=mine.pk).name == mine.name
        Corpus.objects.filter(pk=corpus.pk).update(is_walled=True)
    with organization_scope(firm.organization, user=firm.lawyer):
        assert not TrainedEncoder.objects.exists()
        assert not EncoderActivation.objects.exists()
    with organization_scope(firm.organization, user=None):
        Corpus.objects.get(pk=corpus.pk).delete()
        assert not TrainedEncoder.objects.exists()


def test_only_an_added_encoder_is_filled_by_itself(firm: Firm, corpus: Corpus) -> None:
    mine = trained(firm, corpus)
    with organization_scope(firm.organization, user=firm.manager), pytest.raises(NotFound):
        encoder_fill_start(**firm.by_manager, corpus_id=corpus.pk, encoder_id=mine.pk)
