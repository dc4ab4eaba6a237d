"""Getting in and out."""

import re

import pytest
from playwright.sync_api import expect

from tests.functional.browsing import Visitor
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


def test_an_owner_who_opened_a_strangers_account_does_not_follow_it_elsewhere(
    open_window: Opened, signed_in: Opened, firm: Firm, rivals: Firm
) -> None:
    """No mail server here, so the pages show the links: the owner opens one that was meant for somebody else."""
    stranger, known, chosen = "stranger@rivals.example", "the owner knows this one", "only the stranger knows this"
    harding, opener = signed_in(firm.people["owner"]), open_window()
    opener.page.goto(invitation_of(harding, firm, stranger))
    opener.page.get_by_label("Your name").fill("Sten Stranger")
    opener.page.get_by_label("Password", exact=True).fill(known)
    opener.page.get_by_label("Repeat password").fill(known)
    opener.page.get_by_role("button", name="Join").click()
    opener.page.wait_for_url(f"**{firm.path()}")

    harding.page.goto(firm.path("members/"))
    harding.page.get_by_role("button", name="Sign-in link for Sten Stranger").click()
    link = harding.page.get_by_label("Sign-in link", exact=True).input_value()
    themselves = open_window()
    themselves.page.goto(link)
    expect(themselves.page.get_by_text("This account has not been verified as yours")).to_be_visible()
    choose_password(themselves, "a passing phrase for today", "Sign in")
    themselves.page.wait_for_url(f"**{firm.path()}")
    themselves.page.goto(invitation_of(signed_in(rivals.people["owner"]), rivals, stranger))
    choose_password(themselves, chosen, "Join")
    themselves.page.wait_for_url(f"**{rivals.path()}")

    opener.page.goto(rivals.path())
    expect(opener.page.get_by_role("heading", name="Sign in")).to_be_visible()
    opener.sign_in(stranger, known)
    expect(opener.page.get_by_role("alert")).to_contain_text("Please enter a correct e-mail address and password.")
    harding.page.reload()
    expect(harding.page.locator("[data-renewal]").first).to_contain_text("Sten Stranger chose a new password")


def invitation_of(owner: Visitor, firm: Firm, email: str) -> str:
    """The link that the page of members shows to the owner."""
    owner.page.goto(firm.path("members/"))
    owner.page.get_by_label("E-mail address").fill(email)
    owner.page.get_by_role("button", name="Create invitation link").click()
    return owner.page.get_by_label("Invitation link").input_value()


def choose_password(visitor: Visitor, password: str, button: str) -> None:
    visitor.page.get_by_label("New password", exact=True).fill(password)
    visitor.page.get_by_label("New password confirmation").fill(password)
    visitor.page.get_by_role("button", name=button).click()


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
