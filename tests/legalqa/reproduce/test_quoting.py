"""The rows of answers that may only quote: asked through the product, and counted."""

import json
from pathlib import Path

import pytest

from judging.measures.quotations import quoted
from legalqa.reproduce import quoting
from legalqa.reproduce.quoting import Judged, own_judged
from legalqa.reproduce.rows.quoting import gate_figures, quoted_figures, waits

RULE = "The clerk keeps each file for seven years after the matter is closed."
POLICY = f"# Retention policy\n\n## Keeping records\n\n{RULE}\n"
ASKED = [
    {
        "id": "1",
        "type": "deadline",
        "question": "For how many years does the clerk keep each file?",
        "answerable": True,
        "must": [{"quote": RULE}],
    },
    {
        "id": "2",
        "type": "unanswerable_off_topic",
        "question": "Which team won the football world cup in France in 1998?",
        "answerable": False,
    },
]


@pytest.mark.django_db
def test_own_questions_are_asked_through_the_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "office"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "policy.md").write_text(POLICY)
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, ASKED)))
    monkeypatch.setattr(quoting, "OWN", tmp_path)  # two questions instead of the product's

    first, second = own_judged(note=lambda _: None)

    assert (first.corpus, first.type) == ("own office", "deadline")
    assert (first.quoted.complete, first.quoted.direct) == (True, 1.0)
    assert not second.quoted.is_answered


def test_figures_are_over_the_answers_that_they_are_defined_for() -> None:
    judged = [
        Judged("a", "deadline", quoted(ASKED[0], is_answered=True, claims=[RULE]), 1.0, 0.5),
        Judged("a", "deadline", quoted(ASKED[0], is_answered=True, claims=["The clerk is paid monthly."]), 1.0, 0.5),
        Judged("b", "amount", quoted(ASKED[0], is_answered=False, claims=[]), 1.0, 0.5),
        Judged("b", "none", quoted(ASKED[1], is_answered=False, claims=[]), 1.0, 0.5),
    ]

    figures = quoted_figures(judged, seed=1)

    assert {name: figure.value for name, figure in figures.items() if figure.n} == {
        "complete": pytest.approx(1 / 3),
        "precise": 0.5,
        "direct": 0.5,
        "misled": 0.0,
        "wrong": pytest.approx(1 / 3),
        "answered": pytest.approx(2 / 3),
        "declined": 1.0,
    }
    assert "a 1 of 2, b 0 of 1" in figures["complete"].note


def test_the_question_that_starts_the_encoder_is_not_waited_for() -> None:
    figures = waits([9.0, 1.0, 2.0, 3.0])

    assert (figures["seconds"].value, figures["seconds"].n) == (2.0, 3)
    assert figures["seconds_p95"].value == pytest.approx(2.9)


def test_the_gate_follows_the_scores_and_its_threshold_declines_three_of_four_without_an_answer() -> None:
    def judged(chance: float, *, answers: bool, is_answerable: bool = True) -> Judged:
        row = {"answerable": is_answerable, "must": [{"quote": RULE}]}
        said = RULE if answers else "Nothing else of this kind is said in the whole policy."
        return Judged("own office", "deadline", quoted(row, is_answered=True, claims=[said]), 0.1, chance)

    right = [judged(chance, answers=True) for chance in (0.5, 0.7, 0.8, 0.9)]
    wrong = [judged(chance, answers=False, is_answerable=False) for chance in (0.05, 0.1, 0.2, 0.6)]
    figures = gate_figures([*right, *wrong, judged(0.15, answers=False)])

    assert figures["first"].value == 0.8
    assert figures["auc"].value == pytest.approx(0.95)
    slope = figures["slope"].value
    assert isinstance(slope, float) and slope > 0
    threshold = figures["threshold"].value
    assert isinstance(threshold, float) and 0 < threshold < 1
    assert figures["threshold"].n == 4
