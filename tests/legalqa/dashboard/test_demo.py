"""What the demo measures: its questions point to the paragraphs that hold their quotes."""

from typing import Any

from legalqa.dashboard.demo import question_row


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
