"""Throttles: counted in the database for a token and for its organisation, with asking and uploading apart."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from legalqa.accounts.models import RequestCount
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.rates import Bucket, Rate, request_count, seconds_to_wait
from tests.legalqa.accounts.test_tokens import token_of
from tests.people import Firm, make_firm

ME = "/api/v1/me/"


@pytest.fixture(autouse=True)
def rates(settings: Settings) -> None:
    settings.API_RATES = {"any": (5, 86_400), "ask": (2, 86_400), "search": (3, 86_400), "upload": (1, 86_400)}
    settings.API_ORGANIZATION_TIMES = 2


def get(secret: str, address: str = ME) -> Any:
    return Client().get(address, headers={"Authorization": f"Bearer {secret}"})


def post(secret: str, address: str, data: dict[str, Any]) -> Any:
    headers: Any = {"Authorization": f"Bearer {secret}"}
    return Client().post(address, data, content_type="application/json", headers=headers)


def test_a_token_that_asks_too_often_is_told_when_to_come_again(firm: Firm) -> None:
    secret = token_of(firm, firm.lawyer)
    replies = [get(secret) for _ in range(6)]

    assert [reply.status_code for reply in replies] == [200] * 5 + [429]
    assert [reply["X-RateLimit-Remaining"] for reply in replies] == ["4", "3", "2", "1", "0", "0"]
    assert {reply["X-RateLimit-Limit"] for reply in replies} == {"5"}
    error = replies[-1].json()
    assert set(error) == {"message", "code", "extra"}
    assert error["code"] == "throttled"
    assert error["extra"]["of"] == "token"
    assert int(replies[-1]["Retry-After"]) == error["extra"]["retry_after"] >= 1
    assert str(error["extra"]["retry_after"]) in error["message"]


def test_another_token_goes_on_until_the_organisation_has_used_up_its_share(firm: Firm, rivals: Firm) -> None:
    for person in (firm.lawyer, firm.manager):
        secret = token_of(firm, person)
        assert [get(secret).status_code for _ in range(5)] == [200] * 5
    reply = get(token_of(firm, firm.owner))

    assert reply.status_code == 429
    assert reply.json()["extra"]["of"] == "organization"
    assert get(token_of(rivals, rivals.owner)).status_code == 200


def test_what_a_token_is_refused_does_not_count_against_its_organisation(firm: Firm) -> None:
    flood = token_of(firm, firm.lawyer)
    assert [get(flood).status_code for _ in range(20)].count(200) == 5

    assert get(token_of(firm, firm.owner)).status_code == 200


def test_asking_and_searching_have_rates_of_their_own(firm: Firm) -> None:
    secret, corpus = token_of(firm, firm.lawyer), {"corpus_id": str(uuid4())}

    asked = corpus | {"text": "rent"}
    assert [post(secret, "/api/v1/questions/", asked).status_code for _ in range(3)] == [404, 404, 429]
    assert post(secret, "/api/v1/search/", corpus | {"query": "rent"}).status_code == 404
    assert get(secret).status_code == 200


def test_without_a_good_token_nothing_is_counted(firm: Firm) -> None:
    assert [get("lqa_nonsense").status_code for _ in range(7)] == [401] * 7


@pytest.mark.usefixtures("committed_db")
def test_requests_at_once_are_all_counted() -> None:
    firm = make_firm("harding", "Harding & Stone")
    bucket = Bucket(uuid4(), "any", Rate(25, 86_400))

    def count(_: int) -> bool:
        try:
            return request_count(organization_id=firm.organization.pk, user=firm.owner, buckets=[bucket]).wait_s == 0
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        let_through = list(pool.map(count, range(60)))
    assert let_through.count(True) == 25


def test_a_request_is_counted_in_all_its_buckets_or_from_the_full_one_on_in_none(firm: Firm) -> None:
    wide, narrow, last = (Bucket(uuid4(), "any", Rate(limit, 86_400)) for limit in (9, 1, 9))

    def count() -> int:
        return request_count(organization_id=firm.organization.pk, user=firm.owner, buckets=[wide, narrow, last]).wait_s

    def counted() -> list[int]:
        with organization_scope(firm.organization, user=firm.owner):
            rows = dict(RequestCount.objects.values_list("subject_id", "n"))
        return [rows[bucket.subject_id] for bucket in (wide, narrow, last)]

    assert count() == 0
    assert counted() == [1, 1, 1]
    with CaptureQueriesContext(connection) as queries:
        assert count() > 0
    assert counted() == [2, 1, 1], "as before: what came in front of the full one is counted"
    assert sum("INSERT" in query["sql"] for query in queries) == 1


@given(
    limit=st.integers(1, 500),
    seconds=st.sampled_from([1, 60, 3600]),
    n_before=st.integers(0, 500),
    n=st.integers(1, 501),
    share=st.floats(0, 0.999),
)
def test_who_waits_as_long_as_told_is_let_through(
    limit: int, seconds: int, n_before: int, n: int, share: float
) -> None:
    rate, elapsed = Rate(limit, seconds), share * seconds
    n, n_before = min(n, limit + 1), min(n_before, limit)
    wait = seconds_to_wait(rate=rate, n=n, n_before=n_before, elapsed=elapsed)
    if wait == 0:
        assert n + n_before * (1 - elapsed / seconds) <= limit
        return

    later = elapsed + wait
    assert 1 <= wait <= 2 * seconds + 1
    if later < seconds:
        again = seconds_to_wait(rate=rate, n=n, n_before=n_before, elapsed=later)
    elif later < 2 * seconds:
        again = seconds_to_wait(rate=rate, n=1, n_before=n - 1, elapsed=later - seconds)
    else:
        again = seconds_to_wait(rate=rate, n=1, n_before=0, elapsed=0)
    assert again == 0
