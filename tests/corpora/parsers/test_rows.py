"""Tables as lines that can be read one by one."""

from corpora.parsers.boxes import page_boxes
from corpora.parsers.rows import has_head, rows_heads, rows_text
from tests.corpora.parsers.builders import Words, all_words, make_pdf, parse, words_of

RATES = [["Group", "Applicants", "Rate"], ["Men", "1390", "1.0"], ["Women", "1181", "0.979"]]


def test_a_row_is_its_cells_and_an_empty_one_is_left_out() -> None:
    assert rows_text([["Name", "First", "Second"], ["Fee", "10", "10"], ["Tax", "", "3"], ["", "", ""]]).split(
        "\n"
    ) == ["Name\tFirst\tSecond", "Fee\t10\t10", "Tax\t3"]


def test_the_heads_are_known_beside_the_text() -> None:
    assert rows_heads(RATES) == "Group, Applicants, Rate"
    two = [["Group", "Applicants", ""], ["", "men", "women"], ["A", "12", "15"]]
    assert rows_heads(two, head=2) == "Group, Applicants, men, women"
    assert rows_heads(RATES[1:]) == ""


def test_the_further_parts_of_a_long_table_are_under_its_heads() -> None:
    rows = "".join(f"<tr><td>Fee {n}</td><td>{n} March</td><td>{n},000 euros each year</td></tr>" for n in range(300))
    page = f"<h1>Fees</h1><table><tr><th>Name</th><th>Due</th><th>Amount</th></tr>{rows}</table>"
    document = parse(page.encode(), "fees.html")

    first, *further = [span for span in document.paragraphs if span.kind == "table"]
    assert words_of(document, first).startswith("Name\tDue\tAmount\nFee 0\t0 March")
    assert first.heading_path == ("Fees",)
    assert {span.heading_path for span in further} == {("Fees", "Name, Due, Amount")}


def test_heads_are_inferred_only_where_nothing_else_fits() -> None:
    assert has_head(RATES)
    assert not has_head([["Tenant", "Ann"], ["Rent", "900"], ["Deposit", "1800"]]), "names and values"
    assert not has_head(RATES[1:] * 2), "figures in the first row"
    assert not has_head([["A", "B", "C"], ["x", "y", "z"], ["u", "v", "w"]]), "rows without figures"
    assert not has_head([RATES[0], RATES[1], ["Women", "1181"]]), "a row is short"


def test_every_letter_of_a_table_of_a_pdf_has_its_place_on_the_page() -> None:
    lines = [
        Words(72 + 150 * column, 700 - 14 * row, cell)
        for row, cells in enumerate(RATES)
        for column, cell in enumerate(cells)
    ]
    document = parse(make_pdf([lines]), "rates.pdf")
    [text] = all_words(document)

    assert text == rows_text(RATES)
    boxes = page_boxes(document.pages[0])
    assert all(box.any() for letter, box in zip(text, boxes, strict=False) if not letter.isspace())


def test_a_table_of_a_web_page_keeps_its_caption_and_every_figure() -> None:
    page = (
        "<html><body><table><caption>Rents</caption><thead><tr><th>Floor</th><th>Month</th><th>Rent</th></tr></thead>"
        "<tr><td rowspan=2>First</td><td>May</td><td>900</td></tr><tr><td>June</td><td>950</td></tr>"
        "<tr><td>Second</td><td colspan=2>empty</td></tr><tr><td>Third</td><td>10</td><td>10</td></tr></table>"
    )

    assert all_words(parse(page.encode(), "rents.html")) == [
        "Rents\nFloor\tMonth\tRent\nFirst\tMay\t900\nFirst\tJune\t950\nSecond\tempty\nThird\t10\t10"
    ]
