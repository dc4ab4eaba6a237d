"""What other people must not see does not exist for them."""

import pytest
from playwright.sync_api import Page, expect

from tests.functional.browsing import Visitor
from tests.functional.conftest import Opened
from tests.functional.product import Firm


def status_of(page: Page, path: str) -> int:
    return page.request.get(path, max_redirects=0).status


@pytest.fixture
def secrets(firm: Firm, answer_paths: dict[str, str]) -> list[str]:
    """Addresses below an organisation that name something of the firm."""
    document = firm.documents["dcwp_final_rule.pdf"]
    answer = answer_paths["answer"].removeprefix(firm.path())
    return [
        f"corpora/{firm.corpora['law']}/",
        f"corpora/{firm.corpora['walled']}/",
        f"documents/{document}/",
        f"corpora/{firm.corpora['law']}/rows/",
        f"documents/{document}/rects/?v=1&at=1:0-20",
        f"documents/{document}/file/?v=1",
        answer,
        f"{answer}pack/",
        f"{answer}pack.json",
    ]


def test_to_another_organisation_nothing_of_the_firm_exists(
    signed_in: Opened, firm: Firm, rivals: Firm, secrets: list[str], lawyer: Visitor
) -> None:
    rival = signed_in(rivals.people["owner"])
    theirs = {path: status_of(rival.page, path) for rest in secrets for path in (firm.path(rest), rivals.path(rest))}
    assert theirs == dict.fromkeys(theirs, 404)
    ours = {rest: status_of(lawyer.page, firm.path(rest)) for rest in secrets if firm.corpora["walled"] not in rest}
    assert set(ours.values()) <= {200, 286}, "the same addresses open for the firm's own lawyer"

    rival.may_meet(404)
    rival.page.goto(firm.path(f"documents/{firm.documents['dcwp_final_rule.pdf']}/"))
    expect(rival.page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_a_colleague_does_not_see_what_the_lawyer_asked(
    manager: Visitor, answer_paths: dict[str, str], lawyer: Visitor
) -> None:
    for rest in ("", "pack/", "pack.json"):
        assert status_of(lawyer.page, answer_paths["answer"] + rest) == 200
        assert status_of(manager.page, answer_paths["answer"] + rest) == 404


def test_a_walled_corpus_appears_to_a_colleague_only_once_they_are_named(
    signed_in: Opened, manager: Visitor, firm: Firm
) -> None:
    colleague = signed_in(firm.people["annotator"])
    colleague.page.goto(firm.path("corpora/"))
    expect(colleague.page.get_by_role("heading", name="NYC Local Law 144")).to_be_visible()
    expect(colleague.page.get_by_text("Project Larch")).to_have_count(0)
    assert status_of(colleague.page, firm.corpus_path("walled")) == 404

    page = manager.page
    page.goto(firm.corpus_path("walled"))
    expect(page.get_by_text("Members only").first).to_be_visible()
    page.get_by_label("Add a person").select_option(label="Harding Annotator")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("button", name="Remove Harding Annotator from this corpus")).to_be_visible()

    colleague.page.reload()
    colleague.page.get_by_role("link", name="Project Larch").click()
    expect(colleague.page.get_by_role("heading", name="Project Larch")).to_be_visible()
    expect(colleague.page.get_by_role("button", name="Add documents")).to_have_count(0)
