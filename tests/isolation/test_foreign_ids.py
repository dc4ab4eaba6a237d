"""Ids of another organisation in forms and bodies: refused like ids that nobody has, and nothing over there changes."""

import json
from collections.abc import Callable, Collection
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.urls import reverse

from corpora.models import Corpus, CorpusMember
from corpora.services import corpus_member_add, document_remove, document_upload
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import member_remove
from legalqa.answering.models import Question as QuestionRow
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import NotFound
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from retrieval.types import Filters
from tests.isolation.callers import (
    Callers,
    Sent,
    api_data,
    body_of,
    client_make,
    evened,
    ids_of,
    page_data,
    token_header,
)
from tests.isolation.page_doors import PAGES
from tests.isolation.rules import API
from tests.isolation.world import House, World
from tests.named import unnamed

RENT = "What rent does the tenant pay?"
Post = Callable[..., Sent]


def fingerprint(house: House, tables: Collection[str] | None = None) -> dict[str, tuple[int, str]]:
    """Count and checksum of every row of an organisation, table by table, or in those tables alone.

    How often and when a token was used is no content, and that a document was read is written down by reading it.
    """
    found = {}
    with organization_scope(house.firm.organization, user=None), connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            is_counted = table != "accounts_requestcount" and (tables is None or table in tables)
            if is_counted and any(field.column == "organization_id" for field in model._meta.local_fields):
                cursor.execute(
                    "SELECT count(*), md5(string_agg(md5((to_jsonb(t) - 'last_used_at')::text), '' ORDER BY t.id))"
                    f" FROM {table} t WHERE organization_id = %s"
                    " AND coalesce(to_jsonb(t) ->> 'action', '') <> 'document.viewed'",
                    [house.firm.organization.pk],
                )
                found[table] = cursor.fetchone()
    return found


@pytest.fixture
def page(callers: Callers) -> Post:
    """Post a form as our owner."""

    def post(name: str, data: dict[str, Any], **ids: Any) -> Sent:
        address = reverse(name, kwargs={"slug": callers.world.ours.slug, **ids})
        return callers.browser("owner").post(address, data)

    return post


@pytest.fixture
def endpoint(world: World) -> Post:
    """Post JSON as our owner's program."""

    def post(name: str, data: dict[str, Any]) -> Sent:
        headers = token_header(world, "owner")
        return client_make().post(reverse(name), json.dumps(data), content_type="application/json", headers=headers)

    return post


def test_both_organisations_hold_rows_in_every_table_of_documents_and_answers(world: World) -> None:
    empty = {
        table
        for house in (world.ours, world.theirs)
        for table, (n_rows, _) in fingerprint(house).items()
        if n_rows == 0 and table.startswith(("corpora_", "answering_", "accounts_", "jobs_"))
    }

    assert empty == set()


@pytest.mark.parametrize(("name", "field"), [("api_search", "query"), ("api_question_list", "text")])
def test_a_program_cannot_search_or_ask_a_corpus_of_others(name: str, field: str, world: World, endpoint: Post) -> None:
    before = fingerprint(world.theirs)
    foreign = endpoint(name, {"corpus_id": str(world.theirs.corpus.pk), field: RENT})
    nowhere = endpoint(name, {"corpus_id": str(uuid4()), field: RENT})

    assert (foreign.status_code, nowhere.status_code) == (404, 404)
    assert foreign.content == nowhere.content
    assert fingerprint(world.theirs) == before


def test_a_judge_is_not_shown_the_law_of_others(world: World, endpoint: Post) -> None:
    before = fingerprint(world.theirs)
    body = api_data(world.ours, "api_judgment") | {"judge": "custom2", "law": "law"}
    foreign = endpoint("api_judgment", body | {"corpus_id": str(world.theirs.corpus.pk)})
    nowhere = endpoint("api_judgment", body | {"corpus_id": str(uuid4())})

    assert (foreign.status_code, nowhere.status_code) == (404, 404)
    assert foreign.content == nowhere.content
    assert fingerprint(world.theirs) == before


@pytest.mark.parametrize("name", ["api_encoder_list", "api_ranker_list", "api_reader_list"])
@pytest.mark.parametrize("field", ["gold_set_ids", "elsewhere"])
def test_nothing_learns_from_a_gold_set_of_others_or_is_measured_on_one(name: str, field: str, world: World) -> None:
    address = reverse(name, kwargs={"corpus_id": world.ours.corpus.pk})
    answers = []
    for gold_set_id in (world.theirs.tuning.gold_set_id, uuid4()):
        body = api_data(world.ours, name) | {field: [str(gold_set_id)]}
        sent = client_make().post(
            address, json.dumps(body), content_type="application/json", headers=token_header(world, "owner")
        )
        answers.append((sent.status_code, sent.content))

    assert answers[0] == answers[1]
    assert answers[0][0] == (400 if field == "elsewhere" and name != "api_encoder_list" else 404)


def test_the_ask_form_takes_no_corpus_of_others(world: World, page: Post) -> None:
    before = fingerprint(world.theirs)
    ids = [{"corpus": str(corpus_id)} for corpus_id in (world.theirs.corpus.pk, uuid4())]
    foreign, nowhere = (page("question_ask", {"text": RENT, **data}) for data in ids)

    assert (foreign.status_code, nowhere.status_code) == (422, 422)
    assert evened(body_of(foreign), ids[0]) == evened(body_of(nowhere), ids[1])
    assert world.theirs.marker not in body_of(foreign)
    assert fingerprint(world.theirs) == before


def test_a_wall_takes_no_person_of_another_organisation(world: World, page: Post) -> None:
    before = fingerprint(world.theirs)
    ours = world.ours.walled.pk
    foreign = page("corpus_member_add", {"member": str(world.theirs.firm.lawyer.pk)}, corpus_id=ours)
    nowhere = page("corpus_member_add", {"member": str(uuid4())}, corpus_id=ours)

    assert (foreign.status_code, nowhere.status_code) == (400, 400)
    assert body_of(foreign) == body_of(nowhere)
    assert fingerprint(world.theirs) == before
    with organization_scope(world.ours.firm.organization, user=world.ours.firm.owner):
        assert CorpusMember.objects.filter(corpus_id=ours).count() == 2


def test_filters_with_documents_of_others_find_nothing(world: World, endpoint: Post) -> None:
    filters = {"document_ids": [str(world.theirs.document.document.pk)]}
    found = endpoint("api_search", {"corpus_id": str(world.ours.corpus.pk), "query": RENT, "filters": filters})

    assert found.status_code == 200
    assert found.json()["hits"] == []


def test_excluding_paragraphs_of_others_excludes_nothing(world: World, endpoint: Post) -> None:
    with organization_scope(world.theirs.firm.organization, user=world.theirs.firm.owner):
        theirs = world.theirs.answers["owner"].evidence[0]["paragraph_id"]
    plain, excluding = (
        endpoint("api_search", {"corpus_id": str(world.ours.corpus.pk), "query": RENT, "filters": filters}).json()
        for filters in ({}, {"excluded_paragraph_ids": [theirs]})
    )

    assert plain["hits"] == excluding["hits"]


def test_services_find_nothing_of_others_under_our_organisation(world: World) -> None:
    ours, theirs = world.ours.firm, world.theirs
    before = fingerprint(theirs)
    preset = preset_get("naive")
    calls: list[Callable[[], object]] = [
        lambda: document_upload(**ours.by_owner, corpus_id=theirs.corpus.pk, name="a.txt", parts=[b"words"]),
        lambda: corpus_search(
            request=SearchRequest(**ours.by_owner, corpus_id=theirs.corpus.pk, text=RENT, preset=preset)
        ),
        lambda: question_ask(
            question=Question(
                organization=ours.organization,
                user=ours.owner,
                corpus_id=theirs.corpus.pk,
                text=RENT,
                preset=preset,
                filters=Filters(),
            )
        ),
    ]
    inside: list[Callable[[], object]] = [
        lambda: document_remove(**ours.by_owner, document_id=theirs.document.document.pk),
        lambda: corpus_member_add(**ours.by_owner, corpus_id=world.ours.corpus.pk, member_id=theirs.firm.lawyer.pk),
        lambda: member_remove(organization=ours.organization, actor=ours.owner, membership_id=theirs.member_row.pk),
    ]

    for call in calls:
        with pytest.raises(NotFound):
            call()
    with organization_scope(ours.organization, user=ours.owner):
        for call in inside:
            with pytest.raises(NotFound):
                call()
    assert fingerprint(theirs) == before


def test_around_the_managers_the_database_shows_nothing_of_others(world: World) -> None:
    """What a forgotten filter or a raw query would get."""
    foreign = world.theirs.firm.organization.pk
    ours = world.ours.firm
    with organization_scope(ours.organization, user=ours.owner), unnamed(), connection.cursor() as cursor:
        for model in apps.get_models():
            if hasattr(model, "organization_id") and model._meta.app_label in ("corpora", "answering"):
                assert not model._base_manager.filter(organization_id=foreign).exists()
                cursor.execute(f"SELECT count(*) FROM {model._meta.db_table} WHERE organization_id = %s", [foreign])
                assert cursor.fetchone() == (0,)


def test_a_whole_day_of_ours_changes_nothing_of_theirs(callers: Callers) -> None:
    """Every door that our owner may use, opened once, for good."""
    world = callers.world
    before = fingerprint(world.theirs)
    last = ("document_delete", "member_remove", "token_revoke", "webhook_delete")
    for name in (*[n for n in PAGES if n not in last], *last):
        if "POST" in PAGES[name]:
            address = reverse(name, kwargs=ids_of(world.ours, name, "owner"))
            callers.browser("owner").post(address, page_data(world.ours, name))
    for name in ("api_search", "api_question_list", "api_corpus_list"):
        assert "POST" in API[name]
        client_make().post(
            reverse(name),
            json.dumps(api_data(world.ours, name)),
            content_type="application/json",
            headers=token_header(world, "owner"),
        )

    assert fingerprint(world.theirs) == before
    with organization_scope(world.ours.firm.organization, user=world.ours.firm.owner):
        assert Corpus.objects.filter(name="Brand new").exists()
        assert QuestionRow.objects.filter(text=RENT).exists()
