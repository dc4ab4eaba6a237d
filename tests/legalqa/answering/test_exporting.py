"""Each export of an answer is in the audit log, by every page and endpoint."""

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.services import answer_export
from legalqa.common.errors import NotFound
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import Office
from tests.legalqa.llm.setting_up import set_up
from tests.people import signed_in
from tests.provider import ScriptedProvider

PAGES = ("answer_pack", "answer_pack_json", "answer_memo_docx", "answer_memo_pdf")
ENDPOINTS = ("api_answer_pack", "api_memo_docx", "api_memo_pdf")


@pytest.fixture
def office(committed_office: Office, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Office:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(committed_office.firm, scripted_provider.url)
    return committed_office


@pytest.fixture
def answer(office: Office) -> Answer:
    """One that declines: it needs no model, and can be taken out as any other."""
    return w.ask(office, w.FAR_OFF)


def exports(office: Office, answer: Answer) -> list[UUID | None]:
    """Who took it out, the first one first."""
    with organization_scope(office.firm.organization, user=office.firm.owner):
        events = AuditEvent.objects.filter(
            organization=office.firm.organization, action="answer.exported", subject_id=answer.pk
        )
        return list(events.order_by("at").values_list("actor_id", flat=True))


def test_each_page_and_endpoint_that_hands_an_answer_out_notes_it_once(office: Office, answer: Answer) -> None:
    lawyer, slug = office.firm.lawyer, office.firm.organization.slug
    browser, headers = signed_in(lawyer), office.firm.bearer(lawyer, TokenScope.ANSWERS_READ)
    replies = [browser.get(reverse(name, args=[slug, answer.pk])) for name in PAGES]
    replies += [Client().get(reverse(name, args=[answer.pk]), headers=headers) for name in ENDPOINTS]

    assert [reply.status_code for reply in replies] == [200] * 7
    assert exports(office, answer) == [lawyer.pk] * 7


def test_an_answer_that_a_colleague_does_not_share_is_not_handed_out(office: Office, answer: Answer) -> None:
    firm = office.firm
    with organization_scope(firm.organization, user=firm.annotator), pytest.raises(NotFound):
        answer_export(organization=firm.organization, user=firm.annotator, answer_id=answer.pk)

    assert exports(office, answer) == []
