"""The encoder trained on a share of a public collection's documents, and what that does on the rest and elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings as django_settings
from numpy.typing import NDArray

from judging.splits import groups_kept
from legalqa.common.config import fingerprint_of
from legalqa.encoder import client as encoder
from legalqa.encoder.weights import weights_pack
from legalqa.training.collections.corpus import vectors_of
from legalqa.training.collections.questions import LabelledQuestion, QuestionSet
from legalqa.training.encoder.evaluation import Compared, Figures, question_figures, row_document
from legalqa.training.encoder.finetuning import EncoderFineTuning, EncoderTraining, Pair
from legalqa.training.encoder.report import ROWS, report_document
from legalqa.training.encoder.training import fine_tuning
from legalqa.training.files import json_keep, json_kept
from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.rerankers.features import features
from retrieval.rerankers.model import RankerModel

SAVED_EVERY = 10  # steps
DEEP = 100

Note = Callable[[str], None]
Vectors = NDArray[np.float32]


def trained_on(
    question_set: QuestionSet, learned: Sequence[LabelledQuestion], settings: EncoderTraining, note: Note
) -> tuple[str, dict[str, Any]]:
    """Train the packaged encoder on questions of a collection; a second time it is read from LEGALQA_VAR.

    Returns the name that it can be asked for by, and how it was trained.
    A training that was stopped goes on from its checkpoint.
    """
    vectors = _vectors(question_set, learned)
    note(f"searching for what does not answer {len(learned)} questions …")
    pairs = [_pair(question_set, question, vectors[question.id], settings) for question in learned]
    data = fingerprint_of([[p.question, p.gold, p.negatives] for p in pairs] + [list(question_set.corpus.texts)])
    mark = fingerprint_of([data, settings.fingerprint(), encoder.batch_dtype()])[:32]
    folder = Path(django_settings.VAR) / "collections"
    file, record = folder / f"encoder-{mark}.safetensors", json_kept(folder / f"encoder-{mark}.json")
    if record is None or not file.is_file():
        tuning = fine_tuning(pairs, question_set.corpus.texts, settings, data=data)
        _train(tuning, folder / f"encoder-{mark}.at", note)
        provenance = {"source": question_set.name, "pairs": len(pairs), "settings": settings.model_dump(mode="json")}
        file.write_bytes(weights_pack(tuning.tensors(), provenance=provenance))
        record = {
            "seconds": round(tuning.progress.seconds, 1),
            "steps": tuning.progress.step,
            "pairs": len(pairs),
            "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
        }
        json_keep(folder / f"encoder-{mark}.json", record)
    return encoder.weights_keep(file.read_bytes()), record


def _train(tuning: EncoderFineTuning, file: Path, note: Note) -> None:
    tuning.load(file)
    while not tuning.advance():
        note(f"step {tuning.progress.step} of {tuning.n_steps}, loss {tuning.progress.losses[-1]:.2f}")
        if tuning.progress.step % SAVED_EVERY == 0:
            tuning.save(file)
    file.unlink(missing_ok=True)


def _pair(question_set: QuestionSet, question: LabelledQuestion, vector: Vectors, settings: EncoderTraining) -> Pair:
    """A question with what the fusion of words and meaning finds for it and what does not answer it."""
    lists = question_set.corpus.lists(question.text, question_set.corpus.vectors @ vector, question.allowed)
    hits = reciprocal_rank_fusion([lists[0], lists[3]]).hits[: settings.depth]
    negatives = tuple(hit.chunk_id for hit in hits if hit.chunk_id not in question.gold)
    return Pair(question.text, question.gold, negatives)


def _vectors(
    question_set: QuestionSet, questions: Sequence[LabelledQuestion], *, name: str = encoder.NAME
) -> dict[str, Vectors]:
    """The vectors of questions by id; by the packaged encoder those of the whole collection, which others keep too."""
    rows = question_set.questions if name == encoder.NAME else questions
    matrix = vectors_of([question.text for question in rows], name=name)
    return {question.id: vector for question, vector in zip(rows, matrix, strict=True)}


def compared_on(
    question_set: QuestionSet, questions: Sequence[LabelledQuestion], name: str, *, ranker: RankerModel | None = None
) -> dict[str, list[Compared]]:
    """Questions of a collection by the packaged encoder and by another one, by the names of ROWS.

    Args:
        question_set: The collection.
        questions: Those to ask, each with a passage that answers it.
        name: Of the other encoder.
        ranker: Of the default preset, one that has not seen the collection; None leaves the default preset out.
    """
    figures: list[dict[str, list[Figures]]] = []
    for one in (encoder.NAME, name):
        vectors = _vectors(question_set, questions, name=one)
        here = question_set
        if one != encoder.NAME:
            here = with_vectors(question_set, name=one)
        side = {"dense": [_dense(here, question, vectors[question.id]) for question in questions]}
        if ranker is not None:
            side["default"] = [_default(here, question, vectors[question.id], ranker) for question in questions]
        figures.append(side)
    return {
        row: [Compared(q.group, b, a) for q, b, a in zip(questions, figures[0][row], figures[1][row], strict=True)]
        for row in figures[0]
    }


def with_vectors(question_set: QuestionSet, *, name: str) -> QuestionSet:
    """A collection with the vectors of another encoder."""
    corpus = replace(question_set.corpus, vectors=vectors_of(question_set.corpus.texts, name=name))
    return replace(question_set, corpus=corpus)


def _dense(question_set: QuestionSet, question: LabelledQuestion, vector: Vectors) -> Figures:
    cosines = question_set.corpus.vectors @ vector
    open_to = np.arange(len(cosines)) if question.allowed is None else question.allowed
    nearest = open_to[np.argsort(-cosines[open_to], kind="stable")[:DEEP]]
    return _figures(nearest.tolist(), question)


def _default(question_set: QuestionSet, question: LabelledQuestion, vector: Vectors, ranker: RankerModel) -> Figures:
    pool, _ = question_set.corpus.pool(question.text, vector, allowed=question.allowed)
    places = [hit.chunk_id for hit in pool.ranking.hits]
    scores = ranker.scores(features(pool))
    return _figures([places[at] for at in np.argsort(-scores, kind="stable").tolist()], question)


def _figures(ranking: Sequence[int], question: LabelledQuestion) -> Figures:
    return question_figures([str(place) for place in ranking], [str(place) for place in question.gold])


def public_report(
    sets: Mapping[str, QuestionSet],
    *,
    collection: str,
    elsewhere: Sequence[str],
    settings: EncoderTraining,
    ranker: RankerModel | None = None,
    note: Note,
) -> dict[str, Any]:
    """Train on a collection and compare: the rows of the questions kept, and of other collections by meaning alone.

    Args:
        sets: Collections by name.
        collection: The one that is learned from.
        elsewhere: Names of others.
        settings: How to train; `held_out` is the share that is kept.
        ranker: As in `compared_on`.
        note: Says how far it is.
    """
    question_set = sets[collection]
    asked = [question for question in question_set.questions if question.gold]
    groups = groups_kept([question.group for question in asked], share=settings.held_out, seed=settings.seed)
    learned = [question for question in asked if question.group not in groups]
    held_out = [question for question in asked if question.group in groups]
    encoder_name, training = trained_on(question_set, learned, settings, note)
    note("asking the questions that were kept …")
    here = compared_on(question_set, held_out, encoder_name, ranker=ranker)
    others = []
    for name in elsewhere:
        note(f"asking those of {name} …")
        questions = [question for question in sets[name].questions if question.gold]
        there = compared_on(sets[name], questions, encoder_name)["dense"]
        others.append({**row_document(name, ROWS["dense"], there, seed=settings.seed), "corpus": name})
    return report_document(
        n_learned=len(learned),
        groups=[question.group for question in held_out],
        compared=here,
        elsewhere=others,
        training=training,
        provenance={"source": collection, "encoder": encoder_name, "settings": settings.model_dump(mode="json")},
        seed=settings.seed,
    )
