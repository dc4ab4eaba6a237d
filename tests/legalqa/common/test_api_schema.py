"""The OpenAPI schema as it is served: the one that is checked in, and made once, however often anybody asks."""

from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

CHECKED_IN = Path(settings.BASE_DIR) / "docs" / "openapi.yaml"


def test_the_schema_that_is_served_is_the_one_that_is_checked_in() -> None:
    assert Client().get("/api/v1/schema/").content == CHECKED_IN.read_bytes()


def test_programs_may_have_it_as_json() -> None:
    reply = Client().get("/api/v1/schema/", headers={"Accept": "application/json"})

    assert reply.headers["Content-Type"] == "application/json"
    assert reply.json() == yaml.safe_load(CHECKED_IN.read_text("utf-8"))


def test_it_is_made_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Client().get("/api/v1/schema/").content

    def again(*_: object, **__: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(SchemaGenerator, "get_schema", again)  # both replies are the same, however often it is made
    assert Client().get("/api/v1/schema/?version=7&lang=de").content == first
