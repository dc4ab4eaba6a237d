"""Position bias: what the place of an answer does to its chance to win."""

from judging.measures.places import CONFLICT, FIRST, SECOND, places


def test_a_judge_who_always_prefers_what_is_shown_first_disagrees_with_itself() -> None:
    first, second = places([(8, 5)], [(4, 9)])  # in the second order the second answer was shown first

    assert first == {FIRST: 1, SECOND: 0, CONFLICT: 1}
    assert second == {FIRST: 1, SECOND: 0, CONFLICT: 1}


def test_a_judge_who_sees_no_place_gives_both_orders_the_same_winner() -> None:
    first, second = places([(8, 5), (5, 6)], [(7, 6)])  # 13 to 11, then 7 to 6

    assert first == {FIRST: 1, SECOND: 1, CONFLICT: 0}
    assert second == {FIRST: 0, SECOND: 0, CONFLICT: 0}


def test_a_tie_in_one_order_alone_is_a_disagreement_and_half_a_win() -> None:
    first, second = places([(6, 6)], [(7, 6)])

    assert first == {FIRST: 0.5, SECOND: 1, CONFLICT: 1}
    assert second == {FIRST: 0, SECOND: 0.5, CONFLICT: 1}
