"""Open event streams: how many there may be, one look for all who listen, and places that come back."""

import asyncio
import gc
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import ApiToken, Organization, User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import token_create, token_revoke
from legalqa.answering import streaming
from legalqa.answering.streaming import EventStream, answer_events
from legalqa.common.errors import TooMany
from legalqa.common.work import SPREAD
from tests.legalqa.answering.writing import LATE, Office, ask, statement, writes
from tests.provider import ScriptedProvider

ORGANIZATION = Organization(pk=uuid4())


def opened(*, token: ApiToken, user: User | None = None, organization: Organization = ORGANIZATION) -> EventStream:
    return answer_events(organization=organization, user=user or User(pk=uuid4()), token=token, answer_id=uuid4())


def test_a_token_and_an_organisation_have_a_limited_number_of_streams_open(settings: Settings) -> None:
    settings.EVENT_STREAMS_TOKEN, settings.EVENT_STREAMS_ORGANIZATION = 2, 3
    first, second, other = ApiToken(pk=uuid4()), ApiToken(pk=uuid4()), ApiToken(pk=uuid4())
    mine = [opened(token=first), opened(token=first)]

    with pytest.raises(TooMany, match=r"^This token has 2 event streams open"):
        opened(token=first)
    mine.append(opened(token=second))
    with pytest.raises(TooMany, match=r"^The tokens of your organisation have 3 event streams open"):
        opened(token=second)
    mine.append(opened(token=other, organization=Organization(pk=uuid4())))

    mine[0].close()
    mine.append(opened(token=first))
    for stream in mine:
        stream.close()
    assert len(streaming._open) == 0


def test_a_stream_that_nobody_ever_read_gives_its_place_back() -> None:
    stream = opened(token=ApiToken(pk=uuid4()))
    assert len(streaming._open) == 1
    del stream
    gc.collect()

    assert len(streaming._open) == 0


async def first_event(stream: EventStream) -> str:
    async for event in stream:
        return event
    return ""


def test_all_who_listen_to_an_answer_share_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    n_looks = 0

    def look(*_: Any) -> list[tuple[str, Any]]:
        nonlocal n_looks
        n_looks += 1
        return [("progress", {"stage": f"look {n_looks}", "elapsed_s": n_looks})]

    monkeypatch.setattr(streaming, "_look", look)  # what the database says, as often as it is asked
    monkeypatch.setattr(streaming, "LOOK_S", 0.01)  # no setting: a look a second
    user, answer_id = User(pk=uuid4()), uuid4()

    async def listen(n_events: int) -> list[str]:
        stream = answer_events(organization=ORGANIZATION, user=user, token=ApiToken(pk=uuid4()), answer_id=answer_id)
        heard: list[str] = []
        async for event in stream:
            heard.append(event)
            if len(heard) == n_events:
                break
        return heard

    async def run() -> list[list[str]]:
        return await asyncio.gather(*(listen(3) for _ in range(10)))

    heard = asyncio.run(run())
    assert all(events == heard[0] for events in heard)
    assert n_looks <= 5  # three for thirty events, and what came until the last had left
    assert streaming._watches == {}


def test_a_listener_who_goes_away_gives_the_place_back_and_ends_the_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    # An answer that is written for ever; no other ends when its listener does, and not before.
    monkeypatch.setattr(streaming, "_look", lambda *_: [("progress", {"stage": "writing", "elapsed_s": 1})])
    monkeypatch.setattr(streaming, "LOOK_S", 0.01)  # as above

    async def run() -> tuple[int, int]:
        stream = opened(token=ApiToken(pk=uuid4()))
        listening = asyncio.create_task(_all(stream))
        await asyncio.sleep(0.05)
        before = len(streaming._open)
        listening.cancel()  # as the web framework does when the client has gone
        await asyncio.gather(listening, return_exceptions=True)
        while streaming._watches:
            await asyncio.sleep(0.01)
        return before, len(streaming._open)

    assert asyncio.run(run()) == (1, 0)


async def _all(stream: EventStream) -> list[str]:
    return [event async for event in stream]


def test_the_api_refuses_one_stream_too_many_and_counts_those_that_ended(
    office: Office, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.EVENT_STREAMS_TOKEN = 1
    organization, lawyer = office.firm.organization, office.firm.lawyer
    with organization_scope(organization, user=lawyer):
        _, secret = token_create(organization=organization, user=lawyer, name="t", valid_days=1, scopes=ALL_SCOPES)
    scripted_provider.will(writes(statement(LATE)))
    address = reverse("api_answer_events", args=[ask(office).pk])
    client, headers = Client(), {"Authorization": f"Bearer {secret}"}
    stream: Any = client.get(address, headers=headers)
    refused = client.get(address, headers=headers)

    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
    assert streaming.RETRY_S <= int(refused.headers["Retry-After"]) <= SPREAD * streaming.RETRY_S
    events = asyncio.run(_parts(stream))
    assert [event.split(b"\n")[0] for event in events] == [b"event: progress", b"event: evidence", b"event: answer"]
    again: Any = client.get(address, headers=headers)
    assert again.status_code == 200
    again.close()
    assert len(streaming._open) == 0


def test_a_stream_tells_nothing_of_the_documents_once_its_token_was_revoked(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    organization, lawyer = office.firm.organization, office.firm.lawyer
    with organization_scope(organization, user=lawyer):
        token, secret = token_create(organization=organization, user=lawyer, name="t", valid_days=1, scopes=ALL_SCOPES)
    scripted_provider.will(writes(statement(LATE)))
    address = reverse("api_answer_events", args=[ask(office).pk])
    stream: Any = Client().get(address, headers={"Authorization": f"Bearer {secret}"})
    with organization_scope(organization, user=lawyer):
        token_revoke(organization=organization, user=lawyer, token_id=token.pk)

    events = asyncio.run(_parts(stream))
    assert [event.split(b"\n")[0] for event in events] == [b"event: progress", b"event: error"]
    assert b"no longer valid" in events[-1]


async def _parts(stream: Any) -> list[bytes]:
    return [part async for part in stream.streaming_content]
