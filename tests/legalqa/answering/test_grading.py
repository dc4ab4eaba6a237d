"""Grades of answers: one a person, changeable, written down without content, and never beyond the answer's reader."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from corpora.services import corpus_member_add, corpus_member_remove
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerGrade, AnswerState, Grade, PassageJudgment
from legalqa.answering.selectors import claim_list, grade_list
from legalqa.answering.services import answer_grade, answer_ungrade, question_ask
from legalqa.answering.services.grades import MAX_NOTE
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line
from tests.people import Firm, make_firm

LEASE = (
    "# Lease\n\n## Rent\n\nThe tenant pays a rent of 900 euros on the first day of each month.\n\n"
    "A tenant who pays late owes interest of five percent a year on the sum that is late.\n"
)
QUESTION = "What interest does a tenant who pays late owe?"
FAR_OFF = "Which team won the football world cup in France in 1998?"
NOTE = "The rate is five percent, and the answer should say of what."


@dataclass(frozen=True)
class Office:
    """A walled corpus with its owner and its lawyer inside; the lawyer's answer, and a silence."""

    firm: Firm
    corpus: Corpus
    answer: Answer
    silence: Answer

    def inside(self, user: User | None = None) -> Any:
        return organization_scope(self.firm.organization, user=user or self.firm.lawyer)

    def grade(self, grade: str, *, answer: Answer | None = None, user: User | None = None, **more: Any) -> AnswerGrade:
        user, answer = user or self.firm.lawyer, answer or self.answer
        with self.inside(user):
            return answer_grade(
                organization=self.firm.organization, user=user, answer_id=answer.pk, grade=grade, **more
            )

    def cited(self) -> str:
        with self.inside():
            return claim_list(answer=self.answer)[0].citations[0].paragraph.public_id


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Leases", is_walled=True, user=firm.owner)
    with organization_scope(firm.organization, user=firm.owner):
        corpus_member_add(**firm.by_owner, corpus_id=corpus.pk, member_id=firm.lawyer.pk)
    ingest(firm, corpus, "lease.md", LEASE, user=firm.owner)
    asked: dict[str, Any] = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    answer = question_ask(question=Question(**asked, text=QUESTION, preset=preset_get("fixed-5")))
    return Office(
        firm, corpus, answer, question_ask(question=Question(**asked, text=FAR_OFF, preset=preset_get(DEFAULT_PRESET)))
    )


committed_office = committed_fixture(make_office)


@pytest.fixture
def office(committed_office: Office, db: None) -> Office:
    return committed_office


def acts(office: Office) -> list[tuple[str, UUID | None, dict[str, Any]]]:
    with office.inside(office.firm.owner):
        rows = AuditEvent.objects.filter(action__startswith="answer.gra").order_by("sequence")
        return list(rows.values_list("action", "subject_id", "details"))


def test_a_person_has_one_grade_of_an_answer_and_every_change_is_written_down_without_content(office: Office) -> None:
    office.grade("wrong", note=NOTE)
    office.grade("wrong", note=NOTE)
    office.grade("right")
    office.grade("right", passages={office.cited(): True})
    with office.inside():
        (view,) = grade_list(answer=office.answer)
        assert (view.grade.grade, view.grade.note, list(view.judgments.values())) == ("right", NOTE, [True])
        answer_ungrade(**office.firm.by_lawyer, answer_id=office.answer.pk)
        assert (AnswerGrade.objects.count(), PassageJudgment.objects.count()) == (0, 0)
        with pytest.raises(NotFound):
            answer_ungrade(**office.firm.by_lawyer, answer_id=office.answer.pk)

    assert [(action, details) for action, _, details in acts(office)] == [
        ("answer.graded", {"grade": "wrong"}),
        ("answer.grade_changed", {"before": "wrong", "after": "right"}),
        ("answer.grade_noted", {}),
        ("answer.grade_removed", {"grade": "right"}),
    ]
    assert {subject for _, subject, _ in acts(office)} == {office.answer.pk}


def test_a_grade_fits_how_the_answer_ended_and_passages_are_those_of_the_answer(office: Office) -> None:
    read = office.silence.evidence[0]["paragraph_id"]
    refused: list[tuple[Answer, str, dict[str, Any], str]] = [
        (office.answer, "rightly_silent", {}, "bad_grade"),
        (office.silence, "right", {}, "bad_grade"),
        (office.answer, "right", {"note": "x" * (MAX_NOTE + 1)}, "note_too_long"),
        (office.answer, "right", {"passages": {"doc::1::1::abc": True}}, "unknown_passage"),
        (office.silence, "rightly_silent", {"passages": {read: True}}, "grade_contradicts"),
    ]
    for answer, grade, more, code in refused:
        with pytest.raises(ApplicationError) as error:
            office.grade(grade, answer=answer, **more)
        assert error.value.code == code
    office.grade("missed", answer=office.silence, passages={read: True})
    office.grade("rightly_silent", answer=office.silence)
    with office.inside():
        assert PassageJudgment.objects.count() == 0  # a right silence and an answering passage contradict each other
        Answer.objects.filter(pk=office.silence.pk).update(state=AnswerState.FAILED)
    with pytest.raises(Conflict):
        office.grade("rightly_silent", answer=office.silence)


def test_the_page_grades_by_one_click_and_takes_passages_and_a_note_with_and_without_scripts(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    client = client_of(office.firm.lawyer)
    page, address = (reverse(name, args=["harding", office.answer.pk]) for name in ("answer_detail", "answer_grade"))
    correction = "Five percent a year."
    details = {"grade": "partly", "has_details": "1", "note": NOTE, "correction": correction, "passage_1": "no"}

    assert 'aria-pressed="true"' not in client.get(page).content.decode()
    plain = client.post(address, {"grade": "partly"})
    assert (plain.status_code, plain["Location"]) == (302, f"{page}#grade")
    assert "You said <strong>partly right</strong>" in one_line(client.get(page).content.decode())
    part = one_line(client.post(address, details, headers={"HX-Request": "true"}).content.decode())
    assert part.startswith('<section class="grade')
    assert "1 does not" in part
    assert NOTE in part
    assert correction in part
    assert 'name="passage_1" value="no" checked' in part
    kept = client.post(address, {"grade": "right"}, headers={"HX-Request": "true"}).content.decode()
    assert NOTE in kept
    assert correction in kept
    assert client.post(address, {"grade": "splendid"}).status_code == 400
    client.post(reverse("answer_ungrade", args=["harding", office.answer.pk]))
    assert "You said" not in client.get(page).content.decode()


def test_the_history_filters_by_grade_and_each_count_opens_what_it_counts(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    client, page = client_of(office.firm.lawyer), reverse("question_list", args=["harding"])

    assert client.get(page).context["grade_filters"] == []
    office.grade("wrong")
    filters = client.get(page).context["grade_filters"]
    assert [(chip["label"], chip["count"]) for chip in filters] == [("Graded wrong", 1), ("Not graded", 1)]
    for chip, answer in zip(filters, (office.answer, office.silence), strict=True):
        assert [row["answer_id"] for row in client.get(page + chip["url"]).context["rows"]] == [answer.pk]


def test_programs_filter_their_questions_by_state_and_grade(office: Office) -> None:
    headers = office.firm.bearer(office.firm.lawyer, TokenScope.ANSWERS_READ)

    def found(**filters: str) -> Any:
        reply = Client().get(reverse("api_question_list"), filters, headers=headers)
        return [row["answer_id"] for row in reply.json()["results"]] if reply.status_code == 200 else reply.status_code

    office.grade("wrong")
    answer, silence = str(office.answer.pk), str(office.silence.pk)
    assert found() == [silence, answer]
    assert (found(grade="wrong"), found(grade="right"), found(grade="none")) == ([answer], [], [silence])
    assert (found(state="insufficient_evidence"), found(state="answered", grade="none")) == ([silence], [])
    assert (found(grade="splendid"), found(state="gone"), found(grade="")) == (400, 400, 400)


def test_programs_grade_with_a_token_that_was_made_for_it(office: Office) -> None:
    def call(method: str, scopes: list[TokenScope], body: object = None) -> Any:
        address = reverse("api_answer_grade", args=[office.answer.pk])
        sent: dict[str, Any] = {"headers": office.firm.bearer(office.firm.lawyer, *scopes)}
        if body is not None:
            sent |= {"data": json.dumps(body), "content_type": "application/json"}
        return getattr(Client(), method)(address, **sent)

    writes, whole = [TokenScope.ANSWERS_WRITE], {"grade": "right", "passages": [{"paragraph_id": office.cited()}]}
    assert call("put", [TokenScope.ANSWERS_READ], {"grade": "right"}).status_code == 403
    assert call("put", writes, whole).status_code == 400
    whole |= {"passages": [{"paragraph_id": office.cited(), "is_support": True}], "correction": "Five percent."}
    put = call("put", writes, whole)
    got = call("get", [TokenScope.ANSWERS_READ])
    assert (put.status_code, put.json()) == (200, got.json())
    assert got.json()["possible"] == [Grade.RIGHT, Grade.PARTLY, Grade.WRONG]
    assert (got.json()["mine"]["grade"], got.json()["mine"]["passages"]) == ("right", whole["passages"])
    assert got.json()["mine"]["correction"] == "Five percent."
    assert got.json()["others"] == []
    assert (call("delete", writes).status_code, call("delete", writes).status_code) == (204, 404)


def test_outside_the_wall_nobody_sees_a_grade_or_gives_one(office: Office) -> None:
    firm = office.firm
    office.grade("right", passages={office.cited(): True})

    for outsider in (firm.manager, firm.annotator):
        with pytest.raises(NotFound):
            office.grade("wrong", user=outsider)
        with office.inside(outsider):  # what a forgotten filter would get
            assert AnswerGrade._base_manager.count() == PassageJudgment._base_manager.count() == 0
    with pytest.raises(NotFound):  # inside the wall, but it is not their answer
        office.grade("wrong", user=firm.owner)
    with office.inside(firm.owner):
        assert AnswerGrade.objects.count() == 1
        corpus_member_remove(**firm.by_owner, corpus_id=office.corpus.pk, member_id=firm.lawyer.pk)
    with pytest.raises(NotFound):
        office.grade("wrong")
