"""An expert grades thirty items by keyboard alone, with the browser closed half way."""

import json
from statistics import median
from typing import Any

from playwright.sync_api import Page, expect

from tests.functional.browsing import Visitor
from tests.functional.conftest import Opened
from tests.functional.product import Firm

N_ITEMS = 30


class Keys:
    """Presses keys and counts them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.counts: list[int] = []

    def begin(self) -> None:
        self.counts.append(0)

    def press(self, key: str) -> None:
        self.counts[-1] += 1
        self.page.keyboard.press(key)


def item_file() -> bytes:
    lines: list[dict[str, Any]] = [
        {
            "question": f"When is instalment {n} due?",
            "question_type": ("short", "long", "listed")[n % 3],
            "answers": [
                {
                    "system": "System-Gamma",
                    "text": f"On day {n} [1].",
                    "passages": [{"title": "Loan agreement", "text": f"Instalment {n} is due on day {n}."}],
                }
            ],
        }
        for n in range(1, N_ITEMS + 1)
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def make_campaign(manager: Visitor, firm: Firm) -> str:
    """Made on the page of the lead, for the annotator. Returns the address of the campaign."""
    page = manager.page
    page.goto(firm.path(f"corpora/{firm.corpora['law']}/campaigns/"))
    page.locator("#campaign-name").fill("Instalments")
    page.locator("#campaign-file").set_input_files(
        {"name": "items.jsonl", "mimeType": "application/x-ndjson", "buffer": item_file()}
    )
    page.get_by_label("Harding Annotator", exact=False).check()
    page.get_by_role("button", name="Create campaign").click()
    expect(page.get_by_role("heading", name="Instalments")).to_be_visible()
    return page.url


def begin(visitor: Visitor, firm: Firm) -> Keys:
    """From the annotator's home, with the one key that begins."""
    page = visitor.page
    page.goto(firm.path("annotation/"))
    page.locator("button[autofocus]").wait_for()
    page.keyboard.press("Enter")
    wait_for_item(page)
    return Keys(page)


def wait_for_item(page: Page) -> None:
    page.locator("form[data-ready=true]").wait_for()


def grade_item(keys: Keys, values: str) -> str:
    """Grade the open item, one digit a criterion; the last one submits. Returns its question."""
    question = keys.page.locator("h1").inner_text()
    keys.begin()
    for value in values[:-1]:
        keys.press(value)
    with keys.page.expect_navigation():
        keys.press(values[-1])
    return question


def test_thirty_items_by_keyboard_alone_with_the_browser_closed_half_way(
    signed_in: Opened, manager: Visitor, firm: Firm
) -> None:
    address = make_campaign(manager, firm)
    annotator = firm.people["annotator"]
    keys = begin(signed_in(annotator), firm)
    keys.page.keyboard.press("a")  # the last grade submits from now on
    seen = []
    for _ in range(15):
        seen.append(grade_item(keys, "432145"))
        wait_for_item(keys.page)
    left_open = keys.page.locator("h1").inner_text()
    for value in "54":
        keys.page.keyboard.press(value)
    keys.page.keyboard.press("n")
    keys.page.keyboard.type("12, as the lease says")
    expect(keys.page.locator("#grading-note")).to_have_value("12, as the lease says")
    keys.page.keyboard.press("Escape")
    keys.page.keyboard.press("Control+s")
    expect(keys.page.locator("[data-saved]")).to_contain_text("Draft saved")  # only once all of it is
    keys.page.context.close()

    again = begin(signed_in(annotator), firm)
    page = again.page
    assert page.locator("h1").inner_text() == left_open
    expect(page.locator("input[name=grade_faithfulness]:checked")).to_have_value("5")
    expect(page.locator("input[name=grade_answer_relevancy]:checked")).to_have_value("4")
    expect(page.locator("#grading-note")).to_have_value("12, as the lease says")
    expect(page.locator("input[name=grade_clarity]:checked")).to_have_count(0)
    page.keyboard.press("a")
    again.begin()
    for value in "321":
        again.press(value)
    with page.expect_navigation():
        again.press("5")
    for _ in range(14):
        wait_for_item(page)
        seen.append(grade_item(again, "555c32"))
    expect(page.get_by_text("Nothing is left for you in this campaign")).to_be_visible()

    assert len({*seen, left_open}) == N_ITEMS
    assert median([*keys.counts, *again.counts]) <= 6
    manager.page.goto(address)
    expect(manager.page.locator("[data-label=Done]")).to_have_text(str(N_ITEMS))
