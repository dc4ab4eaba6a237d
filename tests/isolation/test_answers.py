"""Who may see an answer: at every address of one, those of others and of experiments look like none at all."""

from typing import Any

import pytest
from django.urls import reverse

from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.isolation.callers import (
    BACKEND,
    Callers,
    body_of,
    client_make,
    evened,
    ids_of,
    page_data,
    parameters,
    random_ids,
    undone,
)
from tests.isolation.page_doors import PAGES
from tests.isolation.rules import API
from tests.isolation.world import House, World

ADDRESSES = [name for name in (*PAGES, *API) if "answer_id" in parameters(name)]
LISTS = ("question_list", "question_ask", "api_question_list")


@pytest.fixture
def house(world: World) -> House:
    return world.ours


@pytest.fixture
def tried(house: House) -> Answer:
    """An experiment in the lawyer's name."""
    return question_ask(
        question=Question(
            organization=house.firm.organization,
            user=house.firm.lawyer,
            corpus_id=house.corpus.pk,
            text="What rent is paid in the experiment?",
            preset=preset_get("fixed-3"),
            purpose="experiment",
        )
    )


def differences(callers: Callers, name: str, answer: Answer) -> list[str]:
    """Where the address of an answer that the lawyer may not see differs from one of nothing."""
    send: Any = callers.page if name in PAGES else callers.api
    ids = ids_of(callers.world.ours, name, "lawyer") | {"answer_id": answer.pk}
    missing = random_ids(ids)
    wrong = []
    for method in PAGES.get(name) or API[name]:
        hidden, nowhere = send("lawyer", method, name, ids), send("lawyer", method, name, missing)
        bodies = evened(body_of(hidden), ids), evened(body_of(nowhere), missing)
        if (hidden.status_code, nowhere.status_code) != (404, 404) or bodies[0] != bodies[1]:
            wrong.append(f"{method}: {hidden.status_code} and {nowhere.status_code}")
    return wrong


@pytest.mark.parametrize("name", ADDRESSES)
def test_the_answer_of_another_member_is_not_found_not_even_the_owners(name: str, callers: Callers) -> None:
    assert differences(callers, name, callers.world.ours.answers["owner"]) == []


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_experiment_is_not_found_by_the_person_in_whose_name_it_ran(
    name: str, callers: Callers, tried: Answer
) -> None:
    assert differences(callers, name, tried) == []


@pytest.mark.parametrize("name", LISTS)
def test_no_list_names_an_experiment(name: str, callers: Callers, tried: Answer) -> None:
    send: Any = callers.page if name in PAGES else callers.api
    listed = body_of(send("lawyer", "GET", name, ids_of(callers.world.ours, name, "lawyer")))

    assert "in the experiment" not in listed
    with organization_scope(callers.world.ours.firm.organization, user=None):
        assert Answer.objects.filter(pk=tried.pk, purpose="experiment").exists()


READING = [name for name in ADDRESSES if "GET" in (PAGES.get(name) or API[name]) and "share" not in name]
READING = [name for name in READING if name != "api_answer_grade"]


def opened(house: House, name: str, answer: Answer) -> int:
    """What the colleague with whom the answer is shared gets at an address of it."""
    client = client_make()
    client.force_login(house.colleague, backend=BACKEND)
    if name in API:
        headers = house.firm.bearer(house.colleague, *TokenScope)
        return client_make().get(reverse(name, args=[answer.pk]), headers=headers).status_code
    return client.get(reverse(name, args=[house.slug, answer.pk])).status_code


@pytest.mark.parametrize("name", READING)
def test_a_shared_answer_can_be_read_by_the_colleague_and_not_from_outside_the_wall(name: str, house: House) -> None:
    with undone():
        assert opened(house, name, house.answers["lawyer"]) == 200
        assert opened(house, name, house.walled_answer) == 404


@pytest.mark.parametrize("name", [name for name in PAGES if "answer_id" in parameters(name)])
def test_nothing_may_be_done_to_an_answer_that_is_only_shared(name: str, house: House) -> None:
    answer, client = house.answers["lawyer"], client_make()
    client.force_login(house.colleague, backend=BACKEND)
    if "POST" in PAGES[name]:
        with undone():
            sent = client.post(reverse(name, args=[house.slug, answer.pk]), page_data(house, name))
        assert sent.status_code == 404


def test_shared_answers_are_listed_apart_and_none_from_behind_the_wall(house: House) -> None:
    client = client_make()
    client.force_login(house.colleague, backend=BACKEND)
    address = reverse("question_list", args=[house.slug])
    with undone():
        own, shared = client.get(address), client.get(address, {"shared": "1"})

    assert house.marker not in body_of(own)
    assert house.marker in body_of(shared)
    assert house.wall_marker not in body_of(shared)
