"""Files that bring passages as words: these are looked for while no transaction is open, and not for ever."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.gold.passages import Passages
from judging.gold.services import files
from judging.gold.services.doubles import doubles_of
from judging.gold.services.sets import gold_questions, gold_references
from judging.models import GoldSet
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope, scope_is_active
from legalqa.common.work import Places
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

ClientOf = Callable[[User], Client]

RENT = "The tenant of the apple garden pays nine euros a month."
CONTEXTS = ("apple garden\n pays nine", "pays ten euros", "pays eleven euros")
FILE = json.dumps(
    {"user_input": "What is the rent?", "reference": "Nine euros", "reference_contexts": CONTEXTS}
).encode()


@pytest.fixture
def leases(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Leases")
    ingest(firm, corpus, "lease.jsonl", json.dumps({"id": "rent", "text": RENT}))
    return corpus


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the organisation's transaction was open, for each passage and each question that was looked at."""
    were_open: list[bool] = []

    def told(act: Callable[..., Any]) -> Callable[..., Any]:
        def telling(*args: Any, **named: Any) -> Any:
            were_open.append(scope_is_active())
            return act(*args, **named)

        return telling

    # Both do what they always do; that no transaction is open can be seen from inside only.
    monkeypatch.setattr(Passages, "find", told(Passages.find))
    monkeypatch.setattr(files, "doubles_of", told(doubles_of))
    return were_open


def by_page(firm: Firm, corpus: Corpus, client_of: ClientOf) -> Any:
    page = reverse("gold_set_list", args=[firm.organization.slug, corpus.pk])
    sent = {"name": "rents", "shape": "ragas", "file": SimpleUploadedFile("rents.jsonl", FILE)}
    return client_of(firm.manager).post(page, sent, follow=True)


def by_interface(firm: Firm, corpus: Corpus, client_of: ClientOf) -> Any:
    headers = firm.bearer(firm.manager, TokenScope.CORPORA_WRITE)
    sent = {"name": "rents", "shape": "ragas", "content": base64.b64encode(FILE).decode()}
    address = reverse("api_gold_set_import", args=[corpus.pk])
    return Client().post(address, sent, content_type="application/json", headers=headers)


@pytest.mark.parametrize("bring", [by_page, by_interface])
def test_passages_are_looked_for_while_no_transaction_is_open(
    bring: Callable[..., Any], firm: Firm, leases: Corpus, client_of: ClientOf, searched: list[bool]
) -> None:
    reply = bring(firm, leases, client_of)

    assert searched == [False] * 4, "three passages, and the meaning of the question"
    assert "Question 1: 2 of 3 passages are not in the corpus." in reply.content.decode()
    with organization_scope(firm.organization, user=firm.manager):
        questions = gold_questions(gold_set=GoldSet.objects.get(name="rents"))
        (reference,) = gold_references(questions=questions)[questions[0].pk]
        assert RENT[reference.start : reference.end] == "apple garden pays nine"


def test_what_is_not_looked_for_is_counted(
    firm: Firm, leases: Corpus, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file for the real limit would be searched for seconds.
    monkeypatch.setattr(files, "MAX_SEARCHED", 2 * len(RENT))

    page = by_page(firm, leases, client_of).content.decode()

    assert "Not looked for: 1 passages" in page
    assert "manage.py goldset import" in page


def test_one_import_more_than_an_organisation_has_places_is_refused(
    firm: Firm, leases: Corpus, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One place instead of two; the only one is taken.
    monkeypatch.setattr(files, "IMPORTS", Places(of_one=1, of_all=2, refusal=files.IMPORTS.refusal))
    with files.IMPORTS.one(firm.organization.pk):
        replies = [bring(firm, leases, client_of) for bring in (by_page, by_interface)]

    assert [reply.status_code for reply in replies] == [422, 429]
    assert all("Other gold sets are being imported." in reply.content.decode() for reply in replies)
