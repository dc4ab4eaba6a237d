"""The web server's door over real sockets: methods, headers that do not come, addresses, and who may send much."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from corpora.models import Corpus, Document
from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.common import web_door
from legalqa.common.body_limit import MEBIBYTE
from legalqa.common.refusing import Message, Receive, Scope, Send
from legalqa.common.web_door import Door
from tests.committed import committed_fixture
from tests.ingestion import make_corpus
from tests.live import LiveServer
from tests.people import Firm, make_firm


def make_house() -> tuple[Firm, Corpus]:
    firm = make_firm("harding", "Harding & Stone")
    return firm, make_corpus(firm, "Leases")


committed_firm = committed_fixture(make_house)


@pytest.fixture
def house(committed_firm: tuple[Firm, Corpus], django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Firm, Corpus]]:
    with django_db_blocker.unblock():
        yield committed_firm
        for connection in connections.all():
            connection.close()


@pytest.fixture
def server(house: tuple[Firm, Corpus], socket_enabled: None) -> Iterator[LiveServer]:
    live = LiveServer()
    yield live
    live.close()


def spoken(server: LiveServer, *parts: bytes) -> bytes:
    """What the server says to these bytes until it closes the connection."""
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=30) as line:
        for part in parts:
            line.sendall(part)
        return b"".join(iter(lambda: line.recv(65536), b""))


@pytest.mark.parametrize("address", ["/sign-in/", "/api/v1/search/"])
def test_trace_is_refused(server: LiveServer, address: str) -> None:
    reply = httpx.request("TRACE", f"{server.url}{address}")

    assert reply.status_code == 405
    assert "TRACE" not in reply.headers["allow"]
    text = reply.json()["message"] if address.startswith("/api/") else reply.text
    assert text.startswith("The method TRACE is not allowed here")


def test_headers_that_do_not_come_end_the_connection_in_a_sentence(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "HEADERS_S", 0.2)  # or it waits for many seconds
    reply = spoken(server, b"GET /sign-in/ HTTP/1.1\r\nHost: local")

    assert reply.startswith(b"HTTP/1.1 408 ")
    assert reply.endswith(b"Send it again.")
    assert spoken(server) == b""  # who says nothing at all is told nothing


def test_headers_that_come_late_on_a_kept_connection_end_it_too(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "HEADERS_S", 0.2)  # or it waits for many seconds
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=30) as line:
        line.sendall(whole)
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        line.sendall(whole[:20])
        reply = b"".join(iter(lambda: line.recv(65536), b""))

    assert b"HTTP/1.1 408 " in reply


def test_connections_beyond_the_limit_are_told_so(server: LiveServer, settings: Settings) -> None:
    settings.CONNECTIONS_AT_ONCE = 1
    port = int(server.url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)):
        reply = httpx.get(f"{server.url}/api/v1/search/")

    assert (reply.status_code, reply.json()["code"]) == (503, "too_many")
    assert reply.json()["message"].startswith("Too many connections are open.")


def test_requests_of_one_address_and_of_all_are_limited(settings: Settings) -> None:
    settings.REQUESTS_AT_ONCE_EACH, settings.REQUESTS_AT_ONCE = 2, 3

    async def run() -> list[int]:
        go = asyncio.Event()

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            await go.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        async def ask(address: str) -> int:
            sent: list[Message] = []

            async def send(message: Message) -> None:
                sent.append(message)

            scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "client": (address, 1)}
            await door(scope, send, send)  # type: ignore[arg-type]  # nothing is received
            return int(sent[0]["status"])

        door = Door(application)
        addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"]
        tasks = [asyncio.create_task(ask(address)) for address in addresses]
        await asyncio.sleep(0.05)
        go.set()
        return [*await asyncio.gather(*tasks), await ask("192.0.2.1")]

    assert asyncio.run(run()) == [200, 200, 429, 200, 503, 200]


@pytest.mark.parametrize("named", ["<script>", "2" * 200, "unknown", "fe80::1%eth0", "198.51.100.7"])
def test_a_client_that_a_proxy_names_without_an_address_is_the_proxy_itself(server: LiveServer, named: str) -> None:
    with httpx.Client(base_url=server.url, headers={"X-Forwarded-For": named}) as client:
        page = client.get("/sign-in/").text
        token = page.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]
        form = {"csrfmiddlewaretoken": token, "username": "nobody@harding.example", "password": "a wrong password"}

        assert client.post("/sign-in/", data=form).status_code == 200


@pytest.fixture
def upload(house: tuple[Firm, Corpus]) -> tuple[str, dict[str, str]]:
    firm, corpus = house
    bearer = firm.bearer(firm.manager, *ALL_SCOPES)
    return reverse("api_document_list", args=[corpus.pk]), bearer


def test_a_large_file_is_taken_from_a_valid_token_and_from_nobody_else(
    server: LiveServer, upload: tuple[str, dict[str, str]]
) -> None:
    address, token = upload
    files = {"file": ("lease.txt", b"The tenant pays rent.\n" * 300_000)}
    for headers in ({}, {"Authorization": "Bearer lqa_wrong"}, {"Authorization": f"Basic {token['Authorization']}"}):
        refused = httpx.post(f"{server.url}{address}", files=files, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")
        assert refused.headers["www-authenticate"] == "Bearer"

    assert httpx.post(f"{server.url}{address}", files=files, headers=token).status_code == 202


def test_a_large_file_is_taken_from_a_session_until_it_is_over(
    server: LiveServer, house: tuple[Firm, Corpus], client_of: Callable[[User], Client]
) -> None:
    firm, corpus = house
    client = client_of(firm.manager)
    address = reverse("document_upload", args=[firm.organization.slug, corpus.pk])
    page = client.get(reverse("corpus_detail", args=[firm.organization.slug, corpus.pk])).content.decode()
    form = {"csrfmiddlewaretoken": page.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]}
    files = {"files": ("deed.txt", b"The landlord repairs the roof.\n" * 200_000)}
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}

    taken = httpx.post(f"{server.url}{address}", data=form, files=files, cookies=cookies)
    assert taken.status_code in (200, 302)
    with organization_scope(firm.organization, user=None):
        assert Document.objects.filter(name="deed.txt").exists()

    client.logout()
    refused = httpx.post(f"{server.url}{address}", data=form, files=files, cookies=cookies)
    assert refused.status_code == 401
    assert refused.text.startswith("Without a sign-in or an API token")


def test_nothing_of_a_large_body_of_nobody_is_written_to_disk(
    server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # other processes write to the common folder
    head = b"POST /nowhere/upload/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"

    assert spoken(server, head).startswith(b"HTTP/1.1 413 ")
    assert spoken(server, head.replace(b"99999999", b"2999999")).startswith(b"HTTP/1.1 401 ")
    chunk = b"%x\r\n" % MEBIBYTE + b"x" * MEBIBYTE + b"\r\n"
    chunked = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert spoken(server, chunked, chunk[:70_000]).startswith(b"HTTP/1.1 401 ")
    assert list(tmp_path.iterdir()) == []


def test_refusals_of_the_api_have_its_error_shape(server: LiveServer) -> None:
    reply = httpx.request("TRACE", f"{server.url}/api/v1/search/")

    assert set(json.loads(reply.text)) == {"message", "code", "extra"}
