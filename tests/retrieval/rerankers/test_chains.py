"""Chains: what a candidate is measured by behind one, and how the best of several is found."""

import json
from dataclasses import replace

import numpy as np
import pytest

from retrieval.rerankers.chains import (
    CHAIN,
    OWN,
    ChainModel,
    Listed,
    Values,
    beam_search,
    chain_features,
    chain_model_load,
)
from retrieval.rerankers.features import NAMES
from retrieval.rerankers.model import ModelError

COLUMNS = (*OWN, *CHAIN)
# Places 4, 5 and 9 of one document, 40 of another.
LISTED = Listed(
    scores=np.array([3.0, 2.0, 1.0, 0.0]),
    features=np.zeros((4, len(NAMES))),
    places=np.array([4, 5, 9, 40]),
    documents=np.array([0, 0, 0, 1]),
    cosines=np.array([[1.0, 0.8, 0.2, 0.1], [0.8, 1.0, 0.3, 0.4], [0.2, 0.3, 1.0, 0.6], [0.1, 0.4, 0.6, 1.0]]),
)


def column(name: str, chain: list[int]) -> list[float]:
    values: list[float] = chain_features(LISTED, chain)[:, COLUMNS.index(name)].tolist()
    return values


def test_a_candidate_is_measured_against_the_chain_before_it() -> None:
    assert column("within 1", [0]) == [1, 1, 0, 0]
    assert column("within 10", [0, 2]) == [2, 2, 2, 0]
    assert column("of its document", [0, 3]) == [1, 1, 1, 1]
    assert column("nearest in meaning", [0, 2]) == [1.0, 0.8, 1.0, 0.6]
    assert column("meaning of the first", [0, 2]) == [1.0, 0.8, 0.2, 0.1]
    assert column("log places to the nearest", [1]) == pytest.approx(np.log1p([1, 0, 4, 999]))
    assert column("before or after", [1]) == [-1, 0, 0, 0]
    assert column("gap", [1]) == [0, -1, -2, -3]


def test_without_a_chain_there_is_nothing_to_measure_against() -> None:
    assert np.all(chain_features(LISTED, [])[:, len(OWN) :] == 0)


class Told(ChainModel):
    """Log-odds by the last passage of a chain, as a test has told them."""

    def odds(self, listed: Listed, chain: object) -> Values:  # noqa: ARG002 - of every model
        told: dict[int | None, list[float]] = self.provenance["told"]
        assert isinstance(chain, tuple)
        return np.array(told[chain[-1] if chain else None])


# The best first passage, 0, leads nowhere; behind the second best, 1, passage 3 is all but certain.
TOLD = Told(
    chain_model_load().trees,
    {"told": {None: [2.0, 1.9, 0.0, -1.0], 0: [0, -3.0, -3.0, -3.0], 1: [-2.0, 0, -1.0, 4.0], 3: [-3.0, 0, -3.0, 0]}},
)


def test_two_beams_find_the_better_chain_that_one_misses() -> None:
    one = beam_search(LISTED, TOLD, beams=1, hops=3, stop=0.5)
    two = beam_search(LISTED, TOLD, beams=2, hops=3, stop=0.5)

    assert (one.order, one.n_hops) == ((0, 1, 2, 3), 1)
    assert (two.order, two.n_hops) == ((1, 3, 0, 2), 2)


def test_a_chain_is_no_longer_than_its_hops() -> None:
    assert beam_search(LISTED, TOLD, beams=2, hops=1, stop=0.5).n_hops == 1


def test_the_packaged_scorer_comes_back_from_json_and_says_what_it_was_trained_on() -> None:
    model = chain_model_load()

    again = ChainModel.read(json.loads(json.dumps(model.as_mapping())))

    assert again.odds(LISTED, [0]) == pytest.approx(model.odds(LISTED, [0]))
    assert model.provenance["collections"]["obliqa"] > 1000
    with pytest.raises(ModelError, match="other features"):
        ChainModel.read(model.as_mapping() | {"features": ["gap"]})


def test_one_candidate_is_a_chain() -> None:
    alone = replace(
        LISTED,
        scores=LISTED.scores[:1],
        features=LISTED.features[:1],
        places=LISTED.places[:1],
        documents=LISTED.documents[:1],
        cosines=LISTED.cosines[:1, :1],
    )

    assert beam_search(alone, chain_model_load(), beams=3, hops=4, stop=0.3).order == (0,)
