"""A place in a document has a name that a person can look up: never an item letter alone."""

import pytest

from legalqa.answering.places import heading_name, names_a_subject, place_words


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (["Agreement", "4. Fees"], "4. Fees"),
        (["Agreement", "4. Fees", "(b)", "ii."], "4. Fees (b) ii."),
        (["Agreement", "12.1"], "Agreement 12.1"),
        (["(e)"], ""),
        ([], ""),
        (["Mix", "IT"], "IT"),
    ],
)
def test_a_letter_or_number_follows_the_heading_above_it(path: list[str], name: str) -> None:
    assert heading_name(path) == name


def test_document_clause_and_page_are_one_line_without_what_is_not_known() -> None:
    place = {"document_title": "Lease", "heading": "4. Fees (b)", "page_label": "12"}

    assert place_words(place) == "Lease, 4. Fees (b), p. 12"
    assert place_words(place | {"heading": "", "page_label": ""}) == "Lease"


@pytest.mark.parametrize(
    ("heading", "is_subject"),
    [
        ("Exhibit 10.27", False),
        ("Section 4", False),
        ("§ 5-301", False),
        ("", False),
        ("Article IV Fees", True),
        ("§ 5-301 Bias Audit", True),
        ("Partial termination", True),
    ],
)
def test_the_number_of_an_exhibit_or_section_names_no_subject(heading: str, is_subject: bool) -> None:
    assert names_a_subject(heading) == is_subject
