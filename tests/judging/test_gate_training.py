"""Training the gate: what it learns, how its threshold is chosen, and that no collection judges itself."""

import random

import pytest

from judging.gate_training import Example, examples_matrix, gate_fit
from legalqa.answering.gate import FEATURES, WEIGHTS_FILE, gate_load


def examples_of(collection: str, *, shift: float, n: int = 80) -> list[Example]:
    """Questions whose evidence fits well where they can be answered, and badly where they cannot."""
    chance = random.Random(collection)
    found = []
    for place in range(n):
        is_answerable = place % 2 == 0
        centre = (0.7 if is_answerable else 0.4) + shift
        fit = [chance.gauss(centre, 0.08) for _ in range(3)]
        found.append(Example(collection, str(place), "q", (*fit, 1 - centre), is_answerable))
    return found


def test_the_features_of_every_example_stand_in_the_order_of_their_names() -> None:
    features, labels = examples_matrix(examples_of("first", shift=0.0))

    assert features.shape == (80, len(FEATURES))
    assert labels.sum() == 40


def test_good_evidence_makes_an_answer_likely_and_bad_evidence_silence() -> None:
    fit = gate_fit([*examples_of("first", shift=0.0), *examples_of("second", shift=0.05)])

    assert all(fit.weights["weights"][name] > 0 for name in ("best_cosine", "best_coverage", "passage_coverage"))
    assert fit.weights["weights"]["unknown_share"] < 0
    assert fit.left_out["first"]["auc"] > 0.95


def test_the_threshold_keeps_the_wanted_share_of_answers() -> None:
    examples = [*examples_of("first", shift=0.0), *examples_of("second", shift=0.05)]

    often, seldom = gate_fit(examples, answer_rate=0.99), gate_fit(examples, answer_rate=0.5)

    assert often.weights["threshold"] < seldom.weights["threshold"]


def test_each_collection_is_reported_by_a_gate_that_has_not_seen_it() -> None:
    fit = gate_fit([*examples_of("first", shift=0.0), *examples_of("second", shift=0.05)])

    assert set(fit.left_out) == {"first", "second"}
    assert fit.left_out["first"]["n"] == 80


def test_the_gate_that_ships_names_the_collections_it_was_trained_on() -> None:
    gate = gate_load(WEIGHTS_FILE)

    assert gate.trained_on == ("contractnli", "obliqa", "policy_copilot")
    assert 0 < gate.threshold < 1


@pytest.mark.parametrize(("features", "is_answered"), [((0.9, 0.9, 0.9, 0.0), True), ((0.3, 0.1, 0.1, 0.6), False)])
def test_the_gate_that_ships_answers_from_plain_evidence_and_is_silent_without(
    features: tuple[float, ...], is_answered: bool
) -> None:
    gate = gate_load(WEIGHTS_FILE)

    assert (gate.probability(features) >= gate.threshold) == is_answered
