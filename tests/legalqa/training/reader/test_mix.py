"""What the reader learns from: provisions with everyday questions, and the examples that are made of them."""

from pathlib import Path

import pytest

from legalqa.training.reader import mix
from legalqa.training.reader.mix import Example, examples_of
from legalqa.training.reader.rows import AnswerRow, rows_read

EVERYDAY = Path(mix.__file__).parent / "data" / "everyday_dev.jsonl.gz"


@pytest.fixture(scope="module")
def rows() -> list[AnswerRow]:
    return [row for row in rows_read(EVERYDAY) if isinstance(row, AnswerRow)]


@pytest.fixture(scope="module")
def examples(rows: list[AnswerRow]) -> list[Example]:
    return examples_of(rows, seed=1)


def test_every_everyday_question_is_read_with_its_whole_passage_and_the_words_that_answer(
    rows: list[AnswerRow], examples: list[Example]
) -> None:
    read = {(one.first, one.second): one for one in examples}

    assert len(rows) > 500
    for row in rows:
        example = read[row.question, row.passage]
        assert example.label == row.is_answerable
        assert example.span == (row.spans[0] if row.spans else (0, 0))


def test_length_does_not_tell_which_passages_answer(rows: list[AnswerRow]) -> None:
    """Long passages are cropped in the same way whether they answer or not."""
    filler = "The parties shall keep proper records of each delivery. " * 40
    long = [
        AnswerRow(str(n), "Who keeps records?", filler, n % 2 == 0, ((4, 30),) if n % 2 == 0 else (), source="squad")
        for n in range(400)
    ]
    lengths: dict[int, list[int]] = {0: [], 1: []}
    for one in examples_of(long, seed=2):
        lengths[one.label].append(len(one.second.split()))

    means = {label: sum(of) / len(of) for label, of in lengths.items()}
    assert means[0] == pytest.approx(means[1], rel=0.1)


def test_the_same_seed_makes_the_same_examples(rows: list[AnswerRow]) -> None:
    assert examples_of(rows, seed=3) == examples_of(rows, seed=3)
