"""Judging for a new user: what they want is a few clicks from where they sign in, and no page shuts anybody out."""

import re
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.functional.browsing import Visitor, take_shot
from tests.functional.conftest import Opened
from tests.functional.product import Firm

MOST_CLICKS = 5
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


class Mouse:
    """Clicks on the page, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def link(self, name: str | re.Pattern[str]) -> None:
        self._click(self.page.locator("main, nav").get_by_role("link", name=name).first)

    def button(self, name: str) -> None:
        self._click(self.page.locator("main").get_by_role("button", name=name, exact=True))

    def _click(self, element: Locator) -> None:
        element.click()
        self.clicks += 1


@pytest.fixture
def mouse(manager: Visitor, firm: Firm) -> Mouse:
    """On the judging page of the corpus of law, three clicks from where the manager is after signing in."""
    manager.page.goto(firm.path())
    mouse = Mouse(manager.page)
    mouse.link("Corpora")
    mouse.link("NYC Local Law 144")
    mouse.link("Judging")
    return mouse


def test_the_first_chart_is_a_few_clicks_away(mouse: Mouse, shots: str) -> None:
    take_shot(mouse.page, shots, "judging")
    mouse.link("Latest charts")
    expect(mouse.page.locator("svg.chart").first).to_be_visible()
    take_shot(mouse.page, shots, "results")
    assert mouse.clicks <= MOST_CLICKS


def test_the_first_gold_set_is_a_few_clicks_away(mouse: Mouse) -> None:
    mouse.link("Generate questions")
    mouse.page.get_by_label("Name", exact=False).first.fill("First questions")
    mouse.button("Generate")
    expect(mouse.page.locator("h1")).to_contain_text("First questions")
    assert mouse.clicks <= MOST_CLICKS


def test_the_first_judge_is_a_few_clicks_away(mouse: Mouse) -> None:
    mouse.link("Judges")
    mouse.page.get_by_label("Name", exact=False).first.fill("first-judge")
    mouse.button("Save judge")
    expect(mouse.page.locator("main")).to_contain_text("first-judge")
    assert mouse.clicks <= MOST_CLICKS


def judging_pages(firm: Firm) -> dict[str, tuple[str, str]]:
    """Every page of judging by name: who opens it, and where."""
    law, made = firm.corpus_path("law"), firm.judging
    experiment, campaign = firm.path(f"experiments/{made['experiment']}/"), firm.path(f"campaigns/{made['campaign']}/")
    evaluation = firm.path(f"case-evaluations/{made['evaluation']}/")
    of_manager = {
        "home": f"{law}judging/",
        "gold sets": f"{law}gold-sets/",
        "gold set": firm.path(f"gold-sets/{made['gold_set']}/"),
        "gold question": firm.path(f"gold-questions/{made['gold_question']}/"),
        "question types": firm.path("question-types/"),
        "generation": f"{law}gold-generations/",
        "experiments": f"{law}experiments/",
        "new experiment": f"{law}experiments/new/",
        "experiment": experiment,
        "results": f"{experiment}results/",
        "questions by change": f"{experiment}items/",
        "compared": f"{experiment}compare/?with={made['before']}",
        "solved cases evaluated": f"{law}case-evaluations/",
        "evaluation of solved cases": evaluation,
        "cell of solved cases": f"{evaluation}?encoder=MiniLM&weighting=hybrid&k=3",
        "campaigns": f"{law}campaigns/",
        "campaign": campaign,
        "trust": f"{law}trust/?campaign={made['campaign']}",
        "judges": firm.path("judges/"),
        "judge tried": firm.path("judges/try/"),
        "feedback": f"{law}feedback/",
        "threshold": f"{law}threshold/",
        "dashboard": firm.path("use/"),
        "questions asked": firm.path("use/questions/"),
    }
    of_lawyer = {
        "annotation": firm.path("annotation/"),
        "grading": firm.path(f"annotation/items/{made['assignment']}/"),
    }
    opened = {name: ("corpus_manager", path) for name, path in of_manager.items()}
    opened |= {name: ("lawyer", path) for name, path in of_lawyer.items()}
    return opened | {"adjudication": ("owner", f"{campaign}adjudication/")}  # who has items left to grade may not


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")], ids=["1280-light", "390-dark"])
def test_axe_finds_nothing_on_any_page_of_judging(
    size: Any, scheme: Literal["light", "dark"], signed_in: Opened, firm: Firm
) -> None:
    people = {
        role: signed_in(firm.people[role], viewport=size, color_scheme=scheme).page
        for role in ("corpus_manager", "lawyer", "owner")
    }
    axe, found = Axe(), dict[str, list[str]]()
    for name, (role, path) in judging_pages(firm).items():
        page = people[role]
        response = page.goto(path)
        assert response is not None
        assert response.status == 200, path
        violations = axe.run(page).response["violations"]
        if violations:
            found[name] = [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in violations]
    assert found == {}


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])
def test_submit_is_in_view_and_never_over_what_has_the_focus(size: Any, signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["lawyer"], viewport=size).page
    page.goto(judging_pages(firm)["grading"][1])
    page.locator("form[data-ready=true] legend").first.scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Submit Enter")).to_be_in_viewport(ratio=1)
    bar = page.locator(".grading-actions")
    for name in ("#grading-note", "#grading-flag", "[data-keys] summary"):
        page.locator(name).focus()
        focused, edge = page.locator(name).bounding_box(), bar.bounding_box()
        assert focused and edge
        assert focused["y"] + focused["height"] <= edge["y"] + 1, name


def test_a_table_that_is_wider_than_the_page_says_so_and_is_scrolled_by_keys(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["corpus_manager"], viewport=NARROW).page
    page.goto(judging_pages(firm)["results"][1])
    table = page.get_by_role("region", name="Table of configurations and measures")
    expect(table).to_have_attribute("data-scrolls", "on")
    first = table.locator("tbody th").first
    left = first.bounding_box()
    table.focus()
    page.keyboard.press("End")
    for _ in range(60):
        page.keyboard.press("ArrowRight")
    expect(table).to_have_attribute("data-scrolls", "back")
    assert first.bounding_box()["x"] == left["x"]  # type: ignore[index] # both are on the page


def test_every_page_of_judging_is_whole_without_script(signed_in: Opened, firm: Firm) -> None:
    people = {
        role: signed_in(firm.people[role], java_script_enabled=False).page
        for role in ("corpus_manager", "lawyer", "owner")
    }
    for name, (role, path) in judging_pages(firm).items():
        people[role].goto(path)
        assert people[role].locator("h1").count() == 1, name
