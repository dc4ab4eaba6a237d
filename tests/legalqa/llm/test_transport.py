"""Connections to a provider that wait for a next call: used again, never by mistake, and no promise is lost by it."""

import json
import os
import signal
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from time import monotonic, sleep
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from legalqa.common.egress import EgressRefused, NameUnknown
from legalqa.llm import transport
from legalqa.llm.clock import Clock
from legalqa.llm.transport import ConnectFailed, Endpoint, http_client
from legalqa.llm.wire import CallFailed, Fault, chat, chat_stream
from tests import provider as p
from tests.legalqa.llm.setting_up import KEY
from tests.provider import Reply, ScriptedProvider, Wire, says

NAME = "models.example"
EVENTS = [b'data: {"choices": [{"delta": {"content": "Yes."}, "finish_reason": "stop"}]}\n\n', b"data: [DONE]\n\n", b""]


@pytest.fixture(autouse=True)
def pool() -> Iterator[None]:
    transport.pool().close()  # what tests before this one have left
    transport.pool.cache_clear()
    yield
    transport.pool().close()
    transport.pool.cache_clear()


@pytest.fixture
def keeping(pool: None, scripted_provider: ScriptedProvider) -> Iterator[ScriptedProvider]:
    """A provider that leaves connections open; ours are closed before it."""
    scripted_provider.keeps = True
    yield scripted_provider
    transport.pool().close()


def asked(
    provider: ScriptedProvider, text: str = "What rent?", *, seconds: float = 20.0, key: str = KEY, **clock: Any
) -> str:
    """What the provider's model says."""
    body = {"model": "m-1", "messages": [{"role": "user", "content": text}]}
    return chat(Endpoint(provider.url, key, is_trusted=True), body, replace(Clock.of(seconds), **clock)).text


def streamed(provider: ScriptedProvider, *, first_token_s: float = 20.0) -> str:
    endpoint, body = Endpoint(provider.url, KEY, is_trusted=True), {"model": "m-1", "messages": []}
    clock, times = Clock.of(20.0), {"first_token_s": first_token_s, "between_s": first_token_s}
    return chat_stream(endpoint, body, clock, on_delta=lambda _: None, **times).text


def post(provider: ScriptedProvider, name: str, *addresses: str, is_trusted: bool = True) -> int:
    """The status of a request to a provider by a name that has these addresses."""
    base = provider.url.replace("127.0.0.1", name)
    endpoint = Endpoint(base, KEY, is_trusted=is_trusted)
    with http_client(endpoint, Clock.of(20.0), resolve=lambda *_: addresses) as client:
        return client.post(f"{base}/chat/completions", json={}).status_code


def fault_of(ask: Callable[[], object]) -> Fault:
    with pytest.raises(CallFailed) as failed:
        ask()
    return failed.value.fault


def connections(provider: ScriptedProvider) -> list[int]:
    """For each request the number of its connection: 0 for the first that was opened, 1 for the next."""
    opened = list(dict.fromkeys(request.connection for request in provider.asked))
    return [opened.index(request.connection) for request in provider.asked]


def in_chunks(wire: Wire) -> None:
    """A stream whose end follows its last event after a moment."""
    wire.head(kind="text/event-stream", Transfer_Encoding="chunked")
    for data in EVENTS:
        wire.raw(b"%x\r\n%s\r\n" % (len(data), data))
        wire.wait(0.005)


def certificate(name: str, folder: Path) -> Path:
    """A file with a certificate of a name that answers for itself, and its key."""
    key, begins = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC) - timedelta(days=1)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder(subject, subject, key.public_key(), 1, begins, begins + timedelta(days=9))
    names = x509.SubjectAlternativeName([x509.DNSName(name)])
    signed = made.add_extension(names, critical=False).sign(key, hashes.SHA256())
    own = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (file := folder / f"{name}.pem").write_bytes(signed.public_bytes(Encoding.PEM) + own)
    return file


def then(reply: Reply, after: Callable[[Wire], None]) -> Reply:
    def both(wire: Wire) -> None:
        reply(wire)
        after(wire)

    return both


def test_calls_use_one_connection_whether_streamed_or_whole(keeping: ScriptedProvider) -> None:
    keeping.will(says("One."), in_chunks, says("Three."), p.fails(500), says("Five."))

    said = [asked(keeping), streamed(keeping), asked(keeping)]
    fault = fault_of(lambda: asked(keeping))

    assert (said, fault, asked(keeping)) == (["One.", "Yes.", "Three."], Fault.SERVER, "Five.")
    assert connections(keeping) == [0] * 5


def test_a_connection_serves_the_calls_of_one_key(keeping: ScriptedProvider) -> None:
    keeping.always = says("Yes.")
    keys = [KEY, "sk-of-another-firm", "none", KEY]

    for key in keys:
        asked(keeping, key=key)

    assert [request.headers["authorization"] for request in keeping.asked] == [f"Bearer {key}" for key in keys]
    assert connections(keeping) == [0, 1, 2, 0]


@pytest.mark.parametrize("pause_s", [0.0, 0.2], ids=["at once", "after a pause"])
def test_a_connection_that_the_server_closed_meanwhile_is_opened_again(
    keeping: ScriptedProvider, pause_s: float
) -> None:
    keeping.will(then(says("One."), Wire.hang_up), says("Two."))

    first = asked(keeping)
    sleep(pause_s)

    assert (first, asked(keeping), connections(keeping)) == ("One.", "Two.", [0, 1])


def test_a_request_that_meets_a_server_hanging_up_is_sent_once_more(keeping: ScriptedProvider) -> None:
    keeping.will(says("One."), p.cut_before_text, says("Two."))

    assert [asked(keeping), asked(keeping)] == ["One.", "Two."]
    assert connections(keeping) == [0, 0, 1]


def test_a_server_that_cuts_every_request_gets_one_at_most_twice(keeping: ScriptedProvider) -> None:
    together = Barrier(6)

    def reply(wire: Wire) -> None:
        together.wait(10)
        says("Yes.")(wire)

    keeping.will(*[reply] * 6)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: asked(keeping), range(6)))
    keeping.always = p.cut_before_text

    assert fault_of(lambda: asked(keeping)) == Fault.CUT
    assert connections(keeping)[:6] == [0, 1, 2, 3, 4, 5]
    assert connections(keeping)[7:] == [6], "the second goes over a new one, not over the next that waits"


def test_a_request_that_is_no_http_is_refused_at_once(keeping: ScriptedProvider) -> None:
    started = monotonic()

    assert fault_of(lambda: asked(keeping, key="sk-one\nsk-two")) == Fault.CUT
    assert monotonic() - started < transport.AT_ONCE_S / 2
    assert not keeping.asked


def test_a_server_that_breaks_off_over_a_request_is_not_asked_again(
    keeping: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "AT_ONCE_S", 0.1)  # or it works for a second
    half = lambda wire: wire.raw(b"HTTP/1.1 200 OK\r\nContent-")  # noqa: E731 - one line
    keeping.will(p.cut_before_text, says("Two."), then(lambda wire: wire.wait(0.3), Wire.cut))
    keeping.will(says("Four."), then(half, Wire.hang_up))

    new = fault_of(lambda: asked(keeping))
    asked(keeping)
    after_a_while = fault_of(lambda: asked(keeping))
    asked(keeping)
    inside = fault_of(lambda: asked(keeping))

    assert [new, after_a_while, inside] == [Fault.CUT] * 3
    assert connections(keeping) == [0, 1, 1, 2, 2]


def test_a_name_is_judged_before_each_call_and_a_waiting_connection_serves_its_own_address_only(
    keeping: ScriptedProvider,
) -> None:
    keeping.always = says("Yes.")

    first, second = post(keeping, NAME, "127.0.0.1"), post(keeping, NAME, "127.0.0.1")
    with pytest.raises(ConnectFailed):
        post(keeping, NAME, "::1")
    with pytest.raises(NameUnknown):
        post(keeping, NAME)
    with pytest.raises(EgressRefused, match="https"):
        post(keeping, NAME, "127.0.0.1", is_trusted=False)

    assert (first, second) == (200, 200)
    assert connections(keeping) == [0, 0]
    assert asked(keeping) == "Yes."
    assert connections(keeping) == [0, 0, 1], "the same address under another name"


def test_a_secure_connection_waits_too_and_only_a_certificate_of_the_name_is_taken(
    pool: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = certificate(NAME, tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))  # stands for the authorities that this machine trusts
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    secure = ScriptedProvider(keeps=True, always=says("Yes."), tls=context)

    ours = [post(secure, NAME, "127.0.0.1") for _ in range(3)]
    with pytest.raises(ConnectFailed):
        post(secure, "other.example", "127.0.0.1")
    transport.pool().close()
    secure.close()

    assert (ours, connections(secure)) == ([200] * 3, [0] * 3)


@pytest.mark.parametrize("reply", [p.never_answers, p.slow_loris, p.drips(0.05)], ids=["silent", "head", "body"])
def test_deadlines_hold_on_a_connection_that_has_waited(keeping: ScriptedProvider, reply: Reply) -> None:
    keeping.will(says("One."), reply, says("Three."))
    asked(keeping)
    started = monotonic()

    late = fault_of(lambda: asked(keeping, seconds=0.4))

    assert (late, monotonic() - started < 2) == (Fault.LATE, True)
    assert (asked(keeping), connections(keeping)) == ("Three.", [0, 0, 1])


def test_the_first_piece_is_due_on_a_connection_that_has_waited_and_a_call_can_be_cancelled(
    keeping: ScriptedProvider,
) -> None:
    keeping.will(says("One."), p.never_answers, says("Three."), p.never_answers)
    started = monotonic()

    asked(keeping)
    late = fault_of(lambda: streamed(keeping, first_token_s=0.3))
    asked(keeping)
    cancelled = fault_of(lambda: asked(keeping, cancelled=lambda: len(keeping.asked) == 4))

    assert (late, cancelled, monotonic() - started < 5) == (Fault.LATE, Fault.CANCELLED, True)
    assert connections(keeping) == [0, 0, 1, 1]


def test_what_follows_a_reply_is_never_read_as_the_next_one(keeping: ScriptedProvider) -> None:
    more = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    keeping.will(then(says("One."), lambda wire: wire.raw(more)), says("Two."))
    whole = json.dumps(p.completion("Three.")).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(whole)
    keeping.will(lambda wire: wire.raw(head + whole + more), says("Four."))

    first = asked(keeping)
    sleep(0.1)  # what follows comes by itself

    assert [first, *(asked(keeping) for _ in range(3))] == ["One.", "Two.", "Three.", "Four."]
    assert connections(keeping) == [0, 1, 1, 2]


@pytest.mark.parametrize(
    "reply",
    [
        lambda wire: wire.raw(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 400_000),
        lambda wire: wire.head(Content_Encoding="gzip", Content_Length="0"),
        lambda wire: wire.head(Content_Length="10"),
        lambda wire: wire.raw(b"SSH-2.0-OpenSSH_9.2\r\n"),
    ],
    ids=["a head without end", "packed", "cut off", "no HTTP"],
)
def test_a_reply_that_breaks_the_rules_costs_its_connection(keeping: ScriptedProvider, reply: Reply) -> None:
    keeping.will(says("One."), then(reply, Wire.hang_up), says("Three."))
    asked(keeping)

    broken = fault_of(lambda: asked(keeping))

    assert (broken, asked(keeping), connections(keeping)) == (Fault.CUT, "Three.", [0, 0, 1])


def test_threads_never_share_a_connection_at_once(keeping: ScriptedProvider) -> None:
    keeping.always = lambda wire: says(wire.asked.text)(wire)
    together = Barrier(6)

    def several(name: int) -> list[str]:
        together.wait(10)
        return [asked(keeping, f"{name}-{n}") for n in range(5)]

    with ThreadPoolExecutor(6) as threads:
        said = list(threads.map(several, range(6)))

    assert said == [[f"{name}-{n}" for n in range(5)] for name in range(6)]
    assert max(connections(keeping)) < 6


def test_connections_wait_in_bounded_number_and_for_a_bounded_time(
    keeping: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "KEPT_MAX", 2)  # or it takes twenty-one connections
    monkeypatch.setattr(transport, "KEPT_S", 0.3)  # or it waits for half a minute
    transport.pool.cache_clear()
    together = Barrier(5)

    def reply(wire: Wire) -> None:
        together.wait(10)
        says("Yes.")(wire)

    keeping.will(*[reply] * 5, says("Yes."))
    with ThreadPoolExecutor(5) as threads:
        list(threads.map(lambda _: asked(keeping), range(5)))
    waiting = len(transport.pool().connections)
    sleep(0.4)
    asked(keeping)

    assert (waiting, connections(keeping)) == (2, [0, 1, 2, 3, 4, 5])
    assert len(transport.pool().connections) == 1


def test_a_fork_opens_its_own_connections_and_leaves_those_of_its_parent(keeping: ScriptedProvider) -> None:
    keeping.always = says("Yes.")
    asked(keeping)

    child = os.fork()
    if child == 0:
        signal.alarm(30)  # it must not hang the test
        os._exit(asked(keeping) != "Yes.")
    _, status = os.waitpid(child, 0)

    assert (status, asked(keeping), connections(keeping)) == (0, "Yes.", [0, 1, 0])
