"""What the evidence ranker comes to on a public collection, question by question, with that collection left out."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from corpora.tokens import term_ids, tokens
from judging.collections import LANGUAGE
from judging.evaluation_types import QuestionOutcome
from judging.question_sets import QUESTION_SETS, QuestionSet
from judging.ranker_training import SEED, Examined, TrainingData, examine, ranker_train
from legalqa.answering.draft import draft_extractive
from legalqa.answering.types import QuestionTerms
from legalqa.common.errors import ApplicationError
from legalqa.llm import encoder
from retrieval.presets import DEFAULT_PRESET, preset_get
from retrieval.rankers.model import FIRST, RankerModel

REPORTED = ("policy_copilot", "obliqa", "contractnli")
EMPTIED = ("obliqa", "policy_copilot", "wice")  # a contract's own NotMentioned rows teach the same, and are real
FOLDS = 4
PASSAGES_READ = 10  # as the default preset gives to the answer


@lru_cache(maxsize=2)
def question_sets(data: Path) -> dict[str, QuestionSet]:
    """Every collection, indexed; read once a process."""
    return {name: read(data) for name, read in QUESTION_SETS.items()}


@lru_cache(maxsize=2)
def training_data(data: Path) -> TrainingData:
    """Every collection searched, as asked and emptied; takes minutes, so once a process."""
    found = question_sets(data)
    asked = {name: examine(collection) for name, collection in found.items()}
    return TrainingData(asked, {name: examine(found[name], emptied=True) for name in EMPTIED})


def outcomes(
    collection: str, *, data: Path, trained_on_it: bool = False, seed: int = SEED
) -> tuple[QuestionOutcome, ...]:
    """Every question of a collection with what the default preset's search made of it.

    Args:
        collection: One of REPORTED.
        data: The folder of the data sets.
        trained_on_it: Cross-validated by the collection's own groups (documents, contracts) instead of left out.
        seed: Deals the groups into folds.

    Raises:
        ApplicationError: no such collection, or its files are missing.
    """
    if collection not in REPORTED:
        raise ApplicationError(
            f"No collection is called {collection!r}; choose one of: {', '.join(REPORTED)}.", code="unknown_collection"
        )
    every = training_data(data)
    examined = every.asked[collection]
    found = question_sets(data)[collection]
    if not trained_on_it:
        model = ranker_train(every.without(collection), provenance={})
        return tuple(_outcome(one, found, model, left_out=True) for one in examined)
    groups = sorted({one.question.group for one in examined})
    fold_of = {group: place % FOLDS for place, group in enumerate(np.random.default_rng(seed).permutation(groups))}
    models = [ranker_train(_without_fold(every, collection, fold_of, fold), provenance={}) for fold in range(FOLDS)]
    return tuple(_outcome(one, found, models[fold_of[one.question.group]], left_out=False) for one in examined)


def _without_fold(data: TrainingData, collection: str, fold_of: dict[str, int], fold: int) -> TrainingData:
    """The collection's other folds alone: what is known of the site itself."""

    def kept(rows: Sequence[Examined]) -> list[Examined]:
        return [one for one in rows if fold_of.get(one.question.group) != fold]

    emptied = {collection: kept(data.emptied[collection])} if collection in data.emptied else {}
    return TrainingData({collection: kept(data.asked[collection])}, emptied)


def _outcome(one: Examined, found: QuestionSet, model: RankerModel, *, left_out: bool) -> QuestionOutcome:
    ranked = one.ranked(model)
    probability, answerable = model.probabilities(one.features, model.scores(one.features))
    is_answered = answerable >= model.threshold
    cited = _cited(one, found, ranked[:PASSAGES_READ].tolist(), answerable, model) if is_answered else ()
    ids = found.passage_ids
    return QuestionOutcome(
        id=one.question.id,
        collection=one.collection,
        group=one.question.group,
        kind=one.question.kind,
        is_answerable=one.is_answerable,
        gold=tuple(ids[place] for place in one.question.gold),
        ranked=tuple(ids[place] for place in ranked),
        baseline=tuple(ids[place] for place in one.baseline),
        probability=probability,
        answerable=answerable,
        fusion_score=one.fusion_score,
        is_answered=is_answered,
        cited=cited,
        left_out=left_out,
    )


def _cited(
    one: Examined, found: QuestionSet, places: list[int], answerable: float, model: RankerModel
) -> tuple[str, ...]:
    """The passages that the extractive answer quotes; only where the reported figure asks for it."""
    if one.collection != "policy_copilot":
        return ()
    words = sorted(set(tokens(one.question.text, language=LANGUAGE)))
    ids = term_ids(words)
    weights = dict(zip(words, found.corpus.words.idf(ids).tolist(), strict=True))
    held = found.corpus.words.holds(ids)
    draft = draft_extractive(
        text=one.question.text,
        passages=[(found.corpus.texts[place], "", hit) for hit, place in enumerate(places)],
        question=QuestionTerms.of(weights, frozenset(w for w, h in zip(words, held, strict=True) if not h)),
        policy=preset_get(DEFAULT_PRESET).answer,
        answerable=lambda _: answerable,
        threshold=model.threshold,
        tokenise=lambda text: tokens(text, language=LANGUAGE),
        encode=encoder.encoder().encode,
    )
    quoted = {s.passage for claim in draft.claims if claim.is_shown for s in (claim.sentence, *claim.elsewhere)}
    return tuple(found.passage_ids[places[place]] for place in sorted(quoted))


def figures(found: Sequence[QuestionOutcome]) -> dict[str, float]:
    """The figures of one collection; recall is averaged over the questions that have gold passages."""
    answerable = [o for o in found if o.is_answerable]
    silent = [o for o in found if not o.is_answerable]
    known = {
        "questions": float(len(found)),
        "first_5": float(np.mean([o.found(FIRST) for o in answerable])),
        "answer_rate": float(np.mean([o.is_answered for o in answerable])),
    }
    for k in (5, 10):
        known[f"recall_{k}"] = recall(answerable, k)
        known[f"recall_{k}_fusion"] = recall(answerable, k, baseline=True)
        for kind in sorted({o.kind for o in answerable}):
            known[f"recall_{k}_{kind}"] = recall([o for o in answerable if o.kind == kind], k)
    if silent:
        known["declined"] = float(np.mean([not o.is_answered for o in silent]))
    if answered := [o for o in answerable if o.is_answered and o.cited]:
        known["cites_gold"] = float(np.mean([o.cites_gold for o in answered]))
    return known


def recall(found: Sequence[QuestionOutcome], k: int, *, baseline: bool = False) -> float:
    """The mean share of a question's gold passages among the first k; of questions that have any."""
    shares = []
    for one in found:
        if one.gold:
            ranks = one.baseline_ranks if baseline else one.gold_ranks
            shares.append(sum(rank is not None and rank <= k for rank in ranks) / len(ranks))
    return float(np.mean(shares))
