"""Span measures by hand, and against counting characters one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.measures.spans import Span, character_precision, character_recall, gold_span_recall, overlap
from judging.measures.values import Undefined

spans = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 15)).map(lambda pair: Span(pair[0], pair[0] + pair[1])), max_size=6
)


def test_spans_that_touch_share_nothing() -> None:
    assert overlap(Span(0, 5), Span(5, 9)) == 0
    assert overlap(Span(0, 6), Span(5, 9)) == 1
    assert overlap(Span(2, 3), Span(0, 9)) == 1


def test_a_gold_span_counts_from_half_of_it() -> None:
    gold = [Span(0, 10), Span(20, 30)]

    assert gold_span_recall([Span(5, 24)], gold) == 0.5  # 5 of 10 and 4 of 10 characters
    assert gold_span_recall([Span(5, 24)], gold, least=0.4) == 1.0
    assert gold_span_recall([Span(5, 24)], gold, least=1.0) == 0.0


def test_two_found_spans_cover_a_gold_span_together_and_count_an_overlap_once() -> None:
    assert gold_span_recall([Span(0, 3), Span(2, 5)], [Span(0, 10)]) == 1.0
    assert gold_span_recall([Span(0, 3), Span(1, 4)], [Span(0, 10)]) == 0.0


def test_without_gold_or_without_anything_found_there_is_no_value() -> None:
    assert gold_span_recall([Span(0, 3)], []) == Undefined("no span is marked as relevant")
    assert character_recall([Span(0, 3)], []) == Undefined("no span is marked as relevant")
    assert character_precision([], [Span(0, 3)]) == Undefined("no span was found")
    assert gold_span_recall([], [Span(0, 3)]) == 0.0


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="share of 0"):
        gold_span_recall([], [Span(0, 3)], least=0)
    with pytest.raises(ValueError, match="holds no character"):
        gold_span_recall([Span(3, 3)], [Span(0, 3)])


@given(found=spans, gold=spans)
@settings(deadline=None)
def test_character_measures_count_characters(found: list[Span], gold: list[Span]) -> None:
    held = {at for span in found for at in range(span.start, span.end)}
    marked = {at for span in gold for at in range(span.start, span.end)}

    if marked:
        assert character_recall(found, gold) == pytest.approx(len(held & marked) / len(marked))
    if held:
        assert character_precision(found, gold) == pytest.approx(len(held & marked) / len(held))


@given(found=spans, gold=spans.filter(bool), more=spans)
@settings(deadline=None)
def test_finding_more_never_lowers_the_recall(found: list[Span], gold: list[Span], more: list[Span]) -> None:
    before, after = gold_span_recall(found, gold), gold_span_recall([*found, *more], gold)

    assert isinstance(before, float)
    assert isinstance(after, float)
    assert 0 <= before <= after <= 1
