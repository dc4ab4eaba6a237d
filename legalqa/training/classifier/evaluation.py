"""Every kind of classifier on the same questions, as the rows of HyPA-RAG's Tables 1 and 7.

A figure beside the paper's says little by itself: longer questions tend to need more passages, so length alone is a
classifier. Each kind is therefore measured three times: on the questions as they are, on a changed form of them
(section 7.1), and on as many questions of each class of the same length.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from judging.measures.classification import Classification, classification, macro_f1_difference, macro_f1_interval
from judging.measures.intervals import Interval
from judging.measures.values import Undefined, number
from legalqa.training.classifier.augmentation import Shares, augment
from legalqa.training.classifier.fitting import KINDS, TrainingSettings
from legalqa.training.classifier.splitting import Split, folds, length_matched, split
from legalqa.training.classifier.training import classifier_train, steps_to_end
from retrieval.complexity.linear import words_of
from retrieval.complexity.types import Classifier, ClassifierError, LabelledText, MostLikely, for_classes, labels_of

LENGTH = "length"
LENGTH_TITLE = "Length alone"
Maybe = Interval | Undefined


@dataclass(frozen=True, slots=True)
class Predictions:
    """Questions kept for testing: their classes, and what a classifier made of them, as they are and changed."""

    rows: tuple[LabelledText, ...]
    truth: tuple[int, ...]
    predicted: tuple[int, ...]
    on_changed: tuple[int, ...]

    def __add__(self, other: "Predictions") -> "Predictions":
        return Predictions(
            self.rows + other.rows,
            self.truth + other.truth,
            self.predicted + other.predicted,
            self.on_changed + other.on_changed,
        )

    @property
    def groups(self) -> list[str]:
        """What is drawn again for intervals: documents, or single questions."""
        return [row.group or row.text for row in self.rows]


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of classifier on all questions kept for testing; `reason` says why it could not be asked."""

    kind: str
    title: str
    predictions: Predictions | None
    seconds: float = 0.0
    reason: str = ""
    epochs: tuple[dict[str, float | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """All kinds on the same split of the same questions."""

    n_classes: int
    n_train: int
    n_left_out: int
    seed: int
    rows: tuple[Row, ...]

    def predictions(self, kind: str) -> Predictions | None:
        return next((row.predictions for row in self.rows if row.kind == kind), None)

    def figures(self, kind: str) -> Classification | None:
        """Precision, recall, F1 and confusion of a kind."""
        predictions = self.predictions(kind)
        if predictions is None:
            return None
        return classification(predictions.truth, predictions.predicted, n_classes=self.n_classes)

    def f1(self, kind: str, *, of: str = "plain") -> Maybe:
        """Macro F1 of a kind: of "plain", "changed" or "matched" questions."""
        predictions = self.predictions(kind)
        if predictions is None:
            return Undefined("not asked")
        truth, called, groups = self._asked(predictions, of)
        return macro_f1_interval(truth, called, n_classes=self.n_classes, seed=self.seed, groups=groups)

    def difference(self, ours: str, theirs: str, *, of: str = "plain") -> Maybe:
        """Macro F1 of one kind less another's on the same questions, with the interval of the paired bootstrap."""
        first, second = self.predictions(ours), self.predictions(theirs)
        if first is None or second is None:
            return Undefined("not asked")
        truth, called, groups = self._asked(first, of)
        _, called_by_them, _ = self._asked(second, of)
        return macro_f1_difference(
            truth, called, called_by_them, n_classes=self.n_classes, seed=self.seed, groups=groups
        )

    def _asked(self, predictions: Predictions, of: str) -> tuple[list[int], list[int], list[str]]:
        """The class of each of these questions, what it was taken for, and its group."""
        called = predictions.on_changed if of == "changed" else predictions.predicted
        places = list(range(len(called)))
        if of == "matched":
            places = length_matched(lengths(predictions.rows), predictions.truth, seed=self.seed)
        groups = predictions.groups
        return [predictions.truth[at] for at in places], [called[at] for at in places], [groups[at] for at in places]


def lengths(rows: Sequence[LabelledText]) -> list[int]:
    """Words of each question."""
    return [len(words_of(row.text)) for row in rows]


def tables(
    rows: Sequence[LabelledText],
    settings: TrainingSettings,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    n_folds: int = 1,
    source: str,
    work: Path,
    test: Sequence[LabelledText] | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Table:
    """Train and test every kind.

    Args:
        rows: Questions with labels.
        settings: Parameters; its kind is not read.
        kinds: Which ones.
        n_folds: 1 keeps `settings.test_share` for testing once; more keep every question once.
        source: What the rows are, for people.
        work: Folder of checkpoints.
        test: Questions to test on instead of a share of the rows.
        note: Says how far it is.

    Raises:
        ClassifierError: a class is missing on one side.
    """
    sides = _sides(rows, settings, n_folds, test)
    kind_rows = [_row(kind, sides, settings, source, work, note) for kind in (*kinds, LENGTH)]
    n_left_out = sum(len(split_.left_out) for _, _, split_ in sides)
    return Table(settings.n_classes, len(sides[0][0]), n_left_out, settings.seed, tuple(kind_rows))


Side = tuple[list[LabelledText], list[LabelledText], Split]


def _sides(
    rows: Sequence[LabelledText], settings: TrainingSettings, n_folds: int, test: Sequence[LabelledText] | None
) -> list[Side]:
    """(learned from, tested on, the split) of each fold."""
    if test is not None:
        texts = {row.text.casefold() for row in test} | {row.original.casefold() for row in test if row.original}
        learned = [row for row in rows if not {row.text.casefold(), row.original.casefold()} & texts]
        return [(learned, list(test), Split((), (), ()))]
    if n_folds > 1:
        splits = folds(rows, n=n_folds, seed=settings.seed)
    else:
        splits = [split(rows, share=settings.test_share, seed=settings.seed)]
    return [([rows[at] for at in s.train], [rows[at] for at in s.test], s) for s in splits]


def _row(
    kind: str, sides: Sequence[Side], settings: TrainingSettings, source: str, work: Path, note: Callable[[str], None]
) -> Row:
    title, seconds = KINDS.get(kind, LENGTH_TITLE), 0.0
    predictions: Predictions | None = None
    epochs: tuple[dict[str, float | None], ...] = ()
    try:
        for learned, tested, _ in sides:
            note(f"{title} …")
            if kind == LENGTH:
                part = _asked(LengthClassifier.train(learned, settings), tested, settings)
            else:
                of_kind = settings.model_copy(update={"kind": kind})
                trained = classifier_train(learned, of_kind, source=source, steps=steps_to_end(work, note))
                assert trained is not None  # all steps were done
                part = _asked(trained.classifier, tested, settings)
                seconds, epochs = seconds + trained.seconds, trained.epochs
            predictions = part if predictions is None else predictions + part
    except ClassifierError as error:
        return Row(kind, title, None, reason=str(error))
    return Row(kind, title, predictions, round(seconds, 1), epochs=epochs)


def _asked(classifier: Classifier, tested: Sequence[LabelledText], settings: TrainingSettings) -> Predictions:
    variants = changed_form(tested, shares=settings.shares or Shares(), seed=settings.seed)
    return Predictions(
        tuple(tested),
        tuple(for_classes([row.label for row in tested], settings.n_classes).tolist()),
        tuple(labels_of(classifier, [row.text for row in tested]).tolist()),
        tuple(labels_of(classifier, [row.text for row in variants]).tolist()),
    )


def changed_form(rows: Sequence[LabelledText], *, shares: Shares, seed: int) -> list[LabelledText]:
    """The rows, those that section 7.1 changes in their changed form."""
    instead = {row.original: row for row in augment(rows, shares=shares, seed=seed).rows}
    return [instead.get(row.text, row) for row in rows]


@dataclass(frozen=True, slots=True)
class LengthClassifier(MostLikely):
    """Knows only how many words a question has; every other classifier has to beat it."""

    model: Any
    n_classes: int
    kind: str = LENGTH

    @classmethod
    def train(cls, rows: Sequence[LabelledText], settings: TrainingSettings) -> "LengthClassifier":
        from sklearn.linear_model import LogisticRegression

        weight = "balanced" if settings.balanced else None
        model = LogisticRegression(random_state=settings.seed, max_iter=settings.iterations, class_weight=weight)
        labels = for_classes([row.label for row in rows], settings.n_classes)
        if len(set(labels.tolist())) < settings.n_classes:
            raise ClassifierError("The training questions do not cover every class. Add more of them.")
        return cls(model.fit(cls._features(rows), labels), settings.n_classes)

    @staticmethod
    def _features(rows: Sequence[LabelledText]) -> np.ndarray[Any, np.dtype[np.float64]]:
        n = np.array(lengths(rows), np.float64) / 20
        return np.stack([n, n**2], axis=1)

    def probabilities(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
        rows = [LabelledText(text, 0) for text in texts]
        return np.asarray(self.model.predict_proba(self._features(rows)))

    def as_bytes(self) -> bytes:
        """This one is never stored."""
        raise ClassifierError("Length alone is a yardstick and cannot be kept.")


# -- For people and programs ------------------------------------------------------------------------------------------


def table_document(table: Table) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "classes": table.n_classes,
        "n_train": table.n_train,
        "n_left_out": table.n_left_out,
        "seed": table.seed,
        "rows": [_row_document(table, row) for row in table.rows],
        "differences": [
            {"ours": "transformer", "theirs": "svm", "of": of}
            | _interval(table.difference("transformer", "svm", of=of), "f1")
            for of in ("plain", "changed", "matched")
            if table.predictions("transformer") and table.predictions("svm")
        ],
    }


def _row_document(table: Table, row: Row) -> dict[str, Any]:
    document: dict[str, Any] = {"model": row.kind, "title": row.title, "reason": row.reason, "seconds": row.seconds}
    figures = table.figures(row.kind)
    if figures is None:
        return document
    matched = table.f1(row.kind, of="matched")
    return (
        document
        | figures_document(figures)
        | _interval(table.f1(row.kind), "f1")
        | _interval(table.f1(row.kind, of="changed"), "changed_f1")
        | _interval(matched, "matched_f1")
        | {"matched_n": matched.n if isinstance(matched, Interval) else 0, "epochs": list(row.epochs)}
    )


def figures_document(figures: Classification) -> dict[str, Any]:
    """Precision, recall and F1, macro and by class, and the confusion."""
    return {
        "precision": number(figures.precision, 4),
        "recall": number(figures.recall, 4),
        "f1": number(figures.f1, 4),
        "accuracy": number(figures.accuracy, 4),
        "classes": [
            {
                "label": c.label,
                "precision": round(c.precision, 4),
                "recall": round(c.recall, 4),
                "f1": round(c.f1, 4),
                "n": c.n,
            }
            for c in figures.classes
        ],
        "confusion": [list(row) for row in figures.confusion],
        "n": figures.n,
    }


def _interval(figure: Maybe, name: str) -> dict[str, Any]:
    if isinstance(figure, Undefined):
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: round(figure.value, 4), f"{name}_low": round(figure.low, 4), f"{name}_high": round(figure.high, 4)}


def table_text(document: Mapping[str, Any]) -> str:
    """The table as the paper prints it, with what it does not show."""
    heads = f"{'Model':34} {'Precision':>9} {'Recall':>7} {'F1':>6}  {'95 %':13} {'changed':>8}"
    heads += f" {'same length':>12} {'s':>7}"
    lines = [f"{document['classes']} classes; learned from {document['n_train']}, seed {document['seed']}", heads]
    for row in document["rows"]:
        if row["reason"]:
            lines.append(f"{row['title']:34} {row['reason']}")
            continue
        matched = "–" if row["matched_f1"] is None else f"{row['matched_f1']:.2f}"
        lines.append(
            f"{row['title']:34} {row['precision']:9.2f} {row['recall']:7.2f} {row['f1']:6.2f}  "
            f"{row['f1_low']:.2f} to {row['f1_high']:.2f}  {row['changed_f1']:8.2f} {matched:>12} {row['seconds']:7.1f}"
        )
    names = {"plain": "as they are", "changed": "changed", "matched": "of the same length"}
    lines += [
        f"Fine-tuned less SVM, questions {names[d['of']]}: {d['f1']:+.3f} [{d['f1_low']:+.3f}, {d['f1_high']:+.3f}]"
        for d in document["differences"]
        if d["f1"] is not None
    ]
    return "\n".join(lines)


def held_out(rows: Sequence[LabelledText], settings: TrainingSettings) -> tuple[list[LabelledText], list[LabelledText]]:
    """What a version is trained on and what its report is made with; changed questions are never tested on."""
    sides = split(rows, share=settings.test_share, seed=settings.seed)
    return [rows[at] for at in sides.train], [rows[at] for at in sides.test if not rows[at].change]
