"""Gold sets of graded answers: who said what of which passage, weighed by question."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from corpora.services import document_remove
from judging.gold.files import GoldRow
from judging.gold.grades import graded_rows
from judging.gold.services.sets import gold_references, gold_set_list, gold_set_of_grades
from judging.models import GoldQuestion
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import token_create
from legalqa.answering.models import Answer
from legalqa.answering.selectors import claim_list
from legalqa.answering.services import answer_grade, question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import NotFound
from legalqa.training.reader.rows import AnswerRow, rows_read
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.committed import committed_fixture
from tests.ingestion import Ingested, Place, ingest, make_corpus
from tests.people import make_firm, signed_in

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

LATE = "A tenant who pays late owes interest of five percent a year on the sum that is late."
LEASE = f"# Lease\n\n## Rent\n\nThe tenant pays a rent of 900 euros each month.\n\n{LATE}\n"
TERMS = f"# General terms\n\n## Delay\n\n{LATE}\n\n## Keys\n\nThe tenant returns three keys.\n"
QUESTION = "What interest does a tenant who pays late owe?"
FAR_OFF = "Which team won the football world cup in France in 1998?"


@dataclass(frozen=True)
class Office(Place):
    lease: Ingested
    answers: dict[str, Answer]
    silences: dict[str, Answer]

    def person(self, role: str) -> User:
        return {"lawyer": self.firm.lawyer, "annotator": self.firm.annotator, "owner": self.firm.owner}[role]

    def grade(self, role: str, answer: Answer, grade: str, passages: dict[str, bool] | None = None) -> None:
        user = self.person(role)
        with organization_scope(self.firm.organization, user=user):
            answer_grade(
                organization=self.firm.organization, user=user, answer_id=answer.pk, grade=grade, passages=passages
            )

    def rows(self) -> list[GoldRow]:
        with self.inside():
            return graded_rows(organization=self.firm.organization, corpus=self.corpus)

    def relevant(self) -> set[str]:
        return {span.paragraph_id for row in self.rows() for span in row.references}

    def places(self, words: str) -> list[str]:
        """The cited paragraph of the claim with these words, then where the same words are."""
        with self.inside():
            claims = claim_list(answer=self.answers["lawyer"])
        (claim,) = [view for view in claims if words in view.claim.text]
        return [citation.paragraph.public_id for citation in claim.citations]


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Leases")
    lease = ingest(firm, corpus, "lease.md", LEASE)
    ingest(firm, corpus, "terms.md", TERMS)

    def ask(user: User, text: str, preset: str) -> Answer:
        return question_ask(
            question=Question(
                organization=firm.organization, user=user, corpus_id=corpus.pk, text=text, preset=preset_get(preset)
            )
        )

    answers = {
        "lawyer": ask(firm.lawyer, QUESTION, "fixed-3"),
        "annotator": ask(firm.annotator, QUESTION.lower(), "fixed-3"),
        "owner": ask(firm.owner, f"  {QUESTION}", "fixed-3"),
    }
    silences = {"lawyer": ask(firm.lawyer, FAR_OFF, DEFAULT_PRESET), "owner": ask(firm.owner, FAR_OFF, DEFAULT_PRESET)}
    return Office(firm, corpus, lease, answers, silences)


office = committed_fixture(make_office)


def test_an_answer_graded_right_makes_its_passages_and_their_twins_relevant(office: Office) -> None:
    office.grade("lawyer", office.answers["lawyer"], "right")
    (row,) = office.rows()

    assert row.question == QUESTION
    assert len(office.places("five percent")) == 2  # the same words are in both files
    assert set(office.places("five percent")) <= office.relevant()
    assert LATE in row.reference_answer


def test_what_does_not_support_an_answer_and_what_is_wrong_teach_nothing_positive(office: Office) -> None:
    cited, twin = office.places("five percent")
    answer = office.answers["lawyer"]
    for grade, passages, expected in (
        ("wrong", {}, False),
        ("wrong", {cited: True}, False),
        ("partly", {}, False),
        ("partly", {cited: True}, True),
        ("right", {cited: False}, False),
        ("right", {cited: False, twin: True}, None),
    ):
        office.grade("lawyer", answer, grade, passages)
        found = {cited, twin} & office.relevant()
        assert found == ({twin} if expected is None else {cited, twin} if expected else set()), (grade, passages)


def test_a_passage_needs_more_yes_than_no_over_everybody_who_asked_the_same(office: Office) -> None:
    cited = office.places("five percent")[0]
    office.grade("lawyer", office.answers["lawyer"], "partly", {cited: True})
    office.grade("annotator", office.answers["annotator"], "wrong", {cited: False})
    assert office.rows() == []
    office.grade("owner", office.answers["owner"], "partly", {cited: True})
    (row,) = office.rows()
    assert cited in office.relevant()
    assert row.is_answerable


def test_silences_called_right_become_questions_without_an_answer_unless_as_many_disagree(office: Office) -> None:
    office.grade("lawyer", office.silences["lawyer"], "rightly_silent")
    (row,) = office.rows()
    assert (row.question, row.is_answerable, row.references) == (FAR_OFF, False, ())
    office.grade("owner", office.silences["owner"], "missed")
    assert office.rows() == []
    read = office.silences["owner"].evidence[0]["paragraph_id"]
    office.grade("lawyer", office.silences["lawyer"], "missed", {read: True})
    assert office.relevant() == {read}


def test_passages_that_are_no_longer_searched_are_left_out(office: Office) -> None:
    office.grade("lawyer", office.answers["lawyer"], "right")
    before = office.relevant()
    with office.inside():
        document_remove(**office.firm.by_manager, document_id=office.lease.document.pk)

    assert set() < office.relevant() < before


def test_page_endpoint_and_command_make_the_set_and_say_where_there_is_nothing(office: Office, capsys: Any) -> None:
    firm, corpus = office.firm, office.corpus
    client = signed_in(firm.manager)
    page = reverse("gold_set_list", args=["harding", corpus.pk])
    address = reverse("gold_set_of_grades", args=["harding", corpus.pk])

    refused = client.post(address, {"name": "Graded"}, follow=True).content.decode()
    assert "No grade in this corpus gives a gold question yet" in refused
    office.grade("lawyer", office.answers["lawyer"], "right")
    office.grade("lawyer", office.silences["lawyer"], "rightly_silent")
    assert "Create gold set" in client.get(page).content.decode()
    for kind, shown, hidden in (("answerable", QUESTION, FAR_OFF), ("silent", FAR_OFF, QUESTION)):
        body = client.get(f"{address}?kind={kind}").content.decode()
        assert (shown in body, hidden in body) == (True, False)
    made = client.post(address, {"name": "Graded"}, follow=True).content.decode()
    assert QUESTION in made
    call_command("goldset", "graded", "leases", "From a command", "--json")
    assert json.loads(capsys.readouterr().out)["answerable"] == 1
    with office.inside():
        _, secret = token_create(**firm.by_manager, name="x", valid_days=1, scopes=ALL_SCOPES)
    send: dict[str, Any] = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {secret}"}}
    programs = reverse("api_gold_set_of_grades", args=[corpus.pk])
    assert Client().get(programs, headers=send["headers"]).json() == {"questions": 2, "answerable": 1}
    assert Client().post(programs, json.dumps({"name": "By a program"}), **send).json()["questions"] == 2
    assert Client().post(programs, json.dumps({"name": "By a program"}), **send).status_code == 409
    with office.inside():
        sets = gold_set_list(organization=firm.organization, corpus_id=corpus.pk)
        held = gold_references(questions=GoldQuestion.objects.filter(gold_set=sets[0].gold_set, is_answerable=True))
    assert {(row.n_questions, row.n_answerable) for row in sets} == {(2, 1)}
    assert {r.paragraph.public_id for found in held.values() for r in found} == office.relevant()


def test_nobody_makes_a_gold_set_of_the_grades_of_other_organisations(office: Office) -> None:
    rivals = make_firm("rivals", "Rival Chambers")
    office.grade("lawyer", office.answers["lawyer"], "right")

    with organization_scope(rivals.organization, user=rivals.owner), pytest.raises(NotFound):
        gold_set_of_grades(**rivals.by_owner, corpus_id=office.corpus.pk, name="Theirs")
    with organization_scope(rivals.organization, user=rivals.owner):
        assert graded_rows(organization=rivals.organization, corpus=office.corpus) == []


def test_graded_answers_are_exported_as_verified_answers_and_as_pairs(office: Office, tmp_path: Any) -> None:
    out = tmp_path / "lines.jsonl"

    def lines(kind: str) -> list[dict[str, Any]]:
        call_command("grades", "leases", kind, "--file", str(out), "--json")
        return [json.loads(line) for line in out.read_text().splitlines()]

    with pytest.raises(CommandError, match="No grade in this corpus"):
        lines("answers")
    cited = office.places("five percent")[0]
    uncited = next(
        row["paragraph_id"]
        for row in office.answers["lawyer"].evidence
        if "five percent" not in row["text"] and row["paragraph_id"] != cited
    )
    office.grade("lawyer", office.answers["lawyer"], "right", {uncited: False})
    office.grade("lawyer", office.silences["lawyer"], "rightly_silent")
    answered, silent = lines("answers")
    pairs = lines("pairs")

    assert answered["question"] == QUESTION
    assert cited in [c["paragraph_id"] for claim in answered["claims"] for c in claim["citations"]]
    assert (silent["answer"], silent["claims"]) == ("No answer was found in these documents.", [])
    assert silent["passages"]
    assert {pair["kind"] for pair in pairs} == {"passage"}
    assert LATE in {pair["chosen"] for pair in pairs}
    assert not any("five percent" in pair["rejected"] for pair in pairs)
    with office.inside():
        assert [row.details["rows"] for row in AuditEvent.objects.filter(action="grades.exported")] == [2, len(pairs)]


def test_graded_answers_are_exported_as_rows_that_train_the_reader(office: Office, tmp_path: Any) -> None:
    out = tmp_path / "rows.jsonl"
    office.grade("lawyer", office.answers["lawyer"], "right")
    office.grade("lawyer", office.silences["lawyer"], "rightly_silent")
    call_command("grades", "leases", "reader", "--file", str(out), "--json")
    rows = [row for row in rows_read(out) if isinstance(row, AnswerRow)]

    answering = [row for row in rows if row.question == QUESTION]
    assert all(row.is_answerable for row in answering)
    assert {row.passage[start:end].strip() for row in answering for start, end in row.spans} >= {LATE}
    silent = [row for row in rows if row.question == FAR_OFF]
    assert 0 < len(silent) <= 5
    assert not any(row.is_answerable or row.spans for row in silent)


def test_a_corrected_answer_is_chosen_over_the_wrong_one(office: Office, tmp_path: Any) -> None:
    out, right = tmp_path / "pairs.jsonl", "Five percent a year."
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        answer_grade(**office.firm.by_lawyer, answer_id=office.answers["lawyer"].pk, grade="wrong", correction=right)
    call_command("grades", "leases", "pairs", "--file", str(out), "--json")
    (pair,) = [json.loads(line) for line in out.read_text().splitlines()]

    assert (pair["prompt"], pair["chosen"]) == (QUESTION, right)
    assert LATE in pair["rejected"]
