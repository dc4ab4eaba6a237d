"""Test questions of a case base out of a gold set, without a model: on the page, over the API and by command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.models import CaseEvaluation, GoldQuestion, GoldReference, GoldSet
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from retrieval.cases.files import case_rows_read
from retrieval.cases.services import cases_add, cases_approve_waiting
from retrieval.models import CaseEntry
from tests.ingestion import ingest, positions
from tests.people import Firm
from tests.retrieval.cases.conftest import LAW, embed, lines

pytestmark = pytest.mark.django_db
BOTH = "What must an employer do before it uses a hiring tool?"


@pytest.fixture
def gold_set(firm: Firm, corpus: Corpus) -> GoldSet:
    """Questions on two passages that are cases, on one of them, on none, and one that is itself a case."""
    law = ingest(firm, corpus, "rules.md", LAW)
    _, _, audit, _, notice, _, fine = (position.paragraph for position in positions(firm, law.version))
    of: dict[str, Any] = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.owner):
        cases_add(**of, rows=case_rows_read(lines(audit.public_id, notice.public_id)))
        cases_approve_waiting(**of)
        own = {"organization": firm.organization}
        made = GoldSet.objects.create(**own, corpus=corpus, name="Hiring", created_by=firm.owner)
        asked = (
            (BOTH, (audit, notice)),
            ("How often must an employer audit a hiring tool?", (audit, notice)),
            ("Within which time must the audit be done?", (audit,)),
            ("What does a violation cost, and when is notice given?", (fine, notice)),
        )
        for ordinal, (text, paragraphs) in enumerate(asked):
            question = GoldQuestion.objects.create(
                **own, gold_set=made, ordinal=ordinal, text=text, reference_answer="Audit and tell."
            )
            GoldReference.objects.bulk_create(
                GoldReference(**own, question=question, paragraph=one) for one in paragraphs
            )
    embed(firm)
    return made


def test_only_a_question_that_two_cases_answer_together_becomes_a_test_question(
    firm: Firm, corpus: Corpus, gold_set: GoldSet, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    page = client.get(reverse("case_evaluation_list", args=["harding", corpus.pk])).content.decode()
    assert f'<option value="{gold_set.pk}">Hiring</option>' in page

    reply = client.post(reverse("case_evaluation_start", args=["harding", corpus.pk]), {"gold_set": gold_set.pk})

    assert reply.status_code == 302
    with organization_scope(firm.organization, user=None):
        [question] = CaseEvaluation.objects.get().questions
        needed = {CaseEntry.objects.get(pk=pk).external_id for pk in question["cases"]}
    assert (question["question"], question["answer"], needed) == (BOTH, "Audit and tell.", {"audit", "notice"})


def test_a_program_and_a_command_take_the_same_questions(
    firm: Firm, corpus: Corpus, gold_set: GoldSet, tmp_path: Path
) -> None:
    headers: Any = firm.bearer(firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    address, file = reverse("api_case_evaluation_list", args=[corpus.pk]), tmp_path / "questions.jsonl"
    send: dict[str, Any] = {"content_type": "application/json", "headers": headers}

    begun = Client().post(address, {"gold_set_id": str(gold_set.pk)}, **send)
    call_command("casebase", "pairs", str(corpus.pk), "--gold-set", "Hiring", "--file", str(file))

    assert begun.status_code == 202
    [line] = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["question"], line["cases"])] == [(q["question"], q["cases"]) for q in begun.json()["questions"]]


def test_a_set_without_such_a_question_and_two_sources_at_once_are_refused(
    firm: Firm, corpus: Corpus, gold_set: GoldSet
) -> None:
    headers: Any = firm.bearer(firm.manager, TokenScope.CORPORA_WRITE)
    address = reverse("api_case_evaluation_list", args=[corpus.pk])
    send: dict[str, Any] = {"content_type": "application/json", "headers": headers}
    line = json.dumps({"question": BOTH, "answer": "", "cases": ["audit", "notice"]})

    both = Client().post(address, {"gold_set_id": str(gold_set.pk), "text": line}, **send)
    with organization_scope(firm.organization, user=None):
        GoldReference.objects.filter(question__text=BOTH).delete()
    none = Client().post(address, {"gold_set_id": str(gold_set.pk)}, **send)

    assert (both.status_code, none.status_code) == (400, 400)
    assert "either a file of test questions or a gold set" in both.content.decode()
    assert "No question of the gold set" in none.content.decode()
