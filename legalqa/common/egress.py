"""Requests that leave this machine for an address that a person typed: only to public machines, and only there.

Looking a name up, judging it and then connecting by the name again would leave a gap: a second look-up may answer
otherwise (rebinding). So a name is resolved once, every address it has is judged, and the connection goes to the judged
address, with the name kept for the certificate and the Host header. Redirects are not followed, proxies of the
environment are not used, and the reply is cut off by size and by one deadline over all of it.

Shape after the address rules of OWASP's SSRF guidance; ours is stricter in that it takes no transition address at all
(mapped, NAT64, 6to4, Teredo), rather than looking for the address inside it.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Timer
from time import monotonic
from urllib.parse import urlsplit

from legalqa.common.errors import ApplicationError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Sequence[str]]

URL_MAX = 500  # characters of an address
REPLY_MAX_BYTES = 64 * 1024
_PORTS = {"https": 443, "http": 80}
_PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")  # all that has been given out
_NEVER = [
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays of 6to4, given up
        "2001::/23",  # protocol assignments, with Teredo
        "2002::/16",  # 6to4: carries any IPv4 address
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
]


class EgressRefused(ApplicationError):
    """The address must not be called; the sentence says which rule it breaks."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="address_refused")


class NameUnknown(EgressRefused):
    """The address has a name that leads nowhere."""


class EgressFailed(Exception):
    """The address was called and gave no reply; `reason` is a short sentence without content."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: a judged address, and the name by which it was asked for."""

    scheme: str
    host: str
    port: int
    path: str
    address: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes


def address_is_public(text: str) -> bool:
    """Whether an address belongs to a machine on the public network, and to that machine only."""
    try:
        address: Address = ipaddress.ip_address(text)
    except ValueError:  # an address with a zone, or none
        return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address not in _PUBLIC_IPV6:
        return False
    return not any(address.version == network.version and address in network for network in _NEVER)


def resolve(host: str, port: int) -> Sequence[str]:
    """Every address of a name.

    Raises:
        OSError, UnicodeError: it has none, or is not a name.
    """
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def target_of(url: str, *, allowed: Sequence[str] = (), resolve: Resolve = resolve) -> Target:
    """The judged place that a URL leads to.

    Args:
        allowed: Origins (`http://127.0.0.1:9000`) that the operator has let in, whatever their address.
        resolve: Looks a name up; called once.

    Raises:
        EgressRefused: the URL breaks a rule, its name is unknown, or one of its addresses is not public.
    """
    scheme, host, port, path = _parts(url)
    is_allowed = f"{scheme}://{host if ':' not in host else f'[{host}]'}:{port}" in _origins(allowed)
    if not is_allowed:
        if scheme != "https":
            raise EgressRefused("The address must begin with https://, so that nobody can read the traffic.")
        if port != _PORTS[scheme]:
            raise EgressRefused(f"The port {port} is not allowed. Use the standard port, 443.")
        _check_spelling(host)
    try:
        addresses = list(resolve(host, port))
    except (OSError, UnicodeError):
        addresses = []
    if not addresses:
        raise NameUnknown(f"The name {host[:100]!r} does not resolve. Check its spelling.")
    if not is_allowed and not all(address_is_public(address) for address in addresses):
        raise EgressRefused(f"{host[:100]!r} is in a private network, which is not allowed. Use a public address.")
    return Target(scheme, host, port, path, addresses[0])


def _parts(url: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and path with query; what two programs might read in two ways is refused."""
    if len(url) > URL_MAX or not url.isascii() or any(sign <= " " or sign in '\\"<>^`{|}\x7f' for sign in url):
        raise EgressRefused(
            f"The address must have at most {URL_MAX} ASCII characters: no spaces, no backslashes, and international "
            f"names in their xn-- form."
        )
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise EgressRefused("The address is malformed. Write one like https://example.com/hook.") from None
    if parts.scheme not in _PORTS or not host or not url.lower().startswith(f"{parts.scheme}://"):
        raise EgressRefused("The address is malformed. Write one like https://example.com/hook.")
    if "@" in parts.netloc:
        raise EgressRefused("The address must not contain a user name or password.")
    if parts.fragment or "#" in url:
        raise EgressRefused("The address must not have a # part: it is never sent.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, host, port if port is not None else _PORTS[parts.scheme], path


def _check_spelling(host: str) -> None:
    """Refuse what programs read in several ways: numbers in odd bases, zones, escapes, a dot at the end."""
    if ":" in host:
        if "%" in host:
            raise EgressRefused("The address must not have a zone.")
        return
    labels = host.split(".")
    if any(not label or not all(sign.isalnum() or sign in "-_" for sign in label) for label in labels):
        raise EgressRefused(f"{host[:100]!r} is not a host name.")
    last = labels[-1]
    if last.isdigit() or last.startswith("0x"):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise EgressRefused("Write a numeric address as four decimal numbers, or use a name.") from None


def _origins(allowed: Sequence[str]) -> set[str]:
    """The operator's origins with their ports written out."""
    origins = set()
    for origin in allowed:
        scheme, host, port, _ = _parts(origin)
        origins.add(f"{scheme}://{host if ':' not in host else f'[{host}]'}:{port}")
    return origins


class _PinnedConnection(http.client.HTTPConnection):
    def __init__(self, target: Target, *, timeout: float) -> None:
        super().__init__(target.host, target.port, timeout=timeout)
        self._target, self._seconds = target, timeout

    def connect(self) -> None:
        self.sock = connected(self._target, seconds=self._seconds)


def connected(target: Target, *, seconds: float) -> socket.socket:
    """A connection to the judged address within `seconds`; the certificate must be of the name."""
    deadline = monotonic() + seconds
    sock = socket.create_connection((target.address, target.port), seconds)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or what follows a head waits for its receipt
    if target.scheme == "https":
        sock.settimeout(max(0.001, deadline - monotonic()))  # for the whole handshake, which Python ends by then
        sock = ssl.create_default_context().wrap_socket(sock, server_hostname=target.host)
        sock.settimeout(seconds)
    return sock


def post(target: Target, *, body: bytes, headers: Mapping[str, str], seconds: float) -> Reply:
    """Send one request and read its reply, all of it within `seconds`.

    Raises:
        EgressFailed: no connection, no certificate of the name, no reply in time, or one that is too large.
    """
    connection, is_late = _PinnedConnection(target, timeout=seconds), Event()
    # A socket's timeout restarts with every byte: one deadline over everything closes it from outside.
    deadline = Timer(seconds, _cut, [connection, is_late])
    deadline.daemon = True
    deadline.start()
    try:
        connection.connect()
        if is_late.is_set():  # there was nothing to close yet
            raise TimeoutError
        connection.request("POST", target.path, body, {"Host": target.host_header, **headers})
        response = connection.getresponse()
        content = response.read(REPLY_MAX_BYTES + 1)
    except ssl.SSLError:
        raise EgressFailed("The secure connection failed: the certificate is not valid for this address.") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        if is_late.is_set() or isinstance(error, TimeoutError):
            raise EgressFailed(f"No reply within {seconds:.0f} seconds.") from None
        raise EgressFailed(_said(error)) from None
    finally:
        deadline.cancel()
        connection.close()
    if len(content) > REPLY_MAX_BYTES:
        raise EgressFailed("The reply is too large.")
    if response.length:  # bytes that were announced and never came
        raise EgressFailed("The reply was cut off.")
    return Reply(response.status, content)


def _cut(connection: _PinnedConnection, is_late: Event) -> None:
    is_late.set()  # set first: the reading thread wakes up at once, and must know why
    if connection.sock is not None:
        with suppress(OSError):  # it has just been closed
            connection.sock.shutdown(socket.SHUT_RDWR)


def _said(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "The server refused the connection."
    return "The server cannot be reached." if isinstance(error, OSError) else "The reply is not HTTP."
