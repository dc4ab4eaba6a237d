"""Training the gate: what it learns, that it is deterministic, and how its threshold follows the answer rate."""

import numpy as np
import pytest

from legalqa.answering.gate import NAMES
from legalqa.training.ranker.gate import ANSWER_RATE, GateRow, gate_train

Rows = dict[str, list[GateRow]]


def rows_of(collection: str, *, n: int = 200) -> list[GateRow]:
    """Questions whose words are said more closely where there is an answer."""
    chance = np.random.default_rng(len(collection))
    return [
        GateRow(str(i), bool(i % 2), not i % 2, chance.normal(0.4 if i % 2 else 0.6, 0.15, len(NAMES)))
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def rows() -> Rows:
    return {name: rows_of(name) for name in ("rules", "contracts")}


def test_what_can_be_answered_is_likelier_in_a_collection_that_it_has_not_seen(rows: Rows) -> None:
    model = gate_train({"rules": rows["rules"]}, provenance={})
    can, cannot = (
        model.chances(np.array([row.features for row in rows["contracts"] if row.is_answerable is answerable]))
        for answerable in (True, False)
    )

    assert np.median(can) > 0.5 > np.median(cannot)


def test_the_threshold_is_the_largest_that_keeps_the_answer_rate(rows: Rows) -> None:
    model = gate_train(rows, provenance={})

    def rate(threshold: float) -> float:
        found = [
            (model.chances(np.array([r.features for r in seen if r.is_answerable])) >= threshold).mean()
            for seen in rows.values()
        ]
        return float(np.mean(found))

    assert rate(model.threshold) >= ANSWER_RATE > rate(model.threshold + 0.01)


def test_no_weight_counts_against_words_that_are_said(rows: Rows) -> None:
    assert (gate_train(rows, provenance={}).odds.weights >= 0).all()


def test_the_same_data_give_the_same_model(rows: Rows) -> None:
    one, two = (gate_train(rows, provenance={}).as_mapping() for _ in range(2))

    assert one == two
