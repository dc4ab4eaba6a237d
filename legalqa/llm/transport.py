"""Requests to a provider as our own transport under the SDK: the judged address, one clock over all, and no more.

Which addresses may be called is judged in one place for the whole product, `legalqa.common.egress`; the name is looked
up once and the connection goes to the address that was judged. Redirects are not followed, proxies of the environment
are not used, a packed reply is refused, and every wait for a byte looks at the clock: a socket's timeout restarts
with each byte, so a provider that drips would never be late.
"""

import http.client
import io
import socket
import ssl
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

import httpx2

from legalqa.common.egress import EgressRefused, PinnedConnection, Resolve, resolve, target_of
from legalqa.llm.clock import Clock

REPLY_MAX_BYTES = 10 * 1024 * 1024
CONNECT_S = 5.0
_PART = 64 * 1024
_SENT_HEADERS = {"authorization", "content-type", "accept"}  # the SDK adds details of this machine: they stay here
USER_AGENT = "LegalQA-Gateway/1"


class ReplyTooLarge(Exception):
    """More than REPLY_MAX_BYTES."""


class ReplyBroken(Exception):
    """The connection ended before the reply did, or what came is not HTTP."""


class ConnectFailed(Exception):
    """No connection: nothing was sent. `is_refused`: a machine is there, and nothing of it listens."""

    def __init__(self, *, is_refused: bool) -> None:
        super().__init__("refused" if is_refused else "unreachable")
        self.is_refused = is_refused


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider is and how to be let in.

    is_trusted: The operator named exactly this address: it may be in a private network.
    """

    base_url: str
    key: str
    is_trusted: bool

    @property
    def allowed(self) -> list[str]:
        """Its own origin, where the operator vouches for it."""
        url = httpx2.URL(self.base_url)
        return [f"{url.scheme}://{url.netloc.decode()}"] if self.is_trusted else []


class _ClockedReader(io.RawIOBase):
    """A socket's bytes, waited for in slices between which the clock is looked at."""

    def __init__(self, sock: socket.socket, clock: Clock) -> None:
        self._sock, self._clock = sock, clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # the base has a type for it that Python 3.11 does not
        while True:
            self._clock.check()
            self._sock.settimeout(self._clock.slice())
            with suppress(TimeoutError):
                return self._sock.recv_into(buffer)

    def close(self) -> None:
        if not self.closed:
            self._sock.close()
        super().close()


class _ClockedSocket:
    """What `http.client` needs of a socket, under the clock.

    That closes a socket as soon as it has a reply to read from, and relies on the reader to keep it open.
    """

    def __init__(self, sock: socket.socket, clock: Clock) -> None:
        self._sock, self._clock, self._is_read = sock, clock, False

    def sendall(self, data: bytes) -> None:
        for start in range(0, len(data), _PART):
            self._clock.check()
            self._sock.settimeout(max(0.001, self._clock.left()))
            self._sock.sendall(data[start : start + _PART])

    def makefile(self, mode: str) -> io.BufferedReader:
        assert mode == "rb"
        self._is_read = True
        return io.BufferedReader(_ClockedReader(self._sock, self._clock))

    def close(self) -> None:
        if not self._is_read:
            self._sock.close()


class _Body(httpx2.SyncByteStream):
    """The reply's body as it comes, up to the size cap."""

    def __init__(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, clock: Clock
    ) -> None:
        self._connection, self._response, self._clock = connection, response, clock

    def __iter__(self) -> Iterator[bytes]:
        n_bytes, announced = 0, self._response.length  # counted here: `read1` of some Pythons does not
        try:
            while n_bytes != announced and (part := self._response.read1(_PART)):
                n_bytes += len(part)
                if n_bytes > REPLY_MAX_BYTES:
                    raise ReplyTooLarge
                yield part
        except (OSError, http.client.HTTPException, ValueError):
            self._clock.check()
            raise ReplyBroken from None
        if announced is not None and n_bytes != announced:
            raise ReplyBroken

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class PinnedTransport(httpx2.BaseTransport):
    """Sends requests of one call, to one endpoint only.

    Raises, through the SDK and unwrapped by it: EgressRefused, ConnectFailed, ClockStopped, ReplyTooLarge, ReplyBroken.
    """

    def __init__(self, endpoint: Endpoint, clock: Clock, *, resolve: Resolve = resolve) -> None:
        self._endpoint, self._clock, self._resolve = endpoint, clock, resolve

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        if not url.startswith(str(httpx2.URL(self._endpoint.base_url)).rstrip("/") + "/"):
            raise EgressRefused("The request would leave the provider's address.")
        target = target_of(url, allowed=self._endpoint.allowed, resolve=self._looked_up)
        connection = PinnedConnection(target, timeout=max(0.001, min(CONNECT_S, self._clock.left())))
        self._clock.check()
        try:
            connection.connect()
        except (OSError, ssl.SSLError, ValueError) as error:
            connection.close()
            self._clock.check()
            raise ConnectFailed(is_refused=isinstance(error, ConnectionRefusedError)) from None
        try:
            return self._exchange(connection, target.path, request, target.host_header)
        except BaseException:
            connection.close()
            raise

    def _looked_up(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a name. Looking it up cannot be interrupted: it is left to a thread that ends by itself."""
        addresses, is_done = Future[Sequence[str]](), Event()

        def look() -> None:
            try:
                addresses.set_result(self._resolve(host, port))
            except Exception as error:  # noqa: BLE001 - raised where it is waited for
                addresses.set_exception(error)
            is_done.set()

        Thread(target=look, name="llm-look-up", daemon=True).start()
        while not is_done.wait(self._clock.slice()):
            self._clock.check()
        return addresses.result()

    def _exchange(self, connection: PinnedConnection, path: str, request: httpx2.Request, host: str) -> httpx2.Response:
        assert connection.sock is not None
        connection.sock = _ClockedSocket(connection.sock, self._clock)
        headers = {name: value for name, value in request.headers.items() if name.lower() in _SENT_HEADERS}
        headers |= {"Host": host, "Accept-Encoding": "identity", "Connection": "close", "User-Agent": USER_AGENT}
        try:
            connection.request(request.method, path, request.read() or None, headers)
            response = connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError):
            self._clock.check()
            raise ReplyBroken from None
        if response.getheader("Content-Encoding", "identity").lower() != "identity":
            raise ReplyBroken  # it was asked for plain: unpacking would go around the size cap
        body = _Body(connection, response, self._clock)
        return httpx2.Response(response.status, headers=response.getheaders(), stream=body, request=request)


def http_client(endpoint: Endpoint, clock: Clock, *, resolve: Resolve = resolve) -> httpx2.Client:
    """A client for one call: no redirects, nothing from the environment, no time limits but the clock's."""
    transport = PinnedTransport(endpoint, clock, resolve=resolve)
    return httpx2.Client(transport=transport, follow_redirects=False, trust_env=False, timeout=None)
