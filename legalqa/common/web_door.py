"""Checks before Django: how many requests at once, how long headers may take, and the address of the client."""

import asyncio
from ipaddress import ip_address
from typing import Any, Final

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from legalqa.common.errors import ApplicationError
from legalqa.common.refusing import Application, Receive, Refused, Scope, Send, refuse
from legalqa.common.work import Places

HEADERS_S: Final = 10.0  # ours: for the headers of a request, from its first byte or from the connection on
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
GRACE_S: Final = 8


class Door:
    """Refuses methods that nobody needs and requests beyond those that may be open at once.

    A client address that a proxy names and that is not an address is left aside for the address of the proxy itself.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self.requests = Places(
            of_one=settings.REQUESTS_AT_ONCE_EACH,
            of_all=settings.REQUESTS_AT_ONCE,
            refusal="The server is handling too many requests. Try again in a few seconds.",
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        state = scope.get("state") or {}
        scope["client"] = _addressed(scope.get("client")) or _addressed(state.get("peer"))
        try:
            if scope["method"] not in METHODS:
                raise _no_method(scope["method"])
            if state.get("is_crowded"):
                raise _crowded()
            with self.requests.one(scope["client"] and scope["client"][0]):
                await self.application(scope, receive, send)
        except ApplicationError as error:  # Django answers its own
            await refuse(scope, send, error)


def _addressed(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """The client without the zone of its address; None where it has no address."""
    host = client[0].partition("%")[0] if client else ""
    try:
        return (str(ip_address(host)), client[1]) if client else None
    except ValueError:
        return None


def _no_method(method: str) -> Refused:
    return Refused(
        f"The method {method[:20]} is not allowed here: use one of {', '.join(METHODS)}.",
        status=405,
        code="method_not_allowed",
        headers=[(b"allow", ", ".join(METHODS).encode())],
    )


def _crowded() -> Refused:
    return Refused(
        "Too many connections are open. Close those you do not need, and try again in a few seconds.",
        status=503,
        code="too_many",
        headers=[(b"retry-after", b"5")],
    )


class DoorProtocol(H11Protocol):
    """uvicorn's protocol, which ends connections whose headers do not come, and counts connections."""

    _headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        is_crowded = len(self.connections) > settings.CONNECTIONS_AT_ONCE
        self.app_state = {**self.app_state, "peer": self.client, "is_crowded": is_crowded}
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._await_headers()
        else:
            self._headers_came()

    def connection_lost(self, exc: Exception | None) -> None:
        self._headers_came()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        if self._headers_due is None and not self.transport.is_closing():
            self._headers_due = self.loop.call_later(HEADERS_S, self._headers_late)

    def _headers_came(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _headers_late(self) -> None:
        self._headers_due = None
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            body = f"The request headers did not arrive within {HEADERS_S:.0f} seconds. Send it again.".encode()
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
            headers.append((b"content-length", str(len(body)).encode()))
            for event in (h11.Response(status_code=408, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def server_settings(*, host: str, port: int) -> dict[str, Any]:
    """How the product runs uvicorn."""
    return {
        "host": host,
        "port": port,
        "http": DoorProtocol,
        "ws": "none",
        "lifespan": "off",
        "access_log": False,
        "log_config": None,  # ours: it leaves out what exceptions say
        "log_level": "warning",
        "server_header": False,
        "timeout_graceful_shutdown": GRACE_S,
    }
