"""Who may see an answer: at every address of one, those of others and of experiments look like none at all."""

from typing import Any

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.isolation.callers import Callers, body_of, evened, ids_of, parameters, random_ids
from tests.isolation.rules import API, PAGES
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
