"""What the knowledge graph of a corpus states, as sentences that templates make questions of."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.postgres.aggregates import StringAgg
from django.db.models import QuerySet
from django.db.models.functions import MD5

from corpora.models import Corpus, Position
from retrieval.models import GraphTriplet
from retrieval.questions.sentences import STATED, Stated


def graph_states(*, corpus: Corpus) -> dict[UUID, str]:
    """By document, a digest of what the graph states of it; documents of which it states nothing are missing."""
    digest = MD5(StringAgg("fingerprint", delimiter="", order_by="fingerprint"))
    return dict(_triplets(corpus).values("document").annotate(digest=digest).values_list("document", "digest"))


def statements_of(*, corpus: Corpus, positions: Sequence[Position]) -> dict[int, list[Stated]]:
    """By ordinal of a paragraph, what the graph states of it, in the order of the text.

    Args:
        corpus: With or without a graph.
        positions: The paragraphs of one version.
    """
    ordinals = {position.paragraph_id: position.ordinal for position in positions}
    statements: dict[int, list[Stated]] = {}
    for row in _triplets(corpus).filter(paragraph__in=ordinals).order_by("start", "fingerprint"):
        one = Stated.of(row.kind, row.subject, row.predicate, row.object, (row.start, row.end))
        if one is not None:
            statements.setdefault(ordinals[row.paragraph_id], []).append(one)
    return statements


def _triplets(corpus: Corpus) -> QuerySet[GraphTriplet]:
    return GraphTriplet.objects.filter(corpus=corpus, kind__in=STATED, is_rejected=False).order_by()
