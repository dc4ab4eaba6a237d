"""Files of the pages: hashed, compressed, collected once, and pages without them before that."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.templatetags.static import static
from django.test import Client
from pytest_django.fixtures import Settings

from legalqa.common import static_files
from legalqa.common.static_files import static_update


@pytest.fixture
def pages(settings: Settings, tmp_path: Path) -> Callable[[], Client]:
    """A client of a web process that starts now, over data and files of its own."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "page.css").write_text("body { background: url(dot.svg) }\n" + "p { margin: 0 }\n" * 100)
    (files / "dot.svg").write_text("<svg/>")
    settings.VAR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STATICFILES_DIRS, settings.STATICFILES_FINDERS = [files], [django_settings.STATICFILES_FINDERS[0]]
    settings.STORAGES = {**django_settings.STORAGES}  # makes the storages new, as in a new process
    settings.WHITENOISE_AUTOREFRESH = False

    def started() -> Client:
        (tmp_path / "static").mkdir(exist_ok=True)
        settings.STORAGES = {**django_settings.STORAGES}
        static_update()
        return Client()

    return started


@pytest.mark.django_db
def test_a_file_is_served_compressed_and_for_ever_under_a_name_with_its_hash(pages: Callable[[], Client]) -> None:
    client = pages()
    url = static("page.css")
    reply = client.get(url, headers={"Accept-Encoding": "gzip"})

    assert url not in {"/static/page.css", ""}
    assert reply["Content-Encoding"] == "gzip"
    assert "immutable" in reply["Cache-Control"]
    assert static("dot.svg").removeprefix("/static/") in gzip.decompress(reply.getvalue()).decode()


@pytest.mark.django_db
def test_a_changed_file_gets_another_name_at_the_next_start(pages: Callable[[], Client], tmp_path: Path) -> None:
    pages()
    before = static("page.css")
    (tmp_path / "files" / "page.css").write_text("body { color: red }")
    client = pages()

    assert static("page.css") != before
    assert client.get(static("page.css")).getvalue() == b"body { color: red }"


def test_unchanged_files_are_collected_once(pages: Callable[[], Client], monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[str] = []

    def command(name: str, **options: object) -> None:
        commands.append(name)
        call_command(name, **options)

    monkeypatch.setattr(static_files, "call_command", command)  # counts how often files are collected
    pages()
    pages()

    assert commands == ["collectstatic"]


def test_collecting_that_was_killed_begins_again(pages: Callable[[], Client], monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(static_files, "call_command", killed)  # a kill before the collecting is done, to the moment
        with pytest.raises(KeyboardInterrupt):
            pages()
    pages()

    assert static("page.css") != "/static/page.css"


@pytest.mark.django_db
def test_without_room_the_files_are_served_under_their_plain_names(
    pages: Callable[[], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(static_files, "call_command", full)  # a disk cannot be filled by a test
    client = pages()

    assert static("page.css") == "/static/page.css"
    assert b"background: url(dot.svg)" in client.get("/static/page.css").getvalue()


def test_while_debugging_nothing_is_collected(pages: Callable[[], Client], settings: Settings, tmp_path: Path) -> None:
    settings.DEBUG = True
    pages()

    assert static("page.css") == "/static/page.css"
    assert not list((tmp_path / "static").iterdir())


def test_every_file_of_the_product_can_be_collected(settings: Settings, tmp_path: Path) -> None:
    settings.VAR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    settings.STORAGES = {**django_settings.STORAGES}
    static_update()

    assert static("vendor/pdfjs/pdf.min.mjs") != "/static/vendor/pdfjs/pdf.min.mjs"
    assert (tmp_path / "static" / (static("js/app.js").removeprefix("/static/") + ".gz")).exists()
