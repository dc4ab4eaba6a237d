"""How good a reader's scores are on rows that it did not learn from, beside word overlap and cosine.

The simple scores are judged at the threshold that is best for them on these very rows, the reader at its own.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import tokens
from judging.measures.abstention import auc, best_threshold
from judging.measures.classification import macro_f1, macro_f1_difference, macro_f1_interval
from judging.measures.intervals import bootstrap_mean, interval_document, paired_difference
from judging.measures.values import Undefined, number
from legalqa.common.errors import ApplicationError
from legalqa.training.reader.rows import LABELS, AnswerRow, ClaimRow, Row

SEED = 144
DRAWS = 1000  # draws of a bootstrap
GROUPS_LEAST = 10  # ours: documents below which an interval says too little
# Three sources have SQuAD 2's kind of rows: questions that people wrote so that they look answerable.
TOGETHER = dict.fromkeys(("squad2_dev_train_half", "unansq_dev", "unansq_train_aligned"), "SQuAD 2-like")
_ARTICLES, _WORDS = re.compile(r"\b(a|an|the)\b"), re.compile(r"\w+")

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scored:
    """Rows of one kind, with what the reader and two simpler scores make of them.

    Attributes:
        probabilities: The reader's rows of COLUMNS, in probabilities.
        simple: By name, one number a row: higher for answered, or supported.
        alone: Of claims, the reader's rows where it did not see the evidence; empty for questions.
        threshold: Probability from which the reader says that the passage answers.
    """

    rows: Sequence[Row]
    probabilities: Floats
    simple: dict[str, Floats]
    alone: Floats
    threshold: float = 0.5

    def at(self, places: Places) -> "Scored":
        """Some of the rows."""
        simple = {name: values[places] for name, values in self.simple.items()}
        alone = self.alone[places] if len(self.alone) else self.alone
        rows = [self.rows[place] for place in places]
        return Scored(rows, self.probabilities[places], simple, alone, self.threshold)


def pairs_of(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """The two texts of each row.

    Raises:
        ApplicationError: there are questions and claims among them.
    """
    if len({type(row) for row in rows}) > 1:
        raise ApplicationError("The file has questions and claims. Evaluate them one after the other.", code="bad_file")
    return [(row.question, row.passage) if isinstance(row, AnswerRow) else (row.claim, row.evidence) for row in rows]


def word_overlap(pairs: Sequence[tuple[str, str]]) -> Floats:
    """The share of the first text's terms that are in the second."""
    shares = []
    for first, second in pairs:
        terms = set(tokens(first))
        shares.append(len(terms & set(tokens(second))) / max(1, len(terms)))
    return np.asarray(shares)


def groups_of(rows: Sequence[Row]) -> list[str]:
    """What the rows share: their document, their passage where there are too few documents to draw from, evidence."""
    documents = {row.group for row in rows if isinstance(row, AnswerRow)}
    is_many = len(documents) >= GROUPS_LEAST and "" not in documents
    return [(row.group if is_many else row.passage) if isinstance(row, AnswerRow) else row.evidence for row in rows]


def figures_document(scored: Scored, *, seconds: float) -> dict[str, Any]:
    """The figures of all rows, and of each source; `seconds` is how long reading them took."""
    names = [TOGETHER.get(row.source, row.source) for row in scored.rows]
    sources = sorted(set(names)) if len(set(names)) > 1 else []
    places = {source: np.flatnonzero(np.asarray(names) == source) for source in sources}
    figures = answer_figures if isinstance(scored.rows[0], AnswerRow) else support_figures
    return {
        **figures(scored),
        "seconds": round(seconds, 3),
        "by_source": [{"source": source, **figures(scored.at(at))} for source, at in places.items()],
    }


def answer_figures(scored: Scored) -> dict[str, Any]:
    """Of questions: accuracy, area under the curve, and the overlap of spans with the right ones."""
    rows = [row for row in scored.rows if isinstance(row, AnswerRow)]
    probabilities = scored.probabilities[:, 0]
    truth = np.asarray([row.is_answerable for row in rows])
    decisions = probabilities >= scored.threshold
    places = [place for place, row in enumerate(rows) if row.spans or not row.is_answerable]
    spans = [span_f1(rows[at], _span(scored.probabilities[at]) if decisions[at] else None) for at in places]
    of_spans = bootstrap_mean(spans, seed=SEED, groups=groups_of([rows[at] for at in places]))
    return {
        "n": len(rows),
        **_accuracy(decisions, truth, rows),
        "auc": number(auc(probabilities.tolist(), truth.tolist()), 4),
        "answerable_accuracy": _mean(decisions[truth]),
        "unanswerable_accuracy": _mean(~decisions[~truth]),
        "span_f1": _mean(np.asarray(spans)),
        "span_f1_interval": interval_document(of_spans),
        "beside": {name: _beside(decisions, values, truth, rows) for name, values in scored.simple.items()},
    }


def support_figures(scored: Scored) -> dict[str, Any]:
    """Of claims: macro F1 of the three labels, and whether the supported ones are told from the others."""
    rows = [row for row in scored.rows if isinstance(row, ClaimRow)]
    truth, called = [row.label for row in rows], scored.probabilities[:, 1:4].argmax(axis=1).tolist()
    is_supported, decisions = np.asarray(truth) == 0, np.asarray(called) == 0
    of: dict[str, Any] = {"n_classes": len(LABELS), "seed": SEED, "groups": groups_of(rows)}

    def beside(theirs: list[int]) -> dict[str, Any]:
        return {
            "macro_f1": number(macro_f1(truth, theirs, n_classes=len(LABELS)), 4),
            "macro_f1_difference": interval_document(macro_f1_difference(truth, called, theirs, draws=DRAWS, **of)),
        }

    simple = {
        name: _beside(decisions, values, is_supported, rows) | beside(_best_cuts(values, truth))
        for name, values in scored.simple.items()
    }
    if len(scored.alone):
        simple["claim alone"] = beside(scored.alone[:, 1:4].argmax(axis=1).tolist())
    return {
        "n": len(rows),
        "macro_f1": number(macro_f1(truth, called, n_classes=len(LABELS)), 4),
        "macro_f1_interval": interval_document(macro_f1_interval(truth, called, draws=DRAWS, **of)),
        **_accuracy(decisions, is_supported, rows),
        "beside": simple,
    }


def span_f1(row: AnswerRow, span: tuple[int, int] | None) -> float:
    """Overlap in words of a span with the right span that it fits best, 0 to 1; none is right where nothing answers.

    Source: Rajpurkar et al. 2018, the measure of SQuAD 2.
    """
    if span is None or not row.is_answerable:
        return float(span is None and not row.is_answerable)
    ours = _span_words(row.passage[slice(*span)])
    return max(_words_f1(ours, _span_words(row.passage[start:end])) for start, end in row.spans)


def _span_words(text: str) -> Counter[str]:
    return Counter(_WORDS.findall(_ARTICLES.sub(" ", text.lower())))


def _words_f1(ours: Counter[str], theirs: Counter[str]) -> float:
    common = (ours & theirs).total()
    return 2 * common / (ours.total() + theirs.total()) if common else 0.0


def _span(row: Floats) -> tuple[int, int] | None:
    return (int(row[5]), int(row[6])) if row[5] >= 0 else None


def _accuracy(decisions: Truth, truth: Truth, rows: Sequence[Row]) -> dict[str, Any]:
    interval = bootstrap_mean(_right(decisions, truth), seed=SEED, groups=groups_of(rows))
    document = interval_document(interval)
    return {"balanced_accuracy": document["value"], "balanced_accuracy_interval": document}


def _beside(decisions: Truth, values: Floats, truth: Truth, rows: Sequence[Row]) -> dict[str, Any]:
    """Balanced accuracy and area of a simple score, at its best threshold, and what the reader has more."""
    best = best_threshold(values.tolist(), truth.tolist())
    if isinstance(best, Undefined):
        return {}
    theirs = _right(values >= best, truth)
    gain = paired_difference(_right(decisions, truth), theirs, seed=SEED, groups=groups_of(rows))
    return {
        "balanced_accuracy": _mean(np.asarray(theirs)),
        "auc": number(auc(values.tolist(), truth.tolist()), 4),
        "balanced_accuracy_difference": interval_document(gain),
    }


def _right(decisions: Truth, truth: Truth) -> list[float]:
    """One number a row whose mean is the balanced accuracy: right ones weigh as much as their class is rare."""
    if truth.all() or not truth.any():
        weights = np.ones(len(truth))
    else:
        weights = 0.5 / np.where(truth, truth.mean(), 1 - truth.mean())
    right: list[float] = ((decisions == truth) * weights).tolist()
    return right


def _best_cuts(values: Floats, truth: Sequence[int]) -> list[int]:
    """The three labels by two cuts of one number, those that tell these very rows apart best."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_leaf_nodes=len(LABELS), class_weight="balanced", random_state=SEED)
    return [int(label) for label in tree.fit(values[:, None], truth).predict(values[:, None])]


def _mean(values: NDArray[Any]) -> float | None:
    return round(float(values.mean()), 4) if len(values) else None
