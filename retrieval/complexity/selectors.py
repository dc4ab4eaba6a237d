"""Questions of a corpus from which a classifier can learn."""

from corpora.models import Corpus
from retrieval.models import RelevantPassage


def marked_questions(*, corpus: Corpus) -> list[tuple[str, int]]:
    """The queries of which somebody marked right passages in the search lab, with how many; call it inside a scope."""
    marks: dict[str, tuple[str, set[int]]] = {}
    rows = RelevantPassage.objects.filter(corpus=corpus).order_by("pk")
    for digest, query, paragraph_id in rows.values_list("query_hash", "query", "paragraph_id"):
        marks.setdefault(digest, (query, set()))[1].add(paragraph_id)
    return [(query, len(passages)) for query, passages in marks.values()]
