"""Refusals by the web server, before Django: the API's error shape for programs, one sentence for people."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from legalqa.common.errors import ApplicationError

Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


class Refused(ApplicationError):
    """A request that is not let in, with the status that says why."""

    def __init__(self, message: str, *, status: int, code: str, headers: Headers | None = None) -> None:
        super().__init__(message, code=code)
        self.status, self.headers = status, headers or []


async def refuse(scope: Scope, send: Send, error: ApplicationError) -> None:
    """Answer with the error and end the connection: the rest of a body must not be taken for the next request."""
    if scope["path"].startswith("/api/"):
        content_type = b"application/json"
        body = json.dumps({"message": error.message, "code": error.code, "extra": error.extra}).encode()
    else:
        content_type, body = b"text/plain; charset=utf-8", error.message.encode()
    headers: Headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"connection", b"close"),
        *(error.headers if isinstance(error, Refused) else []),
    ]
    if "retry_after" in error.extra:
        headers.append((b"retry-after", str(error.extra["retry_after"]).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
