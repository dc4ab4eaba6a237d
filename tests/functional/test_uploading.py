"""A manager brings documents in."""

import base64
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.functional.browsing import Visitor, row_of
from tests.functional.conftest import Opened
from tests.functional.product import ROOT, Firm

FILES = ROOT / "tests" / "data" / "pdfs"
OPINION, LOCKED, NO_PDF = "state_opinion_missouri.pdf", "encrypted_user_password.pdf", "html_named_pdf.pdf"
RECORD_STATES = """
window.statesSeen = [];
new MutationObserver(() => {
  for (const row of document.querySelectorAll("tr[data-state]"))
    if (window.statesSeen.at(-1) !== row.dataset.state) window.statesSeen.push(row.dataset.state);
}).observe(document.body, { subtree: true, childList: true });
"""
MAKE_TRANSFER = """
(files) => {
  const transfer = new DataTransfer();
  for (const { name, data } of files) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type: "application/pdf" }));
  }
  return transfer;
}
"""


def open_new_corpus(visitor: Visitor, firm: Firm, name: str) -> Page:
    page = visitor.page
    page.goto(firm.path("corpora/"))
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Create corpus").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page


def drop(page: Page, files: Sequence[Path]) -> None:
    content = [{"name": file.name, "data": base64.b64encode(file.read_bytes()).decode()} for file in files]
    transfer = page.evaluate_handle(MAKE_TRANSFER, content)
    page.dispatch_event("#document-table", "drop", {"dataTransfer": transfer})


def test_a_chosen_file_is_watched_until_it_is_ready_without_a_reload(manager: Visitor, firm: Firm) -> None:
    page = open_new_corpus(manager, firm, "One opinion")
    page.evaluate(RECORD_STATES)
    with page.expect_file_chooser() as chooser:
        page.get_by_label("Files", exact=True).click()
    chooser.value.set_files(FILES / OPINION)
    page.get_by_role("button", name="Add documents").click()

    expect(page.locator("#upload-results")).to_contain_text("1 file was added")
    expect(page.locator("tr[data-state=ready]")).to_contain_text("5")
    seen = page.evaluate("window.statesSeen")  # gone if the page had been loaded again
    assert seen[-1] == "ready"
    assert set(seen[:-1]) & {"waiting", "working"}
    expect(page.locator("tr[data-state] progress")).to_have_count(0)


def test_several_files_are_dropped_at_once_and_the_refused_one_says_why(manager: Visitor, firm: Firm) -> None:
    page = open_new_corpus(manager, firm, "Dropped")
    manager.may_meet(422)  # the answer to a refused file
    drop(page, [FILES / OPINION, FILES / NO_PDF, FILES / "encrypted_owner_only.pdf"])

    refused = page.locator("#upload-results .upload-file[data-accepted=false]")
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text(NO_PDF)
    expect(refused).to_contain_text("This is not a PDF file")
    expect(page.locator("tr[data-state=ready]")).to_have_count(2)
    expect(page.locator("tr[data-state]")).to_have_count(2)


def test_the_upload_works_without_javascript(signed_in: Opened, firm: Firm) -> None:
    visitor = signed_in(firm.people["corpus_manager"], java_script_enabled=False)
    visitor.may_meet(422)
    page = open_new_corpus(visitor, firm, "Without scripts")
    page.get_by_label("Files", exact=True).set_input_files([FILES / OPINION, FILES / "empty.pdf"])
    page.get_by_role("button", name="Add documents").click()
    expect(page.get_by_text("The file is empty (0 bytes)")).to_be_visible()

    page.get_by_role("link", name="Back to the corpus").click()
    expect(page.locator("tr[data-state]")).to_have_count(1)
    for _ in range(120):
        if page.locator("tr[data-state=ready]").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator("tr[data-state=ready]")).to_have_count(1)


def list_refreshed(page: Page) -> None:
    """The list is fetched again, as it is when another of its documents has been read."""
    page.evaluate("document.getElementById('document-table').dataset.former = ''")
    page.evaluate("document.body.dispatchEvent(new CustomEvent('documents-changed'))")
    expect(page.locator("#document-table[data-former]")).to_have_count(0)


def test_a_locked_file_asks_for_its_password_and_becomes_ready(manager: Visitor, firm: Firm) -> None:
    page = open_new_corpus(manager, firm, "Locked")
    page.get_by_label("Files", exact=True).set_input_files(FILES / LOCKED)
    page.get_by_role("button", name="Add documents").click()
    row = page.locator("tr[data-state=password_needed]")
    expect(row).to_contain_text("Password needed")

    row.get_by_role("textbox").fill("not the password")
    list_refreshed(page)
    expect(row.get_by_role("textbox")).to_have_value("not the password")
    row.get_by_role("button", name="Unlock").click()
    expect(page.get_by_text("The password does not open the file").first).to_be_visible()

    row.get_by_role("textbox").fill("correct-horse")
    row.get_by_role("button", name="Unlock").click()
    expect(page.locator("tr[data-state=ready]")).to_have_count(1)
    expect(row_of(page, "1894")).to_be_visible()
