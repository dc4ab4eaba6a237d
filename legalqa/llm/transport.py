"""Requests to a provider through our own transport under the SDK: only to the checked address, with one clock.

Which addresses may be called is decided in one place for the whole product, `legalqa.common.egress`; the name is looked
up once per call, and the connection goes to the address that was checked. Redirects are not followed, proxies of the
environment are not used, a compressed reply is refused, and every wait for a byte checks the clock: a socket's timeout
restarts with each byte, so a provider that sends byte by byte would never be late.

HTTP and the pool of idle connections are httpcore's. A connection belongs to a name, its address and a key: an idle
one is reused only for calls with that key whose name still leads to that address.
"""

import os
import select
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from threading import Thread
from typing import Any

import httpcore2
import httpx2

from legalqa.common.egress import EgressRefused, Resolve, Target, connected, resolve, target_of
from legalqa.llm.clock import Clock, ClockStopped

REPLY_MAX_BYTES = 10 * 1024 * 1024
CONNECT_S = 5.0
KEPT_MAX = 20  # ours: idle connections of one process, to all providers together
KEPT_S = 30.0  # ours: how long a connection may stay idle; routers on the way drop it after a minute at the earliest
AT_ONCE_S = 1.0  # ours: if the server hung up before the request reached it, we notice within this time
END_S = 0.05  # ours: after the last event of a stream, how long to wait for the end of the reply
_SENT_HEADERS = {b"authorization", b"content-type", b"content-length", b"accept"}  # the SDK adds this machine's details
_OWN_HEADERS = [(b"Accept-Encoding", b"identity"), (b"User-Agent", b"LegalQA-Gateway/1")]
_BROKEN = (OSError, httpcore2.ProtocolError)


class ReplyTooLarge(Exception):
    """More than REPLY_MAX_BYTES."""


class ReplyBroken(Exception):
    """The connection ended before the reply did, or the reply is not HTTP."""


class ConnectFailed(Exception):
    """No connection, so nothing was sent. `is_refused`: the machine is there, but nothing listens on the port."""

    def __init__(self, *, is_refused: bool) -> None:
        super().__init__("refused" if is_refused else "unreachable")
        self.is_refused = is_refused


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider's address and key.

    is_trusted: The operator has listed exactly this address, so it may be in a private network.
    """

    base_url: str
    key: str
    is_trusted: bool

    @property
    def allowed(self) -> list[str]:
        """Its own origin, if the operator has listed it."""
        url = httpx2.URL(self.base_url)
        return [f"{url.scheme}://{url.netloc.decode()}"] if self.is_trusted else []


@dataclass(slots=True)
class _Call:
    """One attempt to send a request. is_doubtful: On a connection that was idle, with no byte of a reply yet."""

    target: Target
    clock: Clock
    is_doubtful: bool

    def connect(self) -> socket.socket:
        self.is_doubtful = False
        try:
            return connected(self.target, seconds=max(0.001, min(CONNECT_S, self.clock.left())))
        except (OSError, ValueError) as error:
            self.clock.check()
            raise ConnectFailed(is_refused=isinstance(error, ConnectionRefusedError)) from None


class _Stream(httpcore2.NetworkStream):
    """A connection, opened when the first byte is sent.

    `timeout` is the call: httpcore passes on whatever the request has as its timeout.
    """

    _sock: socket.socket | None = None

    def write(self, buffer: bytes, timeout: Any = None) -> None:
        rest = memoryview(buffer)
        while rest:
            timeout.clock.check()
            self._sock = self._sock or timeout.connect()
            self._sock.settimeout(timeout.clock.slice())
            with suppress(TimeoutError):
                rest = rest[self._sock.send(rest) :]

    def read(self, max_bytes: int, timeout: Any = None) -> bytes:
        assert self._sock is not None
        while True:
            timeout.clock.check()
            self._sock.settimeout(timeout.clock.slice())
            self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)  # some servers await it after the head
            with suppress(TimeoutError):
                part = self._sock.recv(max_bytes)
                timeout.is_doubtful &= not part
                return part

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002 - only `is_readable` is asked for
        """Whether an idle connection has something to read, which can only mean that the server closed it."""
        assert self._sock is not None
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(0))


class _Connection(httpcore2.HTTP11Connection):
    def has_expired(self) -> bool:
        """Also if the server sent more than its reply, which would be read as the beginning of the next one."""
        return super().has_expired() or bool(self._h11_state.trailing_data[0])


class _Pool(httpcore2.ConnectionPool):
    def create_connection(self, origin: httpcore2.Origin) -> httpcore2.ConnectionInterface:
        return _Connection(origin, _Stream(), KEPT_S)


@cache
def pool() -> httpcore2.ConnectionPool:
    """The connections of this process; the ledger limits how many are in use at once, not the pool."""
    return _Pool(max_connections=None, max_keepalive_connections=KEPT_MAX)


os.register_at_fork(after_in_child=pool.cache_clear)  # two processes must not speak over one connection


class _Body(httpx2.SyncByteStream):
    """The reply's body as it comes, up to the size cap."""

    def __init__(self, response: httpcore2.Response, call: _Call) -> None:
        self._response, self._call, self._parts = response, call, response.iter_stream()

    def __iter__(self) -> Iterator[bytes]:
        n_bytes = 0
        try:
            for part in self._parts:
                n_bytes += len(part)
                if n_bytes > REPLY_MAX_BYTES:
                    raise ReplyTooLarge
                yield part
        except _BROKEN:
            self._call.clock.check()
            raise ReplyBroken from None

    def close(self) -> None:
        """Wait a moment for the end, because the SDK stops at the last event: without it the connection is lost."""
        self._call.clock = self._call.clock.part(END_S)
        with suppress(ClockStopped, *_BROKEN):
            next(self._parts, None)
        self._response.close()


class PinnedTransport(httpx2.BaseTransport):
    """Sends the requests of one call, to one endpoint only.

    Raises, and the SDK does not wrap them: EgressRefused, ConnectFailed, ClockStopped, ReplyTooLarge, ReplyBroken.
    """

    def __init__(self, endpoint: Endpoint, clock: Clock, *, resolve: Resolve = resolve) -> None:
        self._endpoint, self._clock, self._resolve = endpoint, clock, resolve

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        address = str(request.url)
        if not address.startswith(str(httpx2.URL(self._endpoint.base_url)).rstrip("/") + "/"):
            raise EgressRefused("The request would leave the provider's address.")
        target = target_of(address, allowed=self._endpoint.allowed, resolve=self._looked_up)
        place = f"{target.host} {target.address} {hash(self._endpoint.key)}"  # the pool tells connections apart by it
        headers = [header for header in request.headers.raw if header[0].lower() in _SENT_HEADERS]
        headers += [(b"Host", target.host_header.encode()), *_OWN_HEADERS]
        content, started, is_first = request.read(), self._clock.now(), True
        while True:
            call = _Call(target, self._clock, is_doubtful=is_first)
            url = httpcore2.URL(scheme=target.scheme, host=place, port=target.port, target=target.path)
            times = {"timeout": {"read": call, "write": call}}
            try:
                pinned = httpcore2.Request(request.method, url, headers=headers, content=content, extensions=times)
                response = pool().handle_request(pinned)
                break
            except _BROKEN as error:
                self._clock.check()
                is_ours = isinstance(error, httpcore2.LocalProtocolError)  # not HTTP, e.g. a key with a line break
                if is_ours or not call.is_doubtful or self._clock.now() - started > AT_ONCE_S:
                    raise ReplyBroken from None
            # The server had already hung up. Send it once more on a new connection: other idle ones may be dead too.
            is_first, place = False, f"{place} again"
            headers.append((b"Connection", b"close"))
        body = _Body(response, call)
        reply = httpx2.Response(response.status, headers=response.headers, stream=body, request=request)
        if reply.headers.get("Content-Encoding", "identity").lower() != "identity":
            reply.close()
            raise ReplyBroken  # we asked for it uncompressed: unpacking would bypass the size cap
        return reply

    def _looked_up(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a name. The look-up cannot be interrupted, so a thread of its own does it."""
        addresses = Future[Sequence[str]]()

        def look() -> None:
            try:
                addresses.set_result(self._resolve(host, port))
            except Exception as error:  # noqa: BLE001 - raised in the thread that waits for it
                addresses.set_exception(error)

        Thread(target=look, name="llm-look-up", daemon=True).start()
        while not wait([addresses], self._clock.slice()).done:
            self._clock.check()
        return addresses.result()


def http_client(endpoint: Endpoint, clock: Clock, *, resolve: Resolve = resolve) -> httpx2.Client:
    """A client for one call: no redirects, nothing from the environment, no time limits except the clock's."""
    transport = PinnedTransport(endpoint, clock, resolve=resolve)
    return httpx2.Client(transport=transport, follow_redirects=False, trust_env=False, timeout=None)
