"""What a document is: guessed from its own words with the reason, and never over what a person said."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.describing import describe
from corpora.models import Corpus, DocumentVersion
from corpora.services import document_describe
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from tests.ingestion import Ingested, ingest
from tests.people import Firm

PDFS = Path(__file__).parents[1] / "data" / "pdfs"
POLICIES = Path(__file__).parents[1] / "data" / "policies"
AI_ACT = (
    "European Parliament 2019-2024 Plenary sitting 19.4.2024 CORRIGENDUM to the position of the European Parliament "
    "adopted at first reading on 13 March 2024 with a view to the adoption of Regulation (EU) 2024/1689 of the "
    "European Parliament and of the Council laying down harmonised rules on artificial intelligence"
)
ADMIN_CODE = (
    "Subchapter 25: Automated Employment Decision Tools § 20-870 Definitions. For the purposes of this subchapter"
)
AFFILIATE = (
    "Exhibit 10.27 MARKETING AFFILIATE AGREEMENT Between: Birch First Global Investments Inc. And Mount Knowledge "
    "Holdings Inc. Dated: May 8, 2014. This Agreement shall be governed by the laws of the State of Florida."
)
LICENSE = (
    'CONTENT LICENSE AGREEMENT THIS CONTENT LICENSE AGREEMENT (this "Agreement"), dated as of December 21, 2015 (the '
    '"Effective Date"), is entered into between Beijing Sun Seven Stars Culture Development Limited, a P.R.C. company.'
)
EU_ACT = (
    "Official Journal of the European Union L series 12.7.2024 REGULATION (EU) 2024/1689 OF THE EUROPEAN PARLIAMENT "
    "AND OF THE COUNCIL. Article 113. This Regulation shall enter into force on the twentieth day following that of "
    "its publication in the Official Journal of the European Union."
)
FORMS: dict[str, tuple[str, str, tuple[str | None, ...]]] = {
    "the AI Act": (
        "Artificial Intelligence Act",
        AI_ACT,
        ("regulation", "European Union", "European Parliament", None),
    ),
    "a regulation as published": (
        "Regulation (EU) 2024/1689",
        EU_ACT,
        ("regulation", "European Union", "European Parliament and Council", "2024-08-01"),
    ),
    "a directive of the Union": ("Directive (EU) 2019/790", "", ("law", "European Union", None, None)),
    "a directive of the Union in the older form": (
        "Council Directive 93/13/EEC",
        "",
        ("law", "European Union", None, None),
    ),
    "a directive of an office": ("Travel Expenses Directive 2023", "Staff book in time.", (None, None, None, None)),
    "a numbered directive of an office": ("Directive 12/2023 on travel", "Staff book early.", (None, None, None, None)),
    "a chapter of a code": ("Subchapter 25: Automated Employment", ADMIN_CODE, ("law", None, None, None)),
    "a contract with its parties": (
        "Exhibit 10.27",
        AFFILIATE,
        ("contract", "Florida", "Birch First Global Investments Inc. and Mount Knowledge Holdings Inc.", None),
    ),
    "a contract with its date": ("CONTENT LICENSE AGREEMENT", LICENSE, ("contract", None, None, "2015-12-21")),
    "a note that says nothing": ("Notes", "The roof was repaired on 3 May 2021.", (None, None, None, None)),
    "a line with nothing but the date": (
        "Gifts and travel",
        "Gifts and travel Effective 1 January 2024. Employees may accept gifts of up to 50 euros.",
        (None, None, None, "2024-01-01"),
    ),
    "a line with the date above a heading": (
        "Gifts and travel",
        "Gifts and travel Effective from January 1, 2024 1. Purpose This text says which gifts are allowed.",
        (None, None, None, "2024-01-01"),
    ),
    "a date from which something in the document applies": (
        "Gifts and travel",
        "Gifts and travel Effective 1 January 2024, the limit for gifts rises to 60 euros. Gifts are reported.",
        (None, None, None, None),
    ),
    "a date of another law": (
        "Handbook",
        "The rule follows a law that was amended effective September 24, 2009.",
        ("guidance", None, None, None),
    ),
    "two dates that contradict each other": (
        "Leave policy",
        "Effective date: 1 May 2021. Effective date: 1 May 2022.",
        ("policy", None, None, None),
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_documents_are_known_by_their_own_words(name: str) -> None:
    title, text, expected = FORMS[name]
    found = describe(title=title, text=text)
    guesses = (found.kind, found.jurisdiction, found.authority, found.effective_date)
    assert tuple(guess and guess.value for guess in guesses) == expected


def test_the_reason_quotes_the_words() -> None:
    kind = describe(title="Regulation (EU) 2024/1689", text="").kind
    assert kind is not None
    assert kind.reason == "Title says “Regulation (EU) 2024/1689”"


FILES = {
    PDFS / "bad_xref_final_rule.pdf": ("rule", "New York City", "New York City Department of Consumer"),
    PDFS / "encrypted_owner_only.pdf": ("law", "New York City", "New York City Council"),
    PDFS / "scotus_slip_opinion_2012.pdf": ("decision", "United States", "Supreme Court of the United States"),
    POLICIES / "security-incidents.md": ("", "", ""),
}


@pytest.mark.django_db
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_is_described_when_it_is_read(firm: Firm, corpus: Corpus, file: Path) -> None:
    document = ingest(firm, corpus, file.name, file.read_bytes()).document
    kind, jurisdiction, authority = FILES[file]
    assert (document.kind, document.jurisdiction) == (kind, jurisdiction)
    assert document.authority.startswith(authority)
    assert set(document.field_reasons) == {name for name in ("kind", "jurisdiction", "authority") if kind}


POLICY = "# Leave policy\n\nEffective date: 1 May 2021\n\nEmployees take thirty days of leave.\n"


def say(firm: Firm, taken: Ingested, **changes: Any) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        document_describe(**firm.by_manager, document_id=taken.document.pk, changes=changes)


@pytest.mark.django_db
def test_a_guess_never_overwrites_what_a_person_said(firm: Firm, corpus: Corpus) -> None:
    taken = ingest(firm, corpus, "leave.md", POLICY)
    assert (taken.document.kind, taken.version.effective_date) == ("policy", date(2021, 5, 1))

    say(firm, taken, kind="guidance", jurisdiction="", effective_date=date(2021, 6, 1))
    second = ingest(firm, corpus, "leave.md", POLICY.replace("1 May 2021", "1 July 2022"))

    assert (second.document.kind, second.document.field_reasons) == ("guidance", {})
    with organization_scope(firm.organization, user=firm.manager):
        days = DocumentVersion.objects.filter(document=taken.document).order_by("number")
        assert list(days.values_list("effective_date", flat=True)) == [date(2021, 6, 1), date(2022, 7, 1)]


@pytest.mark.django_db
def test_the_date_of_the_version_before_does_not_date_the_next_one(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "leave.md", POLICY)
    second = ingest(firm, corpus, "leave.md", POLICY.replace("thirty", "forty"))
    assert second.version.effective_date is None


@pytest.mark.django_db
def test_what_is_no_kind_is_refused(firm: Firm, corpus: Corpus) -> None:
    taken = ingest(firm, corpus, "leave.md", POLICY)
    with pytest.raises(ApplicationError, match="There is no kind 'poem'"):
        say(firm, taken, kind="poem")


@pytest.mark.django_db
def test_a_program_reads_and_corrects_them(firm: Firm, corpus: Corpus) -> None:
    taken = ingest(firm, corpus, "leave.md", POLICY)
    headers: Any = firm.bearer(firm.manager, TokenScope.DOCUMENTS_READ, TokenScope.DOCUMENTS_WRITE)
    address = reverse("api_document_detail", args=[taken.document.pk])

    before = Client().get(address, headers=headers).json()
    assert (before["document_kind"], before["effective_date"]) == ("policy", "2021-05-01")
    assert before["guessed"]["document_kind"] == "Title says “policy”"
    body = {"document_kind": "contract", "authority": "The house", "effective_date": "2024-01-31"}
    after = Client().patch(address, json.dumps(body), "application/json", headers=headers).json()
    assert {name: after[name] for name in body} == body
    assert after["guessed"] == {}
    wrong = Client().patch(address, '{"effective_date": "2024-02-30"}', "application/json", headers=headers)
    said = "effective_date: 2024-02-30 does not exist; choose another day."
    assert (wrong.status_code, wrong.json()["message"]) == (400, said)


@pytest.mark.django_db
def test_people_see_what_was_guessed_and_why_and_managers_correct_it(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    taken = ingest(firm, corpus, "leave.md", POLICY)
    manager, lawyer = client_of(firm.manager), client_of(firm.lawyer)
    slug, args = firm.organization.slug, [firm.organization.slug, taken.document.pk]

    table = lawyer.get(reverse("corpus_detail", args=[slug, corpus.pk])).content.decode()
    assert "Policy (guessed)" in " ".join(table.split())
    assert "Guessed: Title says “policy”" in lawyer.get(reverse("document_detail", args=args)).content.decode()
    assert 'id="fields-form"' not in lawyer.get(reverse("document_versions", args=args)).content.decode()
    assert 'id="fields-form"' in manager.get(reverse("document_versions", args=args)).content.decode()

    form = {"kind": "guidance", "jurisdiction": "Utah", "authority": ""}
    assert lawyer.post(reverse("document_describe", args=args), form).status_code == 403
    manager.post(reverse("document_describe", args=args), form)
    page = lawyer.get(reverse("document_detail", args=args)).content.decode()
    assert ("Utah" in page, "Guessed: Title" in page) == (True, False)


@pytest.mark.django_db
def test_a_reason_with_markup_is_shown_as_text(firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]) -> None:
    taken = ingest(firm, corpus, "x.txt", "Leave policy<script>alert(1)</script>\n\nA text.\n")
    args = [firm.organization.slug, taken.document.pk]
    for name in ("document_versions", "document_detail"):
        assert "<script>alert(1)" not in client_of(firm.manager).get(reverse(name, args=args)).content.decode()
