"""Typed path queries: a small form that people, programs and models fill in, compiled to one SQL statement."""

from typing import Any, Literal, NamedTuple, Self
from uuid import UUID

from django.db import connection
from pydantic import Field, ValidationError, field_validator, model_validator

from corpora.models import Corpus
from legalqa.common.config import Config, misfit_words
from legalqa.common.errors import ApplicationError
from retrieval.graph.selectors import entities_named, triplet_list
from retrieval.kinds import Kind
from retrieval.models import GraphEntity, GraphTriplet

EntityType = Literal["actor", "term", "section", "value", "thing"]

# Breadth first, so that the first rows are the shortest paths: the limit ends the search early.
_PATHS = """
    WITH RECURSIVE path(entities, triplets, here) AS (
        SELECT ARRAY[entity.id], ARRAY[]::uuid[], entity.id FROM retrieval_graphentity entity
        WHERE entity.organization_id = %(organization)s AND entity.corpus_id = %(corpus)s AND NOT entity.is_rejected
          AND (%(starts)s::uuid[] IS NULL OR entity.id = ANY(%(starts)s))
          AND (%(start_kind)s = '' OR entity.kind = %(start_kind)s)
        UNION ALL
        SELECT path.entities || other.entity_id, path.triplets || triplet.id, other.entity_id
        FROM path
        JOIN retrieval_graphlink mine ON mine.organization_id = %(organization)s AND mine.entity_id = path.here
        JOIN retrieval_graphtriplet triplet
            ON triplet.organization_id = %(organization)s AND triplet.id = mine.triplet_id
            AND NOT triplet.is_rejected AND (%(kinds)s::text[] IS NULL OR triplet.kind = ANY(%(kinds)s))
        JOIN retrieval_graphlink other
            ON other.organization_id = %(organization)s AND other.triplet_id = triplet.id
            AND other.entity_id <> ALL(path.entities)
        JOIN retrieval_graphentity onward
            ON onward.organization_id = %(organization)s AND onward.id = other.entity_id AND NOT onward.is_rejected
        WHERE cardinality(path.triplets) < %(hops)s AND triplet.id <> ALL(path.triplets)
    )
    SELECT path.entities, path.triplets FROM path
    JOIN retrieval_graphentity there ON there.organization_id = %(organization)s AND there.id = path.here
    WHERE cardinality(path.triplets) > 0
      AND (%(end_kind)s = '' OR there.kind = %(end_kind)s)
    LIMIT %(limit)s
"""


class PathQuery(Config):
    """Which paths are looked for.

    start: words that name the entities they begin at, "" for any. start_kind, end_kind: types of entity, "" for any.
    predicates: kinds of the statements on the way, none for all. hops: statements on a path at most. limit: paths.
    """

    start: str = Field(default="", max_length=300)
    start_kind: EntityType | Literal[""] = ""
    predicates: tuple[Kind, ...] = Field(default=(), max_length=12)
    hops: int = Field(default=1, ge=1, le=3)
    end_kind: EntityType | Literal[""] = ""
    limit: int = Field(default=50, ge=1, le=200)

    @field_validator("start")
    @classmethod
    def _storable(cls, text: str) -> str:
        if "\x00" in text:
            raise ValueError("The name holds a null character; remove it.")
        return " ".join(text.split())

    @model_validator(mode="after")
    def _has_a_start(self) -> Self:
        if not self.start and self.hops > 1:
            raise ValueError("A path of several steps needs the name of an entity to start from; give it as start.")
        return self


class GraphPath(NamedTuple):
    """A path: its entities in order, and the statements between them."""

    entities: tuple[GraphEntity, ...]
    triplets: tuple[GraphTriplet, ...]


def path_query_read(data: object) -> PathQuery:
    """A path query from JSON.

    Raises:
        ApplicationError: it does not fit; says where and why.
    """
    try:
        return PathQuery.model_validate(data)
    except ValidationError as error:
        raise ApplicationError(misfit_words(error, whole="the path query"), code="bad_path_query") from None


def path_query_run(*, corpus: Corpus, query: PathQuery) -> list[GraphPath]:
    """The paths of a graph that fit, the shortest first; none where nothing has the name of the start.

    Source: HyPA-RAG 8.2 (queries that a model writes for a graph database). Differs: no query language; the form is
    validated, and every value of it a parameter of one statement.
    """
    starts: list[UUID] | None = None
    if query.start:
        starts = [row.pk for row, _ in entities_named(corpus=corpus, text=query.start)]
        if not starts:
            return []
    parameters: dict[str, Any] = {
        "organization": corpus.organization_id,
        "corpus": corpus.pk,
        "starts": starts,
        "start_kind": query.start_kind,
        "kinds": [kind.value for kind in query.predicates] or None,
        "hops": query.hops,
        "end_kind": query.end_kind,
        "limit": 2 * query.limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_PATHS, parameters)
        rows = list(dict.fromkeys((tuple(entities), tuple(triplets)) for entities, triplets in cursor.fetchall()))
    entities = GraphEntity.objects.filter(corpus=corpus).in_bulk({pk for row in rows for pk in row[0]})
    there = triplet_list(corpus=corpus).in_bulk({pk for row in rows for pk in row[1]})
    whole = [row for row in rows if all(pk in there for pk in row[1])]
    paths = [GraphPath(tuple(entities[pk] for pk in row[0]), tuple(there[pk] for pk in row[1])) for row in whole]
    ordered = sorted(paths, key=lambda path: (len(path.triplets), [one.fingerprint for one in path.triplets]))
    return ordered[: query.limit]
