"""A person at a browser: pages that watch for faults, and the steps that many journeys share."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.functional.product import PASSWORD, Firm

WAIT_MS = 60_000
QUESTION = "What is the greatest civil penalty for a first violation?"
NO_ANSWER = "Which airport has the longest runway in Patagonia?"
SEEN_POLICY_VIOLATION = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
_HTTP_STATUS = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")

expect.set_options(timeout=WAIT_MS)


class Visitor:
    """One person in one browser window; `faults` holds whatever the browser complained about."""

    def __init__(self, browser: Browser, base_url: str, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(base_url=base_url, accept_downloads=True, **options)
        self.context.set_default_timeout(WAIT_MS)
        if options.get("java_script_enabled", True):
            self.context.add_init_script(SEEN_POLICY_VIOLATION)
        self.faults: list[str] = []
        self._statuses: set[int] = set()
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self.faults.append(f"page error: {error.error}"))
        self.page: Page = self.context.new_page()

    def may_meet(self, status: int) -> None:
        """The journey provokes this refusal, which the browser's console repeats."""
        self._statuses.add(status)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        refusal = _HTTP_STATUS.match(message.text)
        if refusal is None or int(refusal.group(1)) not in self._statuses:
            self.faults.append(f"{message.text} ({message.location.get('url', '')})")

    def sign_in(self, email: str, password: str = PASSWORD) -> None:
        """Through the form, as people do."""
        self.page.goto("/sign-in/")
        self.page.get_by_label("E-mail address").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()

    def ask(self, firm: Firm, question: str) -> None:
        """Ask the law corpus; ends on the answer's page."""
        self.page.goto(firm.path())
        self.page.get_by_label("In", exact=True).select_option(firm.corpora["law"])
        self.page.get_by_label("Your question").fill(question)
        self.page.get_by_role("button", name="Ask", exact=True).click()
        expect(self.page.locator("#answer-body[data-state]")).to_be_visible()

    def close(self) -> None:
        self.context.close()


def wait_for_reader(page: Page) -> None:
    """Until the page that the reader opens at is painted."""
    expect(page.locator("#reader[data-ready=true]")).to_be_visible()


def row_of(page: Page, title: str) -> Any:
    """The row of the documents table whose document has that title."""
    return page.locator("tr[data-state]", has_text=title)


def take_shot(page: Page, folder: str | None, name: str) -> None:
    """Keep a picture where someone asked for pictures."""
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")
