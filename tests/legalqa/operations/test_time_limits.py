"""No statement, lock or forgotten transaction holds others up for long, and people are told in words."""

from collections.abc import Callable, Iterator
from threading import Thread
from time import sleep
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.common.database.embedded import embedded_home, superuser_uri
from legalqa.common.database.refusals import refusal_of
from tests.database import NAME
from tests.people import Firm, make_firm

ClientOf = Callable[[User], Client]
TOO_SLOW = "This took longer than the database's time limit and was stopped."
BUSY = "Someone else is changing the same data right now."


def shown(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s)", [name])
        return str(cursor.fetchone()[0])


@pytest.fixture
def house(committed_db: None) -> Iterator[Firm]:
    yield make_firm("harding", "Harding & Stone")
    connection.close()  # with the limits of the test


@pytest.fixture
def locked(house: Firm) -> Iterator[None]:
    """Somebody holds the table of questions, and the connection of the pages waits for a fraction of a second."""
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME)) as other:
        other.execute("LOCK TABLE answering_question IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


def limit(**limits: str) -> None:
    with connection.cursor() as cursor:
        for name, value in limits.items():
            cursor.execute("SELECT set_config(%s, %s, false)", [name, value])


def test_every_session_of_the_application_begins_with_the_limits(house: Firm) -> None:
    connection.close()

    assert shown("statement_timeout") == f"{settings.STATEMENT_S}s"
    assert shown("lock_timeout") == f"{settings.LOCK_S}s"
    assert shown("idle_in_transaction_session_timeout") == "1min"


def test_the_owner_may_take_its_time_over_a_statement_but_not_over_a_lock(house: Firm) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        found = cursor.fetchone()

    assert found == ("0", f"{settings.LOCK_S}s")


def test_background_work_has_a_longer_limit_and_leaves_it_behind(house: Firm) -> None:
    with organization_scope(house.organization, user=None):
        inside = shown("statement_timeout")

    assert inside == "5min"
    assert shown("statement_timeout") == f"{settings.STATEMENT_S}s"


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"statement_timeout": "300ms", "lock_timeout": "0"}, TOO_SLOW),
        ({"statement_timeout": "0", "lock_timeout": "300ms"}, BUSY),
    ],
    ids=["statement", "lock"],
)
def test_a_page_that_takes_too_long_is_a_sentence_with_the_number_of_the_request(
    limits: dict[str, str], sentence: str, house: Firm, locked: None, client_of: ClientOf
) -> None:
    client = client_of(house.lawyer)
    limit(**limits)

    response = client.get(reverse("question_list", kwargs={"slug": "harding"}))

    body = response.content.decode()
    assert response.status_code == 503
    assert escape(sentence) in body
    assert response["X-Request-ID"] in body
    assert response["Retry-After"] == "60"
    assert "answering_question" not in body


def test_an_endpoint_that_takes_too_long_answers_in_the_one_shape(house: Firm, locked: None) -> None:
    bearer = house.bearer(house.lawyer, *ALL_SCOPES)
    limit(statement_timeout="300ms", lock_timeout="0")

    response: Any = Client().get("/api/v1/questions/", headers=bearer)

    assert response.status_code == 503
    assert response.json()["code"] == "too_slow"
    assert response.json()["extra"]["request_id"] == response["X-Request-ID"]


def test_a_forgotten_transaction_is_ended_and_the_next_request_works(house: Firm, client_of: ClientOf) -> None:
    client = client_of(house.lawyer)
    with pytest.raises(DatabaseError) as ended, transaction.atomic():
        limit(idle_in_transaction_session_timeout="100ms")
        sleep(0.5)
        shown("statement_timeout")

    refusal = refusal_of(ended.value)
    assert refusal is not None
    assert refusal.code == "database_down"
    connection.close()
    assert client.get(reverse("question_list", kwargs={"slug": "harding"})).status_code == 200


@pytest.fixture
def pool_of_one(house: Firm) -> Iterator[Any]:
    """Connections come from a pool that holds one, as those of the web process come from its eight."""
    connection.close()
    options = connection.settings_dict["OPTIONS"]
    before = dict(options)
    options["pool"] = {"min_size": 1, "max_size": 1, "timeout": 2}
    try:
        yield connection
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's backend alone
        options.clear()
        options.update(before)


@pytest.mark.parametrize(
    ("limits", "wait"),
    [({"idle_in_transaction_session_timeout": "100ms"}, 0.5), ({"statement_timeout": "100ms"}, 0.0)],
    ids=["ended", "cancelled"],
)
def test_a_step_that_the_database_stopped_gives_its_connection_back(
    limits: dict[str, str], wait: float, house: Firm, pool_of_one: Any
) -> None:
    for _ in range(3):  # more often than the pool has connections
        with pytest.raises(DatabaseError), organization_scope(house.organization, user=house.lawyer):
            limit(**limits)
            sleep(wait)
            shown("statement_timeout")
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(1)")
        close_old_connections()  # as at the end of a request

    found: list[str] = []

    def look() -> None:
        found.append(shown("application_name"))
        connection.close()

    other = Thread(target=look)
    other.start()
    other.join()
    assert len(found) == 1
