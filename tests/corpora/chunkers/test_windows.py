"""Windows over texts longer than the encoder reads."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.chunkers import token_windows


def word_offsets(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\S+", text)]


def test_short_text_is_one_window() -> None:
    assert token_windows(word_offsets(" one two three "), window_tokens=3, overlap_tokens=1) == ((1, 14),)


def test_text_without_tokens_has_no_windows() -> None:
    assert token_windows((), window_tokens=3, overlap_tokens=1) == ()


def test_windows_repeat_the_overlap() -> None:
    assert token_windows(word_offsets("a b c d e f g"), window_tokens=3, overlap_tokens=1) == ((0, 5), (4, 9), (8, 13))


def test_windows_do_not_cut_a_word_where_a_blank_is_near() -> None:
    # "aaaa bb cccc dd" in tokens of one character: eight would end inside "cccc".
    offsets = [(i, i + 1) for i, c in enumerate("aaaa bb cccc dd") if c != " "]

    assert token_windows(offsets, window_tokens=8, overlap_tokens=0) == ((0, 7), (8, 15))


@given(
    gaps=st.lists(st.tuples(st.integers(0, 1), st.integers(1, 3)), max_size=200),
    window=st.integers(1, 40),
    share=st.floats(0, 0.99),
)
def test_windows_cover_every_token_and_hold_the_size(gaps: list[tuple[int, int]], window: int, share: float) -> None:
    offsets: list[tuple[int, int]] = []
    for gap, width in gaps:
        start = (offsets[-1][1] if offsets else 0) + gap
        offsets.append((start, start + width))

    windows = token_windows(offsets, window_tokens=window, overlap_tokens=int(window * share))

    assert all(any(a <= start and end <= b for a, b in windows) for start, end in offsets)
    assert all(sum(a <= start and end <= b for start, end in offsets) <= window for a, b in windows)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(windows))


@pytest.mark.parametrize(("window", "overlap"), [(0, 0), (4, 4), (4, -1)])
def test_windows_that_make_no_progress_are_refused(window: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="makes no progress"):
        token_windows([(0, 1)], window_tokens=window, overlap_tokens=overlap)
