"""Entities that may be one under two names: put to a language model, and stored as proposals for reviewers."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.jobs.services import Lease
from retrieval.graph.linking import graph_lock
from retrieval.graph.model import model_same
from retrieval.graph.pairing import Named, Pair, pairs_alike
from retrieval.graph.resolving import NAME
from retrieval.models import Graph, GraphDecision, GraphEntity, GraphLink
from retrieval.models.graph import PAIR_KINDS, DecisionKind, EntityKind

MAX_PAIRS = 60  # ours: most pairs that a build puts to the model
BATCH = 10  # ours: pairs of one request
_MAX_ENTITIES = 2000  # ours: those in the most statements
_MAX_STATEMENTS, _MAX_CHARS = 2, 200  # ours: for each entity that the model is shown
_KINDS = dict(EntityKind.choices)


def names_compare(*, organization: Organization, corpus: Corpus, lease: Lease) -> bool:
    """Put pairs of near names to the model of the role "extract", and store as proposals those that it confirms.

    As many as the graph says (`Graph.pairs_left`), in batches, each stored at once. Pairs that are proposed, declined
    or told apart by the model already are left out. Where the model gives no answer it is not asked again before the
    next build that a person starts. Nothing is merged. No transaction may be open.

    Args:
        organization: Whose model and budget.
        corpus: Whose graph, with its entities resolved.
        lease: Of the job that builds it.

    Returns:
        False where the slice is over before the end.

    Raises:
        JobLost: the lease is no longer ours.
        JobCancelled: a person asked for it.
    """
    with organization_scope(lease.organization_id, user=None):
        n_left = Graph.objects.values_list("pairs_left", flat=True).get(corpus=corpus)
        pairs = pairs_alike(_named(corpus), known=_known(corpus))[:n_left] if n_left else []
        if n_left and not pairs:
            Graph.objects.filter(corpus=corpus).update(pairs_left=0)
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        with organization_scope(lease.organization_id, user=None):
            questions = [_question(corpus, number, pair) for number, pair in enumerate(batch, 1)]
        connection_give_back()
        verdicts = model_same(organization=organization, pairs=questions)
        n_done = start + len(batch)
        is_last = verdicts is None or n_done == len(pairs)
        with organization_scope(lease.organization_id, user=None):
            graph_lock(corpus=corpus)
            _store(corpus, batch, verdicts or {})
            Graph.objects.filter(corpus=corpus).update(pairs_left=0 if is_last else n_left - n_done)
            lease.advance(stage="comparing", cursor=n_done, total=len(pairs) + 1)
        if is_last:
            break
        if lease.is_over:
            return False
    return True


def _named(corpus: Corpus) -> list[Named]:
    """The entities that have names, without those that reviewers rejected or split off another one."""
    splits = GraphDecision.objects.filter(corpus=corpus, kind=DecisionKind.SPLIT).values_list("key", flat=True)
    rows = GraphEntity.objects.filter(corpus=corpus, is_rejected=False, key__startswith=f"{NAME}:")
    rows = rows.exclude(key__in=[f"{NAME}:{alias}" for alias in splits]).order_by("-n_triplets", "key")
    columns = ("key", "name", "kind", "n_triplets", "aliases")
    return [
        Named(key, name, kind, n, tuple(aliases))
        for key, name, kind, n, aliases in rows.values_list(*columns)[:_MAX_ENTITIES]
    ]


def _known(corpus: Corpus) -> set[frozenset[str]]:
    rows = GraphDecision.objects.filter(corpus=corpus, kind__in=PAIR_KINDS)
    return {frozenset(keys) for keys in rows.values_list("key", "into")}


def _question(corpus: Corpus, number: int, pair: Pair) -> dict[str, Any]:
    return {"number": number, "first": _described(corpus, pair.goes), "second": _described(corpus, pair.stays)}


def _described(corpus: Corpus, entity: Named) -> dict[str, Any]:
    """An entity for the model, with statements that it is the subject of, if there are any."""
    links = GraphLink.objects.filter(corpus=corpus, entity__key=entity.key, triplet__is_rejected=False)
    rows = links.select_related("triplet").order_by("-role", "triplet_id")[: 3 * _MAX_STATEMENTS]
    triplets = (row.triplet for row in rows)
    statements = dict.fromkeys(f"{one.subject} {one.predicate} {one.object}"[:_MAX_CHARS] for one in triplets)
    return {"name": entity.name, "kind": _KINDS[entity.kind], "statements": list(statements)[:_MAX_STATEMENTS]}


def _store(corpus: Corpus, batch: Sequence[Pair], verdicts: Mapping[int, bool]) -> None:
    """Note what the model said, except of entities that are gone and pairs that were decided meanwhile."""
    keys = [key for pair in batch for key in pair.keys]
    there = set(
        GraphEntity.objects.filter(corpus=corpus, key__in=keys, is_rejected=False).values_list("key", flat=True)
    )
    known = _known(corpus)
    GraphDecision.objects.bulk_create(
        GraphDecision(
            organization_id=corpus.organization_id,
            corpus=corpus,
            kind=DecisionKind.PROPOSED if verdicts[number] else DecisionKind.DIFFERS,
            key=pair.goes.key,
            into=pair.stays.key,
            words=f"{pair.goes.name} → {pair.stays.name}"[:600],
        )
        for number, pair in enumerate(batch, 1)
        if number in verdicts and pair.keys <= there and pair.keys not in known
    )
