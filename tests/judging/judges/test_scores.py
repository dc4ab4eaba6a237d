"""What a judge wrote is read in every plain shape, and nothing else is taken for a score."""

from math import log

import pytest

from judging.judges.scores import Unreadable, parse_scores, parse_verdict, weighted_score
from judging.judges.types import Status
from legalqa.llm.types import Token

FIVE = [
    ("4", 4.0),
    ("4\n", 4.0),
    ("\n\n4.0\nRight, and complete.", 4.0),
    ("4.5\n\nNearly all is there.\n\n", 4.5),
    ("**4**\nRight.", 4.0),
    ("4/5\nRight.", 4.0),
    ("4 out of 5", 4.0),
    ("Score: 4", 4.0),
    ("Score: 4/5", 4.0),
    ("**Score:** 4\nReason: right.", 4.0),
    ("The answer names the deadline.\nScore: 4\n", 4.0),
    ("My final score is 4.", 4.0),
    ("4 - the deadline is right.", 4.0),
    ('{"score": 4, "reason": "right"}', 4.0),
    ('```json\n{"score": "4", "reason": "right"}\n```', 4.0),
    ('Here it is: {"score": 4.0}', 4.0),
    ("Score: 4\nIt is not 5 because two of 10 points are missing.\nScore: 4", 4.0),
]
NO_SCORE = [
    "",
    "   \n",
    "Yesterday",
    "The answer is good.",
    "It deserves a 4 or a 5.",
    "8/10",
    "0",
    "6",
    "-1",
    "Score: 45",
    "Score: 3\nScore: 4",
    '{"score": 9}',
    '{"score": null}',
    '{"score": true}',
    '{"score": NaN}',
    '{"grade": "A"}',
    "4 5",
    "four",
    "2024 was the year of the rule.",
]


@pytest.mark.parametrize(("text", "score"), FIVE)
def test_a_score_is_read_in_every_plain_shape(text: str, score: float) -> None:
    assert parse_scores(text, low=1, high=5).values == (score,)


@pytest.mark.parametrize("text", NO_SCORE)
def test_what_is_no_plain_score_on_the_scale_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_scores(text, low=1, high=5)
    assert raised.value.status is Status.UNREADABLE


@pytest.mark.parametrize("text", ["I'm sorry, I can't help with that.", "As an AI model I give no legal opinion."])
def test_a_refusal_in_words_is_a_refusal(text: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_scores(text, low=1, high=5)
    assert raised.value.status is Status.REFUSED


PAIRS = [
    "Evaluation evidence: both good.\nScore of the Assistant 1: 8\nScore of the Assistant 2: 6.5",
    "Both good.\nScore of the Assistant 1: 8\nScore of the Assistant 2: 6.5\n\n",
    "Both good.\nThe score of Assistant 1: 8/10\nThe score of Assistant 2: 6.5/10\n",
    "The score of Assistant 2: 6.5\nThe score of Assistant 1: 8",
    "**Assistant 1:** 8\n**Assistant 2:** 6.5",
    "8 6.5\nThe first is better.",
    '{"assistant_1": 8, "assistant_2": 6.5, "reason": "better"}',
    '{"scores": [8, 6.5]}',
]
NO_PAIR = [
    "Score of the Assistant 1: 8",
    "Score of the Assistant 1: 8\nScore of the Assistant 2: 11",
    "Score of the Assistant 1: 8\nScore of the Assistant 2: good",
    "Score of the Assistant 1: 8\nScore of the Assistant 1: 7\nScore of the Assistant 2: 6",
    "Score: 8",
    "8",
    "8 7 6",
    "",
    '{"scores": [8]}',
]


@pytest.mark.parametrize("text", PAIRS)
def test_the_scores_of_two_answers_are_read_by_their_number(text: str) -> None:
    assert parse_scores(text, low=1, high=10, n=2).values == (8.0, 6.5)


@pytest.mark.parametrize("text", NO_PAIR)
def test_a_pair_without_both_scores_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_scores(text, low=1, high=10, n=2)


def test_the_words_beside_a_score_are_its_reason() -> None:
    texts = ["4\nThe deadline\nis right.", "The deadline is right.\nScore: 4", '{"score": 4, "reason": "right"}']
    assert [parse_scores(text, low=1, high=5).reason for text in texts] == [
        "The deadline is right.",
        "The deadline is right.",
        "right",
    ]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("1", 1), ("Yes.", 1), ("no", 0), ("Verdict: 0\nIt differs.", 0), ('{"score": 1}', 1), ('{"verdict": false}', 0)],
)
def test_a_verdict_is_one_or_nought(text: str, verdict: int) -> None:
    assert parse_verdict(text).values == (float(verdict),)


@pytest.mark.parametrize(
    "text", ["Yesterday", "", "Not sure", "2", "1/2", "0.5", '{"score": 2}', "{}", "Nothing differs"]
)
def test_what_is_neither_one_nor_nought_is_no_verdict(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_verdict(text)


def test_a_score_is_weighted_by_the_probabilities_where_it_was_written() -> None:
    """(3 · 0.3 + 4 · 0.5) / 0.8 = 3.625: the 7 is off the scale, and the word is not a score."""
    odds = (("4", log(0.5)), ("3", log(0.3)), ("7", log(0.1)), ("The", log(0.1)))
    tokens = [Token("Score", (("Score", 0.0),)), Token(": ", ((": ", 0.0),)), Token(" 4", odds)]

    assert weighted_score(tokens, 4.0, low=1, high=5) == pytest.approx(3.625)
    assert weighted_score([], 4.0, low=1, high=5) is None
