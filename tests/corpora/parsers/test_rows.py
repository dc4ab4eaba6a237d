"""Tables as lines that can be read one by one."""

from corpora.parsers.boxes import page_boxes
from corpora.parsers.rows import has_head, rows_text
from tests.corpora.parsers.builders import Words, all_words, make_pdf, parse

RATES = [["Group", "Applicants", "Rate"], ["Men", "1390", "1.0"], ["Women", "1181", "0.979"]]


def test_a_head_stands_before_each_cell() -> None:
    assert rows_text(RATES).split("\n") == [
        "Group | Applicants | Rate",
        "Group: Men; Applicants: 1390; Rate: 1.0",
        "Group: Women; Applicants: 1181; Rate: 0.979",
    ]


def test_two_rows_of_heads_are_read_together() -> None:
    rows = [["Group", "Applicants", "Applicants"], ["Group", "men", "women"], ["A", "12", "15"]]

    assert rows_text(rows, head=2).split("\n")[-1] == "Group: A; Applicants, men: 12; Applicants, women: 15"


def test_a_cell_over_two_columns_is_said_once_and_an_empty_one_not() -> None:
    assert rows_text([["Name", "First", "Second"], ["Fee", "10", "10"], ["Tax", "", "3"]], head=1).split("\n")[1:] == [
        "Name: Fee; First: 10",
        "Name: Tax; Second: 3",
    ]


def test_heads_are_inferred_only_where_nothing_else_fits() -> None:
    assert has_head(RATES)
    assert not has_head([["Tenant", "Ann"], ["Rent", "900"], ["Deposit", "1800"]]), "names and values"
    assert not has_head(RATES[1:] * 2), "figures in the first row"
    assert not has_head([["A", "B", "C"], ["x", "y", "z"], ["u", "v", "w"]]), "rows without figures"
    assert not has_head([RATES[0], RATES[1], ["Women", "1181"]]), "a row is short"


def test_a_table_of_a_pdf_repeats_its_heads_which_have_no_place_on_the_page() -> None:
    lines = [
        Words(72 + 150 * column, 700 - 14 * row, cell)
        for row, cells in enumerate(RATES)
        for column, cell in enumerate(cells)
    ]
    document = parse(make_pdf([lines]), "rates.pdf")
    [text] = all_words(document)

    assert text == rows_text(RATES)
    boxes = page_boxes(document.pages[0])
    head = text.index("Applicants: 1390")
    assert not boxes[head : head + len("Applicants: ")].any()
    assert boxes[text.index("1390") : text.index("1390") + 4].all()


def test_a_table_of_a_web_page_knows_its_heads_and_its_spans() -> None:
    page = (
        "<html><body><table><caption>Rents</caption><thead><tr><th>Floor</th><th>Month</th><th>Rent</th></tr></thead>"
        "<tr><td rowspan=2>First</td><td>May</td><td>900</td></tr><tr><td>June</td><td>950</td></tr></table>"
    )

    assert all_words(parse(page.encode(), "rents.html")) == [
        "Rents\nFloor | Month | Rent\nFloor: First; Month: May; Rent: 900\nFloor: First; Month: June; Rent: 950"
    ]
