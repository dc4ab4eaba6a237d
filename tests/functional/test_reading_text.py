"""Documents without pages are read as text, with the same marks."""

from playwright.sync_api import expect

from tests.functional.browsing import Visitor, wait_for_reader
from tests.functional.product import Firm
from tests.functional.test_uploading import open_new_corpus

POLICY = """# Retention policy

## 1. Keeping records

The clerk keeps each file for seven years after the matter is closed.

## 2. Destroying records

A file is shredded within thirty days of the end of its term.
"""


def test_a_cited_sentence_of_a_text_document_is_marked_and_in_view(manager: Visitor, firm: Firm) -> None:
    page = open_new_corpus(manager, firm, "Policies")
    page.get_by_label("Files", exact=True).set_input_files(
        {"name": "retention.md", "mimeType": "text/markdown", "buffer": POLICY.encode()}
    )
    page.get_by_role("button", name="Add documents").click()
    expect(page.locator("tr[data-state=ready]")).to_have_count(1)

    page.get_by_role("link", name="Ask this corpus").click()
    page.get_by_label("Your question").fill("For how many years does the clerk keep each file?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#answer-body[data-state=answered]")).to_be_visible()
    quote = page.locator(".cite-card .quote").first.text_content() or ""
    page.locator("[data-cite]").first.click()
    expect(page.frame_locator("#source-panel iframe").locator("mark[data-highlight]").first).to_contain_text(
        "seven years"
    )
    page.get_by_role("link", name="Open in full").click()
    wait_for_reader(page)
    mark = page.locator("mark[data-highlight]").first
    expect(mark).to_be_in_viewport()
    expect(mark).to_have_text(quote.strip("“”"))
    expect(mark).to_contain_text("seven years")
    page.keyboard.press("Escape")
    expect(page.locator("#answer-body[data-state=answered]")).to_be_visible()
