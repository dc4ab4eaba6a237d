"""Requests of one caller wait for each other, so that the requests of others are not slowed by their number."""

import asyncio
from collections.abc import Hashable
from hashlib import blake2b
from typing import Final
from weakref import WeakValueDictionary

from django.conf import settings
from django.http import parse_cookie

from legalqa.common.errors import TooMany
from legalqa.common.refusing import Application, Message, Receive, Scope, Send
from legalqa.common.work import retry_in

MAX_WAITING: Final = 100  # ours: requests of one caller that wait; further ones are refused
HOLD_S: Final = 3.0  # ours: a request that takes longer waits for something else, and lets the next one begin


class CallerTurns:
    """Lets at most a set number of requests of one token, session or address be worked on at once, in their order.

    A request takes its place when its body has arrived, and gives it back when its reply begins: receiving or sending
    slowly, as with a large file or events, is not work.

    Args:
        application: What is asked behind it.
        of_one: Requests of one caller that are worked on at once in this web process: its share of the setting.
    """

    def __init__(self, application: Application, *, of_one: int) -> None:
        self.application, self.of_one = application, of_one
        self._lines: WeakValueDictionary[Hashable, _Line] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        caller = caller_of(scope)
        line = self._lines.get(caller)
        if line is None:
            line = self._lines[caller] = _Line(self.of_one)
        if line.n_waiting >= MAX_WAITING:
            raise TooMany(
                f"{MAX_WAITING} of your requests are queued. Wait for their answers, then send more.",
                code="too_many",
                extra={"retry_after": retry_in()},
            )
        turn = _Turn(line)

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                await turn.begin()
            return message

        async def answered(message: Message) -> None:
            turn.end()
            await send(message)

        try:
            await self.application(scope, received, answered)
        finally:
            turn.end()


class _Line:
    """The requests of one caller."""

    def __init__(self, of_one: int) -> None:
        self.n_waiting = 0
        self.places = asyncio.Semaphore(of_one)

    async def place(self) -> None:
        """Wait for a place."""
        self.n_waiting += 1
        try:
            await self.places.acquire()
        finally:
            self.n_waiting -= 1


class _Turn:
    """One request's place in the line: none before `begin`, and none after `end` or HOLD_S."""

    def __init__(self, line: _Line) -> None:
        self._line = line
        self._late: asyncio.TimerHandle | None = None

    async def begin(self) -> None:
        await self._line.place()
        self._late = asyncio.get_running_loop().call_later(HOLD_S, self.end)

    def end(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
            self._line.places.release()


def caller_of(scope: Scope) -> Hashable:
    """The identity of a caller: its token, else its session, else the address that it comes from."""
    headers = dict(scope["headers"])
    credential = headers.get(b"authorization") or _session(headers.get(b"cookie", b""))
    if credential:
        return blake2b(credential, digest_size=16).digest()
    return str(scope["client"][0]) if scope["client"] else None


def _session(cookies: bytes) -> bytes:
    return str(parse_cookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME, "")).encode()
