"""Boosted trees of a site with many questions of its own: grown by scikit-learn, kept as plain numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from retrieval.rerankers.trees import Trees

N_TREES, RATE, LEAVES, DEPTH, LEAF_ROWS, L2 = 250, 0.05, 12, 7, 80, 10.0
Values = NDArray[np.float64]


def trees_grow(rows: Values, labels: Values, *, seed: int) -> Trees:
    """Grow trees that tell passages which answer from those that do not, by their log-odds.

    Args:
        rows: What `looked_at` gives, of all questions, [n, d].
        labels: 1 for a passage that answers, else 0, [n].
        seed: Of the bins.

    Source: gradient boosting with binned features (Ke et al. 2017, LightGBM), as in scikit-learn.
    """
    grown = HistGradientBoostingClassifier(
        max_iter=N_TREES,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        max_depth=DEPTH,
        min_samples_leaf=LEAF_ROWS,
        l2_regularization=L2,
        early_stopping=False,
        random_state=seed,
    ).fit(rows, labels.astype(int))
    # scikit-learn has no public way to its binned trees; a test holds what is read here against its own scores.
    nodes = [predictors[0].nodes for predictors in grown._predictors]
    base = float(np.ravel(grown._baseline_prediction)[0])
    return _read(nodes, base)


def _read(nodes: list[Any], base: float) -> Trees:
    """Trees padded to the size of the largest."""
    shape = (len(nodes), max(len(tree) for tree in nodes))
    feature, left, right = (np.zeros(shape, np.int64) for _ in range(3))
    threshold, value = np.zeros(shape), np.zeros(shape)
    for place, tree in enumerate(nodes):
        here, is_leaf = np.arange(len(tree)), tree["is_leaf"].astype(bool)
        feature[place, : len(tree)] = np.where(is_leaf, 0, tree["feature_idx"])
        threshold[place, : len(tree)] = np.where(is_leaf, 0.0, tree["num_threshold"])
        left[place, : len(tree)] = np.where(is_leaf, here, tree["left"])
        right[place, : len(tree)] = np.where(is_leaf, here, tree["right"])
        value[place, : len(tree)] = np.where(is_leaf, tree["value"], 0.0)
    depth = max(int(tree["depth"].max()) for tree in nodes)
    return Trees(feature, threshold, left, right, value, base, depth)
