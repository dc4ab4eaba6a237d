"""Which words a reader points at: tokens of the second text, and the best pair of a start and an end."""

import math

import numpy as np
import pytest
import torch

from legalqa.encoder.client import tokenizer
from legalqa.encoder.reader import UNKNOWN, Pairs, heads_scores, pairs_read
from legalqa.encoder.reading import SPAN_TOKENS, Calibration, _best_spans, reader_about, reads_of
from legalqa.encoder.weights import WeightsWrong
from tests.encoders import disturbed_weights

QUESTION, PASSAGE = "Who pays the rent?", "The tenant pays the rent."


def scored(n_tokens: int, **places: float) -> torch.Tensor:
    """Scores of one pair: those that are named by place, -10 for the others."""
    scores = torch.full((1, n_tokens), -10.0)
    for place, score in places.items():
        scores[0, int(place.removeprefix("at"))] = score
    return scores


def read(*pairs: tuple[str, str], max_tokens: int = 64) -> Pairs:
    own = type(tokenizer()).from_str(tokenizer().to_str())  # truncation is switched on in it
    return pairs_read(own, pairs, max_tokens=max_tokens)


def test_the_best_span_is_that_of_the_highest_sum_and_told_against_the_first_mark() -> None:
    first, last, odds = _best_spans(scored(6, at0=1.0, at2=5.0), scored(6, at0=0.5, at4=3.0))

    assert (first, last) == ([2], [4])
    assert odds.tolist() == [pytest.approx(5.0 + 3.0 - 1.0 - 0.5)]


def test_a_span_never_ends_before_it_begins() -> None:
    first, last, _ = _best_spans(scored(6, at4=5.0, at1=2.0), scored(6, at2=5.0, at5=1.0))

    assert (first, last) == ([1], [2])


def test_a_span_is_no_longer_than_is_allowed() -> None:
    n_tokens = SPAN_TOKENS + 20
    first, last, _ = _best_spans(
        scored(n_tokens, at1=9.0, at30=1.0), scored(n_tokens, **{f"at{SPAN_TOKENS + 1}": 9.0, "at40": 0.5})
    )

    assert last[0] - first[0] < SPAN_TOKENS
    assert (first, last) == ([30], [SPAN_TOKENS + 1])


def test_the_first_mark_is_no_span_however_sure_it_is() -> None:
    first, last, odds = _best_spans(scored(4, at0=20.0, at2=1.0), scored(4, at0=20.0, at2=1.0))

    assert (first, last) == ([2], [2])
    assert odds.item() < 0


def test_a_span_of_characters_is_found_in_tokens_and_back() -> None:
    pairs = read((QUESTION, PASSAGE))
    start, end = PASSAGE.index("tenant"), PASSAGE.index(" rent")
    first, last = pairs.tokens_of(0, (start, end))

    assert pairs.sides[0][first] == pairs.sides[0][last] == 1
    assert PASSAGE[pairs.offsets[0][first][0] : pairs.offsets[0][last][1]] == "tenant pays the"


def test_the_empty_span_is_the_first_mark_and_one_that_is_not_known_or_not_read_counts_for_nothing() -> None:
    long = read((QUESTION, PASSAGE + " Nothing else." * 60), max_tokens=24)

    assert long.tokens_of(0, (0, 0)) == (0, 0)
    assert long.tokens_of(0, None) == (UNKNOWN, UNKNOWN)
    assert long.tokens_of(0, (700, 710)) == (UNKNOWN, UNKNOWN)


def test_the_longer_text_is_cut_and_the_shorter_pair_is_filled_up() -> None:
    pairs = read((QUESTION, "word " * 400), ("Who?", "He."), max_tokens=32)

    assert pairs.tensors["input_ids"].shape == (2, 32)
    assert pairs.tensors["attention_mask"].sum(1).tolist()[0] == 32
    assert pairs.tensors["attention_mask"].sum(1).tolist()[1] < 12
    assert sum(side == 0 for side in pairs.sides[0]) == len(tokenizer().encode(QUESTION, add_special_tokens=False).ids)


def test_no_span_begins_or_ends_in_the_question() -> None:
    pairs = read((QUESTION, PASSAGE))
    n_tokens = pairs.tensors["input_ids"].shape[1]
    states = torch.randn(1, n_tokens, 8, generator=torch.Generator().manual_seed(2))
    sizes = {"answers": (1, 16), "support": (3, 16), "span": (2, 8)}
    heads = {f"{name}.weight": torch.ones(size) for name, size in sizes.items()}
    heads |= {f"{name}.bias": torch.zeros(size[0]) for name, size in sizes.items()}
    scores = heads_scores(states, pairs, heads)

    of_question = [place for place, side in enumerate(pairs.sides[0]) if side == 0]
    assert of_question
    assert scores.start[0, of_question].tolist() == [-1e4] * len(of_question)
    assert scores.end[0, of_question].tolist() == [-1e4] * len(of_question)
    assert (scores.answers.shape, scores.support.shape) == ((1,), (1, 3))


def test_scores_beyond_all_measure_become_probabilities_and_no_overflow() -> None:
    scores = np.array([[900.0, 900.0, 0, -900.0, 0, -1, -1], [-900.0, -900.0, 0, 900.0, 0, 3, 9]], np.float32)
    sure, unsure = reads_of(Calibration(temperature=0.5).probabilities(scores))

    assert [sure.answers, unsure.answers] == pytest.approx([1, 0])
    assert sure.support == pytest.approx((1, 0, 0))
    assert unsure.support == pytest.approx((0, 0, 1))
    assert (sure.span, unsure.span) == (None, (3, 9))
    assert not any(math.isnan(value) for value in (*sure.support, *unsure.support))


def test_a_higher_temperature_is_less_sure_and_keeps_the_order() -> None:
    scores = np.array([[0.0, 3.0, 1.0, 0.0, 0, -1, -1]], np.float32)
    cold, warm = (Calibration(temperature=one).probabilities(scores)[0, 1:4] for one in (0.5, 4.0))

    assert cold[0] > warm[0] > warm[1] > warm[2] > cold[2]


@pytest.mark.parametrize("artefact", [b"", b"\x00" * 40, disturbed_weights()[:4_000]], ids=["empty", "noughts", "cut"])
def test_bytes_that_are_no_reader_are_refused_as_such(artefact: bytes) -> None:
    with pytest.raises(WeightsWrong, match="This is not a reader"):
        reader_about(artefact)
