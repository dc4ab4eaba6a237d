"""What the demo measures, whose questions point to the paragraphs that hold their quotes, and where its links lead."""

from pathlib import Path
from typing import Any

import pytest

from legalqa.dashboard.demo import question_row
from legalqa.dashboard.management.commands.demo import address_of_pages
from legalqa.jobs.run_lock import run_lock, run_note


class Paragraph:
    def __init__(self, public_id: str, text: str) -> None:
        self.public_id, self.text = public_id, text


PARAGRAPHS: list[Any] = [
    Paragraph("audit", "A tool has had a bias audit conducted no more than one year prior to its use."),
    Paragraph("first-half", "Such person is liable for a civil penalty of not more than five hundred"),
    Paragraph("again", "… a BIAS AUDIT, conducted no more than one year prior to the use …"),
]


def row(quote: str, *, answerable: bool = True) -> dict[str, Any]:
    return {
        "id": "x",
        "question": "When?",
        "reference_answer": "Within a year.",
        "answerable": answerable,
        "complexity": "1",
        "evidence": [{"quote": quote}],
    }


def references(quote: str, *, answerable: bool = True) -> list[str]:
    return [span.paragraph_id for span in question_row(1, row(quote, answerable=answerable), PARAGRAPHS).references]


def test_a_question_points_to_every_paragraph_with_the_whole_quote() -> None:
    assert references("bias audit conducted no more than one year prior") == ["audit", "again"]


def test_a_quote_that_runs_over_a_paragraphs_end_points_to_the_part_that_is_there() -> None:
    assert references("a civil penalty of not more than five hundred dollars for a first violation") == ["first-half"]


def test_a_question_that_the_law_does_not_answer_points_nowhere() -> None:
    assert references("bias audit conducted no more than one year prior", answerable=False) == []


def test_links_lead_to_where_the_pages_are_served(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR, settings.BASE_URL = tmp_path, "http://localhost:8000"
    monkeypatch.delenv("LEGALQA_BASE_URL", raising=False)  # as on a machine where nobody has set it
    assert address_of_pages() == "http://localhost:8000"
    with run_lock(tmp_path):
        run_note(tmp_path, url="http://localhost:8080")
        assert address_of_pages() == "http://localhost:8080"
        settings.BASE_URL = "https://law.example"
        monkeypatch.setenv("LEGALQA_BASE_URL", settings.BASE_URL)  # as behind a proxy
        assert address_of_pages() == "https://law.example"
