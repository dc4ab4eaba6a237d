"""What an experiment compares, from what people type to its configurations."""

from typing import Any

import pytest

from judging.experiments.settings import ExperimentError, experiment_settings
from legalqa.common.errors import ApplicationError


def keys(**given: Any) -> list[str]:
    return [cell.key for cell in experiment_settings(**given).cells]


def test_every_combination_of_the_grid_is_a_configuration() -> None:
    assert keys(presets=["naive", "fixed-3"], grid={"k": ["3", "5"]}) == [
        "naive k=3",
        "naive k=5",
        "fixed-3 k=3",
        "fixed-3 k=5",
    ]


def test_a_preset_may_carry_changes_of_its_own() -> None:
    assert keys(presets=["policy-copilot", "policy-copilot reranker=off"]) == [
        "policy-copilot",
        "policy-copilot reranker=off",
    ]


def test_asked_for_both_ways_of_answering_a_baseline_answers_the_way_it_can() -> None:
    assert keys(presets=["prompt-only", "naive"], generators=["quoted", "written"]) == [
        "prompt-only written",
        "naive",
        "naive written",
    ]


def test_a_model_by_name_is_a_configuration_of_its_own() -> None:
    settings = experiment_settings(presets=["naive"], generators=["written", "written:m-2"])

    assert [(cell.key, cell.model) for cell in settings.cells] == [
        ("naive written", ""),
        ("naive written:m-2", "m-2"),
    ]


def test_the_first_configuration_is_the_baseline_unless_another_is_named() -> None:
    assert experiment_settings(presets=["naive", "fixed-3"]).baseline == "naive"
    assert experiment_settings(presets=["naive", "fixed-3"], baseline="fixed-3").baseline == "fixed-3"


def test_quoted_answers_are_made_once_and_written_ones_as_often_as_set() -> None:
    settings = experiment_settings(presets=["naive"], generators=["quoted", "written"], repeats=3)

    assert [settings.times(cell) for cell in settings.cells] == [1, 3]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"presets": []}, "one preset or more"),
        ({"presets": ["naive", "naive"]}, "'naive' is listed twice"),
        ({"presets": ["naive"], "measures": ["beauty"]}, "No measure is called 'beauty'"),
        ({"presets": ["naive"], "generators": ["sung"]}, "No generator is called 'sung'"),
        ({"presets": ["naive"], "baseline": "fixed-3"}, "The baseline 'fixed-3' is not one of: naive."),
        ({"presets": ["naive"], "repeats": 11}, "1 to 10 times"),
        ({"presets": ["naive"], "budget": 0}, "above 0"),
        ({"presets": ["naive"], "grid": {"k": [str(k) for k in range(1, 42)]}}, "at most 40"),
        ({"presets": ["naive"], "grid": {"k": []}}, "The grid has no value for 'k'"),
        ({"presets": ["naive k=3"], "grid": {"k": ["5", "7"]}}, "'naive k=3' and the grid both say 'k'"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_a_sentence(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(ExperimentError, match=sentence):
        keys(**given)


@pytest.mark.parametrize(
    ("preset", "sentence"),
    [
        ("policy-copilot reranker", "'reranker' is not of the form key=value"),
        ("naive k=3 k=5", "'k' is given twice"),
    ],
)
def test_changes_that_cannot_be_meant_so_are_refused(preset: str, sentence: str) -> None:
    with pytest.raises(ApplicationError, match=sentence):
        keys(presets=[preset])
