"""Reading the classifiers of a corpus: versions, which one is in use, and examples of each class."""

from collections import defaultdict
from uuid import UUID

from corpora.models import Corpus
from retrieval.complexity.types import LabelledText, for_classes, label_of
from retrieval.models import ComplexityActivation, ComplexityClassifier, RelevantPassage

EXAMPLE_CHARS = 160  # ours: what still reads as an example


def classifiers_in_use(*, corpus: Corpus) -> dict[int, UUID | None]:
    """The version in use by number of classes; None for the packaged one, which holds where there is no entry too."""
    rows = ComplexityActivation.objects.filter(corpus=corpus).order_by("pk")
    return dict(rows.values_list("n_classes", "classifier_id"))


def complexity_examples(*, corpus: Corpus, n_classes: int = 3, limit: int = 2) -> dict[int, list[str]]:
    """Questions of each class that the corpus's own people have asked or marked, for an empty chat.

    They come from the questions that the version in use was trained on, and from the queries marked in the search lab;
    the shortest first. A class without any is left out. Call it inside a scope.
    """
    rows = [LabelledText(text, label_of(n, n_classes)) for text, n in marked_questions(corpus=corpus)]
    chosen = classifiers_in_use(corpus=corpus).get(n_classes)
    if chosen is not None:
        data = ComplexityClassifier.objects.values_list("data", flat=True).get(pk=chosen)
        rows += [row for row in map(LabelledText.read, data) if not row.change]
    found: dict[int, list[str]] = defaultdict(list)
    labels = for_classes([row.label for row in rows], n_classes).tolist()
    for row, label in sorted(zip(rows, labels, strict=True), key=lambda pair: len(pair[0].text)):
        if len(row.text) <= EXAMPLE_CHARS and row.text not in found[label] and len(found[label]) < limit:
            found[label].append(row.text)
    return {label: found[label] for label in sorted(found) if found[label]}


def marked_questions(*, corpus: Corpus) -> list[tuple[str, int]]:
    """The queries of which somebody marked right passages in the search lab, with how many; call it inside a scope."""
    marks: dict[str, tuple[str, set[int]]] = {}
    rows = RelevantPassage.objects.filter(corpus=corpus).order_by("pk")
    for digest, query, paragraph_id in rows.values_list("query_hash", "query", "paragraph_id"):
        marks.setdefault(digest, (query, set()))[1].add(paragraph_id)
    return [(query, len(found)) for query, found in marks.values()]
