"""The report of a classifier: a cell of its table that is none is not found."""

import pytest

from legalqa.common.errors import NotFound
from legalqa.training.classifier.pages import report_page
from retrieval.models import ComplexityClassifier

REPORT = {
    "figures": {"confusion": [[0, 1], [0, 0]], "classes": []},
    "epochs": [],
    "words": [],
    "asked": [["When?", 0, 1, 0.7]],
}


def test_the_questions_of_a_cell_are_shown() -> None:
    version = ComplexityClassifier(n_classes=2, kind="lr", report=REPORT)

    assert report_page(version=version, address="/", cell="0-1")["cell"]["questions"] == [
        {"text": "When?", "chance": 0.7}
    ]


@pytest.mark.parametrize("cell", ["²-0", "9" * 5000 + "-0", "0-2", "0", "0-1-x", "0--1", "0-1-1"])
def test_a_cell_that_is_none_is_not_found(cell: str) -> None:
    with pytest.raises(NotFound):
        report_page(version=ComplexityClassifier(n_classes=2, kind="lr", report=REPORT), address="/", cell=cell)
