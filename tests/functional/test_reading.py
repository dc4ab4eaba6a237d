"""A citation opens the page it quotes, with the quoted words marked."""

import re
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from tests.functional.browsing import QUESTION, Visitor, wait_for_reader
from tests.functional.product import ROOT, Firm

DEMO_DATA = ROOT / "corpora" / "demo_data"
NEAR_POINTS = 2.0
NEAR_PIXELS = 1.5
MARKS_ON_PAGE = """
(page) => {
  const sheet = page.getBoundingClientRect();
  return [...page.querySelectorAll(".pdf-hit")].map((mark) => {
    const box = mark.getBoundingClientRect();
    const under = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return {
      x0: box.left - sheet.left, y0: box.top - sheet.top, x1: box.right - sheet.left, y1: box.bottom - sheet.top,
      width: sheet.width, height: sheet.height,
      words: under.filter((e) => e.matches(".textLayer span")).map((e) => e.textContent).join(" "),
    };
  });
}
"""


@dataclass(frozen=True)
class Box:
    """In points from the top left corner of a page."""

    x0: float
    y0: float
    x1: float
    y1: float

    def is_near(self, other: "Box") -> bool:
        pairs = zip((self.x0, self.y0, self.x1, self.y1), (other.x0, other.y0, other.x1, other.y1), strict=True)
        return all(abs(a - b) <= NEAR_POINTS for a, b in pairs)


def boxes_by_pdfium(name: str, number: int, quote: str) -> list[Box]:
    """Where PDFium's own search finds the words, a box a line."""
    page = pypdfium2.PdfDocument(DEMO_DATA / name)[number - 1]
    text, height = page.get_textpage(), page.get_height()
    found = text.search(quote).get_next()
    assert found is not None, f"PDFium does not find {quote!r} on page {number}"
    index, count = found
    lines: list[Box] = []
    for at in range(index, index + count):
        left, bottom, right, top = text.get_charbox(at, loose=True)
        if not text.get_text_range(at, 1).strip() or right <= left:
            continue
        box = Box(left, height - top, right, height - bottom)
        last = lines[-1] if lines else None
        if last and abs(last.y1 - box.y1) < (box.y1 - box.y0) / 2:
            lines[-1] = Box(min(last.x0, box.x0), min(last.y0, box.y0), max(last.x1, box.x1), max(last.y1, box.y1))
        else:
            lines.append(box)
    return lines


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text)


def rects_of(page: Page) -> dict[str, Any]:
    url = page.locator("#reader").get_attribute("data-rects-url")
    assert url
    answer: dict[str, Any] = page.request.get(url).json()
    return answer


@pytest.mark.parametrize("question", [QUESTION, "For how long must the summary of results stay posted?"])
def test_a_citation_opens_at_its_page_with_the_quoted_words_marked(question: str, lawyer: Visitor, firm: Firm) -> None:
    lawyer.ask(firm, question)
    page = lawyer.page
    answer_url = page.url.partition("?")[0]  # without "?new=1", which the page drops once it has read it out
    mark = page.locator("[data-cite]").first
    quote = page.locator(".cite-card .quote").first.text_content()
    assert quote
    mark.click()
    expect(page.frame_locator("#source-panel iframe").locator(".pdf-hit").first).to_be_visible()
    cards = page.locator(".cite-card:visible")
    assert cards.evaluate_all("cards => cards.filter((card) => card.getBoundingClientRect().left < 0).length") == 0
    page.get_by_role("link", name="Open in full").click()
    wait_for_reader(page)

    found = rects_of(page)
    number = found["quotes"][0]["page"]
    assert found["quotes"][0]["text"] == quote.strip("“”")
    assert page.locator("#page-number").input_value() == str(number)
    name = next(name for name, key in firm.documents.items() if key in page.url)
    marked = [Box(r["x0"], r["y0"], r["x1"], r["y1"]) for r in found["rects"]]
    expected = boxes_by_pdfium(name, number, found["quotes"][0]["text"])
    assert len(marked) == len(expected)
    assert all(a.is_near(b) for a, b in zip(marked, expected, strict=True)), (marked, expected)

    sheet = page.locator(f"#page-{number}")
    shown = sheet.evaluate(MARKS_ON_PAGE)
    assert len(shown) == len(marked)
    scale = shown[0]["width"] / pypdfium2.PdfDocument(DEMO_DATA / name)[number - 1].get_width()
    for drawn, box in zip(shown, marked, strict=True):
        assert 0 <= drawn["x0"] < drawn["x1"] <= drawn["width"]
        assert 0 <= drawn["y0"] < drawn["y1"] <= drawn["height"]
        for side in ("x0", "y0", "x1", "y1"):
            assert abs(drawn[side] - getattr(box, side) * scale) <= NEAR_PIXELS
        assert letters(drawn["words"]), "the drawn text lies under the mark"
        assert letters(drawn["words"]) in letters(quote) or letters(quote) in letters(drawn["words"]) or len(shown) > 1
    expect(sheet.locator(".pdf-hit").first).to_be_in_viewport()

    page.keyboard.press("Escape")
    page.wait_for_url(answer_url)
    expect(page.locator("[data-claim]").first).to_be_visible()


def test_a_passage_that_crosses_a_page_break_is_marked_on_both_pages(lawyer: Visitor, firm: Firm) -> None:
    page = lawyer.page
    document = firm.documents["int_1894-a_local_law_text.pdf"]
    assert firm.across_pages
    for place in firm.across_pages:
        page.goto(firm.path(f"documents/{document}/?v=1&at={place}"))
        wait_for_reader(page)
        first, second = sorted({rect["page"] for rect in rects_of(page)["rects"]})
        assert second == first + 1
        expect(page.locator("#hit-position")).to_have_text("1 of 1")
        for number in (first, second):
            page.locator(f"#page-{number} .pdf-hit").first.scroll_into_view_if_needed()
            expect(page.locator(f"#page-{number} .pdf-hit").first).to_be_in_viewport()
        bottom_of_first = page.locator(f"#page-{first}").evaluate(MARKS_ON_PAGE)[-1]
        top_of_second = page.locator(f"#page-{second}").evaluate(MARKS_ON_PAGE)[0]
        assert bottom_of_first["y1"] > bottom_of_first["height"] / 2
        assert top_of_second["y0"] < top_of_second["height"] / 2


def test_the_reader_turns_pages_zooms_and_follows_its_outline(lawyer: Visitor, firm: Firm) -> None:
    page = lawyer.page
    page.goto(firm.path(f"documents/{firm.documents['dcwp_final_rule.pdf']}/"))
    wait_for_reader(page)
    page.get_by_role("button", name="Next page").click()
    expect(page.locator("#page-number")).to_have_value("2")
    expect(page.locator("#page-2[data-painted]")).to_be_visible()
    page.locator("#page-number").fill("7")
    page.locator("#page-number").press("Enter")
    expect(page.locator("#page-7[data-painted]")).to_be_in_viewport()

    before = page.locator("#page-7").evaluate("e => e.offsetWidth")
    page.get_by_role("button", name="Larger").click()
    page.wait_for_function("before => document.getElementById('page-7').offsetWidth > before", arg=before)
    expect(page.locator("#page-7")).to_be_in_viewport()
