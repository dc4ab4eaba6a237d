"""The evidence ranker on a public collection, question by question, trained without that collection."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from legalqa.common.errors import ApplicationError
from legalqa.encoder.client import reading
from legalqa.training.collections.questions import QUESTION_SETS, QuestionSet
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.public import trained_on, with_vectors
from legalqa.training.ranker.chains import chained, chains_train
from legalqa.training.ranker.training import SEED, Examined, TrainingData, examine, ranker_train
from legalqa.training.ranker.types import QuestionOutcome
from legalqa.training.reader.mix import NOT_MENTIONED
from retrieval.rerankers.chains import ChainModel
from retrieval.rerankers.model import FIRST, RankerModel

REPORTED = ("policy_copilot", "obliqa", "contractnli")
MENTIONING = "contractnli"  # the set whose questions ask whether a document says anything on a statement
PASSAGES_READ = 10  # passages of a document that the reader compares with a statement
MENTIONED_FROM = 0.5
FOLDS = 4


@lru_cache(maxsize=2)
def question_sets(data: Path) -> dict[str, QuestionSet]:
    """Every collection, indexed; read once a process."""
    return {name: load(data) for name, load in QUESTION_SETS.items()}


@lru_cache(maxsize=2)
def training_data(data: Path) -> TrainingData:
    """Every collection searched; takes minutes, so once a process."""
    return TrainingData({name: examine(collection) for name, collection in question_sets(data).items()})


@lru_cache(maxsize=8)
def left_out_ranker(data: Path, collection: str) -> RankerModel:
    """The packaged ranker as it would be without one of its collections."""
    return ranker_train(training_data(data).without(collection), provenance={})


@lru_cache(maxsize=2)
def left_out_chains(data: Path, collection: str) -> ChainModel:
    """The scorer of chains as it would be without one of its collections."""
    examined = training_data(data).without(collection).examined
    parts = [(rows, question_sets(data)[name].corpus) for name, rows in examined.items()]
    return chains_train(parts, left_out_ranker(data, collection), provenance={})


def outcomes(
    collection: str, *, data: Path, trained_on_it: bool = False, is_chained: bool = False, seed: int = SEED
) -> tuple[QuestionOutcome, ...]:
    """Every question of a collection with what the default preset's search made of it.

    Args:
        collection: One of REPORTED.
        data: The folder of the data sets.
        trained_on_it: Encoder and ranker trained on the collection's own other groups (documents, contracts), instead
            of a ranker that has seen none of it.
        is_chained: Ordered by the beam of chains behind the ranker, whose scorer was trained on the same questions.
        seed: Deals the groups into folds.

    Raises:
        ApplicationError: no such collection, or its files are missing.
    """
    if collection not in REPORTED:
        raise ApplicationError(
            f"No collection is called {collection!r}; choose one of: {', '.join(REPORTED)}.", code="unknown_collection"
        )
    every = training_data(data)
    examined = every.examined[collection]
    question_set = question_sets(data)[collection]
    if not trained_on_it:
        model = left_out_ranker(data, collection)
        mentioned = _mentioned(examined, question_set, model) if collection == MENTIONING else [None] * len(examined)
        chains = left_out_chains(data, collection) if is_chained else None
        return tuple(
            _outcome(one, question_set, model, chance, chains) for one, chance in zip(examined, mentioned, strict=True)
        )
    return _cross_validated(collection, data, seed, is_chained=is_chained)


def _cross_validated(collection: str, data: Path, seed: int, *, is_chained: bool) -> tuple[QuestionOutcome, ...]:
    """The result of training on a site's own questions: encoder and ranker, on documents that neither has seen.

    The ranker learns from what the packaged encoder finds for the other folds' questions: the trained one has seen
    them, and its cosines would flatter it. Takes an encoder a fold; each is kept under LEGALQA_VAR.
    """
    every, question_set = training_data(data), question_sets(data)[collection]
    groups = sorted({one.question.group for one in every.examined[collection]})
    fold_of = {group: place % FOLDS for place, group in enumerate(np.random.default_rng(seed).permutation(groups))}
    by_id: dict[str, QuestionOutcome] = {}
    for fold in range(FOLDS):
        others = [one for one in every.examined[collection] if fold_of[one.question.group] != fold]
        learned = [one.question for one in others if one.is_answerable]
        name, _ = trained_on(question_set, learned, EncoderTraining(), note=lambda _: None)
        model = ranker_train(
            TrainingData({collection: others}), provenance={}, towards=left_out_ranker(data, collection)
        )
        chains = chains_train([(others, question_set.corpus)], model, provenance={}) if is_chained else None
        questions = tuple(q for q in question_set.questions if fold_of.get(q.group) == fold)
        own = replace(with_vectors(question_set, name=name), questions=questions)
        for one in examine(own, name=name):
            by_id[one.question.id] = _outcome(one, own, model, None, chains)
    return tuple(by_id[one.question.id] for one in every.examined[collection])


def _mentioned(examined: Sequence[Examined], question_set: QuestionSet, model: RankerModel) -> list[float]:
    """Of each statement the chance that one of the passages that are found says it or the opposite, by the reader."""
    pairs, owners = [], []
    for owner, one in enumerate(examined):
        places = one.ranked(model)[:PASSAGES_READ].tolist()
        pairs += [(one.question.text, question_set.corpus.texts[place]) for place in places]
        owners += [owner] * len(places)
    chances = [0.0] * len(examined)
    for owner, verdict in zip(owners, reading(pairs), strict=True):
        chances[owner] = max(chances[owner], 1 - verdict.support[NOT_MENTIONED])
    return chances


def _outcome(
    one: Examined, question_set: QuestionSet, model: RankerModel, chance: float | None, chains: ChainModel | None
) -> QuestionOutcome:
    ids = question_set.passage_ids
    order = one.ranked(model) if chains is None else chained(one, model, chains, question_set.corpus)
    return QuestionOutcome(
        id=one.question.id,
        collection=one.collection,
        group=one.question.group,
        kind=one.question.kind,
        is_answerable=one.is_answerable,
        gold=tuple(ids[place] for place in one.question.gold),
        ranked=tuple(ids[place] for place in order.tolist()),
        baseline=tuple(ids[place] for place in one.baseline),
        probability=model.probability(one.features, model.scores(one.features)),
        answerable=chance,
        fusion_score=one.fusion_score,
        is_answered=chance is not None and chance >= MENTIONED_FROM,
    )


def figures(outcomes: Sequence[QuestionOutcome]) -> dict[str, float]:
    """The figures of one collection; recall is averaged over the questions that have gold passages."""
    answerable = [o for o in outcomes if o.is_answerable]
    silent = [o for o in outcomes if not o.is_answerable]
    numbers = {"questions": float(len(outcomes)), "first_5": float(np.mean([o.found(FIRST) for o in answerable]))}
    if silent and all(o.answerable is not None for o in outcomes):
        numbers["answer_rate"] = float(np.mean([o.is_answered for o in answerable]))
        numbers["declined"] = float(np.mean([not o.is_answered for o in silent]))
    for k in (5, 10):
        numbers[f"recall_{k}"] = recall(answerable, k)
        numbers[f"recall_{k}_fusion"] = recall(answerable, k, baseline=True)
        for kind in sorted({o.kind for o in answerable}):
            numbers[f"recall_{k}_{kind}"] = recall([o for o in answerable if o.kind == kind], k)
    return numbers


def recall(outcomes: Sequence[QuestionOutcome], k: int, *, baseline: bool = False) -> float:
    """The mean share of a question's gold passages among the first k; of questions that have any."""
    shares = []
    for one in outcomes:
        if one.gold:
            ranks = one.baseline_ranks if baseline else one.gold_ranks
            shares.append(sum(rank is not None and rank <= k for rank in ranks) / len(ranks))
    return float(np.mean(shares))
