"""Local Law 144, asked as the demo asks it: how many questions are answered with the words that answer them."""

import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import AnswerState
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.dashboard.demo import FOLDER, LL144
from legalqa.reproduce.ll144 import overlaps, words
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.people import make_firm

QUESTIONS = FOLDER / "ll144_questions.jsonl"
# Reached with thresholds that no question of this set had a part in. The 17 and 4 that were here before were reached by
# rules that had been fitted to these very questions, and did not carry over to others. The reader that is wrong half as
# often on another set answers one of these five more than the previous one.
MIN_ANSWERED, MIN_DECLINED = 13, 3


@dataclass(frozen=True)
class Asked:
    """A question of the set and the answer to it."""

    row: dict[str, Any]
    answer: dict[str, Any]

    @property
    def is_answered(self) -> bool:
        """A shown claim cites words that overlap a gold quote, in whichever of the files they are."""
        quotes = [
            place["quote"]
            for claim in self.answer["claims"]
            if claim["shown"]
            for place in (*claim["citations"], *claim["also_in"])
        ]
        return any(overlaps(quote, gold["quote"]) for quote in quotes for gold in self.row["evidence"])

    @property
    def is_declined(self) -> bool:
        return bool(self.answer["state"] == AnswerState.INSUFFICIENT_EVIDENCE)


def ask_all() -> tuple[Asked, ...]:
    firm = make_firm("demo", "Demo & Partners")
    corpus = make_corpus(firm, LL144.name)
    for name in LL144.files:
        assert ingest(firm, corpus, name, (FOLDER / name).read_bytes()).version.state == "ready"
    asked = []
    for line in QUESTIONS.read_text("utf-8").splitlines():
        row = json.loads(line)
        answer = question_ask(
            question=Question(
                organization=firm.organization,
                user=firm.lawyer,
                corpus_id=corpus.pk,
                text=row["question"],
                preset=preset_get(DEFAULT_PRESET),
            )
        )
        with organization_scope(firm.organization, user=firm.lawyer):
            asked.append(Asked(row, answer_document(answer=answer)))
    return tuple(asked)


asked = committed_fixture(ask_all)


def test_answerable_questions_are_answered_with_the_words_that_answer_them(
    asked: tuple[Asked, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    answerable = [a for a in asked if a.row["answerable"]]
    answered = [a for a in answerable if a.is_answered]
    missed = [a.row["id"] for a in answerable if not a.is_answered]
    with capsys.disabled():
        sys.stdout.write(
            f"\nLL144: {len(answered)} of {len(answerable)} answered; missed: {', '.join(missed) or 'none'}"
        )

    assert len(answerable) == 18
    assert len(answered) >= MIN_ANSWERED


def test_unanswerable_questions_are_declined(asked: tuple[Asked, ...], capsys: pytest.CaptureFixture[str]) -> None:
    unanswerable = [a for a in asked if not a.row["answerable"]]
    declined = [a for a in unanswerable if a.is_declined]
    with capsys.disabled():
        sys.stdout.write(f"\nLL144: {len(declined)} of {len(unanswerable)} unanswerable ones declined")

    assert len(unanswerable) == 5
    assert len(declined) >= MIN_DECLINED


def test_every_shown_claim_of_the_set_is_cited_and_quoted_word_for_word(asked: tuple[Asked, ...]) -> None:
    for item in asked:
        for claim in item.answer["claims"]:
            places = (*claim["citations"], *claim["also_in"])
            assert len(claim["citations"]) == 1
            assert all(words(place["quote"]) == words(claim["text"]) for place in places[:1])


def test_no_question_of_the_set_meets_a_fault(asked: tuple[Asked, ...]) -> None:
    assert AnswerState.FAILED not in {item.answer["state"] for item in asked}


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Not more than $500 for a first violation.", "not more than $500 for a first violation", True),
        ("a bias audit", "No bias audits are due.", False),
        ("It is one of two or three or four or five rules.", "one of two or three or four more", True),
        ("one of two or three", "or three of two one", False),
        ("", "anything", False),
    ],
)
def test_overlap_is_of_words_in_a_row(one: str, other: str, is_same: bool) -> None:
    assert overlaps(one, other) is overlaps(other, one) is is_same
