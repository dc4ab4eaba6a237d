"""Tables as files: no cell is a formula, and nothing of the words is lost, neither written nor read."""

import pytest

from legalqa.common.csv_files import cell_harmless, csv_lines, csv_text
from legalqa.common.json_lines import LineError


class LeaseFileError(LineError):
    kind = "bad_lease"


@pytest.mark.parametrize("beginning", ["=", "+", "-", "@", "\t", "\r", " =", "\n@", "\u00a0="])
def test_no_cell_of_a_table_begins_a_formula(beginning: str) -> None:
    assert cell_harmless(f"{beginning}HYPERLINK(1)").startswith("'")


@pytest.mark.parametrize("beginning", ["\uff1d", "\uff0b", "\uff0d", "\uff20", "\u3000\uff1d"])
def test_no_cell_of_a_table_begins_a_formula_in_full_width(beginning: str) -> None:
    assert cell_harmless(f"{beginning}HYPERLINK(1)") == f"'{beginning}HYPERLINK(1)"


def test_a_table_keeps_its_words_and_says_how_it_is_encoded() -> None:
    text = csv_text(header=("Who", "What"), rows=[("Ada, “the” Ö", None), ("=1+1", 7)])

    assert text == '\ufeffWho,What\r\n"Ada, “the” Ö",\r\n\'=1+1,7\r\n'


def test_a_table_is_read_as_a_spreadsheet_program_saves_it() -> None:
    text = csv_text(
        header=("question", "answer", ""), rows=[("Who pays,\nand when?", "The tenant", ""), ("Why?", "", "")]
    )

    assert list(csv_lines(text, refused=LeaseFileError)) == [
        (3, {"question": "Who pays,\nand when?", "answer": "The tenant"}),
        (4, {"question": "Why?", "answer": ""}),
    ]
    assert list(csv_lines("question,answer\nWhy?\n", refused=LeaseFileError)) == [
        (2, {"question": "Why?", "answer": None})
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("question;answer\nWho pays, and when?;The tenant\n", "Line 1: the columns are divided by semicolons or tabs"),
        ("question\tanswer\nWho pays?\tThe tenant\n", "Line 1: the columns are divided by semicolons or tabs"),
        ("question,answer,question \nWho?,We,When?\n", "Line 1: the column 'question' is there twice"),
        ("question,answer\nWho pays?,The tenant, on Monday\n", "Line 2: has more cells than the heading"),
        ('question,answer\nWho pays?,"The "tenant\n', "Line 2: this is not a line of a CSV table"),
    ],
)
def test_a_table_that_would_lose_words_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(LeaseFileError) as caught:
        list(csv_lines(text, refused=LeaseFileError))

    assert caught.value.message.startswith(sentence)
