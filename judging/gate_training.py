"""Training the abstention gate on collections that the reported figures do not come from.

Source: Policy Copilot, abstention gate. Differs: a calibrated logistic model instead of a hand-set reranker score.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import term_ids, tokens
from judging.collections import MemoryCorpus, rows
from legalqa.answering.extraction import candidate_sentences, question_parts, score_sentences
from legalqa.answering.gate import FEATURES, gate_features
from legalqa.answering.types import QuestionTerms
from legalqa.llm import encoder

SEED = 144


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the features of its best evidence, and whether the corpus answers it."""

    collection: str
    group: str
    question: str
    features: tuple[float, ...]
    is_answerable: bool


def example(
    corpus: MemoryCorpus,
    question: str,
    *,
    collection: str,
    group: str,
    is_answerable: bool,
    without: Sequence[int] = (),
) -> Example:
    """Search as the product does and measure the evidence."""
    vector = encoder.encoder().encode([question])[0]
    found = corpus.search(question, vector, without=without)
    words = sorted(set(tokens(question)))
    ids = term_ids(words)
    weights = dict(zip(words, corpus.matrix.idf(ids).tolist(), strict=True))
    unknown = frozenset(w for w, held in zip(words, corpus.matrix.holds(ids), strict=True) if not held)
    terms = QuestionTerms.of(weights, unknown)
    sentences = candidate_sentences([(corpus.texts[i], "") for i in found], question=terms, tokenise=tokens)
    ranked = score_sentences(sentences, parts=question_parts(question), encode=encoder.encoder().encode)
    return Example(collection, group, question, gate_features(ranked, question=terms), is_answerable)


def policy_copilot(data: Path) -> Iterator[Example]:
    """Every question on the five policies, by the corrected label."""
    folder = data / "policy_copilot"
    corpus = MemoryCorpus.build([row["text"] for row in rows(folder, "paragraphs.jsonl")])
    for row in rows(folder, "golden_set.jsonl"):
        is_answerable = row["checked_category"] != "unanswerable"
        yield example(
            corpus, row["question"], collection="policy_copilot", group=row["id"], is_answerable=is_answerable
        )


def contractnli(data: Path, *, n_contracts: int = 30) -> Iterator[Example]:
    """Hypotheses on one contract each; NotMentioned is not answerable."""
    folder = data / "contractnli"
    documents = {row["doc_id"]: row for row in rows(folder, "documents.jsonl.gz")}
    chosen = set(random.Random(SEED).sample(sorted(documents), n_contracts))  # noqa: S311 - a reproducible sample
    corpora: dict[Any, MemoryCorpus] = {}
    for row in rows(folder, "annotations.jsonl.gz"):
        key = row["doc_id"]
        if key not in chosen:
            continue
        if key not in corpora:
            document = documents[key]
            corpora[key] = MemoryCorpus.build([document["text"][s:e] for s, e in document["spans"] if s < e])
        yield example(
            corpora[key],
            row["hypothesis"],
            collection="contractnli",
            group=str(key),
            is_answerable=row["label"] != "NotMentioned",
        )


def obliqa(data: Path, *, n_questions: int = 120, n_passages: int = 3000) -> Iterator[Example]:
    """Questions asked twice: of the rules, and of the rules without the passages that answer them."""
    folder = data / "obliqa"
    passages = [row for row in rows(folder, "corpus.jsonl.gz") if row["text"].strip()][:n_passages]
    corpus = MemoryCorpus.build([row["text"] for row in passages])
    place = {(str(row["document_id"]), str(row["passage_id"])): i for i, row in enumerate(passages)}
    questions = list(rows(folder, "questions.jsonl.gz"))
    random.Random(SEED).shuffle(questions)  # noqa: S311
    taken = 0
    for row in questions:
        gold = [place.get((str(p["document_id"]), str(p["passage_id"]))) for p in row["passages"]]
        if None in gold or taken == n_questions:
            continue
        taken += 1
        for without in ((), tuple(g for g in gold if g is not None)):
            yield example(
                corpus,
                row["question"],
                collection="obliqa",
                group=str(row["group"]),
                is_answerable=not without,
                without=without,
            )


COLLECTIONS = {"policy_copilot": policy_copilot, "contractnli": contractnli, "obliqa": obliqa}


def examples_matrix(examples: Sequence[Example]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Features [n, len(FEATURES)] and labels [n]."""
    features = np.array([e.features for e in examples], dtype=np.float64).reshape(-1, len(FEATURES))
    return features, np.array([e.is_answerable for e in examples], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Fit:
    """A trained gate as it is stored, and how it does on each collection when that one is left out."""

    weights: dict[str, Any]
    left_out: dict[str, dict[str, float]]


def gate_fit(examples: Sequence[Example], *, answer_rate: float = 0.95) -> Fit:
    """Fit the logistic model, every collection and both of its classes weighing the same.

    The threshold is the one at which the model answers `answer_rate` of the answerable questions, averaged over
    collections: silence on a question that could be answered is what a reader notices first.

    Args:
        examples: Of at least two collections.
        answer_rate: 0 to 1.
    """
    features, labels = examples_matrix(examples)
    names = np.array([e.collection for e in examples])
    means, scales = features.mean(axis=0), features.std(axis=0)
    scaled = (features - means) / scales
    model = _model(scaled, labels, names)
    probabilities = model.predict_proba(scaled)[:, 1]
    left_out = {str(name): _left_out(scaled, labels, names, name, answer_rate) for name in sorted(set(names))}
    weights = {
        "weights": dict(zip(FEATURES, np.round(model.coef_[0], 4).tolist(), strict=True)),
        "bias": round(float(model.intercept_[0]), 4),
        "means": dict(zip(FEATURES, np.round(means, 4).tolist(), strict=True)),
        "scales": dict(zip(FEATURES, np.round(scales, 4).tolist(), strict=True)),
        "threshold": _threshold(probabilities, labels, names, answer_rate),
        "trained_on": sorted(set(names.tolist())),
        "questions": len(examples),
    }
    return Fit(weights, left_out)


def _model(scaled: NDArray[np.float64], labels: NDArray[np.float64], names: NDArray[np.str_]) -> Any:
    from sklearn.linear_model import LogisticRegression

    weights = np.zeros(len(labels))
    for name in set(names):
        for label in (0.0, 1.0):
            same = (names == name) & (labels == label)
            weights[same] = 1 / max(1, same.sum())
    return LogisticRegression().fit(scaled, labels, sample_weight=weights * len(labels) / weights.sum())


def _threshold(
    probabilities: NDArray[np.float64], labels: NDArray[np.float64], names: NDArray[np.str_], answer_rate: float
) -> float:
    """The largest threshold in hundredths at which the mean answer rate is still reached."""
    for hundredths in range(99, 0, -1):
        is_answered = probabilities >= hundredths / 100
        rates = [is_answered[(names == name) & (labels == 1)].mean() for name in set(names)]
        if np.mean(rates) >= answer_rate:
            return hundredths / 100
    return 0.01


def _left_out(
    scaled: NDArray[np.float64],
    labels: NDArray[np.float64],
    names: NDArray[np.str_],
    name: str,
    answer_rate: float,
) -> dict[str, float]:
    """Answer rate, share of unanswerable questions declined, and AUC, with model and threshold from the others."""
    from sklearn.metrics import roc_auc_score

    inside = names != name
    model = _model(scaled[inside], labels[inside], names[inside])
    threshold = _threshold(model.predict_proba(scaled[inside])[:, 1], labels[inside], names[inside], answer_rate)
    probabilities, truth = model.predict_proba(scaled[~inside])[:, 1], labels[~inside]
    return {
        "n": int((~inside).sum()),
        "answered": round(float((probabilities[truth == 1] >= threshold).mean()), 3),
        "declined": round(float((probabilities[truth == 0] < threshold).mean()), 3),
        "auc": round(float(roc_auc_score(truth, probabilities)), 3),
    }
