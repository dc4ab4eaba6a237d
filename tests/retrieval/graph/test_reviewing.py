"""Reviewers merge, split and reject; what they decide outlives every rebuild."""

from typing import Any

import pytest

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, NotFound
from retrieval.graph.reviewing import graph_decide
from retrieval.models import GraphDecision, GraphDocument, GraphEntity, GraphTriplet
from tests.retrieval.graph.world import Built, build, drawn, statements

pytestmark = pytest.mark.django_db


def decide(built: Built, action: str, **about: Any) -> GraphDecision | None:
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        return graph_decide(**built.firm.by_lawyer, corpus_id=built.corpus.pk, action=action, **about)


def entity(built: Built, key: str) -> GraphEntity:
    with organization_scope(built.firm.organization, user=None):
        return GraphEntity.objects.get(corpus=built.corpus, key=key)


def rebuild(built: Built) -> None:
    """Read everything again, as after a change of the rules."""
    with organization_scope(built.firm.organization, user=None):
        GraphDocument.objects.filter(corpus=built.corpus).delete()
        GraphTriplet.objects.filter(corpus=built.corpus).delete()
    build(built.firm, built.corpus)


def names(built: Built) -> set[str]:
    with organization_scope(built.firm.organization, user=None):
        return set(GraphEntity.objects.filter(corpus=built.corpus).values_list("key", flat=True))


def test_a_merge_is_kept_by_a_rebuild_and_can_be_undone(built: Built) -> None:
    before = names(built)
    n_employer = entity(built, "n:employer").n_triplets
    decision = decide(built, "merge", entity_id=entity(built, "n:auditor").pk, into_id=entity(built, "n:employer").pk)
    assert decision is not None
    assert "n:auditor" not in names(built)
    assert "auditor" in entity(built, "n:employer").aliases

    rebuild(built)
    assert "n:auditor" not in names(built)
    assert entity(built, "n:employer").n_triplets > n_employer

    decide(built, "undo", decision_id=decision.pk)
    assert names(built) == before


def test_a_short_form_that_was_split_off_stays_apart(built: Built) -> None:
    tool = entity(built, "n:hiring tool")
    decide(built, "split", entity_id=tool.pk, alias="ht")
    rebuild(built)

    assert {"n:ht", "n:hiring tool"} <= names(built)
    assert entity(built, "n:hiring tool").aliases == ["hiring tool"]


def test_a_rejected_statement_stays_rejected(built: Built) -> None:
    with organization_scope(built.firm.organization, user=None):
        row = GraphTriplet.objects.get(corpus=built.corpus, kind="permission")
    decide(built, "reject", triplet_id=row.pk)
    rebuild(built)

    with organization_scope(built.firm.organization, user=None):
        assert row.object not in {said for kind, _, _, said in statements(built.corpus) if kind == "permission"}
        assert GraphTriplet.objects.filter(corpus=built.corpus, is_rejected=True).count() == 1


def test_a_decision_taken_at_once_equals_one_before_the_build(built: Built) -> None:
    decide(built, "merge", entity_id=entity(built, "n:auditor").pk, into_id=entity(built, "n:employer").pk)
    with organization_scope(built.firm.organization, user=None):
        at_once = drawn(built.corpus)
    rebuild(built)

    with organization_scope(built.firm.organization, user=None):
        assert drawn(built.corpus) == at_once


def test_decisions_are_in_the_audit_log(built: Built) -> None:
    decide(built, "reject", entity_id=entity(built, "n:auditor").pk)

    with organization_scope(built.firm.organization, user=built.firm.owner):
        entry = AuditEvent.objects.filter(action="graph.reviewed").latest("pk")
        assert entry.actor_id == built.firm.lawyer.pk


@pytest.mark.parametrize("action", ["merge", "split", "reject", "undo"])
def test_a_decision_about_nothing_is_refused(built: Built, action: str) -> None:
    with pytest.raises(NotFound):
        decide(built, action)


def test_nonsense_is_refused_with_a_sentence(built: Built) -> None:
    auditor = entity(built, "n:auditor").pk
    with pytest.raises(ApplicationError, match="merged into itself"):
        decide(built, "merge", entity_id=auditor, into_id=auditor)
    with pytest.raises(ApplicationError, match="not another name"):
        decide(built, "split", entity_id=auditor, alias="auditor")
    with pytest.raises(ApplicationError, match="no action 'paint'"):
        decide(built, "paint")
