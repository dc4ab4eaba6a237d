"""Trees that scikit-learn grows, read as numbers, score as scikit-learn scores."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from legalqa.training.ranker import boosting
from legalqa.training.ranker.boosting import trees_grow


def test_trees_score_as_the_library_that_grew_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boosting, "N_TREES", 12)
    chance = np.random.default_rng(144)
    rows = chance.normal(size=(3000, 6))
    labels = ((rows[:, 0] > 0) & (rows[:, 1] < 0.3) | (rows[:, 2] > 1.5)).astype(float)

    grown = trees_grow(rows, labels, seed=7)

    library = HistGradientBoostingClassifier(
        max_iter=12,
        learning_rate=boosting.RATE,
        max_leaf_nodes=boosting.LEAVES,
        max_depth=boosting.DEPTH,
        min_samples_leaf=boosting.LEAF_ROWS,
        l2_regularization=boosting.L2,
        early_stopping=False,
        random_state=7,
    ).fit(rows, labels.astype(int))
    unseen = chance.normal(size=(500, 6))
    assert grown.score(unseen) == pytest.approx(library.decision_function(unseen), abs=1e-9)
