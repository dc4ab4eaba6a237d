"""The neighbourhood of an entity as a drawing."""

from collections import Counter
from math import ceil
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.urls import reverse

from retrieval.graph import selectors
from retrieval.kinds import KIND_WORDS
from retrieval.models import GraphEntity, GraphLink

MAX_NEIGHBOURS = 14  # ours: more names cannot be told apart in the drawing; the list has all
WIDTH, ROW = 860, 56
_LEFT, _RIGHT = 110, 750  # the middles of the two columns of names
_LABEL = 26  # characters


def drawing_of(entity: GraphEntity, *, slug: str) -> dict[str, Any]:
    """The entity in the middle, those it shares most statements with on both sides, as coordinates for an SVG."""
    mine = GraphLink.objects.filter(entity=entity, triplet__is_rejected=False, triplet__document__removed_at=None)
    shared = GraphLink.objects.filter(triplet_id__in=mine.values("triplet_id"), entity__is_rejected=False)
    shared = shared.exclude(entity=entity)
    counts = shared.values("entity_id").annotate(n=Count("triplet_id", distinct=True)).order_by("-n", "entity_id")
    numbers = {row["entity_id"]: row["n"] for row in counts[:MAX_NEIGHBOURS]}
    rows = GraphEntity.objects.in_bulk(list(numbers))
    names, edges = _names([entity, *rows.values()]), _edges(shared.filter(entity_id__in=numbers))
    height = ROW * max(2, ceil(len(numbers) / 2))
    nodes = []
    for place, pk in enumerate(numbers):
        x, y = (_RIGHT if place % 2 else _LEFT), ROW * (place // 2 + 0.5)
        word, kinds = edges[pk]
        nodes.append(
            {
                "name": names[pk],
                "label": _short(names[pk]),
                "word": _short(word),
                "kinds": kinds,
                "x": x,
                "y": y,
                "text_y": y + 4,
                "middle_x": round(WIDTH / 2 + 0.55 * (x - WIDTH / 2), 1),
                "middle_y": round(height / 2 + 0.55 * (y - height / 2), 1),
                "left": x - 95,
                "edge_x": x - 95 if place % 2 else x + 95,
                "top": y - 15,
                "url": reverse("graph_entity", args=(slug, entity.corpus_id, pk)),
            }
        )
    return {
        "nodes": nodes,
        "width": WIDTH,
        "height": height,
        "x": WIDTH / 2,
        "y": height / 2,
        "top": height / 2 - 17,
        "text_y": height / 2 + 5,
        "label": _short(names[entity.pk]),
    }


def _names(entities: list[GraphEntity]) -> dict[UUID, str]:
    """The names of entities; those that several have with their document."""
    counts = Counter(one.name for one in entities)
    homes = selectors.section_documents(entities=[one for one in entities if counts[one.name] > 1])
    return {one.pk: ", ".join([one.name, *homes.get(one.pk, ())]) for one in entities}


def _edges(shared: QuerySet[GraphLink]) -> dict[UUID, tuple[str, str]]:
    """By neighbour, what its edge says, and the kinds of the shared statements with their numbers.

    An edge says the predicate where it is one statement, the kind where all are of one, else only how many they are.
    """
    statements: dict[UUID, dict[UUID, tuple[str, str]]] = {}
    columns = ("entity_id", "triplet_id", "triplet__kind", "triplet__predicate")
    for pk, triplet_id, kind, predicate in shared.values_list(*columns):
        statements.setdefault(pk, {})[triplet_id] = (kind, predicate)
    edges = {}
    for pk, found in statements.items():
        counts = Counter(KIND_WORDS[kind].lower() for kind, _ in found.values())
        kinds = ", ".join(f"{kind} ×{n}" for kind, n in sorted(counts.items(), key=lambda one: (-one[1], one[0])))
        (_, predicate), *others = found.values()
        word = f"{len(found)} statements" if len(counts) > 1 else kinds
        edges[pk] = (word if others else predicate, kinds)
    return edges


def _short(text: str) -> str:
    return text if len(text) <= _LABEL else f"{text[: _LABEL - 1]}…"
