"""Two people decide on one report of a wrong reference at once: the first decision stays, the second is told."""

import json
from functools import partial
from typing import Any

import pytest

from judging.gold.services.files import gold_set_bring
from judging.gold.services.reviewing import gold_question_review, reference_report, report_decide
from judging.gold.services.sets import gold_questions
from judging.models import GoldReport
from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import Conflict
from tests.ingestion import ingest, make_corpus
from tests.overtaking import overtaken
from tests.people import Firm, make_firm

LINE = {"question": "What does the tenant pay?", "reference_paragraph_ids": ["rent-1"]}


@pytest.fixture
def office(committed_db: None) -> Firm:
    """A firm that other connections see."""
    return make_firm("harding", "Harding & Stone")


@pytest.fixture
def report(office: Firm) -> GoldReport:
    """On the reference of an approved question."""
    corpus = make_corpus(office, "Gardens")
    ingest(office, corpus, "rent.jsonl", json.dumps({"id": "rent-1", "text": "The tenant pays nine euros."}))
    with organization_scope(office.organization, user=office.manager):
        gold_set, _ = gold_set_bring(
            **office.by_manager, corpus_id=corpus.pk, name="rents", data=json.dumps(LINE).encode(), n_compared=0
        )
        question = gold_questions(gold_set=gold_set)[0]
        on: dict[str, Any] = {"organization": office.organization, "user": office.manager, "question_id": question.pk}
        gold_question_review(**on, state="approved")
        return reference_report(**on, note="It is ten euros.")


def test_of_two_who_decide_on_a_report_at_once_the_first_decides(office: Firm, report: GoldReport) -> None:
    of: dict[str, Any] = {"organization": office.organization, "report_id": report.pk}

    def accept() -> None:
        with organization_scope(office.organization, user=office.owner):
            report_decide(**of, user=office.owner, state="accepted")

    decline = partial(report_decide, **of, user=office.manager, state="declined", note="It is nine.")
    with pytest.raises(Conflict, match="has been decided already"):
        overtaken(office.organization, office.manager, by=decline, act=accept)

    with organization_scope(office.organization, user=office.owner):
        stored = GoldReport.objects.select_related("question").get(organization=office.organization, pk=report.pk)
        decisions = AuditEvent.objects.filter(organization=office.organization, action="gold_reference.decided")
        assert (stored.state, stored.decided_by, stored.decision_note) == ("declined", office.manager, "It is nine.")
        assert stored.question.review == "approved"
        assert decisions.count() == 1
