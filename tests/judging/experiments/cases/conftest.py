"""A harbour's case base: two cases that name the same act, and one that names none."""

import pytest
from pytest_django import Settings

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.llm.types import Role
from legalqa.llm.wire import sdk_load
from retrieval.cases.files import CaseRow
from retrieval.cases.services import cases_add, cases_approve_waiting
from tests.ingestion import make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider
from tests.retrieval.cases.conftest import embed

ACT = "Harbour Dues Act 1988"
CASES = {
    "berth": ("What does a berth cost?", "Ninety crowns.", f"Under the {ACT} a berth costs ninety crowns."),
    "late": ("What if the dues are late?", "Five per cent more.", f"The {ACT} adds five per cent to late dues."),
    "dogs": ("Are dogs allowed?", "Yes.", "Dogs are allowed on every pier of the town."),
}


@pytest.fixture(scope="session", autouse=True)
def sdk() -> None:
    """Loaded before any transaction is open: it takes seconds, once."""
    sdk_load()


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    made = make_corpus(firm, "Harbour")
    rows = [CaseRow(question, answer, support, id=name) for name, (question, answer, support) in CASES.items()]
    with organization_scope(firm.organization, user=firm.owner):
        cases_add(**firm.by_owner, corpus_id=made.pk, rows=rows)
        cases_approve_waiting(**firm.by_owner, corpus_id=made.pk)
    embed(firm)
    return made


@pytest.fixture
def models(firm: Firm, settings: Settings, scripted_provider: ScriptedProvider) -> ScriptedProvider:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.REWRITE)
    set_up(firm, scripted_provider.url, role=Role.ANSWER)
    return scripted_provider
