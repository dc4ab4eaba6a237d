"""A table is read row by row, each cell after the head of its column, and a row that answers is shown alone."""

from collections.abc import Sequence

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing.composing import compose
from legalqa.answering.composing.tables import is_table, row_as_read, table_as_read
from legalqa.answering.composing.types import PassageFound
from legalqa.encoder.client import Read

RETENTION = "Class\tYears\tOwner\nTax\t7\tFinance\nPersonnel\t6 after employment ends\tHR\nContracts\t10\tLegal"


def passage(text: str, *, kind: str = "table") -> PassageFound:
    return PassageFound("v1", "d1", 0, 0, text, provision_at([Part(0, text, kind, role="table_row")], 0))


def test_a_row_is_read_with_the_heads_of_its_columns() -> None:
    provision = passage(RETENTION).provision

    assert row_as_read(provision, 2) == "Personnel: Years: 6 after employment ends; Owner: HR."
    assert row_as_read(provision, 0) == ""


def test_a_row_with_more_cells_than_heads_is_read_without_them() -> None:
    provision = passage("Fee\nCopy\t5 EUR\t12 EUR").provision

    assert row_as_read(provision, 1) == "Copy: 5 EUR; 12 EUR."


def test_of_a_table_the_rows_that_share_words_with_the_question_are_read() -> None:
    rows = "\n".join(f"Class {n}\t{n}\tOffice {n}" for n in range(2, 40))
    text = table_as_read(passage(f"Class\tYears\tOwner\n{rows}\nTax\t7\tFinance"), "Who owns tax records?")

    assert "Tax: Years: 7; Owner: Finance." in text
    assert text.count("Years") == 3


def test_prose_is_no_table() -> None:
    prose = passage("Records are kept for seven years.", kind="text")

    assert not is_table(prose)
    assert table_as_read(prose, "How long are records kept?") == ""


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("For how many years are tax records kept?", "Tax\t7\tFinance"),
        ("How long are contracts kept?", "Contracts\t10\tLegal"),
    ],
)
def test_the_row_that_answers_is_shown_below_the_heads_and_no_other(question: str, row: str) -> None:
    subject = row.split("\t", maxsplit=1)[0]

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        return [Read(0.9 if f"{subject}: Years" in text else 0.05, None, 0.0, (0.0, 0.0, 1.0)) for _, text in pairs]

    found = passage(RETENTION)
    composed = compose(question, (question,), [found], reader=read, likeness=lambda _, texts: [0.5] * len(texts))

    (provision,) = composed.provisions
    shown = [found.provision.pieces[piece.place].text for piece in provision.pieces]
    assert shown == ["Class\tYears\tOwner", row]
