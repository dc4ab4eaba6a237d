"""Reading a long document is stopped and started again from the page."""

from playwright.sync_api import expect

from tests.functional.browsing import Visitor
from tests.functional.product import ROOT, Firm
from tests.functional.test_uploading import open_new_corpus

LONG = ROOT / "corpora" / "demo_data" / "eu_ai_act_ep_corrigendum_2024-04-19.pdf"


def test_reading_a_long_document_is_cancelled_and_tried_again(manager: Visitor, firm: Firm) -> None:
    page = open_new_corpus(manager, firm, "Long")
    page.get_by_label("Files", exact=True).set_input_files(LONG)
    page.get_by_role("button", name="Add documents").click()
    row = page.locator("tr[data-state]")
    expect(row).to_have_attribute("data-state", "working")
    expect(row.get_by_role("progressbar")).to_be_visible()

    row.get_by_role("button", name="Cancel reading").click()
    expect(row).to_have_attribute("data-state", "cancelled")
    expect(row).to_contain_text("Cancelled")

    row.get_by_role("button", name="again").click()
    expect(row).to_have_attribute("data-state", "working")

    row.get_by_role("button", name="Cancel reading").click()
    expect(row).to_have_attribute("data-state", "cancelled")
