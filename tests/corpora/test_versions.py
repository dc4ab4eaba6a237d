"""The versions of a document: what each changed, and from which day it is in effect."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora import versions
from corpora.differences import Difference
from corpora.models import Corpus
from corpora.services import version_date_set
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope, scope_is_active
from legalqa.common.errors import NotFound
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from retrieval.types import Filters
from tests.ingestion import Ingested
from tests.pages import one_line
from tests.people import Firm

ClientOf = Callable[[User], Client]


def test_the_list_says_who_brought_each_version_and_what_it_changed(
    firm: Firm, lease: Ingested, client_of: ClientOf
) -> None:
    page = client_of(firm.lawyer).get(reverse("document_versions", args=["harding", lease.document.pk]))

    second, first = page.context["rows"]
    assert (second.who, second.is_current, first.is_current) == (firm.manager.name, True, False)
    assert second.changes == {"same": 2, "moved": 0, "changed": 1, "added": 1, "removed": 0}
    assert (second.before, first.changes) == (1, None)
    assert page.context["can_manage"] is False


def test_the_changes_are_marked_word_by_word_and_open_the_reader_at_their_place(
    firm: Firm, lease: Ingested, client_of: ClientOf
) -> None:
    client = client_of(firm.lawyer)
    page = client.get(reverse("document_changes", args=["harding", lease.document.pk]))

    changed, added = (row for row in page.context["rows"] if "origin" in row)
    assert [(w.mark, w.text) for w in changed["words"] if w.mark != "kept"] == [("removed", "900"), ("added", "950")]
    assert (added["origin"], added["text"]) == ("added", "Pets are allowed.")
    assert '<del><span class="visually-hidden">[removed: </span>900' in one_line(page.content.decode())
    reader = client.get(added["url"])
    assert [s.text for p in reader.context["paragraphs"] for s in p.segments if s.is_highlighted] == [
        "Pets are allowed."
    ]


def test_unchanged_paragraphs_are_counted_or_shown(firm: Firm, lease: Ingested, client_of: ClientOf) -> None:
    client, address = client_of(firm.lawyer), reverse("document_changes", args=["harding", lease.document.pk])
    few, whole = client.get(address), client.get(address, {"all": "1"})

    assert "The landlord repairs the roof." not in few.content.decode()
    assert "The landlord repairs the roof." in whole.content.decode()
    assert [row["n_same"] for row in few.context["rows"] if "n_same" in row] == [1, 1]


def test_a_page_that_did_not_compare_every_word_says_so(
    firm: Firm, lease: Ingested, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "PAGE_STEPS", 0)  # or it takes two long documents
    client = client_of(firm.lawyer)

    for name in ("document_changes", "document_versions"):
        page = client.get(reverse(name, args=["harding", lease.document.pk])).content.decode()
        assert "some reworded paragraphs are shown as removed and added" in page


def test_nothing_is_compared_while_a_transaction_is_open(
    firm: Firm, lease: Ingested, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def compare(*args: Any, **options: Any) -> tuple[Difference, ...]:
        seen.append(scope_is_active())
        return ()

    monkeypatch.setattr(versions, "compared", compare)  # asks the connection while it compares
    for name in ("document_changes", "document_versions"):
        client_of(firm.lawyer).get(reverse(name, args=["harding", lease.document.pk]))

    assert seen == [False, False]


def test_a_third_comparison_of_one_person_at_once_is_refused_in_a_sentence(
    firm: Firm, lease: Ingested, client_of: ClientOf
) -> None:
    address = reverse("document_changes", args=["harding", lease.document.pk])
    with versions.COMPARISONS.one(firm.lawyer.pk), versions.COMPARISONS.one(firm.lawyer.pk):
        refused = client_of(firm.lawyer).get(address)
        assert client_of(firm.manager).get(address).status_code == 200

    assert refused.status_code == 429
    assert "Other version comparisons are running. Wait a few seconds" in refused.content.decode()
    assert client_of(firm.lawyer).get(address).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"), [({"old": "x"}, 400), ({"new": "9"}, 404), ({"old": "1", "new": "1"}, 200)]
)
def test_odd_versions_in_the_address_are_answered(
    asked: dict[str, str], status: int, firm: Firm, lease: Ingested, client_of: ClientOf
) -> None:
    address = reverse("document_changes", args=["harding", lease.document.pk])

    assert client_of(firm.lawyer).get(address, asked).status_code == status


def found(firm: Firm, corpus: Corpus, **filters: date) -> bool:
    result = corpus_search(
        request=SearchRequest(
            **firm.by_lawyer,
            corpus_id=corpus.pk,
            text="What rent does the tenant pay?",
            preset=preset_get("fixed-3"),
            filters=Filters(**filters),  # type: ignore[arg-type]  # of several types
        )
    )
    return bool(result.passages)


def test_a_search_by_date_finds_what_is_in_effect_then(
    firm: Firm, corpus: Corpus, lease: Ingested, client_of: ClientOf
) -> None:
    assert (found(firm, corpus), found(firm, corpus, date_from=date(2024, 1, 1))) == (True, False)
    client_of(firm.manager).post(
        reverse("version_date", args=["harding", lease.document.pk]), {"number": 2, "effective_date": "2024-07-01"}
    )

    assert found(firm, corpus, date_from=date(2024, 7, 1), date_to=date(2024, 7, 1))
    assert not found(firm, corpus, date_from=date(2024, 7, 2))
    assert not found(firm, corpus, date_to=date(2024, 6, 30))


def test_a_date_can_be_taken_back(firm: Firm, corpus: Corpus, lease: Ingested) -> None:
    for effective in (date(2024, 7, 1), None):
        with organization_scope(firm.organization, user=firm.manager):
            version = version_date_set(
                **firm.by_manager, document_id=lease.document.pk, number=2, effective_date=effective
            )
        assert version.effective_date == effective
    assert not found(firm, corpus, date_from=date(2024, 1, 1))


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("yesterday", "is not a date; write it as 2024-01-31."),
        ("2024-02-30", "2024-02-30 does not exist; choose another day."),
    ],
)
def test_an_invalid_date_is_refused_in_words(
    day: str, words: str, firm: Firm, lease: Ingested, client_of: ClientOf
) -> None:
    page = client_of(firm.manager).post(
        reverse("version_date", args=["harding", lease.document.pk]), {"number": 2, "effective_date": day}, follow=True
    )

    assert words in page.content.decode()


def test_there_is_no_version_of_another_number(firm: Firm, lease: Ingested) -> None:
    with organization_scope(firm.organization, user=firm.manager), pytest.raises(NotFound):
        version_date_set(**firm.by_manager, document_id=lease.document.pk, number=3, effective_date=None)


def test_a_date_before_that_of_an_earlier_version_is_taken_and_warned_of(
    firm: Firm, lease: Ingested, client_of: ClientOf
) -> None:
    client, at = client_of(firm.manager), reverse("version_date", args=["harding", lease.document.pk])
    told = (
        "Version 2 takes effect on 1 May 2025, before version 1 does (1 June 2025): questions as of that later day are "
        "answered from version 1. Check both dates."
    )
    in_order = client.post(at, {"number": 1, "effective_date": "2025-06-01"}, follow=True).content.decode()
    page = client.post(at, {"number": 2, "effective_date": "2025-05-01"}, follow=True).content.decode()
    headers: Any = firm.bearer(firm.manager, TokenScope.DOCUMENTS_WRITE, TokenScope.DOCUMENTS_READ)

    def in_api(method: str, name: str, **data: object) -> dict[str, Any]:
        reply = getattr(Client(), method)(
            reverse(name, args=[lease.document.pk]), json.dumps(data), "application/json", headers=headers
        )
        read: dict[str, Any] = reply.json()
        return read

    assert "Check both dates" not in in_order
    assert one_line(page).count(told) == 2, "as a message, and beside the date"
    assert in_api("post", "api_effective_date", number=1, effective_date="2025-06-01")["warning"] == told
    assert in_api("patch", "api_document_detail", effective_date="2025-05-01")["date_warning"] == told
    assert in_api("patch", "api_document_detail", effective_date="2025-07-01")["date_warning"] == ""
