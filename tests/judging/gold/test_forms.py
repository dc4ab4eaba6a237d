"""Forms of gold sets: a number that is none is told at its field, or passed on for the service to refuse."""

import pytest

from judging.gold.forms import GoldQuestionForm, ReviewForm


@pytest.mark.parametrize("number", ["²", "9" * 5000, "-1"])
def test_a_place_that_is_no_number_is_refused_at_its_field(number: str) -> None:
    form = GoldQuestionForm({"version": "1", "question": "Who?", "references": f"p1 {number} 3"})

    assert form.errors["references"] == ["Write one passage a line: its id, or its id with a start and an end."]


@pytest.mark.parametrize("grade", ["²", "9" * 5000, "good"])
def test_a_grade_that_is_no_number_is_off_the_scale(grade: str) -> None:
    assert ReviewForm({"state": "approved", "clarity": grade}).grades() == {"clarity": 0}
