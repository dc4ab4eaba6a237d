"""Outside a wall, no page, endpoint, search, message or query tells of what is behind it."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpora.models import Corpus, Document, DocumentVersion, Embedding
from corpora.selectors import corpus_list
from corpora.services import chunking_preview, corpus_create, corpus_member_remove, corpus_update
from corpora.services.indexing import text_hash
from corpora.services.provisions import provisions_around
from legalqa.accounts.models import Membership, Role
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import member_add, member_remove
from legalqa.answering.selectors import answer_get, answer_list
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import Conflict, NotFound
from legalqa.encoder import client as encoder
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from tests.ingestion import finished, make_corpus, positions, upload
from tests.isolation.callers import Callers, body_of, evened, ids_of, parameters, random_ids
from tests.isolation.doors import MANAGERS
from tests.isolation.page_doors import PAGES
from tests.isolation.rules import API
from tests.isolation.world import House, World, lease

OUTSIDE = ("manager", "annotator")
OBJECTS = {
    *("corpus_id", "document_id", "job_id", "answer_id", "tuning_id", "contradiction_id", "verdict_id", "entity_id"),
    *("gold_set_id", "gold_question_id", "gold_report_id", "generation_id"),
    *("question_id", "experiment_id", "campaign_id", "assignment_id", "grade_id", "case_id"),
    "evaluation_id",
}
WITH_OBJECTS = [name for name in (*PAGES, *API) if OBJECTS & set(parameters(name))]


@pytest.fixture
def house(world: World) -> House:
    return world.ours


def walled_ids(house: House, name: str, caller: str) -> dict[str, Any]:
    """The caller's address with the objects behind the wall."""
    behind = {
        "corpus_id": house.walled.pk,
        "document_id": house.walled_document.document.pk,
        "job_id": house.walled_document.job.pk,
        "answer_id": house.walled_answer.pk,
        "gold_set_id": house.walled_tuning.gold_set_id,
        "tuning_id": house.walled_tuning.pk,
        "experiment_id": house.walled_experiment.pk,
        "gold_question_id": house.walled_gold.report.question_id,
        "gold_report_id": house.walled_gold.report.pk,
        "generation_id": house.walled_gold.generation.pk,
        "contradiction_id": house.walled_contradiction.pk,
        "verdict_id": house.walled_verdict.pk,
        "entity_id": house.walled_entity.pk,
        "grade_id": house.walled_grade.pk,
        "case_id": house.walled_case.pk,
        "evaluation_id": house.walled_evaluation.pk,
        "campaign_id": house.walled_annotated.campaign_of(name).pk,
        "assignment_id": house.walled_annotated.assignments["lawyer"].pk,
        "classifier_id": house.walled_classifier.pk,
        "encoder_id": house.walled_encoder.pk,
        "ranker_id": house.walled_ranker.pk,
        "reader_id": house.walled_reader.pk,
        "chunk_set_id": house.walled_kept_set.pk,
        "added_id": house.walled_added.pk,
        "question_id": house.walled_indexed.pk,
    }
    return {key: behind.get(key, value) for key, value in ids_of(house, name, caller).items()}


def outside_doors(name: str) -> Iterator[tuple[str, str]]:
    for method, door in (PAGES.get(name) or API[name]).items():
        for caller in OUTSIDE:
            if caller in door.allowed:
                yield method, caller


@pytest.mark.parametrize("name", WITH_OBJECTS)
def test_outside_the_wall_every_address_looks_like_one_of_nothing(name: str, callers: Callers) -> None:
    send, wrong = (callers.page if name in PAGES else callers.api), []
    for method, caller in outside_doors(name):
        ids = walled_ids(callers.world.ours, name, caller)
        missing = random_ids(ids)
        walled, nowhere = send(caller, method, name, ids), send(caller, method, name, missing)
        bodies = evened(body_of(walled), ids), evened(body_of(nowhere), missing)
        if (walled.status_code, nowhere.status_code) != (404, 404) or bodies[0] != bodies[1]:
            wrong.append(f"{method} as {caller}: {walled.status_code} and {nowhere.status_code}")

    assert wrong == []


@pytest.mark.parametrize("name", [name for name in WITH_OBJECTS if "GET" in (PAGES.get(name) or API[name])])
def test_inside_the_wall_the_same_address_opens(name: str, callers: Callers) -> None:
    send, door = (callers.page, PAGES[name]["GET"]) if name in PAGES else (callers.api, API[name]["GET"])
    caller = "lawyer" if "lawyer" in door.allowed else "owner"

    assert send(caller, "GET", name, walled_ids(callers.world.ours, name, caller)).status_code in (200, 286)


def test_a_walled_corpus_is_not_found_by_search_or_question_from_outside(house: House) -> None:
    organization, outsider = house.firm.organization, house.firm.manager
    asked: dict[str, Any] = {"corpus_id": house.walled.pk, "text": "rent", "preset": preset_get("naive")}

    with pytest.raises(NotFound):
        corpus_search(request=SearchRequest(organization=organization, user=outsider, **asked))
    with pytest.raises(NotFound):
        question_ask(question=Question(organization=organization, user=outsider, **asked))


@pytest.mark.parametrize("name", ["encoder_detail", "ranker_detail", "api_encoder_detail", "api_ranker_detail"])
def test_a_report_names_no_corpus_behind_a_wall(name: str, callers: Callers) -> None:
    house, send = callers.world.ours, callers.page if name in PAGES else callers.api
    reports = {caller: body_of(send(caller, "GET", name, ids_of(house, name, caller))) for caller in MANAGERS}

    assert house.wall_marker in reports["owner"]
    assert house.wall_marker not in reports["manager"]
    assert house.marker in reports["manager"]


def test_the_database_itself_hides_what_is_walled(house: House) -> None:
    with organization_scope(house.firm.organization, user=house.firm.manager):
        assert not Corpus._base_manager.filter(pk=house.walled.pk).exists()
        assert not Document._base_manager.filter(corpus_id=house.walled.pk).exists()
        assert not DocumentVersion._base_manager.filter(corpus_id=house.walled.pk).exists()
        assert house.walled not in corpus_list(organization=house.firm.organization)
    with organization_scope(house.firm.organization, user=house.firm.lawyer):
        assert DocumentVersion._base_manager.filter(corpus_id=house.walled.pk).exists()


def test_provisions_behind_a_wall_are_read_inside_only(house: House) -> None:
    found = positions(house.firm, house.walled_document.version)

    with organization_scope(house.firm.organization, user=house.firm.manager):
        assert provisions_around(positions=found) == {}
    with organization_scope(house.firm.organization, user=house.firm.lawyer):
        assert len(provisions_around(positions=found)) == len(found)


def test_nobody_writes_into_a_wall_from_outside(house: House) -> None:
    with organization_scope(house.firm.organization, user=house.firm.manager):
        assert Corpus._base_manager.filter(pk=house.walled.pk).update(is_walled=False) == 0
        assert Document._base_manager.filter(corpus_id=house.walled.pk).update(title="changed") == 0


def test_the_same_file_outside_the_wall_is_no_duplicate(house: House) -> None:
    taken = upload(house.firm, house.corpus, f"{house.wall_marker}.md", lease(house.wall_marker))

    assert finished(house.firm, taken).version.state == "ready"


def test_the_name_of_a_walled_corpus_is_free_outside(house: House) -> None:
    organization, outsider = house.firm.organization, house.firm.manager
    with organization_scope(organization, user=outsider):
        corpus = corpus_create(organization=organization, user=outsider, name=house.walled.name)

    assert corpus.slug == house.walled.slug


def test_a_wall_does_not_come_down_onto_a_taken_name(house: House) -> None:
    organization = house.firm.organization
    with organization_scope(organization, user=house.firm.manager):
        corpus_create(organization=organization, user=house.firm.manager, name=house.walled.name)

    with organization_scope(organization, user=house.firm.owner):
        with pytest.raises(Conflict) as refused:
            corpus_update(organization=organization, user=house.firm.owner, corpus_id=house.walled.pk, is_walled=False)
        assert refused.value.code == "name_taken"
        assert Corpus.objects.get(pk=house.walled.pk).is_walled


def test_who_is_put_outside_loses_answers_and_history_of_the_corpus(house: House, callers: Callers) -> None:
    organization, lawyer = house.firm.organization, house.firm.lawyer
    with organization_scope(organization, user=lawyer):
        assert house.walled_answer in answer_list(organization=organization, user=lawyer)
    with organization_scope(organization, user=house.firm.owner):
        corpus_member_remove(
            organization=organization, user=house.firm.owner, corpus_id=house.walled.pk, member_id=lawyer.pk
        )

    with organization_scope(organization, user=lawyer):
        assert house.walled_answer not in answer_list(organization=organization, user=lawyer)
        with pytest.raises(NotFound):
            answer_get(organization=organization, user=lawyer, answer_id=house.walled_answer.pk)
    for name in ("question_list", "question_ask", "corpus_list"):
        page = callers.browser("lawyer").get(reverse(name, args=[house.slug]))
        assert house.wall_marker not in page.content.decode()


def test_the_last_person_inside_cannot_leave(house: House) -> None:
    organization, owner = house.firm.organization, house.firm.owner
    with organization_scope(organization, user=owner):
        corpus_member_remove(
            organization=organization, user=owner, corpus_id=house.walled.pk, member_id=house.firm.lawyer.pk
        )
        with pytest.raises(Conflict):
            corpus_member_remove(organization=organization, user=owner, corpus_id=house.walled.pk, member_id=owner.pk)


def test_a_returning_member_is_not_let_back_inside_the_walls(house: House) -> None:
    organization, owner, lawyer = house.firm.organization, house.firm.owner, house.firm.lawyer
    with organization_scope(organization, user=owner):
        membership = Membership.objects.get(user=lawyer)
        member_remove(organization=organization, actor=owner, membership_id=membership.pk)
        member_add(organization=organization, user=lawyer, role=Role.LAWYER, actor=owner)

    with organization_scope(organization, user=lawyer):
        assert not Corpus._base_manager.filter(pk=house.walled.pk).exists()


def test_a_job_behind_the_wall_takes_as_many_queries_as_a_foreign_one_and_none_at_all(callers: Callers) -> None:
    ours, theirs = callers.world.ours, callers.world.theirs
    jobs = {"walled": ours.walled_document.job.pk, "foreign": theirs.document.job.pk, "missing": uuid4()}
    seen = {}
    for name, job_id in jobs.items():
        with CaptureQueriesContext(connection) as asked:
            reply = callers.api("manager", "GET", "api_job_detail", {"job_id": job_id})
        seen[name] = (reply.status_code, body_of(reply), len(asked))

    assert seen["walled"][0] == 404
    assert seen["walled"] == seen["foreign"] == seen["missing"]


def test_a_preview_does_not_tell_that_the_text_is_behind_a_wall(house: House) -> None:
    small = {"kind": "recursive.v1", "size_chars": 40, "overlap_chars": 0}
    corpus = make_corpus(house.firm, "Copies", chunker=small)
    finished(house.firm, upload(house.firm, corpus, "copy.md", lease(house.wall_marker)))
    told = chunking_preview(**house.firm.by_manager, corpus_id=corpus.pk, chunker=house.walled.chunker)

    assert told is not None
    assert told.n_known == 0 < told.n_vectors


def test_a_text_behind_the_wall_is_encoded_again_for_a_corpus_outside(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []
    real = encoder.encoder()

    def encode(texts: Sequence[str], **_: Any) -> encoder.FloatMatrix:
        encoded.extend(texts)
        return real.encode(texts)

    # The real one, noting its texts: rows do not say how often a text was encoded.
    monkeypatch.setattr("corpora.services.encoding.encoder.encoder", lambda *_: SimpleNamespace(encode=encode))
    corpus = make_corpus(house.firm, "Copies", chunker=house.walled.chunker)
    for name in ("copy.md", "copy of it.md"):
        finished(house.firm, upload(house.firm, corpus, name, lease(house.wall_marker) + " " * len(name)))

    with organization_scope(house.firm.organization, user=None):
        mine = set(Embedding.objects.filter(corpus=corpus).values_list("text_hash", flat=True))
    assert {text_hash(text=text) for text in encoded} == mine, "all of it, and once"
    assert len(encoded) == len(mine)
