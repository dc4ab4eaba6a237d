"""Requests of one caller wait for each other, and for nobody else's."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from legalqa.common import caller_turns
from legalqa.common.caller_turns import CallerTurns, caller_of
from legalqa.common.errors import TooMany
from legalqa.common.refusing import Message, Receive, Scope, Send


class Desk:
    """An application at which every request waits until it is let go; `begins_reply` says that its reply begins."""

    def __init__(self, *, begins_reply: bool = False) -> None:
        self.begins_reply = begins_reply
        self.at_work: list[str] = []
        self.free = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        self.at_work.append(scope["path"])
        if self.begins_reply:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await self.free.wait()


def scope(path: str, *, token: str = "", cookie: str = "", host: str = "10.0.0.1") -> Scope:
    shown = [(b"authorization", f"Bearer {token}".encode())] if token else []
    shown += [(b"cookie", cookie.encode())] if cookie else []
    return {"type": "http", "path": path, "headers": shown, "client": (host, 1)}


async def asked(desk: Desk, scopes: Sequence[Scope], *, of_one: int = 2) -> list[str]:
    """The requests that are worked on after all of these were sent; the rest of an upload's body is late."""
    turns = CallerTurns(desk, of_one=of_one)

    async def send(message: Message) -> None:
        del message

    def body_of(path: str) -> Receive:
        pieces = iter([True, False] if path == "/upload" else [False])

        async def receive() -> Message:
            more = next(pieces)
            if path == "/upload" and not more:
                await desk.free.wait()
            return {"type": "http.request", "body": b"", "more_body": more}

        return receive

    requests = [asyncio.create_task(turns(each, body_of(each["path"]), send)) for each in scopes]
    await asyncio.sleep(0.05)
    at_work = list(desk.at_work)
    desk.free.set()
    await asyncio.gather(*requests)
    assert len(desk.at_work) == len(scopes), "every request has its turn in the end"
    return at_work


def test_the_third_request_of_a_token_waits_and_that_of_another_does_not() -> None:
    async def scene() -> list[str]:
        return await asked(Desk(), [scope("/1", token="a"), scope("/2", token="a"), scope("/3", token="a"),
                                    scope("/4", token="b")])  # fmt: skip

    assert asyncio.run(scene()) == ["/1", "/2", "/4"]


def test_an_upload_on_its_way_holds_no_place() -> None:
    async def scene() -> list[str]:
        return await asked(Desk(), [scope("/upload", token="a"), scope("/1", token="a")], of_one=1)

    assert asyncio.run(scene()) == ["/1"]


def test_a_reply_that_has_begun_holds_no_place() -> None:
    async def scene() -> list[str]:
        return await asked(Desk(begins_reply=True), [scope(f"/{n}", token="a") for n in range(5)])

    assert len(asyncio.run(scene())) == 5


def test_a_request_that_waits_for_a_model_lets_the_next_one_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller_turns, "HOLD_S", 0.01)  # or it waits for seconds

    async def scene() -> list[str]:
        return await asked(Desk(), [scope(f"/{n}", token="a") for n in range(3)])

    assert len(asyncio.run(scene())) == 3


def test_more_than_may_wait_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller_turns, "MAX_WAITING", 1)  # or it takes that many requests

    async def scene() -> None:
        await asked(Desk(), [scope(f"/{n}", token="a") for n in range(4)])

    with pytest.raises(TooMany, match="queued"):
        asyncio.run(scene())


def test_callers_are_told_apart_by_token_then_session_then_address(settings: Any) -> None:
    session = f"{settings.SESSION_COOKIE_NAME}=abc"
    assert caller_of(scope("/", token="a", cookie=session)) == caller_of(scope("/", token="a"))
    assert caller_of(scope("/", cookie=session)) != caller_of(scope("/", token="a"))
    assert caller_of(scope("/", cookie=f"other=1; {session}")) == caller_of(scope("/", cookie=session))
    assert caller_of(scope("/")) == "10.0.0.1"
