"""A tuned mapping against the best fixed k on ObliQA, with nothing seen that is reported on.

The learned ranker is trained on the other collections. The class of a question is predicted by a classifier that was
trained on the questions of other documents. Fixed k, bands and mapping come from other documents too
(`legalqa.training.tuning.report`). Fixed and tuned read the same rankings of the same questions.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from judging.splits import folds_by_group
from legalqa.encoder import client as encoder
from legalqa.training.classifier.fitting import TrainingSettings, linear_train
from legalqa.training.collections.corpus import vectors_of
from legalqa.training.collections.questions import LabelledQuestion, QuestionSet
from legalqa.training.ranker.evaluation import left_out_ranker, question_sets, training_data
from legalqa.training.tuning.choosing import FOLDS, MAX_K, Arm, SearchedQuestion
from legalqa.training.tuning.report import Tuned, tune
from retrieval.complexity.types import label_of, labels_of
from retrieval.fusion.ranks import reciprocal_rank_fusion

COLLECTION = "obliqa"
N_CLASSES = 3


def tuned_on_obliqa(*, data: Path, is_reranked: bool, seed: int) -> Tuned:
    """Tune `pa-3` on ObliQA and report it on held-out documents.

    Args:
        data: The folder of the data sets.
        is_reranked: The search of `pa-3+rerank`, with ObliQA left out of the ranker's training; else that of `pa-3`,
            the plain fusion of words and meaning.
        seed: Of folds and draws.

    Raises:
        ApplicationError: the files are missing.
    """
    question_set = question_sets(data)[COLLECTION]
    questions = [question for question in question_set.questions if question.gold]
    labels = _predicted(questions, seed)
    lengths = [len(offsets) for offsets in encoder.token_offsets(list(question_set.corpus.texts))]
    rankings = _ranked(data) if is_reranked else _fused(question_set)
    searched = [
        SearchedQuestion(
            question.id,
            question.group,
            question.id,
            len(question.gold),
            int(label),
            {0: _arm(rankings[question.id], question, lengths)},
        )
        for question, label in zip(questions, labels, strict=True)
        if question.id in rankings
    ]
    stage = "learned.v1" if is_reranked else "rrf.v1"
    return tune(searched, n_classes=N_CLASSES, measured_on=stage, is_reranked=is_reranked, seed=seed)


Ranked = Sequence[tuple[int, float]]


def _arm(ranking: Ranked, question: LabelledQuestion, lengths: Sequence[int]) -> Arm:
    gold = set(question.gold)
    return Arm(
        tuple(int(place in gold) for place, _ in ranking),
        tuple(lengths[place] for place, _ in ranking),
        tuple(score for _, score in ranking),
    )


def _predicted(questions: Sequence[LabelledQuestion], seed: int) -> NDArray[np.int64]:
    """The class of each question by a classifier of the questions on other documents."""
    settings = TrainingSettings(kind="lr", n_classes=N_CLASSES)
    folds = np.asarray(folds_by_group([question.group for question in questions], n_folds=FOLDS, seed=seed))
    labels = np.zeros(len(questions), np.int64)
    for fold in range(FOLDS):
        others = [q for q, of in zip(questions, folds, strict=True) if of != fold]
        classes = [label_of(len(question.gold), N_CLASSES) for question in others]
        classifier = linear_train([question.text for question in others], classes, settings)
        places = np.flatnonzero(folds == fold)
        labels[places] = labels_of(classifier, [questions[i].text for i in places.tolist()])
    return labels


def _ranked(data: Path) -> Mapping[str, Ranked]:
    """The rankings of the learned ranker that has not seen the collection."""
    model, rankings = left_out_ranker(data, COLLECTION), {}
    for one in training_data(data).examined[COLLECTION]:
        scores = model.scores(one.features)
        order = np.argsort(-scores, kind="stable")[:MAX_K]
        rankings[one.question.id] = [(int(one.candidates[at]), float(scores[at])) for at in order]
    return rankings


def _fused(question_set: QuestionSet) -> Mapping[str, Ranked]:
    """The fusion of words and meaning, as the presets without a ranker search."""
    corpus, rankings = question_set.corpus, {}
    vectors = vectors_of([question.text for question in question_set.questions])
    for question, vector in zip(question_set.questions, vectors, strict=True):
        words, _, _, meaning = corpus.lists(question.text, corpus.vectors @ vector, question.allowed)
        fused = reciprocal_rank_fusion([words, meaning])
        rankings[question.id] = [(hit.chunk_id, hit.score) for hit in fused.hits[:MAX_K]]
    return rankings
