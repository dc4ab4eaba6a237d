"""What people do with gold questions: edit, review, report; duplicates and what splits share are named."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from corpora.models import Corpus
from judging.gold.services.doubles import splits_shared
from judging.gold.services.files import gold_set_bring, gold_set_deal
from judging.gold.services.kinds import kind_add, kinds_all
from judging.gold.services.reviewing import (
    edits_of,
    gold_question_edit,
    gold_question_get,
    gold_question_review,
    reference_report,
    report_decide,
    reviews_of,
)
from judging.gold.services.sets import gold_questions, gold_questions_approved, gold_references
from judging.models import GoldQuestion, GoldSet
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.people import Firm, make_firm

NAMES = ("apple", "barley", "cedar")


def make_library() -> tuple[Firm, Corpus]:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Gardens")
    for name in NAMES:
        line = json.dumps({"id": f"{name}-1", "text": f"The tenant of the {name} garden pays nine euros."})
        ingest(firm, corpus, f"{name}.jsonl", line)
    return firm, corpus


committed_library = committed_fixture(make_library)


@pytest.fixture
def library(committed_library: tuple[Firm, Corpus], db: None) -> Iterator[tuple[Firm, Corpus]]:
    firm, _ = committed_library
    with organization_scope(firm.organization, user=firm.manager):
        yield committed_library


def line(name: str, **more: Any) -> dict[str, Any]:
    question = f"What does the tenant of the {name} garden pay?"
    return {"question": question, "reference_paragraph_ids": [f"{name}-1"], **more}


def bring(library: tuple[Firm, Corpus], *lines: dict[str, Any]) -> tuple[GoldSet, tuple[str, ...]]:
    firm, corpus = library
    data = "\n".join(json.dumps(held) for held in lines).encode()
    return gold_set_bring(**firm.by_manager, corpus_id=corpus.pk, name="rents", data=data, n_compared=0)


def one(library: tuple[Firm, Corpus]) -> tuple[GoldQuestion, dict[str, Any]]:
    gold_set, _ = bring(library, line("apple", question_type="simple"))
    question = gold_questions(gold_set=gold_set)[0]
    return question, {"organization": library[0].organization, "user": library[0].manager, "question_id": question.pk}


def test_an_edit_keeps_the_earlier_text_and_makes_a_draft(library: tuple[Firm, Corpus]) -> None:
    question, on = one(library)
    edited = gold_question_edit(**on, changes={"reference_answer": "Nine.", "reference_paragraph_ids": ["barley-1"]})
    (edit,) = edits_of(question=question)

    assert (edited.version, edited.review, edited.reference_answer) == (2, "draft", "Nine.")
    assert (edit.version, edit.changed) == (1, ["reference_answer", "reference_paragraph_ids"])
    assert edit.document["reference_paragraph_ids"] == ["apple-1"]
    assert edit.edited_by == library[0].manager
    (reference,) = gold_references(questions=[question])[question.pk]
    assert reference.paragraph.external_id == "barley-1"


def test_an_edit_of_an_older_version_is_refused_and_one_that_changes_nothing_keeps_the_version(
    library: tuple[Firm, Corpus],
) -> None:
    _, on = one(library)
    assert gold_question_edit(**on, changes={"version": 1, "question_type": "simple"}).version == 1
    gold_question_edit(**on, changes={"version": 1, "topic": "rent"})
    with pytest.raises(Conflict, match="Somebody else has edited this question"):
        gold_question_edit(**on, changes={"version": 1, "topic": "lease"})


def test_only_approved_questions_are_measured_on(library: tuple[Firm, Corpus]) -> None:
    question, on = one(library)
    gold_question_review(**on, state="rejected", grades={"correctness": 2}, note="Wrong garden.")
    assert not gold_questions_approved(gold_set=question.gold_set).exists()
    gold_question_review(**on, state="approved", grades={"correctness": 5})
    assert gold_questions_approved(gold_set=question.gold_set).get().reviewed_by == library[0].manager


def test_a_review_of_an_older_version_is_refused(library: tuple[Firm, Corpus]) -> None:
    question, on = one(library)
    gold_question_edit(**on, changes={"reference_answer": "Ten."})
    with pytest.raises(Conflict, match="Somebody has edited this question since"):
        gold_question_review(**on, state="approved", version=1)
    question.refresh_from_db()
    assert question.review == "draft"
    assert gold_question_review(**on, state="approved", version=2).version == 2


def test_an_edit_between_reading_and_writing_is_noticed(
    library: tuple[Firm, Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    question, on = one(library)
    as_read = gold_question_get(organization=on["organization"], question_id=question.pk)
    gold_question_edit(**on, changes={"topic": "rent"})
    # Two requests at once, without threads: this one has read the question before the other wrote it.
    monkeypatch.setattr("judging.gold.services.reviewing.gold_question_get", lambda **_: as_read)

    with pytest.raises(Conflict, match="Somebody has edited this question since"):
        gold_question_review(**on, state="approved")
    with pytest.raises(Conflict, match="Somebody else has edited this question"):
        gold_question_edit(**on, changes={"topic": "lease"})
    assert edits_of(question=question).count() == 1
    assert not reviews_of(question=question).exists()


@pytest.mark.parametrize(
    ("state", "grades"), [("perfect", {}), ("approved", {"beauty": 5}), ("approved", {"clarity": 6})]
)
def test_a_review_off_the_scale_is_refused(library: tuple[Firm, Corpus], state: str, grades: dict[str, int]) -> None:
    _, on = one(library)
    with pytest.raises(ApplicationError, match="with grades from 1 to 5"):
        gold_question_review(**on, state=state, grades=grades)


def test_an_accepted_report_makes_the_question_a_draft_and_is_decided_once(library: tuple[Firm, Corpus]) -> None:
    question, on = one(library)
    report = reference_report(**on, note="It is ten euros.")
    decided = {"organization": on["organization"], "user": on["user"], "report_id": report.pk}
    report_decide(**decided, state="accepted", note="Checked.")
    question.refresh_from_db()

    assert question.review == "draft"
    with pytest.raises(Conflict):
        report_decide(**decided, state="declined")


def test_what_is_unknown_duplicate_or_shared_is_named_and_nothing_is_dropped(library: tuple[Firm, Corpus]) -> None:
    gold_set, notes = bring(
        library,
        line("apple", split="train", question_type="riddle"),
        line("apple", split="test"),
        line("barley", split="test"),
    )

    assert gold_questions(gold_set=gold_set).count() == 3
    assert notes[0] == "Types that the taxonomy does not have count as “other”: riddle."
    assert notes[1] == "1 of 3 questions ask the same as an earlier one; they are marked."
    assert notes[2].startswith("3 questions were compared by their words only")
    assert notes[3].startswith("The splits test and train share documents (apple")
    assert notes[3].endswith(" and 1 duplicate question.")


def test_dealing_keeps_documents_and_duplicate_questions_together(library: tuple[Firm, Corpus]) -> None:
    gold_set, _ = bring(library, *(line(name) for name in NAMES), line("apple", question="And the apple garden?"))
    counts = gold_set_deal(**library[0].by_manager, gold_set_id=gold_set.pk)

    assert counts == {"train": 2, "calibration": 1, "test": 1}
    assert splits_shared(gold_set=gold_set) == []


def test_an_organisation_adds_types_of_its_own_but_none_twice(library: tuple[Firm, Corpus]) -> None:
    acting: Any = {"organization": library[0].organization, "user": library[0].manager}
    kind_add(
        **acting, name="Tax  scenario", targets=["retriever", "generator"], tests="Whether the right year is used."
    )
    own = kinds_all(organization=library[0].organization)[-1]

    assert (own.name, own.family, own.target_words) == ("tax scenario", "own", "generator, retriever")
    with pytest.raises(Conflict):
        kind_add(**acting, name="tax scenario", targets=["prompt"], tests="Again.")
