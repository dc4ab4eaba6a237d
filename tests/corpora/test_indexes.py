"""Encoders of another dimension and chunk sets beside the live ones: built, compared, switched and switched back."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from corpora.hnsw import index_build, index_is_ready, index_name
from corpora.models import AddedEncoder, Chunk, ChunkSet, Corpus, Embedding
from corpora.services import (
    chunk_set_fill_work,
    chunk_set_keep,
    chunk_set_remove,
    chunk_set_update,
    chunk_set_use,
    corpus_reindex,
    encoder_add,
    encoder_clean_work,
    encoder_fill_start,
    encoder_fill_work,
    encoder_remove,
    encoder_roll_back,
    encoder_switch_work,
    encoder_use,
    reindex_work,
)
from corpora.services.added_encoders import EndpointSettings
from corpora.services.encoding import EncoderAway
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_cancel
from legalqa.llm.models import RoleModel
from legalqa.llm.types import Role
from retrieval.services.search import SearchResult
from tests.commands import told
from tests.corpora.switching import DEPOSIT, LEASE, QUESTION, SMALL, again, found, make_leases, now, work
from tests.encoders import mini_128
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm, make_firm
from tests.provider import ScriptedProvider, embeds

FINE: dict[str, Any] = {"kind": "recursive.v1", "size_chars": 60, "overlap_chars": 0}


@pytest.fixture(scope="module")
def encoders_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = mini_128(tmp_path_factory.mktemp("encoders"))
    with override_settings(ENCODERS=str(root)):
        yield root


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_leases(firm)


def add(firm: Firm, corpus: Corpus, **given: Any) -> AddedEncoder:
    added, job = encoder_add(**firm.by_manager, corpus_id=corpus.pk, **(given or {"folder": "mini-128"}))
    assert work(job, encoder_fill_work).state == "done"
    return added


def done(firm: Firm, corpus: Corpus, service: Any, by: Any, **given: Any) -> Job:
    return work(begun(firm, corpus, service, **given), by)


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


def test_a_large_corpus_is_searched_over_one_index_for_each_encoder_whatever_its_dimension(
    committed_db: None, encoders_folder: Path, settings: Any
) -> None:
    settings.EXACT_SEARCH_MAX = 0
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, chunker=SMALL, files={"lease.md": LEASE})
    added = add(firm, corpus)
    exact = {name: score(found(firm, corpus, encoder=name)) for name in (NAME, added.name)}
    index_build(corpus=now(firm, corpus))

    assert done(firm, corpus, encoder_use, encoder_switch_work, encoder_id=added.pk).state == "done"
    switched = now(firm, corpus)
    assert switched.encoder == added.name and index_is_ready(corpus=switched)
    assert score(found(firm, corpus)) == pytest.approx(exact[added.name], abs=1e-5)
    assert score(found(firm, corpus, encoder=NAME)) == pytest.approx(exact[NAME], abs=1e-5)
    assert index_is_ready(corpus=Corpus(pk=corpus.pk, encoder=NAME))
    with organization_scope(firm.organization, user=None), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")  # three rows are sorted sooner
        for name, size in ((NAME, 384), (added.name, 128)):
            cursor.execute(
                "EXPLAIN SELECT id FROM corpora_embedding WHERE corpus_id = %s AND encoder = %s AND is_live"
                f" ORDER BY vector::vector({size}) <#> %s::vector::vector({size}) LIMIT 5",
                [corpus.pk, name, str([1.0] * size)],
            )
            plan = "".join(row[0] for row in cursor.fetchall())
            assert index_name(Corpus(pk=corpus.pk, encoder=name)) in plan


def test_an_encoder_over_the_network_gets_the_texts_with_its_cues_and_an_outage_is_said_and_not_hidden(
    firm: Firm, corpus: Corpus, scripted_provider: ScriptedProvider, settings: Any
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.EMBED, model="embed-1")
    scripted_provider.will(embeds([3.0, 4.0]), embeds([0.0, 2.0], [2.0, 0.0]))  # a probe, then both passages
    given = EndpointSettings("First/embed-1", cue_query="Q: ", cue_passage="P: ", licence="MIT")
    added = add(firm, corpus, endpoint=given)
    assert (added.dimensions, added.source, added.model) == (2, "endpoint", "First/embed-1")
    sent = scripted_provider.asked[-1].body["input"]
    assert len(sent) == 2 and all(text.startswith("P: ") for text in sent)
    assert dimensions(firm, corpus)[added.name] == {2}
    with organization_scope(firm.organization, user=None):
        vectors = Embedding.objects.filter(encoder=added.name).values_list("vector", flat=True)
        assert {round(float(np.linalg.norm(vector)), 6) for vector in vectors} == {1.0}

    scripted_provider.will(embeds([1.0, 0.0]))
    assert found(firm, corpus, encoder=added.name).passages
    assert scripted_provider.asked[-1].body["input"] == [f"Q: {QUESTION}"]
    scripted_provider.will(embeds([1.0, 0.0, 0.0]))
    with pytest.raises(EncoderAway, match="3 dimensions"):
        found(firm, corpus, encoder=added.name)
    with organization_scope(firm.organization, user=None):
        RoleModel.objects.all().delete()
    with pytest.raises(EncoderAway, match="returned no vectors"):
        found(firm, corpus, encoder=added.name)
    assert score(found(firm, corpus)) > 0


def test_what_is_no_encoder_is_refused_and_one_in_use_is_not_removed(
    firm: Firm, corpus: Corpus, encoders_folder: Path
) -> None:
    acting: Any = {"organization": firm.organization, "user": firm.manager, "corpus_id": corpus.pk}
    with pytest.raises(ApplicationError, match=r"no encoder folder 'other'.*mini-128"):
        encoder_add(**acting, folder="other")
    with pytest.raises(ApplicationError, match="No embedding model 'First/m'"):
        encoder_add(**acting, endpoint=EndpointSettings("First/m"))
    added = add(firm, corpus)
    with pytest.raises(Conflict, match="already"):
        encoder_add(**acting, folder="mini-128")
    done(firm, corpus, encoder_use, encoder_switch_work, encoder_id=added.pk)
    with organization_scope(firm.organization, user=firm.manager), pytest.raises(Conflict, match="in use"):
        encoder_remove(**acting, encoder_id=added.pk)
    done(firm, corpus, encoder_use, encoder_switch_work, encoder_id=None)
    with organization_scope(firm.organization, user=firm.manager):
        encoder_remove(**acting, encoder_id=added.pk)
    job = Job.objects.get(task="corpora.tasks.encoder_clean")
    assert work(job, encoder_clean_work).state == "done"
    assert dimensions(firm, corpus) == {NAME: {384}}
    with pytest.raises(ApplicationError, match="The corpus has no encoder"):
        found(firm, corpus, encoder=added.name)


def test_a_kept_chunk_set_is_compared_by_name_falls_behind_is_brought_up_to_date_and_switched_to_and_back(
    firm: Firm, corpus: Corpus
) -> None:
    assert done(firm, corpus, chunk_set_keep, chunk_set_fill_work, chunker=FINE).state == "done"
    live, kept = sets(firm, corpus)
    assert kept.is_kept and kept.name.startswith("recursive-") and kept.filled_at is not None
    assert len(texts(firm, kept)) > len(texts(firm, live)) == 2
    before = found(firm, corpus)
    beside = found(firm, corpus, chunk_set=kept.name)
    assert (before.chunk_set_id, beside.chunk_set_id) == (live.pk, kept.pk)
    assert score(beside) != score(before)
    assert found(firm, corpus, chunk_set=live.name).passages == before.passages

    ingest(firm, corpus, "deposit.md", DEPOSIT)
    with pytest.raises(Conflict, match="lacks 1 document"):
        found(firm, corpus, chunk_set=kept.name)
    old = texts(firm, kept)
    assert done(firm, corpus, chunk_set_update, chunk_set_fill_work, chunk_set_id=kept.pk).state == "done"
    assert set(texts(firm, kept)) > set(old)
    assert score(found(firm, corpus, chunk_set=kept.name)) == score(beside)

    assert done(firm, corpus, chunk_set_use, reindex_work, chunk_set_id=kept.pk).state == "done"
    now_live, now_kept = sets(firm, corpus)
    assert (now_live.pk, now_kept.pk, now_kept.is_kept) == (kept.pk, live.pk, True)
    assert score(found(firm, corpus)) == score(beside)
    assert score(found(firm, corpus, chunk_set=now_kept.name)) == score(before)
    assert done(firm, corpus, chunk_set_use, reindex_work, chunk_set_id=live.pk).state == "done"
    assert score(found(firm, corpus)) == score(before)

    with organization_scope(firm.organization, user=firm.manager):
        chunk_set_remove(**firm.by_manager, corpus_id=corpus.pk, chunk_set_id=kept.pk)
    job = Job.objects.get(task="corpora.tasks.encoder_clean")
    assert work(job, encoder_clean_work).state == "done"
    assert texts(firm, kept) == {}
    with pytest.raises(ApplicationError, match="has no chunk set"):
        found(firm, corpus, chunk_set=kept.name)


def test_work_on_indexes_is_tried_again_by_the_rules_of_its_first_start(
    firm: Firm, corpus: Corpus, encoders_folder: Path
) -> None:
    added = add(firm, corpus)
    done(firm, corpus, chunk_set_keep, chunk_set_fill_work, chunker=FINE)
    done(firm, corpus, chunk_set_keep, chunk_set_fill_work, chunker=FINE | {"size_chars": 120})
    _, first, second = sets(firm, corpus)

    use, switch = cancelled(firm, corpus, chunk_set_use, chunk_set_id=first.pk), cancelled_switch(firm, corpus, added)
    other = begun(firm, corpus, chunk_set_use, chunk_set_id=second.pk)
    for job in (use, switch):
        with pytest.raises(Conflict, match="The index is being rebuilt"):
            again(firm, job)
    with pytest.raises(Conflict, match="The index is being rebuilt"):
        begun(firm, corpus, corpus_reindex)
    work(other, reindex_work)
    update = cancelled(firm, corpus, chunk_set_update, chunk_set_id=first.pk)
    again(firm, use)
    with pytest.raises(Conflict, match="under way"):
        again(firm, update)
    with pytest.raises(Conflict, match="under way"):
        begun(firm, corpus, chunk_set_update, chunk_set_id=first.pk)
    assert work(use, reindex_work).state == "done"
    assert sets(firm, corpus)[0].pk == first.pk
    assert work(again(firm, switch)).state == "done"


def test_work_on_an_index_that_was_removed_or_changed_says_so_when_it_is_tried_again(
    firm: Firm, corpus: Corpus, encoders_folder: Path
) -> None:
    added = add(firm, corpus)
    fill, switch = (
        cancelled(firm, corpus, encoder_fill_start, encoder_id=added.pk),
        cancelled_switch(firm, corpus, added),
    )
    done(firm, corpus, chunk_set_keep, chunk_set_fill_work, chunker=FINE)
    live, kept = sets(firm, corpus)
    update = cancelled(firm, corpus, chunk_set_update, chunk_set_id=kept.pk)
    use = work(begun(firm, corpus, chunk_set_use, chunk_set_id=kept.pk), reindex_work, steps=1)
    assert use.stage == "cleaning"
    job_cancel(organization=firm.organization, job_id=use.pk)
    again(firm, use)
    job_cancel(organization=firm.organization, job_id=use.pk)  # before anybody works on it
    with pytest.raises(Conflict, match="or is the live one by now"):
        again(firm, update)
    done(firm, corpus, chunk_set_use, reindex_work, chunk_set_id=live.pk)
    with pytest.raises(Conflict, match="Newer settings for splitting documents replaced these"):
        again(firm, use)

    with organization_scope(firm.organization, user=firm.manager):
        encoder_remove(**firm.by_manager, corpus_id=corpus.pk, encoder_id=added.pk)
        chunk_set_remove(**firm.by_manager, corpus_id=corpus.pk, chunk_set_id=kept.pk)
    for job, words in (
        (fill, "The encoder was removed"),
        (switch, "or the encoder was removed"),
        (update, "The chunk set was removed"),
        (use, "or they were removed"),
    ):
        with pytest.raises(Conflict, match=words):
            again(firm, job)


def begun(firm: Firm, corpus: Corpus, service: Any, **given: Any) -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        job: Job = service(**firm.by_manager, corpus_id=corpus.pk, **given)
    return job


def cancelled(firm: Firm, corpus: Corpus, service: Any, **given: Any) -> Job:
    return job_cancel(organization=firm.organization, job_id=begun(firm, corpus, service, **given).pk)


def cancelled_switch(firm: Firm, corpus: Corpus, added: AddedEncoder) -> Job:
    return cancelled(firm, corpus, encoder_use, encoder_id=added.pk)


def sets(firm: Firm, corpus: Corpus) -> list[ChunkSet]:
    with organization_scope(firm.organization, user=None):
        return list(ChunkSet.objects.filter(corpus=corpus, retired_at=None).order_by("-is_live"))


def texts(firm: Firm, chunk_set: ChunkSet) -> dict[int, str]:
    with organization_scope(firm.organization, user=None):
        return dict(Chunk.objects.filter(chunk_set=chunk_set, is_parent=False).values_list("pk", "text"))


def vectors(firm: Firm, corpus: Corpus) -> dict[str, set[int]]:
    """The rows of the live vectors, by encoder."""
    with organization_scope(firm.organization, user=None):
        rows: dict[str, set[int]] = {}
        for name, pk in Embedding.objects.filter(corpus=corpus, is_live=True).values_list("encoder", "pk"):
            rows.setdefault(name, set()).add(pk)
    return rows


def test_the_page_adds_an_encoder_switches_to_it_and_back_while_searches_go_on(
    firm: Firm, corpus: Corpus, encoders_folder: Path, client_of: Callable[[User], Client]
) -> None:
    browser, at = client_of(firm.manager), (firm.organization.slug, corpus.pk)
    page = browser.get(reverse("corpus_indexes", args=at)).content.decode()
    assert "MiniLM, 128 (128 dimensions)" in page and "No embedding model is set up" in page

    assert browser.post(reverse("added_encoder_new", args=at), {"folder": "mini-128"}).status_code == 302
    with organization_scope(firm.organization, user=None):
        added = AddedEncoder.objects.get(corpus=corpus)
    works = {"corpora.tasks.encoder_fill": encoder_fill_work, "corpora.tasks.encoder_switch": encoder_switch_work}

    def worked() -> str:
        """Work on the newest job step by step, with a search between every two."""
        job = Job.objects.filter(task__in=works).latest("created_at")
        while job.is_open:
            assert found(firm, corpus).passages
            job = work(job, works[job.task], steps=1)
        assert found(firm, corpus).passages
        return job.state

    first = vectors(firm, corpus)
    assert worked() == "done"
    both = vectors(firm, corpus)
    assert {name: len(rows) for name, rows in both.items()} == {NAME: len(first[NAME]), added.name: len(first[NAME])}
    assert browser.post(reverse("added_encoder_use", args=(*at, added.pk))).status_code == 302
    waits = browser.get(reverse("corpus_indexes", args=at)).content.decode()
    card = waits.partition('id="encoder-switch"')[2].partition('class="section"')[0]
    assert all(words in card for words in ("Switching to MiniLM, 128", "Waiting", "<progress", "Cancel the switch"))
    assert reverse("added_encoder_use", args=(*at, added.pk)) not in waits
    assert (worked(), now(firm, corpus).encoder) == ("done", added.name)
    back = browser.post(reverse("encoder_roll_back", args=at), {"from": "indexes"})
    assert back.headers["Location"] == reverse("corpus_indexes", args=at)
    assert (worked(), now(firm, corpus).encoder) == ("done", NAME)
    assert vectors(firm, corpus) == both  # none was encoded again
    page = browser.get(reverse("corpus_indexes", args=at)).content.decode()
    assert page.count(">in use<") == 2 and "Apache-2.0" in page and "Bring up to date" not in page


def test_the_command_keeps_a_chunk_set_lists_it_and_switches_to_it(firm: Firm, corpus: Corpus) -> None:
    index = partial(told, "index", corpus.slug, "--organization", firm.organization.slug)

    made = index("--chunker", "sentence", "--set", "size_tokens=200", "--beside", "--wait")
    assert (made["state"], made["is_live"], made["is_kept"], made["chunks"]) == ("done", False, True, 2)
    listed = index("--list")
    assert [(one["name"] == made["name"], one["is_live"]) for one in listed["chunk_sets"]] == [
        (False, True),
        (True, False),
    ]
    assert [one["name"] for one in listed["encoders"]] == [NAME]
    assert index("--use", made["name"], "--wait")["is_live"]
    with pytest.raises(CommandError, match="nothing called 'other'"):
        index("--use", "other")
