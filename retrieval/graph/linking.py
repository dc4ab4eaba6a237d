"""The entities of a corpus and their links, brought in line with its triplets and the reviewers' decisions."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from corpora.models import Corpus
from retrieval.graph.resolving import Decisions, Link, Resolved, Stated, resolved
from retrieval.indexes.cache import glossary_current
from retrieval.models import Graph, GraphDecision, GraphEntity, GraphLink, GraphTriplet
from retrieval.models.graph import DecisionKind

BATCH = 2000
_FIELDS = ("kind", "name", "aliases", "n_triplets", "is_rejected")


def graph_lock(*, corpus: Corpus) -> None:
    """Let only one process at a time change the rows of a graph, until the caller's transaction ends."""
    Graph.objects.select_for_update(no_key=True).filter(corpus=corpus).first()


def graph_link(*, corpus: Corpus) -> None:
    """Resolve the names in all triplets of a corpus; only rows that differ are written. In the caller's transaction."""
    graph_lock(corpus=corpus)
    decisions = _decisions(corpus)
    _reject(corpus)
    columns = ("pk", "document_id", "kind", "subject", "predicate", "object", "section")
    triplets = GraphTriplet.objects.filter(corpus=corpus, is_rejected=False)
    stated = [Stated(*row) for row in triplets.order_by("pk").values_list(*columns)]
    aliases = [entry for entries in glossary_current(corpus=corpus).aliases.values() for entry in entries]
    _write(corpus, resolved(stated, aliases=aliases, decisions=decisions))
    _forget_pairs(corpus)


def _decisions(corpus: Corpus) -> Decisions:
    keys: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for kind, key, into in GraphDecision.objects.filter(corpus=corpus).values_list("kind", "key", "into"):
        keys[kind][key] = into
    return Decisions(
        keys[DecisionKind.MERGE], frozenset(keys[DecisionKind.SPLIT]), frozenset(keys[DecisionKind.REJECT_ENTITY])
    )


def _reject(corpus: Corpus) -> None:
    """Mark the triplets that reviewers rejected, and those alone."""
    decided = GraphDecision.objects.filter(corpus=corpus, kind=DecisionKind.REJECT_TRIPLET).values("key")
    rows = GraphTriplet.objects.filter(corpus=corpus)
    rows.filter(fingerprint__in=decided, is_rejected=False).update(is_rejected=True)
    rows.filter(is_rejected=True).exclude(fingerprint__in=decided).update(is_rejected=False)


def _forget_pairs(corpus: Corpus) -> None:
    """Remove what a model said of two entities if one of them is gone or rejected."""
    there = GraphEntity.objects.filter(corpus=corpus, is_rejected=False).values("key")
    pairs = GraphDecision.objects.filter(corpus=corpus, kind__in=(DecisionKind.PROPOSED, DecisionKind.DIFFERS))
    pairs.exclude(key__in=there, into__in=there).delete()


def _write(corpus: Corpus, now: Resolved) -> None:
    of: Any = {"organization_id": corpus.organization_id, "corpus": corpus}
    before = {row.key: row for row in GraphEntity.objects.filter(corpus=corpus)}
    gone = [row.pk for key, row in before.items() if key not in now.entities]
    changed = []
    for key, entity in now.entities.items():
        values = {name: getattr(entity, name) for name in _FIELDS} | {"aliases": list(entity.aliases)}
        row = before.get(key)
        if row is None:
            before[key] = GraphEntity(**of, key=key, **values)
        elif any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            changed.append(row)
    GraphEntity.objects.bulk_create([before[key] for key in now.entities if before[key]._state.adding], BATCH)
    GraphEntity.objects.bulk_update(changed, _FIELDS, BATCH)
    _write_links(of, now.links, {key: before[key].pk for key in now.entities})
    GraphEntity.objects.filter(corpus=corpus, pk__in=gone).delete()


def _write_links(of: Any, links: Iterable[Link], ids: dict[str, UUID]) -> None:
    current = {(link.triplet_id, ids[link.key], link.role) for link in links}
    rows = GraphLink.objects.filter(corpus=of["corpus"])
    stored = {
        (triplet, entity, role): pk for pk, triplet, entity, role in rows.values_list("pk", "triplet", "entity", "role")
    }
    gone = [pk for link, pk in stored.items() if link not in current]
    for start in range(0, len(gone), BATCH):
        rows.filter(pk__in=gone[start : start + BATCH]).delete()
    new = (
        GraphLink(**of, triplet_id=triplet, entity_id=entity, role=role)
        for triplet, entity, role in sorted(current - stored.keys(), key=str)
    )
    GraphLink.objects.bulk_create(new, BATCH)
