"""Word files: tables that can be read row by row, notes in their places, changes as if accepted."""

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tests.corpora.parsers.builders import all_words, parse

FOOTNOTES = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
NOTES_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"


def read(build: Callable[[Any], None]) -> Any:
    document = docx.Document()
    build(document)
    out = io.BytesIO()
    document.save(out)
    return parse(out.getvalue(), "deed.docx")


def fill(table: Any, rows: list[list[str]]) -> None:
    for line, words in zip(table.rows, rows, strict=True):
        for cell, word in zip(line.cells, words, strict=True):
            cell.text = word


def test_a_table_has_the_words_of_the_file_and_no_others() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=3, cols=3)
        fill(table, [["Group", "Applicants", "Rate"], ["Men", "1390", "1.0"], ["Women", "1181", "0.979"]])

    [text] = all_words(read(build))
    assert text.split("\n") == ["Group\tApplicants\tRate", "Men\t1390\t1.0", "Women\t1181\t0.979"]


def test_names_and_values_are_side_by_side() -> None:
    def build(document: Any) -> None:
        fill(document.add_table(rows=3, cols=2), [["Tenant", "Ann Lee"], ["Rent", "900"], ["Deposit", "1800"]])

    assert all_words(read(build)) == ["Tenant\tAnn Lee\nRent\t900\nDeposit\t1800"]


def test_a_cell_over_two_rows_is_in_each() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=3, cols=2)
        fill(table, [["Floor", "Rent"], ["First", "nine hundred"], ["", "eight hundred"]])
        table.rows[0]._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))
        table.cell(1, 0).merge(table.cell(2, 0))

    assert all_words(read(build)) == ["Floor\tRent\nFirst\tnine hundred\nFirst\teight hundred"]


@pytest.mark.parametrize("span", ["²", "9" * 5000, "-1"])
def test_a_span_that_is_no_number_is_one_column(span: str) -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=1, cols=2)
        fill(table, [["Rent", "900"]])
        table.cell(0, 0)._tc.get_or_add_tcPr().append(parse_xml(f'<w:gridSpan {nsdecls("w")} w:val="{span}"/>'))

    assert all_words(read(build)) == ["Rent\t900"]


def test_a_table_in_a_cell_follows_its_table_and_is_read_once() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=1, cols=2)
        fill(table, [["Outer", "words"]])
        fill(table.cell(0, 1).add_table(rows=1, cols=2), [["Inner", "figures"]])

    assert all_words(read(build)) == ["Outer\twords", "Inner\tfigures"]


def add_notes(document: Any, notes: list[str]) -> None:
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    body = "".join(
        f'<w:footnote w:id="{n}"><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:footnote>'
        for n, words in enumerate(notes, 2)
    )
    separator = '<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
    blob = f"<w:footnotes {nsdecls('w')}>{separator}{body}</w:footnotes>".encode()
    part = Part(PackURI("/word/footnotes.xml"), FOOTNOTES, blob, document.part.package)
    document.part.relate_to(part, NOTES_RELATION)


def refer(paragraph: Any, note: int) -> None:
    paragraph._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="{note}"/></w:r>'))


def test_a_footnote_comes_after_the_paragraph_that_refers_to_it() -> None:
    def build(document: Any) -> None:
        add_notes(document, ["Of the first.", "Of the second.", "Of nothing."])
        refer(document.add_paragraph("First paragraph."), 2)
        refer(document.add_paragraph("Second paragraph."), 3)
        document.add_paragraph("Last paragraph.")

    assert all_words(read(build)) == [
        "First paragraph.",
        "1 Of the first.",
        "Second paragraph.",
        "2 Of the second.",
        "Last paragraph.",
        "3 Of nothing.",
    ]


def changed(kind: str, words: str) -> Any:
    text = "delText" if kind == "del" else "t"
    return parse_xml(f"<w:{kind} {nsdecls('w')}><w:r><w:{text}>{words}</w:{text}></w:r></w:{kind}>")


def test_changes_are_read_as_if_accepted_and_counted() -> None:
    def build(document: Any) -> None:
        line = document.add_paragraph("The rent is ")
        for kind, words in (("del", "ten"), ("ins", "twelve"), ("moveFrom", " gone"), ("moveTo", " a month.")):
            line._p.append(changed(kind, words))

    document = read(build)
    assert all_words(document) == ["The rent is twelve a month."]
    assert document.warnings == ("tracked_changes:4",)


def test_a_paragraph_whose_end_was_deleted_runs_into_the_next() -> None:
    def build(document: Any) -> None:
        line = document.add_paragraph("The tenant pays")
        mark = parse_xml(f"<w:rPr {nsdecls('w')}><w:del/></w:rPr>")
        line._p.get_or_add_pPr().append(mark)
        document.add_paragraph("the rent.")

    assert all_words(read(build)) == ["The tenant pays the rent."]


def test_a_deleted_row_is_not_read() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=2, cols=2)
        fill(table, [["Rent", "900"], ["Deposit", "1800"]])
        table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {nsdecls('w')}/>"))

    assert all_words(read(build)) == ["Rent\t900"]


def test_comments_are_counted_and_not_read() -> None:
    def build(document: Any) -> None:
        run = document.add_paragraph("The tenant pays.").runs[0]
        document.add_comment(run, text="Really?", author="Ann", initials="A")

    document = read(build)
    assert all_words(document) == ["The tenant pays."]
    assert document.warnings == ("comments:1",)


def test_headers_and_footers_are_read_once() -> None:
    def build(document: Any) -> None:
        document.add_paragraph("The tenant pays.")
        document.sections[0].header.paragraphs[0].text = "Privileged and confidential"
        document.sections[0].footer.paragraphs[0].text = "12"
        section = document.add_section()
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Privileged and confidential"

    assert all_words(read(build)) == ["The tenant pays.", "Privileged and confidential"]


@pytest.mark.parametrize("tag", ["w:footnoteReference", "w:endnoteReference"])
def test_a_reference_to_a_note_that_is_not_there_harms_nothing(tag: str) -> None:
    def build(document: Any) -> None:
        document.add_paragraph("Words.")._p.append(parse_xml(f'<w:r {nsdecls("w")}><{tag} w:id="99"/></w:r>'))

    assert all_words(read(build)) == ["Words."]
