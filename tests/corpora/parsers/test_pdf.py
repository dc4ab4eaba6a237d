"""PDF: the law as a lawyer reads it - sections, items, paragraphs over page ends, columns, tables."""

import io
import json
import re
import zlib

import numpy as np
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle

from corpora.parsers.boxes import page_boxes
from corpora.types import ParsedDocument, RecognisedPage
from tests.corpora.parsers.builders import (
    LAW,
    PDFS,
    Words,
    all_words,
    cropped,
    find,
    make_pdf,
    paragraph_lines,
    parse,
    rotated,
    scanned_copy,
    words_of,
)

RULE = parse((LAW / "dcwp_final_rule.pdf").read_bytes(), "dcwp_final_rule.pdf")
CODE = parse((LAW / "admin_code_20-870_and_rule.pdf").read_bytes(), "admin_code.pdf")
BILL = parse((LAW / "int_1894-a_local_law_text.pdf").read_bytes(), "int_1894-a.pdf")
QUESTIONS = [json.loads(line) for line in (LAW / "ll144_questions.jsonl").read_text("utf-8").splitlines()]
TEXT = (
    "Every employer shall give notice to each candidate at least ten business days before the tool is used for them. "
)


def plain(text: str) -> str:
    straight = text.translate(str.maketrans("“”‘’–—", "\"\"''--"))
    return re.sub(r"\s+", " ", straight).strip().lower()


def has_section(document: ParsedDocument, section: str) -> bool:
    return any(span.label == f"§ {section}" for span in document.paragraphs)


@pytest.mark.parametrize("document", [RULE, CODE, BILL], ids=["rule", "code", "bill"])
def test_each_quote_of_the_questions_is_in_one_paragraph_of_its_section(document: ParsedDocument) -> None:
    checked = 0
    for question in QUESTIONS:
        for evidence in question["evidence"]:
            if not has_section(document, evidence["section"]):
                continue
            quote = plain(evidence["quote"])
            spans = [span for span in document.paragraphs if quote in plain(words_of(document, span))]
            assert any(f"§ {evidence['section']}" in " ".join(span.heading_path) for span in spans), quote
            checked += 1
    assert checked >= 5


def test_a_section_that_runs_into_its_text_heads_what_follows() -> None:
    heading = find(BILL, "§ 20-871")
    assert words_of(BILL, heading) == "§ 20-871 Requirements for automated employment decision tools."
    assert (heading.kind, heading.label) == ("heading", "§ 20-871")
    first = find(BILL, "a. In the city")
    assert first.heading_path[-2:] == (
        "Subchapter 25 Automated Employment Decision Tools",
        "§ 20-871 Requirements for automated employment decision tools",
    )
    assert first.label == "a."


def test_a_section_without_a_title_leaves_the_section_before() -> None:
    effect = find(BILL, "§ 2. This local law takes effect")
    assert (effect.kind, effect.label) == ("text", "§ 2")
    assert not any("20-874" in title for title in effect.heading_path)


def test_a_paragraph_over_a_page_end_is_one_paragraph_with_boxes_on_both_pages() -> None:
    span = find(BILL, "Bias audit. The term")
    text = words_of(BILL, span)
    assert "to assess the tool’s disparate impact on persons" in text
    assert text.count("testing of an automated employment decision tool") == 1
    first, second = BILL.pages[0], BILL.pages[1]
    assert span.start < first.end < span.end
    for page in (first, second):
        assert page_boxes(page).any(axis=1).mean() > 0.7


def test_running_headers_and_page_numbers_are_left_out() -> None:
    assert "powered by Legistar" not in BILL.text
    assert BILL.text.count("File #: Int 1894-2020") <= 1
    assert not any(re.fullmatch(r"\d+", words) for words in all_words(RULE))


def test_each_definition_is_a_paragraph() -> None:
    for term in ("Bias Audit.", "Code.", "Distribution Date.", "Employment Agency.", "Scoring Rate.", "Test data."):
        assert "§ 5-300. Definitions" in find(RULE, term).heading_path
    assert words_of(RULE, find(RULE, "Employment Agency.")).endswith("as defined by 6 RCNY § 5-249.")


def test_items_keep_their_numbers_as_labels() -> None:
    labels = [
        span.label
        for span in RULE.paragraphs
        if any(title.startswith("§ 5-303") for title in span.heading_path) and span.kind == "list"
    ]
    assert labels == ["(a)", "(1)", "(2)", "(b)", "(c)"]


def test_a_table_is_read_row_by_row_and_heads_no_section() -> None:
    tables = [words_of(RULE, span) for span in RULE.paragraphs if span.kind == "table"]
    assert any("Female\t1181\t555\t47%\t0.979" in table for table in tables)
    assert find(RULE, "§ 5-302").heading_path == ("Subchapter T: Automated Employment Decision Tools",)


def test_words_broken_at_line_ends_are_whole() -> None:
    assert "mathematical, computer-based techniques" in RULE.text
    opinion = parse((PDFS / "scotus_slip_opinion_2012.pdf").read_bytes(), "opinion.pdf")
    assert "that its interpretation would not intrude on any sovereign prerogative" in opinion.text
    assert "40 percent of the total runoff originating below the following existing" in opinion.text


def test_the_parts_of_an_opinion_are_headings() -> None:
    opinion = parse((PDFS / "state_opinion_missouri.pdf").read_bytes(), "opinion.pdf")
    headings = [words_of(opinion, span) for span in opinion.paragraphs if span.kind == "heading"]
    assert {"Introduction", "Background", "Standard of Review", "Discussion", "Conclusion"} <= set(headings)
    caption = next(words_of(opinion, span) for span in opinion.paragraphs if span.kind == "table")
    assert "NICHOLE MARIE JAGELS,\t)\tNo. ED108783" in caption


def test_numbered_paragraphs_of_an_opinion_carry_their_pilcrow() -> None:
    opinion = parse((PDFS / "state_opinion_23p_wrong_mime.pdf").read_bytes(), "opinion.pdf")
    labels = [span.label for span in opinion.paragraphs if span.label.startswith("¶")]
    assert labels[:12] == [f"¶ {number}" for number in range(1, 13)]


def test_two_columns_are_read_one_after_the_other() -> None:
    left = paragraph_lines(TEXT * 4, x=72, top=650, characters=44)
    right = paragraph_lines(TEXT.replace("Every", "No") * 4, x=320, top=650, characters=44)
    title = Words(200, 700, "A title over both columns of the page", size=16, bold=True)
    document = parse(make_pdf([[title, *left, *right]]), "columns.pdf")
    assert all_words(document) == [
        "A title over both columns of the page",
        " ".join((TEXT * 4).split()),
        " ".join((TEXT.replace("Every", "No") * 4).split()),
    ]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_boxes_of_a_turned_page_are_where_the_page_shows_them(degrees: int) -> None:
    data = make_pdf([[Words(72, 700, "Upper left words")]])
    x0, y0, x1, y1 = box_of(parse(data, "law.pdf"), "Upper")
    shown = {
        90: (792 - y1, x0, 792 - y0, x1),
        180: (612 - x1, 792 - y1, 612 - x0, 792 - y0),
        270: (y0, 612 - x1, y1, 612 - x0),
    }[degrees]
    turned = parse(rotated(data, degrees), "law.pdf")
    assert (turned.pages[0].width, turned.pages[0].height) == ((612, 792) if degrees == 180 else (792, 612))
    assert box_of(turned, "Upper") == pytest.approx(shown, abs=0.2)


def test_boxes_of_a_cropped_page_count_from_the_crop() -> None:
    data = make_pdf([[Words(172, 600, "Words inside")]])
    x0, y0, x1, y1 = box_of(parse(data, "law.pdf"), "Words")
    document = parse(cropped(data, 100, 100, 500, 692), "law.pdf")
    assert (document.pages[0].width, document.pages[0].height) == (400, 592)
    assert box_of(document, "Words") == pytest.approx((x0 - 100, y0 - 100, x1 - 100, y1 - 100), abs=0.2)


def box_of(document: ParsedDocument, word: str) -> tuple[float, ...]:
    start = document.text.index(word)
    boxes = page_boxes(document.pages[0])[start : start + len(word)] / 10
    return (*np.min(boxes[:, :2], axis=0).tolist(), *np.max(boxes[:, 2:], axis=0).tolist())


def test_footnotes_do_not_cut_a_paragraph_that_runs_over_the_page() -> None:
    body = paragraph_lines(TEXT * 3, x=72, top=300, characters=80)
    first = [*body[:3], Words(72, 120, "1", size=5), Words(76, 118, "A note below the text of the page.", size=8)]
    second = [Words(72, 720 - 12 * row, line.text) for row, line in enumerate(body[3:])]
    document = parse(make_pdf([first, second]), "notes.pdf")
    assert " ".join((TEXT * 3).split()) in all_words(document)
    assert [span.page for span in document.paragraphs] == [1, 1]


def test_the_printed_page_labels_are_kept() -> None:
    opinion = parse((PDFS / "appeal_opinion_10p.pdf").read_bytes(), "opinion.pdf")
    assert [page.number for page in opinion.pages] == list(range(1, 11))
    assert all(page.label for page in opinion.pages)


def test_a_sentence_at_the_foot_of_every_page_is_read_once() -> None:
    notice = Words(72, 60, "Nothing in this notice is legal advice to its reader.", 8)
    pages = [
        [Words(72, 700, f"Words number {n} of {'abcdefgh'[n]}."), notice, Words(300, 30, str(n + 1))] for n in range(5)
    ]
    assert all_words(parse(make_pdf(pages), "notice.pdf")).count(notice.text) == 1


def test_pages_that_look_alike_are_not_taken_for_headers() -> None:
    pages = [[Words(72, 700, f"Coupon {n}"), Words(300, 30, str(n + 1))] for n in range(5)]
    words = " ".join(all_words(parse(make_pdf(pages), "coupons.pdf")))
    assert words == "Coupon 0 Coupon 1 Coupon 2 Coupon 3 Coupon 4"


def test_a_file_that_was_cut_off_gives_its_whole_pages_and_names_the_others() -> None:
    whole = make_pdf([[Words(72, 700, f"The words of page {'abcdefghij'[n]}.")] for n in range(10)])
    document = parse(whole[: int(len(whole) * 0.6)], "cut.pdf")
    assert document.warnings == ("partial", "pages_missing:8-10")
    assert all_words(document) == [
        f"The words of page {letter}." for letter in "abcdef"
    ]  # of page 7 the words are cut off


def test_a_page_of_a_damaged_file_is_named_and_the_others_are_read() -> None:
    whole = make_pdf([[Words(72, 700, f"The words of page {'abcd'[n]}.")] for n in range(4)])
    hurt = whole.replace(b"7 0 obj\n<< /Type /Page ", b"7 0 obj\n<< /Type /Pxge ", 1)
    document = parse(hurt, "hurt.pdf")
    assert "The words of page d." in document.text


def test_words_beside_the_page_are_not_read() -> None:
    document = parse(make_pdf([[Words(72, 700, "On the page."), Words(72, 900, "Beside the page.")]]), "layers.pdf")
    assert all_words(document) == ["On the page."]


def test_roman_page_labels_are_kept() -> None:
    source = PdfWriter(
        clone_from=PdfReader(io.BytesIO(make_pdf([[Words(72, 700, f"Page {n} says so.")] for n in "abc"])))
    )
    source.set_page_label(0, 1, style=PageLabelStyle.LOWERCASE_ROMAN)
    source.set_page_label(2, 2, style=PageLabelStyle.DECIMAL, start=1)
    out = io.BytesIO()
    source.write(out)
    assert [page.label for page in parse(out.getvalue(), "labels.pdf").pages] == ["i", "ii", "1"]


def recognised(lines: list[str]) -> RecognisedPage:
    """A scanned page of lines at its middle, each in its own paragraph."""
    boxes = [(200, 600 + 600 * row, 400, 720 + 600 * row) for row, line in enumerate(lines) for _ in line.split()]
    packed = zlib.compress(np.array(boxes, dtype="<u2").tobytes())
    return RecognisedPage(1, "\n".join(lines), packed, 0.9)


def test_what_recognition_makes_of_a_map_is_no_heading() -> None:
    page = recognised(
        [
            "SVSNVAYV",
            "~WW RIVER | BASIN",
            "RIVER BASIN",
            "The basin of the river is",
            "shared by four states.",
            "§ 2 Water",
        ]
    )
    document = parse(scanned_copy([["A map"]]), "map.pdf", recognised=(page,))

    headings = [words_of(document, span) for span in document.paragraphs if span.kind == "heading"]
    assert headings == ["RIVER BASIN", "§ 2 Water"]
    assert "SVSNVAYV" in document.text


def test_a_reference_that_moved_to_the_next_line_goes_on_with_its_sentence() -> None:
    lines = [
        "8. Deployers of high-risk AI systems shall comply with the obligations of registration",
        "and with all of the other obligations of this Regulation that are referred to in",
        "Article 49. When such deployers find that a system is not registered, they shall not use",
        "that system and shall inform the provider or the distributor of the system without delay.",
    ]
    page = [Words(72, 700 - 12 * row, line) for row, line in enumerate(lines)]

    assert all_words(parse(make_pdf([page]), "act.pdf")) == [" ".join(lines)]


def test_a_reference_that_opens_a_line_of_a_paragraph_opens_no_article() -> None:
    law = PdfReader(LAW / "eu_ai_act_ep_corrigendum_2024-04-19.pdf")
    excerpt, stream = PdfWriter(), io.BytesIO()
    for page in law.pages[236:239]:
        excerpt.add_page(page)
    excerpt.write(stream)

    document = parse(stream.getvalue(), "excerpt.pdf")

    paragraph = find(document, "8. Deployers of high-risk AI systems that are public authorities")
    words = " ".join(words_of(document, paragraph).split())
    assert "the registration obligations referred to in Article 49. When such deployers find" in words
