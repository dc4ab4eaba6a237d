"""Tables as files: no cell is a formula, and nothing of the words is lost."""

import pytest

from legalqa.common.csv_files import cell_harmless, csv_text


@pytest.mark.parametrize("beginning", ["=", "+", "-", "@", "\t", "\r", " =", "\n@", "\u00a0="])
def test_no_cell_of_a_table_begins_a_formula(beginning: str) -> None:
    assert cell_harmless(f"{beginning}HYPERLINK(1)").startswith("'")


@pytest.mark.parametrize("beginning", ["\uff1d", "\uff0b", "\uff0d", "\uff20", "\u3000\uff1d"])
def test_no_cell_of_a_table_begins_a_formula_in_full_width(beginning: str) -> None:
    assert cell_harmless(f"{beginning}HYPERLINK(1)") == f"'{beginning}HYPERLINK(1)"


def test_a_table_keeps_its_words_and_says_how_it_is_encoded() -> None:
    text = csv_text(header=("Who", "What"), rows=[("Ada, “the” Ö", None), ("=1+1", 7)])

    assert text == '\ufeffWho,What\r\n"Ada, “the” Ö",\r\n\'=1+1,7\r\n'
