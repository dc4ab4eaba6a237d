"""The ranker's model: numbers in JSON, scored in numpy, and chances between 0 and 1."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from retrieval.rerankers.features import GROUPS, NAMES
from retrieval.rerankers.model import (
    CONFIDENCE_NAMES,
    MODEL_FILE,
    Linear,
    ModelError,
    RankerModel,
    confidence_features,
    model_load,
)


@pytest.fixture
def measured() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(144).normal(size=(40, len(NAMES)))


def test_the_scores_are_those_of_the_library_that_trains_such_models() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(200, 5))
    fitted = LogisticRegression().fit(rows, rows[:, 0] + chance.normal(size=200) > 0)

    ours = Linear(fitted.coef_[0], np.zeros(5), np.ones(5), float(fitted.intercept_[0]))

    assert ours.score(rows) == pytest.approx(fitted.decision_function(rows))


def test_the_model_that_ships_is_small_and_reads_back_as_it_was_written(measured: np.ndarray) -> None:
    model = model_load()
    again = RankerModel.read(json.loads(json.dumps(model.as_mapping())))

    assert MODEL_FILE.stat().st_size < 1_000_000
    assert again.scores(measured) == pytest.approx(model.scores(measured))
    assert set(model.provenance["collections"]) == {"contractnli", "obliqa", "policy_copilot", "wice"}


def test_the_parts_of_a_score_sum_to_it(measured: np.ndarray) -> None:
    model = model_load()

    assert sum(model.parts(measured).values()) == pytest.approx(model.scores(measured) - model.order.bias)
    assert set(model.parts(measured)) == set(GROUPS)


def test_a_model_of_other_features_is_refused_with_what_to_do() -> None:
    data = model_load().as_mapping() | {"features": ["something else"]}

    with pytest.raises(ModelError, match="ranker train"):
        RankerModel.read(data)


def test_without_passages_nothing_speaks_for_an_answer() -> None:
    nothing = confidence_features(np.zeros((0, len(NAMES))), np.zeros(0))

    assert nothing.tolist() == [0.0] * len(CONFIDENCE_NAMES)
