"""Getting in and out."""

import re

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import Opened
from tests.functional.product import Firm


def test_a_one_time_link_signs_in_once(open_window: Opened, firm: Firm) -> None:
    link = firm.links["owner"]
    page = open_window().page
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{firm.path()}**")

    second = open_window()
    second.may_meet(410)
    second.page.goto(link)
    expect(second.page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    expect(second.page.get_by_role("button", name="Sign in")).to_have_count(0)


def test_a_password_signs_in_and_signing_out_closes_the_pages(open_window: Opened, firm: Firm) -> None:
    visitor = open_window()
    visitor.sign_in(firm.people["annotator"])
    page = visitor.page
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()

    page.get_by_text("Account", exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.goto(firm.path("history/"))
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Ask your documents")).to_have_count(0)


@pytest.mark.parametrize("email", ["lawyer@harding.example", "nobody@harding.example"])
def test_a_wrong_password_is_refused_in_one_sentence_that_tells_nothing(
    email: str, open_window: Opened, firm: Firm
) -> None:
    visitor = open_window()
    visitor.sign_in(email, "not the password")
    alert = visitor.page.get_by_role("alert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("Please enter a correct e-mail address and password.")
    expect(visitor.page).to_have_url(re.compile("/sign-in/$"))
