"""A site's own ranker: its gold questions searched on the real corpus, a model learned from them, and what it gains."""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from corpora.models import Corpus
from judging.measures.abstention import calibration_error
from judging.measures.values import number
from judging.splits import folds_by_group
from legalqa.common.private import private_file, private_folder
from legalqa.training.collections.questions import LabelledQuestion
from legalqa.training.encoder.data import GoldAsked, Held, gold_chunks
from legalqa.training.encoder.evaluation import Compared, row_document
from legalqa.training.encoder.searching import figures_found, is_judged, searched
from legalqa.training.ranker.training import LISTED, Examined, TrainingData, is_found, ranker_train
from retrieval.pipelines.presets import WIDE
from retrieval.rerankers import Learned, RerankFailed
from retrieval.rerankers.features import Pool, features
from retrieval.rerankers.learned import pool_gather
from retrieval.rerankers.model import RankerModel
from retrieval.stages import Pipeline, Resources
from retrieval.types import Query

COLLECTION = "site"
FOLDS = 4
FEWEST_UNSEEN = 20  # ours: from this many on, of two documents, those that the encoder learned are left out
ROW, TITLE = "default, own ranker", "The default preset, with the corpus's own ranker"


def site_examine(
    *, corpus: Corpus, questions: Sequence[GoldAsked], chunks: Held, encoder: str
) -> list[Examined | None]:
    """Search for questions as the default preset does before it ranks; None where nothing was found.

    Opens its own short transactions; the questions are encoded outside them.

    Args:
        corpus: The corpus.
        questions: Answerable or not.
        chunks: The chunks that hold their passages.
        encoder: Name of the one whose vectors are compared.
    """

    def gather(query: Query, resources: Resources) -> Pool | None:
        ranking = Pipeline(stages=(WIDE,)).search(query, resources)
        try:
            return pool_gather(query, ranking, depth=Learned().depth, resources=resources) if ranking.hits else None
        except RerankFailed:  # a version was published in between: one question less
            return None

    def examined(question: GoldAsked, pool: Pool) -> Examined:
        ids = np.array([hit.chunk_id for hit in pool.ranking.hits], np.int64)
        return Examined(_labelled(question, chunks), COLLECTION, ids, features(pool), (), pool.ranking.hits[0].score)

    pools = searched(corpus=corpus, questions=questions, encoder=encoder, search=gather)
    return [None if pool is None else examined(one, pool) for one, pool in zip(questions, pools, strict=True)]


def _labelled(question: GoldAsked, chunks: Held) -> LabelledQuestion:
    return LabelledQuestion(question.id, question.text, str(question.group), "", tuple(gold_chunks(question, chunks)))


def question_key(question: GoldAsked) -> str:
    """The key of a kept search: the question in the words in which it was searched for."""
    return f"{question.id} {sha256(question.text.encode()).hexdigest()}"


def examined_save(file: Path, questions: Sequence[GoldAsked], examined: Sequence[Examined | None]) -> None:
    """Keep the results of a batch of questions; a crash meanwhile leaves no half-written file."""
    private_folder(file.parent)
    arrays: dict[str, Any] = {"keys": np.array([question_key(question) for question in questions])}
    for place, one in enumerate(examined):
        if one is not None:
            arrays |= {f"ids {place}": one.candidates, f"features {place}": one.features.astype(np.float32)}
            arrays[f"score {place}"] = np.array(one.fusion_score)
    fresh = file.with_suffix(".part.npz")
    with private_file(fresh) as stream:
        np.savez(stream, **arrays)
    fresh.replace(file)


def examined_keys(file: Path) -> list[str]:
    """The keys of the questions that a file has; none in one that was written before files had keys."""
    with np.load(file) as arrays:
        return [str(key) for key in arrays["keys"]] if "keys" in arrays else []


def examined_read(file: Path, questions: Mapping[str, GoldAsked], chunks: Held) -> dict[str, Examined]:
    """What a file has of these questions, by their keys, without those that found nothing; with current labels."""
    examined = {}
    keys = examined_keys(file)
    with np.load(file) as arrays:
        for place, key in enumerate(keys):
            if key in questions and f"ids {place}" in arrays:
                values = np.asarray(arrays[f"features {place}"], np.float64)
                ids, score = np.asarray(arrays[f"ids {place}"], np.int64), float(arrays[f"score {place}"])
                examined[key] = Examined(_labelled(questions[key], chunks), COLLECTION, ids, values, (), score)
    return examined


def site_fit(
    examined: Sequence[Examined],
    questions: Mapping[str, GoldAsked],
    chunks: Held,
    *,
    towards: RankerModel,
    before: RankerModel,
    encoder_learned: Collection[str],
    provenance: Mapping[str, Any],
    seed: int,
) -> tuple[RankerModel, dict[str, Any]]:
    """Learn from all questions, and cross-validate by document: the report is from models that had not seen it.

    The cosines of a question that the encoder itself learned flatter every ranker. Such questions teach as well as
    others, but the report is on the others alone where there are enough of them.

    Args:
        examined: The questions with their candidates.
        questions: The same by id, with their references.
        chunks: The chunks that hold the references.
        towards: The packaged model: few questions change it a little, see `ranker_train`.
        before: The model in use now.
        encoder_learned: Texts of the questions that the encoder learned from.
        provenance: Kept with the model.
        seed: Of the folds and of the draws of the intervals.
    """
    groups = [one.question.group for one in examined]
    n_folds = min(FOLDS, len(set(groups)))
    folds = folds_by_group(groups, n_folds=n_folds, seed=seed)
    own = [_own([e for e, f in zip(examined, folds, strict=True) if f != fold], towards, {}) for fold in range(n_folds)]
    judged_by = {one.question.id: own[fold] for one, fold in zip(examined, folds, strict=True)}
    sample = _unseen_if_enough(examined, questions, chunks, encoder_learned)
    by_model = [(one, judged_by[one.question.id]) for one in sample]
    pairs = [(one, model) for one, model in by_model if is_judged(questions[one.question.id], chunks)]
    comparisons = [_compared(one, questions[one.question.id], chunks, (before, model)) for one, model in pairs]
    report = {
        "questions": {
            "learned": len(examined),
            "held_out": len(comparisons),
            "documents_held_out": len({one.question.group for one, _ in pairs}),
            "encoder_learned": sum(one.question.text in encoder_learned for one, _ in pairs),
        },
        "rows": [row_document(ROW, TITLE, comparisons, seed=seed)],
        "elsewhere": [],
        "calibration": {
            "before": _calibration([(one, before) for one, _ in by_model]),
            "after": _calibration(by_model),
        },
        "training": {
            "steps": n_folds + 1,
            "losses": [],
            "pairs": int(sum(one.labels[:LISTED].sum() for one in examined)),
            "negatives": int(sum((1 - one.labels[:LISTED]).sum() for one in examined)),
        },
        "provenance": dict(provenance),
    }
    return _own(examined, towards, provenance), report


def _compared(one: Examined, question: GoldAsked, chunks: Held, models: Sequence[RankerModel]) -> Compared:
    before, after = (figures_found(question, chunks, one.ranked(model).tolist()) for model in models)
    return Compared(one.question.group, before, after)


def _own(examined: Sequence[Examined], towards: RankerModel, provenance: Mapping[str, Any]) -> RankerModel:
    return ranker_train(TrainingData({COLLECTION: examined}), provenance=provenance, towards=towards)


def _unseen_if_enough(
    examined: Sequence[Examined], questions: Mapping[str, GoldAsked], chunks: Held, encoder_learned: Collection[str]
) -> Sequence[Examined]:
    """The questions that the encoder has not learned; all of them where those are too few to be judged on."""
    unseen = [one for one in examined if one.question.text not in encoder_learned]
    groups = [one.question.group for one in unseen if is_judged(questions[one.question.id], chunks)]
    return unseen if len(groups) >= FEWEST_UNSEEN and len(set(groups)) > 1 else examined


def _calibration(pairs: Sequence[tuple[Examined, RankerModel]]) -> float | None:
    """How far the probability of a gold passage among the first five is from the true share, over all questions."""
    probabilities = [model.probability(one.features, model.scores(one.features)) for one, model in pairs]
    return number(calibration_error(probabilities, [is_found(one, model) for one, model in pairs]), 4)
