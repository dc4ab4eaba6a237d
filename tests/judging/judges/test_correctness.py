"""Correctness from 1 to 5, and judges that say 1 or 0, of a scripted provider."""

from decimal import Decimal
from math import log

import pytest

from judging.judges.services import judge_save
from judging.judges.types import JudgedAnswer, Status
from tests.judging.judges.items import PASSAGE, QUESTION, REFERENCE, item, judged, values
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, fails, says, says_json

pytestmark = pytest.mark.django_db
ANSWER = "Within one year before use."


@pytest.mark.parametrize("name", ["llamaindex", "custom1", "custom2"])
def test_a_judge_shows_question_reference_and_answer_and_reads_the_score(
    firm: Firm, bench: ScriptedProvider, name: str
) -> None:
    bench.will(says("4.0\nThe period is right.\n"))

    [score, correct] = judged(firm, name, item(ANSWER))

    assert (score.measure, score.value, score.reason) == ("correctness", 4.0, "The period is right.")
    assert (correct.measure, correct.value) == ("correct", 1.0)
    assert (score.n_calls, score.n_tokens, score.cost, score.model) == (1, 25, Decimal("0.000005"), "m-1")
    assert (correct.n_calls, correct.cost) == (0, Decimal(0))
    assert all(text in bench.asked[0].text for text in (QUESTION, REFERENCE, ANSWER))


def test_the_rubric_belongs_to_the_custom_prompts_and_the_examples_to_the_second(
    firm: Firm, bench: ScriptedProvider
) -> None:
    bench.always = says("3\nPartly.")
    for name in ("llamaindex", "custom1", "custom2"):
        judged(firm, name, item(ANSWER))

    texts = [asked.text for asked in bench.asked]
    assert ["Contains major factual errors" in text for text in texts] == [False, True, True]
    assert ["capital of France" in text for text in texts] == [False, False, True]
    assert ["give a score between 2 and 3" in text for text in texts] == [True, False, False]


@pytest.mark.parametrize("broken", ["Yesterday", "8/10", "9", "   "])
def test_a_reply_that_cannot_be_read_is_asked_for_once_more(firm: Firm, bench: ScriptedProvider, broken: str) -> None:
    bench.will(says(broken), says("Score: 2"))

    [score, correct] = judged(firm, "custom2", item(ANSWER))

    assert (score.value, correct.value, score.n_calls) == (2.0, 0.0, 2)
    assert "That reply cannot be read" in bench.asked[1].text


@pytest.mark.parametrize(
    ("replies", "status", "n_calls"),
    [
        ([says("Yesterday"), says("Tomorrow")], Status.UNREADABLE, 2),
        ([says("8/10"), says("8/10")], Status.UNREADABLE, 2),
        ([says(""), says("")], Status.UNREADABLE, 2),
        ([says("4", finish="length"), says("4", finish="length")], Status.UNREADABLE, 2),
        ([says("I'm sorry, I cannot judge this.")], Status.REFUSED, 1),
        ([says(None, refusal="No.")], Status.REFUSED, 1),
        ([says("4", finish="content_filter")], Status.REFUSED, 1),
        ([fails(404)], Status.FAILED, 1),
    ],
    ids=["words", "other scale", "empty", "cut off", "refusal in words", "refusal", "filtered", "down"],
)
def test_a_failure_is_no_score(
    firm: Firm, bench: ScriptedProvider, replies: list[Reply], status: Status, n_calls: int
) -> None:
    bench.will(*replies)

    found = judged(firm, "custom2", item(ANSWER))

    assert [(each.value, each.status) for each in found] == [(None, status)] * 2
    assert found[0].n_calls == n_calls
    assert found[0].reason


def test_nobody_is_asked_of_a_silence_or_without_a_reference(firm: Firm, bench: ScriptedProvider) -> None:
    silent = judged(firm, "custom2", item(JudgedAnswer("", is_silent=True)))
    bare = judged(firm, "custom2", item(ANSWER, reference_answer=""))

    assert {each.status for each in (*silent, *bare)} == {Status.NOT_APPLICABLE}
    assert silent[0].n_calls == bare[0].n_calls == 0


def test_without_a_model_a_judge_fails_and_says_why(firm: Firm) -> None:
    [score, _] = judged(firm, "custom2", item(ANSWER))

    assert (score.value, score.status) == (None, Status.FAILED)
    assert score.reason == "No language model is set up for this."


def test_of_several_samples_the_mean_of_those_that_could_be_read_counts(firm: Firm, bench: ScriptedProvider) -> None:
    """(5 + 2) / 2 = 3.5."""
    judge_save(
        organization=firm.organization,
        user=None,
        name="three",
        kind="correctness.v1",
        settings={"samples": 3, "seed": 40},
    )
    bench.will(says("5\nRight."), says("?"), says("??"), says("2\nWrong."))

    [score, correct] = judged(firm, "three", item(ANSWER))

    assert (score.value, correct.value, score.n_calls) == (3.5, 0.0, 4)
    assert score.reason == "2 of 3 samples could be read. Right."
    assert [asked.body["seed"] for asked in bench.asked] == [40, 41, 41, 42]


def test_a_repeat_draws_other_samples(firm: Firm, bench: ScriptedProvider) -> None:
    bench.always = says("4")
    for repeat in (0, 1):
        judged(firm, "custom2", item(ANSWER), repeat=repeat)

    assert [asked.body["seed"] for asked in bench.asked] == [1, 101]


def test_a_score_is_weighted_where_log_probabilities_come_and_plain_where_not(
    firm: Firm, bench: ScriptedProvider
) -> None:
    """4 · 0.75 + 5 · 0.25 = 4.25."""
    tops = [{"token": "4", "logprob": log(0.75)}, {"token": "5", "logprob": log(0.25)}]
    token = {"token": "4", "logprob": log(0.75), "top_logprobs": tops}
    bench.will(says("4", logprobs={"content": [token]}), says("4"))

    weighted, plain = (judged(firm, "custom2-weighted", item(ANSWER))[0].value for _ in range(2))

    assert weighted == pytest.approx(4.25)
    assert plain == 4.0


def test_a_judge_that_wrote_the_answer_or_the_gold_set_says_so(firm: Firm, bench: ScriptedProvider) -> None:
    bench.always = says("4")

    own = judged(firm, "custom2", item(JudgedAnswer(ANSWER, model="First/M-1")))
    gold = judged(firm, "custom2", item(ANSWER, gold_model="m-1"))
    other = judged(firm, "custom2", item(JudgedAnswer(ANSWER, model="m-2"), gold_model="m-3"))

    assert {each.warning for each in own} == {"m-1 judges an answer that it wrote itself."}
    assert {each.warning for each in gold} == {"m-1 judges by a gold set that it wrote itself."}
    assert {each.warning for each in other} == {""}


def test_the_binary_four_leave_out_what_they_lack(firm: Firm, bench: ScriptedProvider) -> None:
    bench.will(says_json({"score": 1}), says("no"), says("Yesterday"), says("Yesterday"), says("1"))

    found = judged(firm, "pathlex", item(JudgedAnswer(ANSWER, (PASSAGE,))))
    bench.will(says("1"), says("0"))
    bare = judged(firm, "pathlex", item(ANSWER))

    assert list(values(found).values()) == [1.0, 0.0, None, 1.0]
    assert [each.status for each in bare] == ["not applicable", "judged", "judged", "not applicable"]


def test_what_the_model_knows_by_heart_is_asked_without_passages(firm: Firm, bench: ScriptedProvider) -> None:
    bench.will(says("One year before use."), says_json({"score": 1, "reason": "the same"}))

    known, same = judged(firm, "memory", item(JudgedAnswer(ANSWER, (PASSAGE,)), "Another answer."))

    assert (known.measure, known.value, known.n_calls) == ("known by heart", 1.0, 2)
    assert (same.answer, same.value, same.n_calls) == (1, 1.0, 0)
    assert PASSAGE not in bench.asked[0].text
    assert REFERENCE not in bench.asked[0].text
    assert "One year before use." in bench.asked[1].text
