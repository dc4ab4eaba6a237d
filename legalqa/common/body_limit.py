"""How much a request may send: refused while it arrives, because Django writes the whole body to disk first."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from django.conf import settings

from legalqa.common.disk import disk_full_refused, room_check
from legalqa.common.errors import ApplicationError, DiskFull

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

MEBIBYTE: Final = 1024 * 1024
MAX_BODY_BYTES: Final = 3 * MEBIBYTE  # forms and JSON: a little over what Django parses of them
FORM_BYTES: Final = MEBIBYTE  # what a form needs around the file in it
_UPLOADS: Final = ("/upload/", "/documents/")


class BodyLimit:
    """Stands before Django and answers 413 to a body that is, or says it is, larger than its address takes."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        try:
            if _declared_bytes(scope) > exchange.cap:
                raise _TooLarge(exchange.cap)
            if exchange.cap > MAX_BODY_BYTES:
                room_check()
            with disk_full_refused():
                await self.application(scope, exchange.receive, exchange.send)
        except (_TooLarge, DiskFull) as error:
            await exchange.refuse(error)


class _Exchange:
    """One request and its answer; what was not declared is counted as it comes."""

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.cap = body_cap(method=scope["method"], path=scope["path"])
        self._scope, self._receive, self._send = scope, receive, send
        self._n_received = 0
        self._is_over = self._is_answered = False

    async def receive(self) -> Message:
        """The next message; a disconnect from where the body is too large, so that the application lets go of it."""
        if not self._is_over:
            message = await self._receive()
            self._n_received += len(message.get("body", b""))
            if self._n_received <= self.cap:
                return message
            await self.refuse(_TooLarge(self.cap))
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if not self._is_over:
            self._is_answered = True
            await self._send(message)

    async def refuse(self, error: ApplicationError) -> None:
        self._is_over = True
        if self._is_answered:
            return
        content_type, body = _refusal(self._scope["path"], error)
        headers = [
            (b"content-type", content_type),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),  # the rest of the body must not be taken for the next request
        ]
        await self._send({"type": "http.response.start", "status": error.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def body_cap(*, method: str, path: str) -> int:
    """Bytes that a body sent to the address may have: a file and the form around it, or a form alone."""
    if method == "POST" and path.endswith(_UPLOADS):
        return int(settings.MAX_UPLOAD_BYTES) + FORM_BYTES
    return MAX_BODY_BYTES


def _declared_bytes(scope: Mapping[str, Any]) -> int:
    values = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    return max((int(value) for value in values if value.isdigit()), default=0)


def _refusal(path: str, error: ApplicationError) -> tuple[bytes, bytes]:
    if path.startswith("/api/"):
        body = {"message": error.message, "code": error.code, "extra": {}}
        return b"application/json", json.dumps(body).encode()
    return b"text/plain; charset=utf-8", error.message.encode()


class _TooLarge(ApplicationError):
    status = 413

    def __init__(self, cap: int) -> None:
        super().__init__(
            f"The request is larger than the {cap // MEBIBYTE} MB that this address takes: "
            "send less at once, or split the file and upload the parts.",
            code="too_large",
        )
