"""Downloads: in parts under both kinds of server, and with headers that keep browsers from running them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from asgiref.sync import async_to_sync
from django.core.files import File
from django.http import StreamingHttpResponse
from django.test import AsyncClient, AsyncRequestFactory, Client, RequestFactory
from django.urls import reverse

from corpora.downloads import PART_BYTES, file_download
from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

CONTENT = bytes(range(256)) * 1024 * 2 + b"the end"  # two parts and a bit
PAGE = b"<html><body><p>The tenant pays the rent.</p></body></html>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "stored"
    path.write_bytes(CONTENT)
    return path


def check_headers(response: Any, *, name: str, size: int) -> None:
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response["Content-Length"] == str(size)
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"]
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"


async def parts_of(response: StreamingHttpResponse) -> list[bytes]:
    return [part async for part in response]


def test_parts_come_one_by_one_under_either_server(file: Path, db: None) -> None:
    sync = file_download(RequestFactory().get("/"), file=File(file.open("rb")), name="a.pdf", kind="pdf")
    parts = [bytes(part) for part in sync]
    under_asgi = file_download(AsyncRequestFactory().get("/"), file=File(file.open("rb")), name="a.pdf", kind="pdf")

    assert [len(part) for part in parts] == [PART_BYTES, PART_BYTES, len(b"the end")]
    assert (sync.is_async, under_asgi.is_async) == (False, True)
    assert asyncio.run(parts_of(under_asgi)) == parts
    assert b"".join(parts) == CONTENT
    for response in (sync, under_asgi):
        check_headers(response, name="a.pdf", size=len(CONTENT))
        assert response["Content-Type"] == "application/pdf"
        response.close()


@pytest.mark.parametrize("factory", [RequestFactory, AsyncRequestFactory])
def test_the_file_is_closed_though_nothing_was_read(factory: Callable[[], Any], file: Path, db: None) -> None:
    response = file_download(factory().get("/"), file=File(file.open("rb")), name="a.txt", kind="text")
    assert is_open(file)
    response.close()
    assert not is_open(file)


def is_open(file: Path) -> bool:
    return str(file) in {opened.path for opened in psutil.Process().open_files()}


def test_page_and_endpoint_send_the_same_file_under_both_servers(
    firm: Firm, client_of: Callable[[User], Client]
) -> None:
    done = ingest(firm, make_corpus(firm), "lease.html", PAGE)
    bearer = firm.bearer(firm.lawyer, *ALL_SCOPES)
    page = reverse("document_file", args=["harding", done.document.pk])
    endpoint = reverse("api_document_file", args=[done.document.pk])
    browser = AsyncClient()
    browser.cookies = client_of(firm.lawyer).cookies

    async def fetched(address: str, headers: dict[str, str]) -> tuple[Any, bytes]:
        response: Any = await browser.get(address, headers=headers)
        assert response.is_async
        return response, b"".join([part async for part in response])

    for response, content in (async_to_sync(fetched)(page, {}), async_to_sync(fetched)(endpoint, bearer)):
        assert (response.status_code, content) == (200, PAGE)
        check_headers(response, name="lease.html", size=len(PAGE))
    program: Any = Client().get(endpoint, headers=bearer)
    assert program.getvalue() == PAGE
    check_headers(program, name="lease.html", size=len(PAGE))
