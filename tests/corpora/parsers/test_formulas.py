"""Formulas of web pages and Word files: in one line where they have one, flagged where they have none."""

import io

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from corpora.types import ParsedDocument
from tests.corpora.parsers.builders import all_words, parse

RATIO = "impact ratio = (selection rate of a category) / (selection rate of the most selected category)"
PAGE_RATIO = (
    "<mtext>impact ratio</mtext><mo>=</mo><mfrac><mrow><mtext>selection rate of a category</mtext></mrow>"
    "<mtext>selection rate of the most selected category</mtext></mfrac>"
)
WORD_RATIO = (
    "<m:r><m:t>impact ratio=</m:t></m:r><m:f><m:num><m:r><m:t>selection rate of </m:t></m:r><m:r><m:t>a category</m:t>"
    "</m:r></m:num><m:den><m:r><m:t>selection rate of the most selected category</m:t></m:r></m:den></m:f>"
)


def page(formula: str, *, around: str = "<p>The {} holds.</p>", name: str = "page.html") -> ParsedDocument:
    return parse(f"<html><body>{around.format(formula)}</body></html>".encode(), name)


def deed(*content: str) -> ParsedDocument:
    """A Word file; each content is a paragraph behind "The "."""
    document = docx.Document()
    for inside in content:
        line = document.add_paragraph("The ")
        line._p.append(parse_xml(f"<m:oMath {nsdecls('m', 'w')}>{inside}</m:oMath>"))
        line.add_run(" holds.")
    out = io.BytesIO()
    document.save(out)
    return parse(out.getvalue(), "deed.docx")


def e(words: str, *, part: str = "e") -> str:
    return f"<m:{part}><m:r><m:t>{words}</m:t></m:r></m:{part}>"


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (PAGE_RATIO, RATIO),
        ("<mi>a</mi><mo>-</mo><mfrac><mn>1</mn><mi>n</mi></mfrac><mi>b</mi>", "a − (1) / (n) b"),
        ("<mn>2</mn><mi>x</mi><mo>+</mo><mo>(</mo><mi>y</mi><mo>)</mo>", "2x + (y)"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"),
        ("<msub><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msub>", "x_(n + 1)"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", "∑_(i = 1)^n"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a + b)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "√[3](x)"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<semantics><mrow><mi>k</mi><mo>&#8290;</mo><mi>a</mi></mrow><annotation>k a</annotation></semantics>", "ka"),
    ],
)
def test_a_formula_of_a_page_is_written_in_one_line(inside: str, words: str) -> None:
    document = page(f"<math>{inside}</math>")
    assert all_words(document) == [f"The {words} holds."]
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (WORD_RATIO, RATIO),
        (f"<m:sSup>{e('x')}{e('2', part='sup')}</m:sSup>", "x^2"),
        (f"<m:sSubSup>{e('x')}{e('i', part='sub')}{e('n+1', part='sup')}</m:sSubSup>", "x_i^(n + 1)"),
        (f"<m:rad><m:deg/>{e('a+b')}</m:rad>", "√(a + b)"),
        (f"<m:rad>{e('3', part='deg')}{e('x')}</m:rad>", "√[3](x)"),
        (
            f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>{e('i', part='sub')}{e('n', part='sup')}{e('x')}</m:nary>",
            "∑_i^n x",
        ),
        (f"<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr>{e('a')}</m:d>", "[a]"),
        (f"<m:func>{e('max', part='fName')}<m:e><m:d>{e('a')}</m:d></m:e></m:func>", "max (a)"),
        ("<m:r><w:t>rent</w:t></m:r><w:del><m:r><m:t>gone</m:t></m:r></w:del>", "rent"),
    ],
)
def test_a_formula_of_a_word_file_is_written_in_one_line(inside: str, words: str) -> None:
    document = deed(inside)
    assert all_words(document) == [f"The {words} holds."]
    assert not any(warning.startswith("formulas") for warning in document.warnings)


@pytest.mark.parametrize(
    "inside",
    [
        "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
        "<mfrac linethickness='0'><mi>a</mi><mi>b</mi></mfrac>",
        "<menclose notation='updiagonalstrike'><mtext>a b</mtext></menclose>",
        "<mover accent='true'><mtext>a b</mtext><mo>¯</mo></mover>",
    ],
)
def test_a_formula_of_a_page_without_such_a_form_keeps_its_words_and_is_flagged(inside: str) -> None:
    document = page(f"<math>{inside}</math>")
    assert document.warnings == ("formulas_to_check:1",)
    assert "a" in document.text.split() or "(a b)^¯" in document.text
    assert "b" in document.text


def test_matrices_of_a_word_file_keep_their_words_and_are_counted() -> None:
    matrix = f"<m:m><m:mr>{e('a')}{e('b')}</m:mr><m:mr>{e('c')}{e('d')}</m:mr></m:m>"
    document = deed(matrix, matrix, WORD_RATIO)
    assert all_words(document)[0] == "The a b; c d holds."
    assert document.warnings == ("formulas_to_check:2",)


def test_a_formula_that_is_only_described_gives_its_description_and_is_flagged() -> None:
    document = page(r'<math alttext="\frac{a}{b}"></math>')
    assert all_words(document) == [r"The \frac{a}{b} holds."]
    assert document.warnings == ("formulas_to_check:1",)


def test_an_empty_formula_says_nothing() -> None:
    document = page("<math></math>")
    assert all_words(document) == ["The holds."]
    assert document.warnings == ()


def test_formulas_in_tables_and_with_a_prefix_are_read_too() -> None:
    formula = "<m:math><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac></m:math>"
    document = page(formula, around="<table><tr><td>Rate</td><td>{}</td></tr></table>")
    assert all_words(document) == ["Rate\t(a) / (b)"]


def test_a_formula_that_is_drawn_beside_its_words_is_read_once() -> None:
    drawn = (
        '<span class="katex"><span class="katex-mathml"><math><mi>a</mi><mo>=</mo><mi>b</mi></math></span>'
        '<span class="katex-html" aria-hidden="true">a=b</span></span>'
    )
    document = page(drawn)
    assert all_words(document) == ["The a = b holds."]
    assert document.warnings == ()


def test_a_formula_on_a_line_of_its_own_in_a_word_file_is_in_its_place() -> None:
    document = docx.Document()
    document.add_paragraph("Before.")
    line = document.add_paragraph("Where:")
    line._p.append(parse_xml(f"<m:oMathPara {nsdecls('m')}><m:oMath>{WORD_RATIO}</m:oMath></m:oMathPara>"))
    document.element.body.insert(-1, parse_xml(f"<m:oMath {nsdecls('m')}>{e('a=b')}</m:oMath>"))
    document.add_paragraph("After.")
    out = io.BytesIO()
    document.save(out)
    assert all_words(parse(out.getvalue(), "deed.docx")) == ["Before.", f"Where: {RATIO}", "a = b", "After."]


def test_formulas_in_markdown_and_e_mail_are_read_as_on_a_page() -> None:
    words = parse(f"The <math>{PAGE_RATIO}</math> holds for a &lt; b.".encode(), "page.md")
    assert all_words(words) == [f"The {RATIO} holds for a < b."]
    table = "<math><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable></math>"
    assert parse(f"One {table}.\n\nTwo {table}.".encode(), "page.md").warnings == ("formulas_to_check:2",)
    head = "From: a@b.example\nTo: c@d.example\nSubject: Ratio\nMIME-Version: 1.0\nContent-Type: text/html\n\n"
    mail = parse(f"{head}<p>The {table}</p>".encode(), "mail.eml")
    assert all_words(mail)[-1] == "The a"
    assert mail.warnings == ("formulas_to_check:1",)


def test_a_formula_nested_without_end_is_read_as_far_as_it_goes_and_flagged() -> None:
    document = page(f"<math>{'<msqrt>' * 150}<mi>x</mi>{'</msqrt>' * 150}</math>")
    assert document.warnings == ("formulas_to_check:1",)
