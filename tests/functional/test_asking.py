"""A lawyer asks, and reads an answer that can be checked."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.functional.browsing import NO_ANSWER, QUESTION, Visitor
from tests.functional.conftest import Opened
from tests.functional.product import Firm


def test_an_answer_shows_its_quote_and_page_on_hover_and_on_focus(answered: Visitor) -> None:
    page = answered.page
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    expect(page.locator("[data-claim]").first).to_be_visible()
    expect(page.locator("#claims")).to_contain_text("$500")
    mark = page.locator("[data-cite]").first
    card = page.locator(".cite-card").first
    expect(card).to_be_hidden()

    mark.hover()
    expect(card).to_be_visible()
    expect(card.locator(".quote")).to_have_text(re.compile("^“.{20,}”$", re.DOTALL))
    expect(card).to_contain_text(re.compile(r"p\.\s\d+"))
    page.mouse.move(0, 0)
    expect(card).to_be_hidden()

    mark.focus()
    expect(card).to_be_visible()


def test_every_sentence_of_an_answer_has_a_source_in_the_evidence(answered: Visitor) -> None:
    page = answered.page
    numbers = page.locator("[data-claim] [data-cite]").evaluate_all("marks => marks.map((m) => m.dataset.cite)")
    assert len(numbers) == page.locator("[data-claim]").count()
    for number in sorted(set(numbers)):
        expect(page.locator(f".evidence [data-source='{number}'] mark").first).to_be_visible()


def test_the_answer_is_copied_with_its_citations(answered: Visitor) -> None:
    answered.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answered.page.get_by_role("button", name="Copy with citations").click()
    expect(answered.page.get_by_text("Copied")).to_be_visible()
    copied = answered.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(QUESTION)
    assert "[1]" in copied
    assert re.search(r"\[1\] .+, p\. \d+", copied)


def test_a_question_the_documents_do_not_answer_is_met_with_silence_and_what_was_searched(
    lawyer: Visitor, firm: Firm
) -> None:
    lawyer.ask(firm, NO_ANSWER)
    page = lawyer.page
    expect(page.get_by_role("heading", name="No answer was found in these documents.")).to_be_visible()
    expect(page.locator(".silence")).to_contain_text(re.compile(r"Searched\s+3\s+documents"))
    expect(page.get_by_role("heading", name="Nearest passages")).to_be_visible()
    assert page.locator(".passage").count() >= 3
    expect(page.locator(".passage .shortfall").first).to_contain_text("Does not mention")
    expect(page.locator("[data-claim]")).to_have_count(0)


def test_an_empty_question_is_refused_in_one_sentence(signed_in: Opened, firm: Firm) -> None:
    visitor = signed_in(firm.people["lawyer"], java_script_enabled=False)
    visitor.may_meet(422)
    visitor.page.goto(firm.path())
    visitor.page.locator("#question-text").fill("   ")
    visitor.page.get_by_role("button", name="Ask", exact=True).click()
    expect(visitor.page.get_by_role("alert")).to_have_text("The question is empty. Type a question and ask again.")


def test_the_evidence_pack_prints_its_quotes_and_comes_as_json(answered: Visitor) -> None:
    page = answered.page
    quotes = page.locator("[data-claim] .cite-card .quote").all_text_contents()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON").click()
    pack = json.loads(Path(download.value.path()).read_text())
    assert pack["answer"]["question"] == QUESTION
    said = [" ".join(c["citations"][0]["quote"].split()) for c in pack["answer"]["claims"] if c["shown"]]
    assert [f"“{quote}”" for quote in said] == quotes

    page.get_by_role("link", name="Evidence pack").click()
    expect(page.get_by_role("button", name="Print or save as PDF")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print or save as PDF")).to_be_hidden()
    printed = page.get_by_role("region", name="Sources").get_by_role("list")
    for quote in said:
        expect(printed).to_contain_text(quote)
    expect(printed).to_contain_text(re.compile("[0-9a-f]{64}"))
    assert page.pdf().startswith(b"%PDF")


def test_the_history_lists_what_was_asked_and_filters_it_by_result(
    lawyer: Visitor, firm: Firm, answer_paths: dict[str, str]
) -> None:
    page = lawyer.page
    page.goto(firm.path("history/"))
    expect(page.get_by_role("link", name=QUESTION).first).to_be_visible()
    expect(page.get_by_role("link", name=NO_ANSWER).first).to_be_visible()

    page.get_by_role("navigation", name="Filter by result").get_by_role("link", name="Not enough evidence").click()
    expect(page.get_by_role("link", name=NO_ANSWER).first).to_be_visible()
    expect(page.locator("#question-list").get_by_role("link", name=QUESTION)).to_have_count(0)
    page.get_by_role("link", name=NO_ANSWER).first.click()
    expect(page.get_by_role("heading", name="No answer was found in these documents.")).to_be_visible()


def test_the_documentation_of_the_api_renders_under_the_strict_policy(open_window: Opened) -> None:
    page = open_window().page
    page.goto("/api/v1/docs/")
    page.locator("#operations-tag-questions").click()
    page.locator(".opblock", has_text="/api/v1/questions/").first.click()
    expect(page.locator(".opblock.is-open")).to_be_visible()


def test_a_setting_that_does_nothing_beside_another_one_is_switched_off(lawyer: Visitor, firm: Firm) -> None:
    page = lawyer.page
    page.goto(firm.path())
    page.locator("#ask-settings > summary").click()
    complexity = page.locator("[name=complexity]")
    expect(complexity).to_be_enabled()
    page.locator("[name=classifier]").select_option("off")
    expect(complexity).to_be_disabled()
    page.locator("[name=classifier]").select_option("3")
    expect(complexity).to_be_enabled()
