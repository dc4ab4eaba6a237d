"""Two people review one case at once: the first review stays, the second person is told."""

import json
from functools import partial
from typing import Any

import pytest

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import Conflict
from retrieval.cases.files import case_rows_read
from retrieval.cases.services import Added, case_review, cases_add
from retrieval.models import CaseEntry
from tests.ingestion import make_corpus
from tests.overtaking import overtaken
from tests.people import Firm, make_firm

ROW = {"question": "Who pays the fine?", "support": "The employer pays the fine.", "answer": "The employer."}


@pytest.fixture
def office(committed_db: None) -> Firm:
    """A firm that other connections see."""
    return make_firm("harding", "Harding & Stone")


@pytest.fixture
def case(office: Firm) -> CaseEntry:
    corpus = make_corpus(office, "Hiring law")
    acting: dict[str, Any] = {"organization": office.organization, "user": office.owner, "corpus_id": corpus.pk}
    with organization_scope(office.organization, user=office.owner):
        (one,) = cases_add(**acting, rows=case_rows_read(json.dumps(ROW))).cases
    return one


def test_of_two_who_review_a_case_at_once_the_first_decides(office: Firm, case: CaseEntry) -> None:
    of: dict[str, Any] = {"organization": office.organization, "case_id": case.pk}

    def approve() -> None:
        with organization_scope(office.organization, user=office.owner):
            case_review(**of, user=office.owner, decision="approve")

    reject = partial(case_review, **of, user=office.manager, decision="reject", note="Bad law.")
    with pytest.raises(Conflict, match="Somebody else has just reviewed this case"):
        overtaken(office.organization, office.manager, by=reject, act=approve)

    with organization_scope(office.organization, user=office.owner):
        stored = CaseEntry.objects.get(organization=office.organization, pk=case.pk)
        reviews = AuditEvent.objects.filter(organization=office.organization, action="case.reviewed")
        assert (stored.state, stored.reviewed_by, stored.note) == ("rejected", office.manager, "Bad law.")
        assert reviews.count() == 1


def test_of_two_imports_at_once_the_second_finds_the_cases_of_the_first(office: Firm) -> None:
    of: dict[str, Any] = {"organization": office.organization, "corpus_id": make_corpus(office, "Tenancy law").pk}
    rows = case_rows_read(json.dumps(ROW))

    def second() -> Added:
        with organization_scope(office.organization, user=office.owner):
            return cases_add(**of, user=office.owner, rows=rows)

    added = overtaken(
        office.organization, office.manager, by=partial(cases_add, **of, user=office.manager, rows=rows), act=second
    )

    assert (added.cases, added.n_known) == ((), 1)


def test_a_review_that_was_read_first_can_be_changed(office: Firm, case: CaseEntry) -> None:
    of: dict[str, Any] = {"organization": office.organization, "user": office.owner, "case_id": case.pk}
    with organization_scope(office.organization, user=office.owner):
        states = [case_review(**of, decision=decision).state for decision in ("approve", "reject", "reject")]

    assert states == ["approved", "rejected", "rejected"]
