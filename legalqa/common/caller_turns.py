"""Requests of one caller wait for each other, so that the requests of others are not slowed by their number."""

import asyncio
from collections.abc import Hashable
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from django.conf import settings
from django.http import parse_cookie

from legalqa.common.refusing import Application, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOLD_S: Final = 10.0  # ours: a request that takes longer waits for something else, and lets the next one begin


class CallerTurns:
    """Lets at most so many requests of one token, session or address be worked on at once; first come, first served.

    A request gives its place back when its reply begins: what is sent slowly, such as events, is no work.

    Args:
        application: What is asked behind it.
        of_one: Requests of one caller that are worked on at once.
    """

    def __init__(self, application: Application, *, of_one: int) -> None:
        self.application, self.of_one = application, of_one
        self._places: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        async with self._turn(caller_of(scope)) as done:

            async def answered(message: Message) -> None:
                done()
                await send(message)

            await self.application(scope, receive, answered)

    @asynccontextmanager
    async def _turn(self, caller: Hashable) -> "AsyncIterator[Any]":
        places = self._places.get(caller)
        if places is None:
            places = self._places[caller] = asyncio.Semaphore(self.of_one)
        await places.acquire()
        is_held = True

        def done() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                places.release()

        late = asyncio.get_running_loop().call_later(HOLD_S, done)
        try:
            yield done
        finally:
            late.cancel()
            done()


def caller_of(scope: Scope) -> Hashable:
    """What a request shows for itself: its token, else its session, else the address that it comes from."""
    headers = dict(scope["headers"])
    shown = headers.get(b"authorization") or _session(headers.get(b"cookie", b""))
    if shown:
        return blake2b(shown, digest_size=16).digest()
    return str(scope["client"][0]) if scope["client"] else None


def _session(cookies: bytes) -> bytes:
    return str(parse_cookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME, "")).encode()
