"""A graph as a file: CSV for people, JSON-LD for programs."""

import json
from typing import Any

from corpora.models import Corpus
from legalqa.common.csv_files import csv_text
from retrieval.graph.selectors import triplet_list
from retrieval.models import GraphLink, GraphTriplet

FORMATS = {"csv": "text/csv; charset=utf-8", "jsonld": "application/ld+json"}
COLUMNS = ("kind", "subject", "predicate", "object", "section", "document", "paragraph_id", "start", "end", "by")
_CONTEXT = {
    "@vocab": "urn:legalqa:graph:",  # ours: section, document, paragraph_id, start, end, by
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    **{name: f"rdf:{name}" for name in ("Statement", "subject", "predicate", "object")},
    "name": "http://schema.org/name",
    "kind": "http://purl.org/dc/terms/type",
    "wasQuotedFrom": "http://www.w3.org/ns/prov#wasQuotedFrom",
}


def graph_text(*, corpus: Corpus, kind: str) -> str:
    """All statements of a corpus that nobody has rejected, as CSV or JSON-LD.

    Args:
        corpus: Readable by the active person.
        kind: A key of `FORMATS`.
    """
    rows = triplet_list(corpus=corpus).filter(is_rejected=False)
    if kind != "csv":
        return _jsonld(corpus, list(rows))
    lines = (list(triplet_row(row).values()) for row in rows.iterator(chunk_size=2000))
    return csv_text(header=COLUMNS, rows=lines)


def triplet_row(row: GraphTriplet) -> dict[str, Any]:
    """A statement with its provenance, as every export and the API give it."""
    return {
        "kind": row.kind,
        "subject": row.subject,
        "predicate": row.predicate,
        "object": row.object,
        "section": row.section,
        "document": row.document.title,
        "paragraph_id": row.paragraph.shown_id,
        "start": row.start,
        "end": row.end,
        "by": row.by,
    }


def _jsonld(corpus: Corpus, rows: list[GraphTriplet]) -> str:
    """Statements as reified triples, with the entities that they are about."""
    links = GraphLink.objects.filter(corpus=corpus, role__in=["subject", "object"]).select_related("entity")
    ends: dict[Any, dict[str, Any]] = {}
    for link in links.order_by("pk"):
        entity = {"@id": f"urn:uuid:{link.entity_id}", "name": link.entity.name, "kind": link.entity.kind}
        ends.setdefault(link.triplet_id, {}).setdefault(link.role, entity)
    graph = [
        {
            "@id": f"urn:uuid:{row.pk}",
            "@type": "Statement",
            "kind": row.kind,
            "subject": ends.get(row.pk, {}).get("subject", row.subject),
            "predicate": row.predicate,
            "object": ends.get(row.pk, {}).get("object", row.object),
            "wasQuotedFrom": {key: value for key, value in triplet_row(row).items() if key in _PROVENANCE},
        }
        for row in rows
    ]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, ensure_ascii=False, indent=1)


_PROVENANCE = frozenset(["section", "document", "paragraph_id", "start", "end", "by"])
