"""How templates show the names of provisions."""

import pytest

from retrieval.pages.tags import unbroken


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("§ 20-871 Requirements for use", "§_20-871 Requirements for use"),
        ("Article 5(1)", "Article_5(1)"),
        ("Art. 73", "Art._73"),
        ("CHAPTER IV › Section 2", "CHAPTER_IV › Section_2"),
        ("Articles 9 to 15", "Articles_9 to 15"),
        ("§20-870", "§20-870"),
        ("Rules of the office", "Rules of the office"),
        ("", ""),
    ],
)
def test_no_line_ends_between_the_word_and_the_number_of_a_provision(name: str, shown: str) -> None:
    assert unbroken(name) == shown.replace("_", "\N{NO-BREAK SPACE}")
