"""The whole way without a mouse."""

from playwright.sync_api import Page, expect

from tests.functional.browsing import QUESTION
from tests.functional.conftest import Opened
from tests.functional.product import Firm

FOCUS = """
() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    name: `${at.tagName} ${at.id || at.className || at.textContent.slice(0, 40)}`,
    isVisible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    isOnScreen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}
"""


def tab_to(page: Page, selector: str, *, at_most: int = 60) -> None:
    """Press Tab until the element has the focus, which must be visible on every stop."""
    for _ in range(at_most):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        assert focus["isVisible"], f"{focus['name']} shows no focus"
        assert focus["isOnScreen"], f"{focus['name']} is focused off the screen"
        if page.locator(selector).first.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"{selector} was not reached with {at_most} presses of Tab")


def test_signing_in_asking_and_opening_a_citation_need_no_mouse(open_window: Opened, firm: Firm) -> None:
    page = open_window().page
    page.goto(firm.links["lawyer"])
    tab_to(page, "button[type=submit]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()

    page.wait_for_load_state()  # its scripts listen to keys from then on
    page.keyboard.press("/")
    expect(page.locator("#question-text")).to_be_focused()
    page.keyboard.type(QUESTION)
    tab_to(page, "select[name=corpus]", at_most=1)
    page.keyboard.type("NYC")
    expect(page.locator("select[name=corpus]")).to_have_value(firm.corpora["law"])
    tab_to(page, "#ask-submit", at_most=3)
    page.keyboard.press("Enter")
    expect(page.locator("#answer-body[data-state=answered]")).to_be_visible()

    page.wait_for_load_state()
    tab_to(page, "[data-cite]")
    expect(page.locator(".cite-card").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".cite-card").first).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.frame_locator("#source-panel iframe").locator(".pdf-hit").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#source-panel")).to_be_hidden()
    expect(page.locator("[data-cite]").first).to_be_focused()


def test_a_question_a_follow_up_and_a_memo_need_no_mouse(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["lawyer"]).page
    page.goto(firm.path())
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#answer-body")).to_be_focused()
    expect(page.locator("#answer-said")).to_contain_text("Answered")

    page.keyboard.press("/")
    page.keyboard.type("And for later ones?")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator("#answer-body")).to_be_focused()

    tab_to(page, "#memo-menu")
    page.keyboard.press("Enter")
    tab_to(page, "#memo-docx", at_most=1)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".docx")


def test_the_first_press_of_tab_offers_to_skip_to_the_content(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["lawyer"]).page
    page.goto(firm.path())
    page.goto(firm.path("corpora/"))
    tab_to(page, ".skip-link", at_most=1)
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_the_account_menu_opens_and_closes_by_keys(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["lawyer"]).page
    page.goto(firm.path())
    page.goto(firm.path())
    tab_to(page, "#account-menu summary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    expect(page.locator("#account-menu summary")).to_be_focused()


def test_enter_in_find_a_document_finds_it_and_does_not_ask(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["lawyer"]).page
    page.goto(f"{firm.path()}?corpus={firm.corpora['law']}")
    page.get_by_label("Your question").fill(QUESTION)
    page.locator("#ask-settings > summary").click()
    page.locator("#ask-documents > summary").click()
    documents = page.locator("#ask-documents-list input[type=checkbox]")
    expect(documents).to_have_count(3)

    page.get_by_label("Find a document").fill("no such title")
    page.keyboard.press("Enter")
    expect(page.locator("#ask-documents-list")).to_contain_text("No document of this corpus has these words")
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)
