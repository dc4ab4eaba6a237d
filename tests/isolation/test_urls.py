"""Every address of the site, asked by everybody: the table in `rules` holds, cell by cell."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from tests.isolation.callers import Callers, Sent, body_of, evened, ids_of, parameters, random_ids, url_names
from tests.isolation.doors import CALLERS, OUTSIDERS
from tests.isolation.page_doors import PAGES
from tests.isolation.rules import API, PUBLIC, Cell, api_cells, page_cells, public_cells
from tests.isolation.world import House, World

SITE = [(address, name) for address, name in url_names() if not address.startswith("operators/")]
WITH_IDS = [name for name in (*PAGES, *API) if set(parameters(name)) - {"slug"}]


def deviation(cell: Cell, response: Sent) -> list[str]:
    if response.status_code == cell.status:
        return []
    return [f"{cell.method} {cell.name} as {cell.caller}: {response.status_code} instead of {cell.status}"]


def leaks(world: World, cell: Cell, response: Sent) -> list[str]:
    """Markers in a body that the caller must not see."""
    if cell.caller == "stranger":
        hidden: tuple[str, ...] = (world.ours.marker, world.ours.wall_marker)
    else:
        hidden = (*world.ours.markers_hidden_from(cell.caller), world.theirs.marker, world.theirs.wall_marker)
    body = body_of(response)
    return [f"{cell.method} {cell.name} as {cell.caller} shows {marker}" for marker in hidden if marker in body]


def test_every_address_is_in_the_table_once() -> None:
    names = [name for _, name in SITE]

    assert sorted(names) == sorted([*PAGES, *API, *PUBLIC])


def test_the_table_has_more_than_a_thousand_cells() -> None:
    cells: list[Cell] = []
    for maker, names in ((page_cells, PAGES), (api_cells, API), (public_cells, PUBLIC)):
        for name in names:
            cells += maker(name)

    assert len(set(cells)) == len(cells) >= 1000


@pytest.mark.parametrize("name", PAGES)
def test_a_page_answers_everybody_as_the_table_says_and_outsiders_as_if_there_were_no_organisation(
    name: str, callers: Callers
) -> None:
    wrong: list[str] = []
    for cell in page_cells(name):
        ids = ids_of(callers.world.ours, name, cell.caller)
        response = callers.page(cell.caller, cell.method, name, ids)
        wrong += deviation(cell, response) + leaks(callers.world, cell, response)
        if cell.caller == "anonymous" and not response.headers.get("Location", "").startswith(reverse("login")):
            wrong.append(f"{cell.method} {name}: the anonymous are not sent to the sign-in page")
        if cell.caller in OUTSIDERS and cell.method in PAGES[name] and name != "member_remove":
            nowhere = callers.page(cell.caller, cell.method, name, ids | {"slug": "nowhere"})
            if evened(body_of(response), ids) != evened(body_of(nowhere), ids):
                wrong.append(f"{cell.method} {name} as {cell.caller}: shows that the organisation exists")

    assert wrong == []


@pytest.mark.parametrize("name", API)
def test_an_endpoint_answers_every_token_as_the_table_says(name: str, callers: Callers) -> None:
    wrong: list[str] = []
    for cell in api_cells(name):
        response = callers.api(cell.caller, cell.method, name, ids_of(callers.world.ours, name, cell.caller))
        wrong += deviation(cell, response) + leaks(callers.world, cell, response)
        if response.status_code >= 400 and set(response.json()) != {"message", "code", "extra"}:
            wrong.append(f"{cell.method} {name} as {cell.caller}: an error of another shape")

    assert wrong == []


@pytest.mark.parametrize("name", PUBLIC)
def test_a_page_of_no_organisation_answers_everybody_as_the_table_says(name: str, callers: Callers) -> None:
    wrong: list[str] = []
    for cell in public_cells(name):
        response = callers.page(cell.caller, cell.method, name, ids_of(callers.world.ours, name, cell.caller))
        wrong += deviation(cell, response) + leaks(callers.world, cell, response)

    assert wrong == []


@pytest.mark.parametrize("name", WITH_IDS)
def test_an_id_of_another_organisation_looks_like_an_id_that_nobody_has(name: str, callers: Callers) -> None:
    """Our people at their own addresses, with the other organisation's ids: 404, and the same body for both."""
    wrong: list[str] = []
    table = PAGES if name in PAGES else API
    for method, door in table[name].items():
        for caller in sorted(door.allowed):
            for ids in foreign_ids(callers.world, name, caller):
                missing = random_ids(ids)
                missing |= {key: value for key, value in ids.items() if value in own_ids(callers, name, caller)}
                send = callers.page if name in PAGES else callers.api
                foreign, nowhere = send(caller, method, name, ids), send(caller, method, name, missing)
                bodies = evened(body_of(foreign), ids), evened(body_of(nowhere), missing)
                if (foreign.status_code, nowhere.status_code) != (404, 404) or bodies[0] != bodies[1]:
                    wrong.append(f"{method} {name} as {caller}: {foreign.status_code} and {nowhere.status_code}")

    assert wrong == []


def own_ids(callers: Callers, name: str, caller: str) -> list[object]:
    return list(ids_of(callers.world.ours, name, caller).values())


def foreign_ids(world: World, name: str, caller: str) -> Iterator[dict[str, object]]:
    """The caller's own address with one id after the other taken from the other organisation."""
    ours, theirs = ids_of(world.ours, name, caller), ids_of(world.theirs, name, caller)
    for key in ours:
        if key != "slug" and theirs[key] != ours[key]:  # a number of classes is nobody's
            yield ours | {key: theirs[key]}


def test_operators_pages_are_open_to_operators_only(callers: Callers) -> None:
    """Django's admin as one rule: others are sent to its sign-in page, and no operator sees rows without entering."""
    wrong = []
    for address in operator_addresses(callers.world.ours):
        for caller in CALLERS:
            response = callers.browser(caller).get(address)
            is_door = response.status_code == 302 or "sign" in address or "login" in address or "jsi18n" in address
            if caller != "operator" and not is_door and response.status_code != 404:
                wrong.append(f"{address} as {caller}: {response.status_code}")
            markers = (callers.world.ours.marker, callers.world.ours.wall_marker, callers.world.theirs.marker)
            if any(marker in body_of(response) for marker in markers):
                wrong.append(f"{address} as {caller} shows a marker")

    assert wrong == []


def operator_addresses(house: House) -> list[str]:
    """Every address of the admin, with real ids where it wants one."""
    found = []
    for address, _ in url_names():
        if not address.startswith("operators/"):
            continue
        plain = address.replace("^", "").replace("$", "").replace("\\Z", "")
        ids = {"<path:object_id>": str(house.document.document.pk), "<id>": str(house.firm.owner.pk)}
        for pattern, value in ids.items():
            plain = plain.replace(pattern, value)
        if "(?P" not in plain and "<" not in plain:
            found.append("/" + plain)
    return found


def test_a_form_without_its_token_changes_nothing(callers: Callers) -> None:
    wrong, client = [], Client(enforce_csrf_checks=True)
    for name, doors in PAGES.items():
        if "POST" in doors:
            client.cookies = callers.browser("owner").cookies
            ids = ids_of(callers.world.ours, name, "owner")
            if client.post(reverse(name, kwargs=ids)).status_code != 403:
                wrong.append(name)

    assert wrong == []
