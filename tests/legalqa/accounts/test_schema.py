"""What the description of the API says of each operation: one line of its own, and a word for every reply."""

from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator


@pytest.fixture(scope="module")
def operations() -> dict[str, dict[str, Any]]:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]  # type: ignore[no-untyped-call]  # of its library
    return {f"{method} {path}": said for path, methods in paths.items() for method, said in methods.items()}


def replies(operations: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    for name, operation in operations.items():
        for status, reply in operation["responses"].items():
            yield name, status, reply["description"]


def test_every_operation_has_a_summary_of_one_line(operations: dict[str, dict[str, Any]]) -> None:
    summaries = {name: operation.get("summary", "") for name, operation in operations.items()}
    assert len(summaries) > 90
    assert [name for name, said in summaries.items() if not 5 < len(said) <= 120 or "\n" in said] == []
    assert summaries["post /api/v1/corpora/{corpus_id}/documents/"] == "Upload one file"
    assert summaries["post /api/v1/jobs/{job_id}/cancel/"] == "Ask a job to stop"


def test_every_reply_says_what_it_means(operations: dict[str, dict[str, Any]]) -> None:
    assert [(name, status) for name, status, said in replies(operations) if not str(said).strip()] == []


def test_what_a_parameter_is_by_default_is_one_of_its_values(operations: dict[str, dict[str, Any]]) -> None:
    chosen = [
        (name, one["name"], one["schema"])
        for name, operation in operations.items()
        for one in operation.get("parameters", [])
        if "enum" in one["schema"]
    ]
    assert len(chosen) > 10
    assert [found for found in chosen if "default" in found[2] and found[2]["default"] not in found[2]["enum"]] == []
