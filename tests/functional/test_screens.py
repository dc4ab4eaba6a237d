"""Every main screen, wide and narrow, by day and by night: nothing sticks out, everything can be read."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.functional.browsing import QUESTION, take_shot, wait_for_reader
from tests.functional.conftest import Opened
from tests.functional.product import Firm

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# Every run of text that can be seen, with the contrast to what is painted behind it (WCAG 2.2, 1.4.3).
LOW_CONTRAST = """
() => {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
    willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, under) => top.slice(0, 3).map((value, i) => value * top[3] / 255 + under[i] * (1 - top[3] / 255));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3]) layers.push(color);
      if (color[3] === 255) break;
    }
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    const isShown = element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    const isExempt = element.closest(":disabled, .textLayer, .visually-hidden, script");
    const words = walker.currentNode.textContent.trim();
    if (!words || !isShown || isExempt) continue;
    const ground = behind(element);
    const [light, dark] = [luminance(over(rgba(style.color), ground)), luminance(ground)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) low.push(`${ratio.toFixed(2)}: ${words.slice(0, 60)}`);
  }
  return { low, ground: luminance(behind(document.body)) };
}
"""
STICKS_OUT = """
() => {
  const root = document.scrollingElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter(
    (element) => element.getBoundingClientRect().right > root.clientWidth + 1);
  const names = wide.slice(0, 8).map((element) => `${element.tagName} ${element.id} ${element.className}`);
  return [`${root.scrollWidth} > ${root.clientWidth}`, ...names];
}
"""
# Bars, cards and tables one after another without room between them, and bullets that hang outside what they are in.
TOUCHES = """
() => {
  const boxes = ".card, .chips, .empty, .figure, .form-inline, .gold-list, .table-wrap";
  const isSeen = (element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
  const touching = [...document.querySelectorAll(`main :is(${boxes})`)].filter(isSeen).filter((box) => {
    let next = box.nextElementSibling;
    while (next && !isSeen(next)) next = next.nextElementSibling;
    if (!next?.matches(boxes)) return false;
    const [one, other] = [box.getBoundingClientRect(), next.getBoundingClientRect()];
    return Math.abs(other.top - one.bottom) < 4 && other.left < one.right && one.left < other.right;
  });
  const hanging = [...document.querySelectorAll("main li")].filter((item) => isSeen(item)
    && getComputedStyle(item).display === "list-item" && getComputedStyle(item).listStyleType !== "none"
    && parseFloat(getComputedStyle(item.parentElement).paddingLeft) < 12);
  return [...touching, ...hanging].map((element) => `${element.tagName} ${element.className} has no room`);
}
"""
# How much of the line at which a long quote is cut off can be seen.
CUT_LINES = """
() => [...document.querySelectorAll(".passage .law")]
  .filter((quote) => quote.scrollHeight > quote.clientHeight)
  .map((quote) => quote.clientHeight / parseFloat(getComputedStyle(quote).lineHeight) % 1)
"""
STRAY_MARKS = """
() => [...document.querySelectorAll("[data-claim-text]")].filter((words) => {
  const mark = words.parentElement.querySelector(".cite");
  const lines = words.getClientRects();
  return mark && mark.getBoundingClientRect().top >= lines[lines.length - 1].bottom;
}).length
"""
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="package")
def screens(firm: Firm, answer_paths: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Main screens by name: who opens them, and where."""
    rule = f"documents/{firm.documents['dcwp_final_rule.pdf']}/"
    return {
        "ask": ("lawyer", firm.path()),
        "answer": ("lawyer", answer_paths["answer"]),
        "silence": ("lawyer", answer_paths["silence"]),
        "reader": ("lawyer", answer_paths["citation"]),
        "reader-plain": ("lawyer", firm.path(rule)),
        "pack": ("lawyer", f"{answer_paths['answer']}pack/"),
        "history": ("lawyer", firm.path("history/")),
        "corpora": ("corpus_manager", firm.path("corpora/")),
        "clauses": ("lawyer", f"{firm.corpus_path('law')}clauses/"),
        "graph": ("lawyer", f"{firm.corpus_path('law')}graph/"),
        "removal": ("corpus_manager", f"{firm.corpus_path('law')}removal/"),
        "corpus": ("corpus_manager", firm.corpus_path("law")),
        "walled": ("corpus_manager", firm.corpus_path("walled")),
        "members": ("owner", firm.path("members/")),
        "account": ("owner", firm.path("account/")),
        "security": ("owner", "/security/"),
        "audit": ("owner", firm.path("audit/")),
        "access": ("corpus_manager", firm.path("access/")),
        "judging": ("corpus_manager", f"{firm.corpus_path('law')}judging/"),
        "gold-set": ("corpus_manager", firm.path(f"gold-sets/{firm.judging['gold_set']}/")),
        "experiment-new": ("corpus_manager", f"{firm.corpus_path('law')}experiments/new/"),
        "experiment": ("corpus_manager", firm.path(f"experiments/{firm.judging['experiment']}/")),
        "results": ("corpus_manager", firm.path(f"experiments/{firm.judging['experiment']}/results/")),
        "questions-by-change": ("corpus_manager", firm.path(f"experiments/{firm.judging['experiment']}/items/")),
        "campaigns": ("corpus_manager", f"{firm.corpus_path('law')}campaigns/"),
        "trust": ("corpus_manager", f"{firm.corpus_path('law')}trust/"),
        "judges": ("corpus_manager", firm.path("judges/")),
        "feedback": ("corpus_manager", f"{firm.corpus_path('law')}feedback/"),
    }


def open_screen(page: Page, name: str, path: str) -> None:
    page.goto(path)
    if name.startswith("reader"):
        wait_for_reader(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])
def test_no_screen_scrolls_sideways_all_its_words_can_be_read_and_its_parts_stand_apart(
    size: Any, scheme: Scheme, signed_in: Opened, firm: Firm, screens: dict[str, tuple[str, str]], shots: str
) -> None:
    people = {
        role: signed_in(firm.people[role], viewport=size, color_scheme=scheme).page
        for role in ("lawyer", "corpus_manager", "owner")
    }
    wrong: dict[str, Any] = {}
    for name, (role, path) in screens.items():
        page = people[role]
        open_screen(page, name, path)
        take_shot(page, shots, f"{name}-{size['width']}-{scheme}")
        seen = page.evaluate(LOW_CONTRAST)
        assert (seen["ground"] < 0.1) == (scheme == "dark"), f"the ground of {name}"
        if faults := seen["low"] + page.evaluate(STICKS_OUT) + page.evaluate(TOUCHES):
            wrong[name] = faults
    assert wrong == {}


def test_on_a_telephone_the_main_actions_are_within_reach(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["corpus_manager"], viewport=NARROW, has_touch=True).page
    page.goto(firm.path("corpora/"))
    page.get_by_role("link", name="NYC Local Law 144").tap()
    page.get_by_role("button", name="Add documents").tap(trial=True)
    page.get_by_role("link", name="Ask this corpus").tap()
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).tap()
    expect(page.locator("#answer-body[data-state=answered]")).to_be_visible()
    page.get_by_role("link", name="Evidence pack").tap(trial=True)
    page.locator("[data-cite]").first.tap()
    wait_for_reader(page)
    expect(page.locator(".pdf-hit").first).to_be_in_viewport()
    page.get_by_role("link", name="Back to the answer").tap()
    expect(page.locator("[data-claim]").first).to_be_visible()


def test_a_long_quote_is_cut_through_a_line_so_that_nobody_takes_it_for_the_whole(
    signed_in: Opened, firm: Firm, answer_paths: dict[str, str]
) -> None:
    page = signed_in(firm.people["lawyer"], viewport=NARROW).page
    page.goto(answer_paths["answer"])
    cuts = page.evaluate(CUT_LINES)

    assert cuts
    assert all(0.3 < cut < 0.6 for cut in cuts)


def test_no_citation_mark_begins_a_line(signed_in: Opened, firm: Firm, answer_paths: dict[str, str]) -> None:
    page = signed_in(firm.people["lawyer"]).page
    page.goto(answer_paths["answer"])
    strays = {}
    for width in range(320, 700, 5):
        page.set_viewport_size({"width": width, "height": 844})
        strays[width] = page.evaluate(STRAY_MARKS)

    assert not any(strays.values()), strays


def test_the_appearance_can_be_chosen_and_is_kept(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["lawyer"], color_scheme="light").page
    page.goto(firm.path())
    page.get_by_role("button", name="Dark appearance").click()
    page.reload()
    expect(page.get_by_role("button", name="Dark appearance")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(LOW_CONTRAST)["ground"] < 0.1


def test_on_a_telephone_the_main_navigation_of_an_owner_is_one_line(signed_in: Opened, firm: Firm) -> None:
    page = signed_in(firm.people["owner"], viewport=NARROW).page
    page.goto(firm.path("corpora/"))
    tops = page.locator(".site-nav a").evaluate_all("links => links.map((link) => link.getBoundingClientRect().top)")
    ends = page.locator(".site-nav a").evaluate_all("links => links.map((link) => link.getBoundingClientRect().right)")

    assert (len(tops), len(set(tops))) == (5, 1)
    assert max(ends) <= NARROW["width"]
