"""What reviewers decide about a graph: merged, split, rejected, declined, all of it undone; every rebuild keeps it."""

from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, existing
from retrieval.graph import selectors
from retrieval.graph.linking import graph_link, graph_lock
from retrieval.graph.naming import plain
from retrieval.models import GraphDecision, GraphEntity, GraphTriplet
from retrieval.models.graph import PAIR_KINDS, DecisionKind

ACTIONS = ("merge", "split", "reject", "accept", "decline", "undo")
MAX_WORDS = 600
M = TypeVar("M", bound=Model)


def graph_decide(
    *,
    organization: Organization,
    user: User,
    corpus_id: UUID,
    action: str,
    entity_id: UUID | None = None,
    into_id: UUID | None = None,
    alias: str = "",
    triplet_id: UUID | None = None,
    decision_id: UUID | None = None,
) -> GraphDecision | None:
    """Take a reviewer's decision into the graph, at once and for every later build.

    Args:
        organization: Whose graph it is.
        user: Who decides.
        corpus_id: Its corpus.
        action: "merge" an entity into another one; "split" an alias off an entity; "reject" an entity, which no search
            starts from or passes through then, or a triplet; "accept" a proposal of a model, which merges, or
            "decline" it, so that it is not proposed again; "undo" a decision.
        entity_id: Which entity.
        into_id: merge: the entity that it becomes.
        alias: split: one of the other names of the entity.
        triplet_id: reject: which statement.
        decision_id: accept, decline: which proposal; undo: which decision.

    Returns:
        The decision; None where one was undone.

    Raises:
        NotFound: no such corpus, entity, statement, proposal or decision.
        ApplicationError: an unknown action, or one that makes no sense.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    graph_lock(corpus=corpus)
    if action == "undo":
        decision, words = None, _undone(corpus, decision_id)
    elif action == "merge":
        decision = _merged(corpus, user, _entity(corpus, entity_id), _entity(corpus, into_id))
    elif action == "split":
        decision, words = _split(corpus, user, _entity(corpus, entity_id), alias)
    elif action == "reject":
        decision = _rejected(corpus, user, entity_id, triplet_id)
    elif action == "accept":
        decision = _accepted(corpus, user, _proposal(corpus, decision_id))
    elif action == "decline":
        decision = _declined(corpus, user, _proposal(corpus, decision_id))
    else:
        raise ApplicationError(f"There is no action {action!r}; use one of: {', '.join(ACTIONS)}.", code="bad_action")
    change = decision.get_kind_display().lower() if decision is not None else f"undone: {words}"
    audit(organization=organization, actor=user, action="graph.reviewed", subject_id=corpus.pk, change=change[:200])
    graph_link(corpus=corpus)
    return decision


def _row(rows: QuerySet[M], pk: UUID | None, what: str) -> M:
    return existing(rows.filter(pk=pk).first() if pk else None, what)


def _entity(corpus: Corpus, entity_id: UUID | None) -> GraphEntity:
    return _row(GraphEntity.objects.filter(corpus=corpus), entity_id, "entity")


def _merged(corpus: Corpus, user: User, entity: GraphEntity, into: GraphEntity) -> GraphDecision:
    if entity.pk == into.pk:
        raise ApplicationError("An entity cannot be merged into itself. Choose another one.", code="merged_with_itself")
    there_and_back = Q(key=entity.key, into=into.key) | Q(key=into.key, into=entity.key)
    GraphDecision.objects.filter(there_and_back, corpus=corpus, kind__in=(DecisionKind.MERGE, *PAIR_KINDS)).delete()
    return _kept(corpus, user, DecisionKind.MERGE, entity.key, f"{entity.name} → {into.name}", into=into.key)


def _proposal(corpus: Corpus, decision_id: UUID | None) -> GraphDecision:
    return _row(selectors.proposal_list(corpus=corpus), decision_id, "proposal")


def _accepted(corpus: Corpus, user: User, proposal: GraphDecision) -> GraphDecision:
    goes, stays = (GraphEntity.objects.filter(corpus=corpus, key=key).first() for key in (proposal.key, proposal.into))
    return _merged(corpus, user, existing(goes, "entity"), existing(stays, "entity"))


def _declined(corpus: Corpus, user: User, proposal: GraphDecision) -> GraphDecision:
    """In place of the proposal, so that its date is that of the decision."""
    proposal.delete()
    return GraphDecision.objects.create(
        organization_id=corpus.organization_id,
        corpus=corpus,
        kind=DecisionKind.DECLINED,
        key=proposal.key,
        into=proposal.into,
        words=proposal.words,
        created_by=user,
    )


def _split(corpus: Corpus, user: User, entity: GraphEntity, alias: str) -> tuple[GraphDecision | None, str]:
    """Undo the merge that the alias came by, or keep the glossary from making it one with the entity."""
    own = entity.key.partition(":")[2]
    if alias not in entity.aliases or alias == own:
        raise ApplicationError(
            f"“{alias}” is not another name of “{entity.name}”. Choose one of its aliases.", code="no_alias"
        )
    prefix = entity.key.partition(":")[0]
    merges = GraphDecision.objects.filter(corpus=corpus, kind=DecisionKind.MERGE, key=f"{prefix}:{alias}")
    if merges.delete()[0]:
        return None, alias
    name = own if plain(entity.name) == alias else entity.name  # the name that it is shown by may be the alias
    return _kept(corpus, user, DecisionKind.SPLIT, alias, f"{alias} ≠ {name}"), alias


def _rejected(corpus: Corpus, user: User, entity_id: UUID | None, triplet_id: UUID | None) -> GraphDecision:
    if triplet_id is None:
        entity = _entity(corpus, entity_id)
        return _kept(corpus, user, DecisionKind.REJECT_ENTITY, entity.key, entity.name)
    row = _row(GraphTriplet.objects.filter(corpus=corpus), triplet_id, "statement")
    words = f"{row.subject} {row.predicate} {row.object}"
    return _kept(corpus, user, DecisionKind.REJECT_TRIPLET, row.fingerprint, words)


def _kept(corpus: Corpus, user: User, kind: DecisionKind, key: str, words: str, *, into: str = "") -> GraphDecision:
    of: Any = {"organization_id": corpus.organization_id, "corpus": corpus, "kind": kind, "key": key}
    values = {"into": into, "words": words[:MAX_WORDS], "created_by": user}
    decision, _ = GraphDecision.objects.update_or_create(**of, defaults=values)
    return decision


def _undone(corpus: Corpus, decision_id: UUID | None) -> str:
    decision = _row(selectors.decision_list(corpus=corpus), decision_id, "decision")
    decision.delete()
    return decision.words
