"""Each reading of a document is in the audit log, by the page and by the API."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from corpora.services import document_view
from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from tests.ingestion import make_corpus, upload
from tests.people import Firm, make_firm, signed_in

LEASE = "# Lease\n\nThe tenant pays the rent on the first day of each month."


def views(firm: Firm) -> list[UUID | None]:
    """Who read a document of the firm, the first one first."""
    with organization_scope(firm.organization, user=firm.owner):
        events = AuditEvent.objects.filter(organization=firm.organization, action="document.viewed")
        return list(events.order_by("at").values_list("actor_id", flat=True))


def test_the_page_and_the_paragraphs_of_a_document_note_who_read_it(firm: Firm) -> None:
    document = upload(firm, make_corpus(firm), "lease.md", LEASE).document
    page = signed_in(firm.lawyer).get(reverse("document_detail", args=[firm.organization.slug, document.pk]))
    headers = firm.bearer(firm.owner, TokenScope.DOCUMENTS_READ)
    paragraphs = Client().get(reverse("api_paragraph_list", args=[document.pk]), headers=headers)

    assert (page.status_code, paragraphs.status_code) == (200, 200)
    assert views(firm) == [firm.lawyer.pk, firm.owner.pk]


def test_an_earlier_version_is_read_by_its_number_and_one_that_never_was_is_not(firm: Firm) -> None:
    corpus = make_corpus(firm)
    document = upload(firm, corpus, "lease.md", LEASE).document
    upload(firm, corpus, "lease.md", LEASE.replace("first", "third"))
    of: dict[str, Any] = {"organization": firm.organization, "user": firm.lawyer, "document_id": document.pk}
    with organization_scope(firm.organization, user=firm.lawyer):
        assert [document_view(**of, number=number).number for number in (1, None)] == [1, 2]
        with pytest.raises(NotFound):
            document_view(**of, number=3)

    assert views(firm) == [firm.lawyer.pk] * 2


def test_a_document_of_another_organisation_is_not_read(firm: Firm) -> None:
    document = upload(firm, make_corpus(firm), "lease.md", LEASE).document
    other = make_firm("stone", "Stone & Sons")
    with organization_scope(other.organization, user=other.owner), pytest.raises(NotFound):
        document_view(**other.by_owner, document_id=document.pk)

    assert views(firm) == views(other) == []
