"""A manager chooses how documents are split, sees it first, and reads what a new version changed."""

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.functional.browsing import Visitor, row_of, take_shot
from tests.functional.product import Firm
from tests.functional.test_screens import LOW_CONTRAST, NARROW, STICKS_OUT, WIDE
from tests.functional.test_uploading import open_new_corpus

SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")

ARTICLES = (
    "# House rules\n\n"
    "Article 1. The tenant pays the rent on the first day of each month. Late rent bears interest.\n\n"
    "Article 2. The landlord repairs the roof and the walls. The tenant keeps the garden.\n\n"
    "Article 3. Either party may end the lease at the end of a month. The notice is three months long.\n"
)


@pytest.fixture
def rules(manager: Visitor, firm: Firm, tmp_path: Path) -> Page:
    """A corpus with one document that is ready."""
    page = open_new_corpus(manager, firm, "House rules")
    add(page, tmp_path / "rules.md", ARTICLES)
    expect(page.locator("tr[data-state=ready]")).to_have_count(1)
    return page


def add(page: Page, file: Path, text: str) -> None:
    file.write_text(text)
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_role("button", name="Add documents").click()


def look_at(page: Page, shots: str, name: str) -> None:
    """Wide and narrow, by day and by night: nothing sticks out, everything can be read."""
    for size in (WIDE, NARROW):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.reload()  # or the colours would still be changing
            take_shot(page, shots, f"{name}-{size['width']}-{scheme}")
            assert (page.evaluate(STICKS_OUT), page.evaluate(LOW_CONTRAST)["low"]) == ([], [])
    page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})


def test_the_pieces_are_shown_first_and_the_corpus_is_re_indexed(rules: Page, shots: str, tmp_path: Path) -> None:
    corpus = rules.url
    rules.get_by_role("link", name="How documents are split for searching").click()
    rules.get_by_label("How to split").select_option(label="By a delimiter of your documents")
    expect(rules.locator("#suggestions")).to_contain_text("3 times in 1 document")
    rules.get_by_role("link", name="Articles", exact=True).click()
    expect(rules.locator(".piece")).to_have_count(4)
    look_at(rules, shots, "chunking")
    rules.get_by_label("Minimum chunk size, in tokens").fill("40")
    rules.get_by_label("Minimum chunk size, in tokens").blur()
    expect(rules.locator(".piece")).to_have_count(2)

    rules.get_by_role("button", name="Rebuild the index").click()
    expect(rules.locator("#messages")).to_contain_text("being rebuilt")
    expect(rules.locator("#index-state")).to_contain_text("In use. By a delimiter of your documents")
    expect(rules.locator("#index-state progress")).to_have_count(0)

    rules.goto(corpus)
    add(rules, tmp_path / "rules.md", ARTICLES.replace("three months", "two months") + "\nPets are allowed.\n")
    expect(row_of(rules, "rules.md").locator("[data-label=Version]")).to_have_text("2")
    expect(rules.locator("tr[data-state=ready]")).to_have_count(1)
    rules.locator("tr[data-state=ready] a").first.click()
    rules.get_by_role("link", name="What changed").click()
    look_at(rules, shots, "versions")
    rules.locator("#version-table a", has_text="1 changed").click()

    expect(rules.locator("ins")).to_contain_text(["two"])
    expect(rules.locator("del")).to_contain_text(["three"])
    rules.wait_for_load_state()  # its script listens to keys from then on
    rules.keyboard.press("n")
    expect(rules.locator("#change-1")).to_be_focused()
    expect(rules.locator("#change-position")).to_have_text("1 of 2")
    look_at(rules, shots, "changes")
    rules.keyboard.press("p")
    expect(rules.locator("#change-2")).to_be_focused()
    rules.locator("#change-2").get_by_role("link", name="Open at this place").click()
    expect(rules.locator("mark")).to_have_text("Pets are allowed.")
