"""An authenticator app, set up and used in a real browser."""

import re

import pyotp
from playwright.sync_api import Page, expect

from tests.functional.browsing import take_shot
from tests.functional.conftest import Opened
from tests.functional.product import Firm


def app_of(page: Page) -> pyotp.TOTP:
    """What the telephone would hold after scanning: the secret is printed beside the picture."""
    return pyotp.TOTP((page.locator("#factor-secret").text_content() or "").replace(" ", ""))


def test_a_person_sets_up_the_app_and_signs_in_with_it_and_with_a_recovery_code(
    open_window: Opened, rivals: Firm, shots: str
) -> None:
    email = rivals.people["annotator"]  # signing out everywhere else would end the windows of a person others use
    visitor = open_window(viewport={"width": 390, "height": 844})
    visitor.sign_in(email)
    page = visitor.page
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()

    page.goto("/security/")
    page.get_by_role("button", name="Set up the second factor").click()
    expect(page.get_by_role("img", name="QR code with the secret below")).to_be_visible()
    take_shot(page, shots, "second-factor-390")
    app = app_of(page)
    visitor.may_meet(422)
    page.get_by_label("Code from the app").fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".field-error")).to_contain_text("This code is wrong")
    used = app.now()
    page.get_by_label("Code from the app").fill(used)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#recovery-codes li")).to_have_count(10)
    take_shot(page, shots, "recovery-codes-390")
    recovery = page.locator("#recovery-codes code").all_text_contents()
    page.get_by_role("link", name="I have saved them").click()
    expect(page.locator("#factor")).to_contain_text("10 unused recovery codes")
    take_shot(page, shots, "security-390")

    other = open_window()
    other.may_meet(422)
    other.sign_in(email)
    expect(other.page.get_by_role("heading", name="Second step")).to_be_visible()
    other.page.get_by_label("Code").fill(used)
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.locator(".field-error")).to_contain_text("wrong or was already used")
    other.page.get_by_label("Code").fill(recovery[0])
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.get_by_role("heading", name="Ask your documents")).to_be_visible()

    page.goto("/security/")
    expect(page.locator("#session-table tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Sign out everywhere else").click()
    expect(page.locator("#session-table tbody tr")).to_have_count(1)
    other.page.reload()
    expect(other.page).to_have_url(re.compile("/sign-in/"))

    page.get_by_text("Remove second factor").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator("#factor")).to_contain_text("Your account is protected by a password only.")


def test_an_owner_reads_the_log_and_who_can_see_what_without_a_mouse(signed_in: Opened, firm: Firm, shots: str) -> None:
    page = signed_in(firm.people["owner"]).page
    page.goto(firm.path("members/"))
    page.get_by_role("link", name="Audit log").press("Enter")
    expect(page.locator("#audit-table tbody tr").first).to_be_visible()
    sign_ins = page.locator("#audit-table tbody tr").filter(has_text="signed in")
    while not sign_ins.count():  # newest first: the other journeys' rows come before
        page.get_by_role("link", name="Next").press("Enter")
        page.wait_for_load_state()
    expect(sign_ins.first).to_be_visible()
    page.get_by_role("button", name="Check the seals").press("Enter")
    expect(page.get_by_text("The log is intact")).to_be_visible()
    take_shot(page, shots, "audit-1280")

    page.get_by_role("link", name="Who can see what").press("Enter")
    word = page.locator("#access-table .hint").first
    word.focus()
    expect(page.get_by_role("tooltip").first).to_be_visible()
    take_shot(page, shots, "access-1280")
