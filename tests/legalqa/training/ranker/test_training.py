"""Training the ranker: what it learns, and that it is deterministic."""

import numpy as np
import pytest

from legalqa.training.collections.questions import LabelledQuestion
from legalqa.training.ranker import training
from legalqa.training.ranker.training import FALLING, Examined, TrainingData, is_found, ranker_train
from retrieval.rerankers.features import NAMES, PLACED
from retrieval.rerankers.model import RankerModel


def questions_of(collection: str, *, shift: float, n: int = 60) -> list[Examined]:
    """Questions whose gold passage has the largest cosine and coverage."""
    chance = np.random.default_rng(len(collection))
    found = []
    for number in range(n):
        rows = chance.normal(size=(12, len(NAMES + PLACED)))
        for name in ("cosine", "coverage_title", "coverage"):
            rows[:, NAMES.index(name)] = chance.normal(0.3 + shift, 0.05, 12)
            rows[4, NAMES.index(name)] = 0.7 + shift
        question = LabelledQuestion(str(number), "q", str(number), "1", (4,))
        found.append(Examined(question, collection, np.arange(12), rows, tuple(range(12)), 0.1))
    return found


@pytest.fixture(scope="module")
def data() -> TrainingData:
    names = {"rules": 0.0, "contracts": 0.05}
    return TrainingData({name: questions_of(name, shift=shift) for name, shift in names.items()})


def test_it_learns_to_put_gold_passages_first(data: TrainingData) -> None:
    model = ranker_train(data.without("rules"), provenance={})
    unseen = data.examined["rules"]

    assert sum(one.ranked(model)[0] == 4 for one in unseen) > 0.9 * len(unseen)
    assert all(is_found(one, model) for one in unseen)


def test_no_weight_turns_against_what_speaks_for_a_passage(data: TrainingData) -> None:
    model = ranker_train(data, provenance={})

    for name, weight in zip(NAMES, model.order.weights, strict=True):
        assert weight <= 0 if name in FALLING else weight >= 0 or name == "length"


def test_the_same_data_give_the_same_model(data: TrainingData) -> None:
    one, two = (ranker_train(data, provenance={}).as_mapping() for _ in range(2))

    assert one == two


def test_a_collection_that_is_left_out_changes_nothing(data: TrainingData) -> None:
    alone = TrainingData({"rules": data.examined["rules"]})

    left_out, never_there = (ranker_train(d, provenance={}).as_mapping() for d in (data.without("contracts"), alone))

    assert left_out == never_there


def test_a_site_with_few_questions_stays_near_the_known_model_and_grows_no_trees(data: TrainingData) -> None:
    known = ranker_train(data.without("rules"), provenance={})
    few = TrainingData({"site": data.examined["rules"][:10]})

    own = ranker_train(few, provenance={}, towards=known)
    alone = ranker_train(few, provenance={})

    assert own.trees is None
    apart, far = (np.abs(m.order.weights - known.order.weights).sum() for m in (own, alone))
    assert apart < far


def test_a_site_with_many_questions_has_trees_with_the_last_word(
    data: TrainingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "TREES_FROM", 50)  # or it takes hundreds of questions
    known = ranker_train(data.without("rules"), provenance={})

    own = ranker_train(TrainingData({"site": data.examined["rules"]}), provenance={}, towards=known)
    one = data.examined["rules"][0]

    assert own.trees is not None
    assert sum(own.parts(one.features).values()) == pytest.approx(own.scores(one.features) - own.order.bias)
    assert RankerModel.read(own.as_mapping()).scores(one.features) == pytest.approx(own.scores(one.features), abs=1e-4)
    assert all(is_found(e, own) for e in data.examined["rules"])
