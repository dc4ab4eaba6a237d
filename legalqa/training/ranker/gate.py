"""Training the gate, which answers or stays silent, on public collections.

Questions are asked as they are and again with their gold passages taken out: then the nearest passages speak of the
same things in the same words, and say something else. Which passages are read is decided by a ranker that has not seen
the collection.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from corpora.tokens import term_ids, tokens
from judging.collections.corpus import LANGUAGE, vectors_of
from judging.collections.questions import QuestionSet
from legalqa.answering.extraction import candidate_sentences, question_parts, score_sentences
from legalqa.answering.gate import NAMES, READ, GateModel, Vectors, gate_features, sentences_read
from legalqa.answering.types import QuestionTerms, ReadPassage, Sentence
from legalqa.encoder import client as encoder
from legalqa.training.ranker.training import SEED, SET_WEIGHTS, Examined, Values, logistic
from retrieval.rerankers.model import RankerModel

PASSAGES_READ = 10  # as the default preset gives to the answer
MAX_ASKED = 900  # ours, of a collection for training: more change nothing and take minutes
ANSWER_RATE = 0.90  # ours: share of the answerable questions answered, averaged over the collections
L2 = 1e-1
BATCH = 512  # questions whose sentences are encoded together


@dataclass(frozen=True, slots=True)
class GateRow:
    """A question as the gate sees it; `id` with `was_emptied` names it in its collection."""

    id: str
    was_emptied: bool
    is_answerable: bool
    features: Values


def questions_drawn(asked: Sequence[Examined]) -> list[Examined]:
    """At most MAX_ASKED of the questions, the same ones every time."""
    places = np.random.default_rng(SEED).permutation(len(asked))[:MAX_ASKED]
    return [asked[place] for place in sorted(places.tolist())]


def question_terms(text: str, found: QuestionSet) -> QuestionTerms:
    """The question's index terms with their weight in the collection."""
    words = sorted(set(tokens(text, language=LANGUAGE)))
    ids = term_ids(words)
    weights = dict(zip(words, found.corpus.words.idf(ids).tolist(), strict=True))
    held = found.corpus.words.holds(ids)
    return QuestionTerms.of(weights, frozenset(w for w, h in zip(words, held, strict=True) if not h))


def passages_read(one: Examined, found: QuestionSet, model: RankerModel) -> list[ReadPassage]:
    """The passages that the default preset would read, as the draft of an answer takes them."""
    places = one.ranked(model)[:PASSAGES_READ].tolist()
    return [ReadPassage(found.corpus.texts[place], "", hit) for hit, place in enumerate(places)]


def gate_rows(found: QuestionSet, asked: Sequence[Examined], model: RankerModel) -> list[GateRow]:
    """What the gate sees of each question; kept under LEGALQA_VAR by the hash of all that it reads.

    Args:
        found: The collection.
        asked: Its questions, as asked or emptied.
        model: Orders the passages; it must not have seen the collection.
    """
    read = [passages_read(one, found, model) for one in asked]
    digest = hashlib.sha256(repr([encoder.NAME, NAMES, READ]).encode())
    for one, passages in zip(asked, read, strict=True):
        digest.update(repr([one.question.text, [passage.text for passage in passages]]).encode())
    kept = Path(settings.VAR) / "collections" / f"gate-{digest.hexdigest()[:32]}.npy"
    if kept.is_file():
        measured: Values = np.load(kept)
    else:
        parts = [_measured(found, asked[at : at + BATCH], read[at : at + BATCH]) for at in range(0, len(asked), BATCH)]
        measured = np.concatenate([np.zeros((0, len(NAMES))), *parts])
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(".part.npy")
        np.save(fresh, measured)
        fresh.replace(kept)
    return [
        GateRow(one.question.id, one.was_emptied, one.is_answerable, row)
        for one, row in zip(asked, measured, strict=True)
    ]


def _measured(found: QuestionSet, asked: Sequence[Examined], read: Sequence[Sequence[ReadPassage]]) -> Values:
    def tokenise(text: str) -> Sequence[str]:
        return tokens(text, language=LANGUAGE)

    texts = [one.question.text for one in asked]
    parts = [question_parts(text) for text in texts]
    candidates = [
        candidate_sentences(passages, question=question_terms(text, found), tokenise=tokenise)
        for text, passages in zip(texts, read, strict=True)
    ]
    needed = list(dict.fromkeys([p for ps in parts for p in ps] + [s.text for ss in candidates for s in ss]))
    vectors = dict(zip(needed, vectors_of(needed), strict=True))
    ranked: list[tuple[Sentence, ...]] = [
        score_sentences(ss, parts=ps, encode=lambda wanted: np.stack([vectors[text] for text in wanted]))
        for ss, ps in zip(candidates, parts, strict=True)
    ]
    read_closely = list(dict.fromkeys(texts + [text for ss in ranked for text in sentences_read(ss)]))
    by_length = sorted(read_closely, key=len)  # alike lengths together: less padding
    of_tokens: dict[str, Vectors] = dict(zip(by_length, encoder.encoder().encode_tokens(by_length), strict=True))
    return np.array(
        [
            gate_features(
                text,
                ps,
                ss,
                tokenise=tokenise,
                encode_tokens=lambda wanted: [of_tokens[text] for text in wanted],
                offsets=lambda asked: encoder.token_offsets([asked])[0],
            )
            for text, ps, ss in zip(texts, parts, ranked, strict=True)
        ]
    )


def gate_train(rows: Mapping[str, Sequence[GateRow]], *, provenance: Mapping[str, Any]) -> GateModel:
    """Train the probability and its threshold; deterministic.

    Args:
        rows: Questions by collection, as asked and emptied; what can be answered weighs as much as what cannot.
        provenance: Kept with the model.
    """
    parts = []
    for name, seen in rows.items():
        labels = np.array([float(row.is_answerable) for row in seen])
        weights = np.zeros(len(labels))
        for label in (0.0, 1.0):
            weights[labels == label] = SET_WEIGHTS.get(name, 1.0) / max(1, int((labels == label).sum()))
        parts.append((np.array([row.features for row in seen]), labels, weights))
    odds = logistic(parts, [(0.0, None)] * len(NAMES), L2)
    model = GateModel(odds, 0.5, provenance)
    return GateModel(odds, _threshold(rows, model), provenance)


def _threshold(rows: Mapping[str, Sequence[GateRow]], model: GateModel) -> float:
    """The largest threshold, in hundredths, that still answers ANSWER_RATE of what can be answered."""
    chances, weights = [], []
    for name, seen in rows.items():
        if can_be := [row.features for row in seen if row.is_answerable]:
            chances.append(model.chances(np.array(can_be)))
            weights.append(SET_WEIGHTS.get(name, 1.0))
    for hundredths in range(99, 1, -1):
        rates = [float((found >= hundredths / 100).mean()) for found in chances]
        if np.average(rates, weights=weights) >= ANSWER_RATE:
            return hundredths / 100
    return 0.01
