"""The running product, a browser, and visitors whose every console error fails the test.

The fixtures live as long as this package's tests, not longer: while Playwright's loop runs in this thread, Django
refuses to open a database connection in it.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, StorageState, sync_playwright

from tests.environment import CHROMIUM, SHOTS
from tests.functional.browsing import NO_ANSWER, QUESTION, Visitor
from tests.functional.product import Firm, Product

BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.journey)


@pytest.fixture(scope="package")
def product() -> Iterator[Product]:
    # Not below pytest's own folder: a second pytest run takes that one's permissions away from the database's user.
    with tempfile.TemporaryDirectory(prefix="legalqa-journeys-") as folder:
        Path(folder).chmod(0o755)  # as root the database runs as another user, who must be able to reach it
        running = Product(Path(folder) / "var")
        running.start()
        yield running
        running.stop()


@pytest.fixture(scope="package")
def world(product: Product) -> dict[str, Firm]:
    return product.make_world()


@pytest.fixture(scope="package")
def firm(world: dict[str, Firm]) -> Firm:
    """Harding & Stone, with a corpus of law that is ready to be asked."""
    return world["firm"]


@pytest.fixture(scope="package")
def rivals(world: dict[str, Firm]) -> Firm:
    """Another organisation of the same installation."""
    return world["rivals"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    executable = CHROMIUM or shutil.which("chromium") or shutil.which("google-chrome")
    assert executable, "No Chromium on the PATH. Install it, or name one in LEGALQA_CHROMIUM."
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=BROWSER_ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def sessions() -> dict[str, StorageState]:
    """Cookies of the people who have signed in once: the journeys that are not about signing in start there."""
    return {}


Opened = Callable[..., Visitor]


@pytest.fixture
def open_window(browser: Browser, product: Product) -> Iterator[Opened]:
    """Opens browser windows in which nobody is signed in; at the end none may have complained."""
    opened: list[Visitor] = []

    def open_one(**options: Any) -> Visitor:
        opened.append(Visitor(browser, product.url, **options))
        return opened[-1]

    yield open_one
    for visitor in opened:
        visitor.close()
    assert [fault for visitor in opened for fault in visitor.faults] == []


@pytest.fixture
def signed_in(open_window: Opened, sessions: dict[str, StorageState]) -> Opened:
    """Opens browser windows in which a person is signed in."""

    def open_one(email: str, **options: Any) -> Visitor:
        if email not in sessions:
            first = open_window()
            first.sign_in(email)
            first.page.wait_for_url("**/o/**")
            sessions[email] = first.context.storage_state()
        return open_window(storage_state=sessions[email], **options)

    return open_one


@pytest.fixture
def lawyer(signed_in: Opened, firm: Firm) -> Visitor:
    return signed_in(firm.people["lawyer"])


@pytest.fixture
def manager(signed_in: Opened, firm: Firm) -> Visitor:
    return signed_in(firm.people["corpus_manager"])


@pytest.fixture
def answered(lawyer: Visitor, firm: Firm) -> Visitor:
    """The lawyer, looking at the cited answer to a question."""
    lawyer.ask(firm, QUESTION)
    assert lawyer.page.locator("#answer-body").get_attribute("data-state") == "answered"
    return lawyer


@pytest.fixture(scope="package")
def answer_paths(browser: Browser, product: Product, firm: Firm) -> dict[str, str]:
    """Where a cited answer, an unanswered question and the reader at a citation are; asked once by the lawyer."""
    visitor = Visitor(browser, product.url)
    visitor.sign_in(firm.people["lawyer"])
    visitor.page.wait_for_url("**/o/**")
    paths = {}
    for name, question in (("silence", NO_ANSWER), ("answer", QUESTION)):
        visitor.ask(firm, question)
        paths[name] = urlsplit(visitor.page.url).path
    paths["citation"] = visitor.page.locator("[data-cite]").first.get_attribute("href") or ""
    visitor.close()
    assert visitor.faults == []
    return paths


@pytest.fixture(scope="package")
def shots() -> str:
    """Where pictures of the screens go, if anywhere."""
    return SHOTS
