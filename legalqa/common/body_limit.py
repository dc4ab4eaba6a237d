"""Limits on request bodies (size, speed, who may send large ones), enforced on arrival, before Django stores them."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import ExitStack
from time import monotonic
from typing import Any, Final

from django.conf import settings
from django.urls import Resolver404, resolve

from legalqa.common.disk import disk_full_refused, room_check
from legalqa.common.errors import ApplicationError
from legalqa.common.refusing import Application, Message, Receive, Refused, Scope, Send, refuse
from legalqa.common.work import Places

KIBIBYTE: Final = 1024  # bytes
MEBIBYTE: Final = 1024 * KIBIBYTE
ANYBODY_BYTES: Final = 64 * KIBIBYTE  # anybody may send this much: the forms before sign-in are far smaller
MAX_BODY_BYTES: Final = 3 * MEBIBYTE  # forms and JSON: a little over what Django parses of them
FORM_BYTES: Final = MEBIBYTE  # size of a form around the file in it
GRACE_S: Final = 20.0  # ours: until a body must have come at the least speed
_UPLOADS: Final = frozenset({"document_upload", "api_document_list"})  # names of addresses

Caller = Callable[[Scope], Awaitable[Hashable | None]]


class BodyLimit:
    """Stands before Django and refuses bodies: too large 413, large and nobody's 401, slow 408, too many 429 or 503.

    Args:
        application: What is asked behind it.
        caller: Whose session or token a request carries, None for nobody's; asked only where a body is not small.
    """

    def __init__(self, application: Application, *, caller: Caller) -> None:
        self.application, self.caller = application, caller
        self.large = Places(
            of_one=settings.UPLOADS_AT_ONCE_EACH,
            of_all=settings.UPLOADS_AT_ONCE,
            size_of_all=settings.UPLOADS_AT_ONCE_BYTES,
            refusal="Too many large files are arriving at once. Wait until one has finished, then send this one again.",
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        with ExitStack() as resources:
            exchange = _Exchange(self, resources, scope, receive, send)
            try:
                if exchange.cap > MAX_BODY_BYTES:
                    room_check()
                await exchange.expect(_declared_bytes(scope))
                with disk_full_refused():
                    await self.application(scope, exchange.receive, exchange.send)
            except ApplicationError as error:
                await exchange.refuse(error)


class _Exchange:
    """One request and its answer; a body of undeclared size is checked as it arrives."""

    def __init__(self, limit: BodyLimit, resources: ExitStack, scope: Scope, receive: Receive, send: Send) -> None:
        self.cap = body_cap(method=scope["method"], path=scope["path"])
        self._limit, self._resources = limit, resources
        self._scope, self._receive, self._send = scope, receive, send
        self._began: float | None = None
        self._n_received = 0
        self._caller: Hashable | None = None
        self._is_large = self._is_whole = self._is_over = self._is_answered = False

    async def expect(self, n_bytes: int) -> None:
        """Let a body of this many bytes in.

        Raises:
            Refused: its address takes no such body, or nobody known sends it.
            TooMany, Unavailable: as many large ones are arriving as may.
        """
        if n_bytes > self.cap:
            raise _too_large(self.cap)
        if n_bytes > ANYBODY_BYTES and self._caller is None:
            self._caller = await self._limit.caller(self._scope)
            if self._caller is None:
                raise _nobody()
        if n_bytes > MAX_BODY_BYTES and not self._is_large:
            self._is_large = True
            size = _declared_bytes(self._scope) or self.cap
            self._resources.enter_context(self._limit.large.one(self._caller, size=size))

    async def receive(self) -> Message:
        """The next message; a disconnect from where the body is refused, so that the application lets go of it."""
        if self._is_over:
            return {"type": "http.disconnect"}
        if self._is_whole:
            return await self._receive()  # only the end of the connection is left to come
        try:
            message = await self._in_time()
            self._n_received += len(message.get("body", b""))
            await self.expect(self._n_received)
        except ApplicationError as error:
            await self.refuse(error)
            return {"type": "http.disconnect"}
        self._is_whole = not message.get("more_body", False)
        return message

    async def _in_time(self) -> Message:
        speed = int(settings.UPLOAD_LEAST_SPEED)
        if self._began is None:  # when the application first wants it: a request that waits for its turn is not slow
            self._began = monotonic()
        left_s = self._began + GRACE_S + self._n_received / speed - monotonic()
        try:
            return await asyncio.wait_for(self._receive(), left_s)
        except TimeoutError:
            raise Refused(
                f"The upload was too slow: at least {speed // KIBIBYTE} KB a second must arrive. "
                "Send it again over a faster connection.",
                status=408,
                code="slow_body",
            ) from None

    async def send(self, message: Message) -> None:
        if not self._is_over:
            self._is_answered = True
            await self._send(message)

    async def refuse(self, error: ApplicationError) -> None:
        self._is_over = True
        if not self._is_answered:
            await refuse(self._scope, self._send, error)


def body_cap(*, method: str, path: str) -> int:
    """Bytes that a body sent to the address may have: a file and the form around it, or a form alone."""
    if method == "POST" and _is_upload(path):
        return int(settings.MAX_UPLOAD_BYTES) + FORM_BYTES
    return MAX_BODY_BYTES


def _is_upload(path: str) -> bool:
    try:
        return resolve(path).url_name in _UPLOADS
    except Resolver404:
        return False


def _declared_bytes(scope: Mapping[str, Any]) -> int:
    values = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    return max((int(value) for value in values if value.isdigit()), default=0)


def _too_large(cap: int) -> Refused:
    return Refused(
        f"The request is larger than the {cap // MEBIBYTE} MB that this address accepts: "
        "send less at once, or split the file and upload the parts.",
        status=413,
        code="too_large",
    )


def _nobody() -> Refused:
    return Refused(
        f"Without a sign-in or an API token, a request can have at most {ANYBODY_BYTES // KIBIBYTE} KB: "
        "sign in, or send a valid token, then send it again.",
        status=401,
        code="not_authenticated",
        headers=[(b"www-authenticate", b"Bearer")],
    )
