"""A language model proposes which entities are one; a reviewer decides."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from legalqa.jobs.models import Job
from legalqa.llm.types import Role
from retrieval.graph import proposing, selectors
from retrieval.graph.reviewing import graph_decide
from retrieval.models import Graph, GraphDecision, GraphEntity
from retrieval.models.graph import DecisionKind
from tests.ingestion import ingest
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, Wire, fails, says, says_json
from tests.retrieval.graph.world import Built, build, make_built, run_graph

LAW = """# Privacy Rules

The data protection officer shall keep the register of the firm.

The DPO shall answer each complaint within ten days.

An employer must notify the authority.

A covered employer shall pay a fee.
"""
OFFICER = {"n:dpo", "n:data protection officer"}
EMPLOYER = {"n:employer", "n:covered employer"}
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sdk")]


@pytest.fixture
def rules(firm: Firm, settings: Settings, scripted_provider: ScriptedProvider) -> Built:
    """A graph by rules, and a model that has not been asked yet."""
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.EXTRACT)
    return make_built(firm, LAW, "Privacy")


def pairs_in(text: str) -> list[dict[str, Any]]:
    """What was put to the model; the prompt names the marks too."""
    lines = text.partition("<pairs>\n")[2].partition("\n</pairs>")[0].splitlines()
    return [json.loads(line) for line in lines]


def confirms(*names: str, otherwise: Reply | None = None) -> Reply:
    """A model that reads no statement in any paragraph and takes these names for the same as their partners."""

    def reply(wire: Wire) -> None:
        pairs = pairs_in(wire.asked.text)
        if not pairs:
            says_json({"triplets": []})(wire)
        elif otherwise is not None:
            otherwise(wire)
        else:
            same = {one["number"]: one["first"]["name"] in names for one in pairs}
            says_json({"verdicts": [{"number": number, "same": is_same} for number, is_same in same.items()]})(wire)

    return reply


def decide(built: Built, action: str, **about: Any) -> GraphDecision | None:
    acting: Any = {"organization": built.firm.organization, "user": built.firm.lawyer, "corpus_id": built.corpus.pk}
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        return graph_decide(**acting, action=action, **about)


def proposed(built: Built) -> list[set[str]]:
    with organization_scope(built.firm.organization, user=None):
        return [{row.key, row.into} for row in selectors.proposal_list(corpus=built.corpus)]


def proposal(built: Built) -> GraphDecision:
    with organization_scope(built.firm.organization, user=None):
        return selectors.proposal_list(corpus=built.corpus).get()


def keys(built: Built) -> set[str]:
    with organization_scope(built.firm.organization, user=None):
        return set(GraphEntity.objects.filter(corpus=built.corpus).values_list("key", flat=True))


def asked(model: ScriptedProvider) -> list[set[str]]:
    """The pairs of all requests, by name."""
    pairs = [pair for request in model.asked for pair in pairs_in(request.text)]
    return [{pair["first"]["name"], pair["second"]["name"]} for pair in pairs]


def test_what_the_model_confirms_is_proposed_and_nothing_is_merged(
    rules: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.always = confirms("DPO")
    before = keys(rules)

    build(rules.firm, rules.corpus, uses_model=True)

    assert proposed(rules) == [OFFICER]
    assert proposal(rules).words == "DPO → data protection officer"
    assert keys(rules) == before
    assert {"covered employer", "employer"} in asked(scripted_provider)


def test_the_model_sees_what_is_stated_of_both(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms()

    build(rules.firm, rules.corpus, uses_model=True)

    pairs = [pair for request in scripted_provider.asked for pair in pairs_in(request.text)]
    officer = next(pair for pair in pairs if pair["first"]["name"] == "DPO")
    assert officer["first"]["statements"] == ["The DPO shall answer each complaint within ten days"]
    assert officer["second"]["kind"] == "Person or body"


def test_a_reviewer_who_accepts_merges(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus, uses_model=True)

    decision = decide(rules, "accept", decision_id=proposal(rules).pk)

    assert decision is not None
    assert (decision.kind, decision.created_by_id) == (DecisionKind.MERGE, rules.firm.lawyer.pk)
    assert "n:dpo" not in keys(rules)
    assert proposed(rules) == []
    decide(rules, "undo", decision_id=decision.pk)
    assert keys(rules) >= OFFICER


def test_a_declined_proposal_is_not_proposed_again(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus, uses_model=True)
    decision = decide(rules, "decline", decision_id=proposal(rules).pk)
    scripted_provider.asked.clear()

    build(rules.firm, rules.corpus, uses_model=True)

    assert decision is not None
    assert decision.kind == DecisionKind.DECLINED
    assert proposed(rules) == []
    assert asked(scripted_provider) == []
    assert keys(rules) >= OFFICER
    with organization_scope(rules.firm.organization, user=rules.firm.owner):
        assert AuditEvent.objects.filter(action="graph.reviewed").latest("sequence").details["change"] == "declined"


def test_after_an_undone_refusal_the_model_may_propose_it_again(
    rules: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus, uses_model=True)
    decision = decide(rules, "decline", decision_id=proposal(rules).pk)
    assert decision is not None
    decide(rules, "undo", decision_id=decision.pk)

    build(rules.firm, rules.corpus, uses_model=True)

    assert proposed(rules) == [OFFICER]


def test_an_entity_can_be_declined_with_two_others(rules: Built, scripted_provider: ScriptedProvider) -> None:
    with organization_scope(rules.firm.organization, user=None):
        of: Any = {"organization_id": rules.firm.organization.pk, "corpus": rules.corpus, "kind": "proposed"}
        rows = [GraphDecision.objects.create(**of, key="n:dpo", into=into) for into in ("n:employer", "n:fee")]
        GraphEntity.objects.create(
            organization_id=rules.firm.organization.pk, corpus=rules.corpus, kind="thing", key="n:fee", name="fee"
        )

    decide(rules, "decline", decision_id=rows[0].pk)

    with organization_scope(rules.firm.organization, user=None):
        assert GraphDecision.objects.filter(kind=DecisionKind.DECLINED).count() == 1


def test_a_proposal_goes_with_its_entities(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms("DPO", "covered employer")
    build(rules.firm, rules.corpus, uses_model=True)
    assert len(proposed(rules)) == 2

    with organization_scope(rules.firm.organization, user=None):
        dpo = GraphEntity.objects.get(corpus=rules.corpus, key="n:dpo")
        employer = GraphEntity.objects.get(corpus=rules.corpus, key="n:employer")
    decide(rules, "merge", entity_id=dpo.pk, into_id=employer.pk)
    assert proposed(rules) == [EMPLOYER]

    decide(rules, "reject", entity_id=employer.pk)
    assert proposed(rules) == []


def test_a_proposal_goes_with_the_words_of_the_document(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms("DPO", "covered employer")
    build(rules.firm, rules.corpus, uses_model=True)

    ingest(rules.firm, rules.corpus, "act.md", LAW.replace("The DPO", "The data protection officer"))
    follow(rules)

    assert proposed(rules) == [EMPLOYER]


def test_what_the_model_told_apart_is_not_put_to_it_again(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms()
    build(rules.firm, rules.corpus, uses_model=True)
    assert len(asked(scripted_provider)) == 2
    scripted_provider.asked.clear()

    build(rules.firm, rules.corpus, uses_model=True)

    assert asked(scripted_provider) == []
    with organization_scope(rules.firm.organization, user=None):
        assert not selectors.decision_list(corpus=rules.corpus).exists()


@pytest.mark.parametrize(
    "reply",
    [
        fails(404),
        says("They are the same."),
        says_json({"verdicts": [{"number": 1, "same": True, "why": "initials"}]}),
        says_json({"verdicts": [{"number": 99, "same": True}]}),
    ],
)
def test_a_reply_of_another_form_proposes_nothing_and_ends_no_build(
    rules: Built, scripted_provider: ScriptedProvider, reply: Reply
) -> None:
    scripted_provider.always = confirms(otherwise=reply)

    job = build(rules.firm, rules.corpus, uses_model=True)

    assert (job.state, proposed(rules)) == ("done", [])
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus, uses_model=True)
    assert proposed(rules) == [OFFICER]


def test_a_build_asks_about_a_bounded_number_in_batches(
    rules: Built, scripted_provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposing, "BATCH", 1)  # or one batch would hold all pairs
    scripted_provider.always = confirms("DPO", "covered employer")
    build(rules.firm, rules.corpus, uses_model=True)
    assert [len(pairs_in(request.text)) for request in scripted_provider.asked if pairs_in(request.text)] == [1, 1]
    assert len(proposed(rules)) == 2

    with organization_scope(rules.firm.organization, user=None):
        GraphDecision.objects.filter(corpus=rules.corpus).delete()
    monkeypatch.setattr("retrieval.graph.building.MAX_PAIRS", 1)  # or it takes sixty pairs
    build(rules.firm, rules.corpus, uses_model=True)
    assert proposed(rules) == [OFFICER]


def test_a_build_that_is_stopped_between_batches_asks_about_no_pair_twice(
    rules: Built, scripted_provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(proposing, "BATCH", 1)  # or one batch would hold all pairs
    settings.JOB_SLICE_S = 0
    scripted_provider.always = confirms("DPO", "covered employer")

    build(rules.firm, rules.corpus, uses_model=True)

    assert len(asked(scripted_provider)) == len(proposed(rules)) == 2
    with organization_scope(rules.firm.organization, user=None):
        assert Graph.objects.get(corpus=rules.corpus).pairs_left == 0


def test_only_a_build_that_a_person_started_with_the_model_asks(
    rules: Built, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus)
    assert asked(scripted_provider) == []
    with organization_scope(rules.firm.organization, user=None):
        Graph.objects.filter(corpus=rules.corpus).update(uses_model=True)

    ingest(rules.firm, rules.corpus, "more.md", "# More\n\nThe auditor shall keep the books.\n")
    follow(rules)

    assert scripted_provider.asked
    assert asked(scripted_provider) == []


def follow(built: Built) -> None:
    """Bring the graph up to date after a change of documents, as happens in the background."""
    with organization_scope(built.firm.organization, user=None):
        job = Job.objects.filter(task=selectors.BUILD, subject_id=built.corpus.pk).latest("created_at")
    run_graph(job)


def test_an_alias_that_a_reviewer_split_off_is_not_proposed(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms("DPO")
    with organization_scope(rules.firm.organization, user=None):
        of: Any = {"organization_id": rules.firm.organization.pk, "corpus": rules.corpus}
        GraphDecision.objects.create(**of, kind=DecisionKind.SPLIT, key="dpo", words="dpo ≠ data protection officer")

    build(rules.firm, rules.corpus, uses_model=True)

    assert proposed(rules) == []


def test_what_is_decided_about_is_a_proposal(rules: Built, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus, uses_model=True)
    row = proposal(rules)

    for action in ("accept", "decline"):
        with pytest.raises(NotFound):
            decide(rules, action)
    with pytest.raises(NotFound):
        decide(rules, "undo", decision_id=row.pk)
    decide(rules, "decline", decision_id=row.pk)
    with pytest.raises(NotFound):
        decide(rules, "accept", decision_id=row.pk)


def test_the_page_shows_proposals_with_their_buttons(
    rules: Built, scripted_provider: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    scripted_provider.always = confirms("DPO")
    build(rules.firm, rules.corpus, uses_model=True)
    client, of = client_of(rules.firm.lawyer), (rules.firm.organization.slug, rules.corpus.pk)
    row = proposal(rules)

    body = client.get(reverse("graph_page", args=of)).content.decode()
    assert "Names that may be the same" in body
    assert body.count(f'value="{row.pk}"') == 1
    assert 'value="accept"' in body
    assert 'value="decline"' in body
    assert "a former member" not in body

    reply = client.post(reverse("graph_review", args=of), {"action": "accept", "decision_id": str(row.pk)})
    assert reply.status_code == 302
    body = client.get(reverse("graph_page", args=of)).content.decode()
    assert "Names that may be the same" not in body
    assert "Merged: DPO → data protection officer" in body


def test_the_api_lists_accepts_and_declines(rules: Built, scripted_provider: ScriptedProvider, client: Client) -> None:
    scripted_provider.always = confirms("DPO", "covered employer")
    build(rules.firm, rules.corpus, uses_model=True)
    url = reverse("api_decision_list", args=(rules.corpus.pk,))
    headers = rules.firm.bearer(rules.firm.lawyer, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    rows = {row["words"]: row for row in client.get(url, headers=headers).json()}
    assert {row["kind"] for row in rows.values()} == {"proposed"}

    accepted = {"action": "accept", "decision_id": rows["DPO → data protection officer"]["id"]}
    declined = {"action": "decline", "decision_id": rows["covered employer → employer"]["id"]}
    client.post(url, accepted, content_type="application/json", headers=headers)
    reply = client.post(url, declined, content_type="application/json", headers=headers)

    assert [(row["kind"], row["words"]) for row in reply.json()] == [
        ("declined", "covered employer → employer"),
        ("merge", "DPO → data protection officer"),
    ]
