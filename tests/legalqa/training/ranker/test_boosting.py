"""Trees that LightGBM grows, read as numbers, score as LightGBM scores."""

import lightgbm
import numpy as np
import pytest

from legalqa.training.ranker import boosting
from legalqa.training.ranker.boosting import parameters, trees_grow


def test_trees_score_as_the_library_that_grew_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boosting, "N_TREES", 12)  # hundreds take a minute
    chance = np.random.default_rng(144)
    rows = chance.normal(size=(3000, 6))
    labels = ((rows[:, 0] > 0) & (rows[:, 1] < 0.3) | (rows[:, 2] > 1.5)).astype(float)

    grown = trees_grow(rows, labels, seed=7)

    library = lightgbm.train(parameters(7), lightgbm.Dataset(rows, labels), 12)
    unseen = chance.normal(size=(500, 6))
    assert grown.feature.shape[0] == 12
    assert grown.score(unseen) == pytest.approx(np.asarray(library.predict(unseen, raw_score=True)), abs=1e-9)


def test_rows_that_cannot_be_told_apart_grow_leaves_alone() -> None:
    grown = trees_grow(np.zeros((200, 3)), np.tile([0.0, 1.0], 100), seed=7)

    assert grown.score(np.zeros((2, 3))) == pytest.approx([0.0, 0.0], abs=1e-9)
