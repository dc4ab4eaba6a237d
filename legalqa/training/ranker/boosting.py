"""Boosted trees of a site with many questions of its own: grown by LightGBM, kept as plain numbers.

What is kept is scored in numpy (`retrieval.rerankers.trees`), so a search neither loads LightGBM nor trusts its files.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.rerankers.trees import Trees

# Ours.
N_TREES = 250
RATE = 0.05  # share of each tree's step that is taken
LEAVES = 12  # leaves of a tree at most
DEPTH = 7  # splits from the root to a leaf at most
LEAF_ROWS = 80  # rows of a leaf at least
L2 = 10.0  # penalty on the squared value of a leaf
Values = NDArray[np.float64]
Node = tuple[int, float, int, int, float]  # feature, threshold, left, right, value


def trees_grow(rows: Values, labels: Values, *, seed: int) -> Trees:
    """Grow trees that separate answering passages from others, by their log-odds.

    Args:
        rows: What `looked_at` gives, of all questions, [n, d].
        labels: 1 for a passage that answers, else 0, [n].
        seed: Of the bins.

    Source: gradient boosting with binned features (Ke et al. 2017, LightGBM).
    """
    import lightgbm

    grown = lightgbm.train(parameters(seed), lightgbm.Dataset(rows, labels), N_TREES)
    return _read([tree["tree_structure"] for tree in grown.dump_model()["tree_info"]])


def parameters(seed: int) -> dict[str, Any]:
    """How LightGBM grows the trees; the same rows give the same trees on any number of threads."""
    return {
        "objective": "binary",
        "learning_rate": RATE,
        "num_leaves": LEAVES,
        "max_depth": DEPTH,
        "min_data_in_leaf": LEAF_ROWS,
        "lambda_l2": L2,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }


def _read(grown: Sequence[Mapping[str, Any]]) -> Trees:
    """Trees padded to the size of the largest; LightGBM adds the base to the leaves of the first one."""
    trees = [_nodes(tree) for tree in grown]
    table = np.zeros((5, len(trees), max(len(tree) for tree in trees)))
    for place, tree in enumerate(trees):
        table[:, place, : len(tree)] = np.array(tree).T
    feature, left, right = table[[0, 2, 3]].astype(np.int64)
    return Trees(feature, table[1], left, right, table[4], 0.0, DEPTH)


def _nodes(node: Mapping[str, Any], at: int = 0) -> list[Node]:
    """A tree as a list, each node before its children; a leaf is its own child."""
    if "leaf_value" in node:
        return [(0, 0.0, at, at, node["leaf_value"])]
    left = _nodes(node["left_child"], at + 1)
    right = _nodes(node["right_child"], at + 1 + len(left))
    return [(node["split_feature"], node["threshold"], at + 1, at + 1 + len(left), 0.0), *left, *right]
