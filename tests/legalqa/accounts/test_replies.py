"""Idempotency keys: an upload or a question that is sent again is done once, even if a process died in between."""

from copy import copy
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from corpora.models import Corpus, CorpusMember, DocumentVersion
from corpora.services import corpus_update
from legalqa.accounts.models import KeptReply
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import api_rows_clear, reply_claim, reply_claimed
from legalqa.answering.models import Question as QuestionRow
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import Conflict
from retrieval.pipelines.presets import preset_get
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.legalqa.accounts.test_tokens import token_of
from tests.people import Firm, make_firm

LEASE = "The tenant pays a rent of 900 euros each month.\n\nThe landlord repairs the roof.\n"
QUESTIONS = "/api/v1/questions/"


class Program:
    """The manager's program in one organisation, with a corpus to work in."""

    def __init__(self, firm: Firm) -> None:
        self.firm, self.corpus = firm, make_corpus(firm)
        self.secret = token_of(firm, firm.manager)
        ingest(firm, self.corpus, "lease.md", LEASE)

    def ask(self, key: str | None, text: str = "What rent does the tenant pay?", **more: Any) -> Any:
        body = {"corpus_id": str(self.corpus.pk), "text": text, **more}
        return Client().post(QUESTIONS, body, content_type="application/json", headers=self._headers(key))

    def upload(self, key: str | None, content: bytes = b"A note that is new.", name: str = "note.txt") -> Any:
        body = {"file": SimpleUploadedFile(name, content)}
        return Client().post(f"/api/v1/corpora/{self.corpus.pk}/documents/", body, headers=self._headers(key))

    def _headers(self, key: str | None) -> Any:
        return {"Authorization": f"Bearer {self.secret}"} | ({} if key is None else {"Idempotency-Key": key})

    def counts(self) -> tuple[int, int]:
        """Questions, and versions of documents."""
        with organization_scope(self.firm.organization, user=None):
            return QuestionRow.objects.count(), DocumentVersion.objects.count()

    def kept(self) -> list[KeptReply]:
        with organization_scope(self.firm.organization, user=None):
            return list(KeptReply.objects.order_by("created_at"))

    def change(self, **values: Any) -> None:
        with organization_scope(self.firm.organization, user=None):
            KeptReply.objects.update(**values)


committed_program = committed_fixture(lambda: Program(make_firm("harding", "Harding & Stone")))


@pytest.fixture
def program(committed_program: Program, db: None) -> Program:
    return copy(committed_program)  # a test may give it the secret of another


@pytest.fixture
def firm(program: Program) -> Firm:
    return program.firm


def test_a_question_sent_again_brings_the_same_reply_and_is_asked_once(program: Program) -> None:
    first, second = program.ask("a key"), program.ask("a key")

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert "Idempotent-Replayed" not in first.headers
    assert second["Idempotent-Replayed"] == "true"
    assert program.counts()[0] == 1


def test_an_upload_sent_again_brings_the_same_reply_instead_of_a_refusal(program: Program) -> None:
    first, second = program.upload("a key"), program.upload("a key")

    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert second["Idempotent-Replayed"] == "true"
    assert program.upload(None).status_code == 409
    assert program.counts()[1] == 2


def test_without_a_key_every_question_is_asked(program: Program) -> None:
    assert program.ask(None).json()["id"] != program.ask(None).json()["id"]
    assert program.kept() == []


def test_a_key_takes_one_content_only(program: Program) -> None:
    program.ask("a key")
    program.upload("another")
    others = [
        program.ask("a key", "Who repairs the roof?"),
        program.ask("a key", set={"k": "3"}),
        program.upload("another", b"A note that differs."),
        program.upload("another", name="other.txt"),
    ]

    assert {reply.status_code for reply in others} == {422}
    assert {reply.json()["code"] for reply in others} == {"idempotency_key_reused"}
    assert program.counts() == (1, 2)


def test_keys_of_endpoints_people_and_organisations_are_apart(program: Program, firm: Firm, rivals: Firm) -> None:
    program.ask("a key")
    assert program.upload("a key").status_code == 202
    program.secret = token_of(firm, firm.owner)
    assert "Idempotent-Replayed" not in program.ask("a key").headers
    other = Program(rivals)
    assert "Idempotent-Replayed" not in other.ask("a key").headers
    assert len(program.kept()) == 3
    assert len(other.kept()) == 1


def test_a_person_who_changes_the_token_keeps_the_keys(program: Program, firm: Firm) -> None:
    program.ask("a key")
    program.secret = token_of(firm, firm.manager)

    assert program.ask("a key")["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", "x" * 256, "sch\u00fcssel", "a\tb"])
def test_a_malformed_key_is_refused(key: str, program: Program) -> None:
    reply = program.ask(key)

    assert reply.status_code == 400
    assert reply.json()["code"] == "idempotency_key"
    assert program.counts()[0] == 0


def test_a_refusal_gives_the_key_back(program: Program) -> None:
    refused = program.ask("a key", " ")
    assert refused.status_code == 400
    assert program.kept() == []

    assert program.ask("a key").status_code == 201


def test_while_the_first_is_at_work_the_second_is_told_to_come_again(program: Program) -> None:
    program.ask("a key")
    program.change(status=None, subject_id=None, body="", lease_until=timezone.now() + timedelta(seconds=90))
    reply = program.ask("a key")

    assert reply.status_code == 409
    assert reply.json()["code"] == "idempotency_in_progress"
    assert 1 <= int(reply["Retry-After"]) <= 5
    assert program.counts()[0] == 1


def test_where_a_kill_came_after_the_act_the_reply_is_made_again_from_what_was_done(program: Program) -> None:
    """The object is bound to the key in the transaction that made it, so there is no moment between the two."""
    asked, uploaded = program.ask("a key").json(), program.upload("a key").json()
    program.change(status=None, body="", lease_until=timezone.now() - timedelta(seconds=1))
    again = program.ask("a key"), program.upload("a key")

    assert [reply.status_code for reply in again] == [201, 202]
    assert again[0].json() == asked
    assert again[1].json()["id"] == uploaded["id"]
    assert program.counts() == (1, 2)
    assert all(reply.status for reply in program.kept())


def test_where_a_kill_came_before_the_act_it_is_done_now(program: Program) -> None:
    program.ask("a key")
    with organization_scope(program.firm.organization, user=program.firm.manager):
        QuestionRow.objects.all().delete()
    program.change(status=None, subject_id=None, body="", lease_until=timezone.now() - timedelta(seconds=1))

    assert program.ask("a key").status_code == 201
    assert program.counts()[0] == 1


def test_who_was_taken_over_from_cannot_act_any_more(program: Program, firm: Firm) -> None:
    """A request that slept beyond its lease finds, in the transaction of its act, that the key is not its own."""
    who: dict[str, Any] = {"organization": firm.organization, "user": firm.manager}
    mine = reply_claim(**who, endpoint="POST /slow/", key="a key", digest="0" * 64)
    program.change(lease=uuid4())
    with reply_claimed(reply=mine), pytest.raises(Conflict, match="still in progress"):
        question_ask(
            question=Question(
                **who, corpus_id=program.corpus.pk, text="What rent is paid?", preset=preset_get("fixed-3")
            )
        )

    assert program.counts()[0] == 0


def test_a_reply_is_not_given_again_to_who_may_not_see_it_any_more(program: Program, firm: Firm) -> None:
    program.ask("a key")
    with organization_scope(firm.organization, user=firm.owner):
        corpus_update(**firm.by_owner, corpus_id=program.corpus.pk, is_walled=True)
        assert not CorpusMember.objects.filter(user=firm.manager).exists()

    assert program.ask("a key").status_code == 404


def test_a_kept_reply_is_hidden_from_everybody_else_by_the_database(program: Program, firm: Firm) -> None:
    program.ask("a key")
    with organization_scope(firm.organization, user=firm.owner):
        assert not KeptReply._base_manager.exists()
        assert Corpus.objects.exists()


def test_after_a_day_a_key_is_new_and_its_row_is_removed(program: Program) -> None:
    program.ask("a key")
    program.ask("another")
    program.change(created_at=timezone.now() - timedelta(hours=25))
    assert "Idempotent-Replayed" not in program.ask("a key").headers

    assert api_rows_clear() == 1
    assert [reply.key for reply in program.kept()] == ["a key"]
