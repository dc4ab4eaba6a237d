"""Paths through a graph, in SQL: what statements can be reached from some entities in a given number of steps."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from corpora.models import Corpus

MAX_HOPS = 4
MAX_REACHED = 600  # ours: statements that are looked at for one question
HUB = 60  # ours: a path does not run on through an entity with more statements, which says too little

# A step leads from an entity over a statement to another entity of it. The policies and both conditions keep it inside
# the corpus; UNION drops what was reached before, so that circles end.
_REACHED = """
    WITH RECURSIVE reach(entity_id, hops, start_id) AS (
        SELECT start_id, 1, start_id FROM unnest(%(starts)s::uuid[]) AS start_id
        UNION
        SELECT other.entity_id, reach.hops + 1, reach.start_id
        FROM reach
        JOIN retrieval_graphentity here ON here.organization_id = %(organization)s AND here.id = reach.entity_id
        JOIN retrieval_graphlink mine ON mine.organization_id = %(organization)s AND mine.entity_id = reach.entity_id
        JOIN retrieval_graphlink other
            ON other.organization_id = %(organization)s AND other.triplet_id = mine.triplet_id
            AND other.entity_id <> mine.entity_id
        JOIN retrieval_graphentity there
            ON there.organization_id = %(organization)s AND there.id = other.entity_id AND NOT there.is_rejected
        WHERE reach.hops < %(hops)s AND mine.corpus_id = %(corpus)s AND here.n_triplets <= %(hub)s
    )
    SELECT link.triplet_id, min(reach.hops) AS hops, count(DISTINCT reach.start_id) AS starts
    FROM reach
    JOIN retrieval_graphlink link ON link.organization_id = %(organization)s AND link.entity_id = reach.entity_id
    JOIN retrieval_graphtriplet triplet
        ON triplet.organization_id = %(organization)s AND triplet.id = link.triplet_id AND NOT triplet.is_rejected
    WHERE link.corpus_id = %(corpus)s AND triplet.kind <> 'reference'
    GROUP BY link.triplet_id, triplet.subject, triplet.predicate, triplet.object, triplet.section
    ORDER BY starts DESC, hops, triplet.subject, triplet.predicate, triplet.object, triplet.section, link.triplet_id
    LIMIT %(limit)s
"""


class Reached(NamedTuple):
    """A statement, the fewest steps to it, and from how many of the entities it is reached."""

    triplet_id: UUID
    hops: int
    starts: int


def triplets_reached(*, corpus: Corpus, starts: Sequence[UUID], hops: int) -> list[Reached]:
    """The statements on paths of at most `hops` steps from any of the entities; a cross-reference is a way, no end.

    Source: HyPA-RAG 8.2 (paths of at most S hops from at most K keywords). Differs: a path does not run on through an
    entity with more than HUB statements.
    """
    parameters: dict[str, Any] = {
        "starts": list(starts),
        "organization": corpus.organization_id,
        "corpus": corpus.pk,
        "hops": hops,
        "hub": HUB,
        "limit": MAX_REACHED,
    }
    if not starts:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_REACHED, parameters)
        return [Reached(*row) for row in cursor.fetchall()]
