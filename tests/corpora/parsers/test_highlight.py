"""A span of text becomes rectangles that lie on its words."""

import numpy as np
import pypdfium2 as pdfium
import pytest

from corpora.parsers.boxes import boxes_pack, page_boxes
from corpora.parsers.highlight import Rect, span_rects
from corpora.types import PageSpan
from tests.corpora.parsers.builders import LAW, parse

DATA = (LAW / "int_1894-a_local_law_text.pdf").read_bytes()
BILL = parse(DATA, "bill.pdf")


def rects_of(phrase: str) -> tuple[Rect, ...]:
    start = BILL.text.index(phrase)
    return span_rects(BILL.pages, start, start + len(phrase))


def test_a_phrase_on_one_line_is_one_rectangle() -> None:
    (rect,) = rects_of("not less than $500")
    assert rect.page == 3
    assert 10 < rect.y1 - rect.y0 < 20


def test_a_phrase_over_two_lines_is_two_rectangles() -> None:
    rects = rects_of("unlawful for an employer or an employment agency")
    assert [rect.page for rect in rects] == [2, 2]
    assert rects[0].y1 <= rects[1].y0 + 1


def test_a_phrase_over_a_page_end_has_rectangles_on_both_pages() -> None:
    assert [rect.page for rect in rects_of("tool to assess the tool’s disparate impact")] == [1, 2]


@pytest.mark.parametrize("phrase", ["not less than $500", "disparate impact on persons", "Bias audit. The term"])
def test_the_words_under_the_rectangles_are_the_words_of_the_phrase(phrase: str) -> None:
    document = pdfium.PdfDocument(DATA)
    seen = []
    for rect in rects_of(phrase):
        page = document[rect.page - 1]
        height = page.get_height()
        textpage = page.get_textpage()
        seen.append(textpage.get_text_bounded(rect.x0, height - rect.y1, rect.x1, height - rect.y0).strip())
        textpage.close()
        page.close()
    document.close()
    assert " ".join(seen) == phrase


def test_formats_without_pages_have_no_rectangles() -> None:
    notes = parse(b"Fees are due.", "notes.txt")
    assert span_rects(notes.pages, 0, 4) == ()


def test_boxes_that_do_not_fit_their_page_are_refused() -> None:
    packed = boxes_pack(np.zeros((3, 4), dtype=np.uint16))
    assert page_boxes(PageSpan(1, "1", 0, 3, 10.0, 10.0, packed)).shape == (3, 4)
    for page in (PageSpan(1, "1", 0, 4, 10.0, 10.0, packed), PageSpan(1, "1", 0, 3, 10.0, 10.0, b"junk")):
        with pytest.raises(ValueError, match="page 1"):
            page_boxes(page)
