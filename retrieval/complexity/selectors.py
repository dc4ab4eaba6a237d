"""Reading the classifiers of a corpus: which one is in use, and questions to learn from."""

from uuid import UUID

from corpora.models import Corpus
from retrieval.models import ComplexityActivation, RelevantPassage


def classifiers_in_use(*, corpus: Corpus) -> dict[int, UUID | None]:
    """The version in use by number of classes; None for the packaged one, which holds where there is no entry too."""
    rows = ComplexityActivation.objects.filter(corpus=corpus).order_by("pk")
    return dict(rows.values_list("n_classes", "classifier_id"))


def marked_questions(*, corpus: Corpus) -> list[tuple[str, int]]:
    """The queries of which somebody marked right passages in the search lab, with how many; call it inside a scope."""
    marks: dict[str, tuple[str, set[int]]] = {}
    rows = RelevantPassage.objects.filter(corpus=corpus).order_by("pk")
    for digest, query, paragraph_id in rows.values_list("query_hash", "query", "paragraph_id"):
        marks.setdefault(digest, (query, set()))[1].add(paragraph_id)
    return [(query, len(found)) for query, found in marks.values()]
