"""A fraction over two lines keeps both halves, in the order in which it is read aloud."""

import pytest

from corpora.parsers.boxes import page_boxes
from tests.corpora.parsers.builders import LAW, Bar, Words, all_words, make_pdf, parse

ABOVE = Words(180, 712, "rent of the flat")
BELOW = Words(160, 696, "rent of the whole house")
READ = "Share = rent of the flat / rent of the whole house"


@pytest.mark.parametrize("name", ["dcwp_final_rule.pdf", "admin_code_20-870_and_rule.pdf"])
def test_the_impact_ratio_of_the_city_s_rule_has_its_numerator(name: str) -> None:
    words = all_words(parse((LAW / name).read_bytes(), name))

    for rate, most in (("selection", "most selected"), ("scoring", "highest scoring")):
        ratio = f"Impact Ratio = {rate} rate for a category / {rate} rate of the {most} category"
        assert ratio in words
    assert not any(line.startswith("Impact Ratio =") and "/" not in line for line in words)


@pytest.mark.parametrize(
    "page",
    [
        [ABOVE, Bar(155, 708, 130), Words(100, 696, "Share = rent of the whole house")],
        [Words(140, 712, "____rent of the flat____"), Words(100, 696, "Share = rent of the whole house")],
        [ABOVE, Bar(155, 707, 130), Words(100, 704, "Share ="), BELOW],
    ],
    ids=["a drawn bar", "underscores", "the sign between the halves"],
)
def test_a_bar_between_two_lines_behind_the_sign_is_a_fraction(page: list[Words | Bar]) -> None:
    document = parse(make_pdf([[Words(72, 740, "The share is found like this."), *page]]), "a.pdf")

    assert READ in all_words(document)
    boxes, start = page_boxes(document.pages[0]), document.text.index(READ)
    shown = [character for character, box in zip(READ, boxes[start : start + len(READ)], strict=True) if box.any()]
    assert "".join(shown).replace(" ", "") == READ.replace(" ", "").replace("/", ""), "every character but the stroke"


@pytest.mark.parametrize(
    "page",
    [
        [ABOVE, Words(100, 696, "Share = rent of the whole house")],
        [ABOVE, Bar(72, 708, 400), Words(100, 696, "Share = rent of the whole house")],
        [Words(100, 712, "Rent of the flat in the house"), Bar(100, 708, 150), Words(100, 696, "Share = all the rent")],
    ],
    ids=["no bar", "a rule across the page", "an underlined line above"],
)
def test_other_lines_above_an_equation_stay_lines(page: list[Words | Bar]) -> None:
    assert not any("/" in line for line in all_words(parse(make_pdf([page]), "a.pdf")))
