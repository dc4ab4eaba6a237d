"""Judges that compare answers: both orders, several evidences, referees who discuss; no failure is a tie or a win."""

import pytest

from judging.judges.asking import Bench, prompt_named
from judging.judges.kinds.chateval import ROLES, ChatEvalJudge, ChatEvalSettings
from judging.judges.services import judge_save
from judging.judges.types import JudgedAnswer, Status
from tests.judging.judges.items import item, judged, values
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, fails, says

pytestmark = pytest.mark.django_db
PAIR = item("The long answer.", "The short answer.")


def gives(first: float, second: float, end: str = "\n") -> str:
    return f"Evaluation evidence: seen.\nScore of the Assistant 1: {first:g}\nScore of the Assistant 2: {second:g}{end}"


def own(firm: Firm, kind: str, **settings: object) -> str:
    judge_save(organization=firm.organization, user=None, name="own", kind=kind, settings=settings)
    return "own"


def test_samples_are_averaged_inside_each_order_and_those_of_the_exchanged_order_exchanged_back(
    firm: Firm, bench: ScriptedProvider
) -> None:
    """First order: (8+6+7)/3 = 7 and (5+5+5)/3 = 5. Exchanged, and back: (6+6+9)/3 = 7 and (9+6+9)/3 = 8.

    Means 7 and 6.5. Outcomes: three wins, then a loss (6, 9) and two ties (6, 6) and (9, 9): shares 3/6, 1/6, 2/6, so
    the entropy is 0.5 + 0.4308 + 0.5283 = 1.4591 bits.
    """
    bench.will(*(says(gives(*pair)) for pair in [(8, 5), (6, 5), (7, 5), (9, 6), (6, 6), (9, 9)]))

    found = values(judged(firm, "faireval", PAIR))

    assert [found["quality", side] for side in (0, 1)] == pytest.approx([7.0, 6.5])
    assert [found["win", side] for side in (0, 1)] == [1.0, 0.0]
    assert found["entropy", 0] == pytest.approx(1.4591, abs=1e-4)
    assert found["needs review", 0] == 1.0
    assert [found["wins shown first", side] for side in (0, 1)] == [1.0, 1.0]  # 21 to 15, then 24 to 21
    assert [found["wins shown second", side] for side in (0, 1)] == [0.0, 0.0]
    assert found["orders disagree", 0] == found["orders disagree", 1] == 1.0
    assert bench.asked[0].text.index("long") < bench.asked[0].text.index("short")
    assert bench.asked[3].text.index("short") < bench.asked[3].text.index("long")


def test_a_sample_that_is_lost_tips_no_balance(firm: Firm, bench: ScriptedProvider) -> None:
    """First order 8 and 4 twice; exchanged back 4 and 8 once, one lost: 6 and 6, a tie, not (20/3, 16/3)."""
    lost = says("8/100 and 4/100")
    bench.will(says(gives(8, 4)), says(gives(8, 4, " ")), says(gives(8, 4)), lost, lost)

    found = judged(firm, own(firm, "faireval.v1", evidences=2), PAIR)

    assert [values(found)["quality", side] for side in (0, 1)] == [6.0, 6.0]
    assert [values(found)["win", side] for side in (0, 1)] == [0.5, 0.5]
    assert found[0].reason == "1 of 4 gradings could not be read."
    assert found[0].n_calls == 5


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (says("Both are fine."), Status.UNREADABLE),
        (says("I'm sorry, I can't."), Status.REFUSED),
        (fails(404), "failed"),
    ],
    ids=["unreadable", "refused", "down"],
)
def test_a_pair_whose_second_order_is_lost_has_no_winner(
    firm: Firm, bench: ScriptedProvider, reply: Reply, status: str
) -> None:
    bench.will(says(gives(9, 2)), reply)
    bench.always = reply

    found = judged(firm, own(firm, "faireval.v1", evidences=1), PAIR)

    assert {(each.value, each.status) for each in found} == {(None, status)}


def test_a_single_answer_or_a_silence_is_not_compared(firm: Firm, bench: ScriptedProvider) -> None:
    single = judged(firm, "faireval", item("Alone."))
    silent = judged(firm, "chateval", item("Said.", JudgedAnswer("", is_silent=True)))

    assert {each.status for each in (*single, *silent)} == {Status.NOT_APPLICABLE}


def test_of_three_answers_each_has_the_mean_over_its_pairs(firm: Firm, bench: ScriptedProvider) -> None:
    """Pairs AB, AC, BC: A (8 + 6) / 2 = 7, B (4 + 5) / 2 = 4.5, C (6 + 3) / 2 = 4.5; wins 0.75, 0.5 and 0.25."""
    name = own(firm, "faireval.v1", evidences=1, is_balanced=False)
    bench.will(says(gives(8, 4)), says(gives(6, 6)), says(gives(5, 3)))

    found = values(judged(firm, name, item("A", "B", "C")))

    assert [found["quality", place] for place in range(3)] == [7.0, 4.5, 4.5]
    assert [found["win", place] for place in range(3)] == [0.75, 0.5, 0.25]


def test_referees_discuss_and_score_in_the_last_round_in_both_orders(firm: Firm, bench: ScriptedProvider) -> None:
    """First order (8, 6) and (6, 6): 7 and 6. Exchanged (5, 7) and (7, 9), back (7, 5) and (9, 7): 8 and 6. 7.5, 6."""
    bench.will(says("The first is better."), says("I doubt that."), says(gives(8, 6)), says(gives(6, 6)))
    bench.will(says("Hm."), says("Well."), says(gives(5, 7)), says(gives(7, 9)))

    found = values(judged(firm, "chateval", PAIR))

    assert [found["quality", side] for side in (0, 1)] == [7.5, 6.0]
    assert [found["win", side] for side in (0, 1)] == [1.0, 0.0]
    texts = [asked.text for asked in bench.asked]
    assert ["The score of Assistant 1" in text for text in texts] == [False, False, True, True] * 2
    assert "[General Public]: The first is better." in texts[1]  # who speaks second hears the first
    assert "Score of the Assistant 1: 8" in texts[3]  # in the last round too
    assert "I doubt that." not in texts[4]  # the exchanged order begins from nothing


def test_concurrent_referees_hear_the_rounds_before_only(firm: Firm, bench: ScriptedProvider) -> None:
    name = own(firm, "chateval.v1", order="concurrent", is_balanced=False)
    bench.will(says("One."), says("Two."), says(gives(8, 6)), says(gives(6, 6)))

    judged(firm, name, PAIR)

    texts = [asked.text for asked in bench.asked]
    assert "One." not in texts[1]
    assert all("[General Public]: One.\n[Critic]: Two." in text for text in texts[2:])
    assert "Score of the Assistant 1: 8" not in texts[3]


def test_referees_may_hear_a_summary_in_place_of_the_rounds(firm: Firm, bench: ScriptedProvider) -> None:
    name = own(firm, "chateval.v1", order="summarised", is_balanced=False)
    bench.will(says("One."), says("Two."), says("They differ."), says(gives(8, 6)), says(gives(6, 6)))

    judged(firm, name, PAIR)

    assert "One." in bench.asked[2].text
    assert all("They differ." in asked.text and "One." not in asked.text for asked in bench.asked[3:])


def test_what_each_referee_is_told_is_a_prompt_file_that_its_version_covers() -> None:
    settings = ChatEvalSettings(roles=tuple(ROLES))
    judge = ChatEvalJudge("every", settings, Bench(lambda _: pytest.fail("No model is asked.")))

    assert set(ROLES.values()) <= set(judge.prompts())
    assert all(role in prompt_named(file).text for role, file in ROLES.items())


def test_a_referee_without_scores_is_left_out_and_neither_a_tie_nor_a_win(firm: Firm, bench: ScriptedProvider) -> None:
    name = own(firm, "chateval.v1", rounds=1, is_balanced=False)
    bench.will(says(gives(4, 9)), says("A tie?"), says("Truly a tie."))
    one_lost = judged(firm, name, PAIR)
    bench.will(*[says("A tie.")] * 4)
    all_lost = judged(firm, name, PAIR)

    assert [values(one_lost)["win", side] for side in (0, 1)] == [0.0, 1.0]
    assert one_lost[0].reason == "1 of 2 gradings could not be read."
    assert {(each.value, each.status) for each in all_lost} == {(None, Status.UNREADABLE)}


def test_a_provider_that_goes_down_in_the_discussion_ends_it(firm: Firm, bench: ScriptedProvider) -> None:
    bench.will(says("One."), fails(404))

    found = judged(firm, own(firm, "chateval.v1", is_balanced=False), PAIR)

    assert {(each.value, each.status) for each in found} == {(None, Status.FAILED)}
