"""Batches of the encoder in this process: every text once, and no thread left waiting for another's long texts."""

from time import sleep
from typing import Any

import numpy as np
import pytest

from legalqa.encoder.client import encoder_here
from legalqa.encoder.local import BATCH, LocalEncoder

LONG_AND_SHORT = [240, 30, 90, 60, 220, 80, 100, 40, 230, 50, 110, 70, 95, 85, 65, 45]


def batches_of(lengths: list[int]) -> list[list[int]]:
    found = encoder_here().in_batches(lengths, lambda batch: np.zeros((len(batch), 1), dtype=np.float32))
    return [places for places, _ in found]


def test_every_text_is_in_one_batch_and_the_longest_come_first() -> None:
    batches = batches_of(LONG_AND_SHORT)

    assert sorted(place for batch in batches for place in batch) == list(range(len(LONG_AND_SHORT)))
    longest = [max(LONG_AND_SHORT[place] for place in batch) for batch in batches]
    assert longest == sorted(longest, reverse=True)


def test_the_long_ones_of_few_texts_are_no_half_of_the_work() -> None:
    batches = batches_of(LONG_AND_SHORT)
    computed = [len(batch) * max(LONG_AND_SHORT[place] for place in batch) for batch in batches]

    assert max(computed) < 0.5 * sum(computed)


def test_a_batch_of_many_texts_is_bounded() -> None:
    assert max(map(len, batches_of(list(range(1, 1000))))) <= BATCH


@pytest.mark.parametrize(
    ("seconds_of_other", "taken"), [(0.005, "other"), (0.02, "exact"), (0.04, "exact")], ids=["less", "as much", "more"]
)
def test_another_number_format_reads_only_where_it_takes_clearly_less_time(seconds_of_other: float, taken: str) -> None:
    def model(name: str, seconds: float) -> Any:
        def read(**_: object) -> None:
            sleep(seconds)

        read.__name__ = name
        return read

    encoder = object.__new__(LocalEncoder)
    encoder._exact, encoder._for_batches = model("exact", 0.02), model("other", seconds_of_other)

    assert encoder._sooner(*LocalEncoder.QUESTION).__name__ == taken
