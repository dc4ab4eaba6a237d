"""Requests to addresses that people type: to public machines only, however the address is spelt."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from legalqa.common import egress
from legalqa.common.egress import (
    EgressFailed,
    EgressRefused,
    Target,
    address_is_public,
    connected,
    post,
    target_of,
)

PUBLIC = "93.184.216.34"

BY_ADDRESS = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:7f00:1]",
    "[::ffff:93.184.216.34]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::]",
    "[2001:0:53aa:64c::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[100::1]",
    "[5f00::1]",
]
BY_SPELLING = [
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://1.1.1.0x1/",
    "https://134744072/",
    "https://010.010.010.010/",
    "https://127.0.0.1./",
    "https://localhost./",
    "https://example.com./",
    "https://user@example.com/",
    "https://user:word@example.com/",
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1\\@example.com/",
    "https://example.com\\.internal/",
    "https://exa mple.com/",
    "https://example.com/\r\nHost: internal",
    "https://example.com/\x00",
    "https://[fe80::1%25eth0]/",
    "https://[::1/",
    "https://１２７.0.0.1/",
    "https://ⓔxample.com/",
    "https://例え.jp/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
    "https://example.com#@127.0.0.1/",
    "https://example.com/#frag",
    "https://.example.com/",
    "https://example..com/",
    "https://",
    "https:///path",
    "https:example.com",
    "//example.com/",
    "example.com",
    "",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com:70/_GET",
    "javascript:alert(1)",
    "data:text/plain,x",
    "https://example.com:80/",
    "https://example.com:22/",
    "https://example.com:8443/",
    "https://example.com:0/",
    "https://example.com:99999/",
    "https://example.com:4x4/",
    "https://example.com/" + "a" * 500,
]


def names(*addresses: str) -> Callable[[str, int], Sequence[str]]:
    return lambda *_: list(addresses)


def as_typed(host: str, port: int) -> Sequence[str]:
    """A look-up that reads numeric addresses as the C library does, and knows one name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [str(entry[4][0]) for entry in found]


@pytest.mark.parametrize("host", BY_ADDRESS)
def test_an_address_that_is_not_public_is_refused(host: str) -> None:
    assert not address_is_public(host.strip("[]"))
    with pytest.raises(EgressRefused):
        target_of(f"https://{host}/hook", resolve=as_typed)


@pytest.mark.parametrize("url", BY_SPELLING)
def test_an_address_that_can_be_read_in_two_ways_is_refused_before_it_is_looked_up(url: str) -> None:
    with pytest.raises(EgressRefused) as refusal:
        target_of(url, resolve=names(PUBLIC))

    assert refusal.value.message.endswith(".")


@pytest.mark.parametrize(
    "found",
    [("127.0.0.1",), (PUBLIC, "10.0.0.1"), ("::1", PUBLIC), ("fe80::1%eth0",), ("not an address",)],
    ids=["loopback", "one private of two", "the first of two", "a zone", "nonsense"],
)
def test_a_name_is_judged_by_all_of_its_addresses(found: tuple[str, ...]) -> None:
    with pytest.raises(EgressRefused, match="private network"):
        target_of("https://hooks.example.com/", resolve=names(*found))


def test_a_name_that_leads_nowhere_is_refused() -> None:
    def unknown(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    for look_up in (unknown, names()):
        with pytest.raises(EgressRefused, match="does not resolve"):
            target_of("https://hooks.example.com/", resolve=look_up)


def test_a_name_that_answers_otherwise_the_second_time_is_looked_up_once() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    target = target_of("https://hooks.example.com/in?a=1", resolve=lambda *_: next(answers))

    assert target == Target("https", "hooks.example.com", 443, "/in?a=1", PUBLIC)
    assert next(answers) == ["127.0.0.1"], "the second answer was never asked for"


@pytest.mark.parametrize(
    "url", ["https://93.184.216.34/", "https://[2606:2800:220:1:248:1893:25c8:1946]/", "https://8.8.8.8:443/a"]
)
def test_a_public_address_is_let_through(url: str) -> None:
    assert address_is_public(target_of(url, resolve=as_typed).address)


def test_the_operator_may_let_an_origin_in_and_no_other_port_of_it() -> None:
    allowed = ["http://127.0.0.1:9000", "https://hooks.internal"]

    assert target_of("http://127.0.0.1:9000/x", allowed=allowed, resolve=as_typed).port == 9000
    assert target_of("https://hooks.internal/x", allowed=allowed, resolve=names("10.0.0.7")).address == "10.0.0.7"
    for url in (
        "http://127.0.0.1:9001/",
        "https://127.0.0.1:9000/",
        "http://127.0.0.2:9000/",
        "http://hooks.internal/",
    ):
        with pytest.raises(EgressRefused):
            target_of(url, allowed=allowed, resolve=names("127.0.0.1"))


# -- The connection ---------------------------------------------------------------------------------------------------


class Canary:
    """A machine on loopback that says what it is told to, and counts who came."""

    def __init__(self, reply: Callable[[socket.socket], None]) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.requests: list[bytes] = []
        self._reply = reply
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with connection:
                self.requests.append(connection.recv(65_536))
                try:
                    self._reply(connection)
                except OSError:
                    continue

    @property
    def target(self) -> Target:
        return Target("http", "hooks.example.com", self.port, "/in", "127.0.0.1")

    def close(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self._thread.join(5)


@pytest.fixture
def canary() -> Iterator[Callable[[Callable[[socket.socket], None]], Canary]]:
    opened: list[Canary] = []

    def open_one(reply: Callable[[socket.socket], None]) -> Canary:
        opened.append(Canary(reply))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


Open = Callable[[Callable[[socket.socket], None]], Canary]


def says(text: bytes) -> Callable[[socket.socket], None]:
    return lambda connection: connection.sendall(text)


def test_the_request_goes_to_the_judged_address_under_the_name(canary: Open) -> None:
    machine = canary(says(b"HTTP/1.1 204 No Content\r\n\r\n"))
    reply = post(machine.target, body=b"{}", headers={"Content-Type": "application/json"}, seconds=5)

    assert reply.status == 204
    head = machine.requests[0]
    assert head.startswith(b"POST /in HTTP/1.1\r\n")
    assert f"Host: hooks.example.com:{machine.port}\r\n".encode() in head
    assert head.count(b"Host:") == 1


def test_a_redirect_is_a_reply_and_not_followed(canary: Open) -> None:
    inner = canary(says(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret"))
    outer = canary(
        says(f"HTTP/1.1 307 See\r\nLocation: http://127.0.0.1:{inner.port}/\r\nContent-Length: 0\r\n\r\n".encode())
    )

    assert post(outer.target, body=b"{}", headers={}, seconds=5).status == 307
    assert inner.requests == []


def test_proxies_of_the_environment_are_not_used(canary: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy, machine = canary(says(b"")), canary(says(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")  # that the environment is not read is tested here

    assert post(machine.target, body=b"", headers={}, seconds=5).status == 200
    assert proxy.requests == []


def test_a_reply_that_drips_is_cut_off_at_the_deadline(canary: Open) -> None:
    def drip(connection: socket.socket) -> None:
        for _ in range(200):
            connection.sendall(b"H")
            time.sleep(0.05)

    with pytest.raises(EgressFailed, match="No reply within 1 seconds"):
        post(canary(drip).target, body=b"", headers={}, seconds=1)


def test_a_slow_connection_and_a_slow_handshake_have_one_deadline(
    canary: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = socket.create_connection

    def slow(*address: Any) -> socket.socket:
        time.sleep(0.7)
        return connect(*address)

    monkeypatch.setattr(socket, "create_connection", slow)  # nothing on loopback is this slow
    machine, started = canary(lambda _: time.sleep(3)), time.monotonic()
    with pytest.raises(EgressFailed, match="No reply within 1 seconds"):
        post(replace(machine.target, scheme="https"), body=b"", headers={}, seconds=1)

    assert time.monotonic() - started < 1.4


def test_a_connection_that_is_there_after_the_deadline_is_not_used(
    canary: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(target: Target, *, seconds: float) -> socket.socket:
        time.sleep(seconds + 0.3)  # as a slow connection and a slow handshake together
        return connected(target, seconds=seconds)

    def drip(connection: socket.socket) -> None:
        for _ in range(10):
            connection.sendall(b"H")
            time.sleep(0.3)

    monkeypatch.setattr(egress, "connected", slow)  # nothing on loopback is this slow
    machine = canary(drip)
    with pytest.raises(EgressFailed, match="No reply within 1 seconds"):
        post(machine.target, body=b"the secret", headers={}, seconds=1)

    assert all(b"the secret" not in request for request in machine.requests)


def test_a_reply_without_an_end_is_too_large(canary: Open) -> None:
    def flood(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 200_000)

    with pytest.raises(EgressFailed, match="too large"):
        post(canary(flood).target, body=b"", headers={}, seconds=5)


@pytest.mark.parametrize(
    "reply", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", b"\xff" * 70_000]
)
def test_an_invalid_reply_is_reported_in_words(reply: bytes, canary: Open) -> None:
    with pytest.raises(EgressFailed) as failure:
        post(canary(says(reply)).target, body=b"", headers={}, seconds=5)

    assert failure.value.reason.endswith(".")


def test_a_closed_port_is_a_failure_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(EgressFailed, match="refused the connection"):
        post(Target("http", "hooks.example.com", port, "/", "127.0.0.1"), body=b"", headers={}, seconds=5)


def test_a_machine_without_a_certificate_of_the_name_gets_nothing(canary: Open) -> None:
    machine = canary(says(b"HTTP/1.1 200 OK\r\n\r\n"))
    target = Target("https", "hooks.example.com", machine.port, "/in", "127.0.0.1")
    with pytest.raises(EgressFailed):
        post(target, body=b"the secret", headers={}, seconds=5)

    assert all(b"the secret" not in request for request in machine.requests)
