"""Changed questions: which, how many, and with their originals."""

import random

import pytest

from judging.gold.generation.wording import CHANGES
from legalqa.training.classifier.augmentation import Shares, augment
from legalqa.training.classifier.splitting import folds, length_matched, split
from retrieval.complexity.types import LabelledText

TEXT = "Could you please explain the specific requirements of Rule 4.7 for auditors, when a fund is wound up?"
NAMES = [f"fund {first}{second}" for first in "abcdefghijklmno" for second in "abcdefghijklmnopqrst"]
ROWS = [LabelledText(TEXT.replace("a fund", name), place % 3) for place, name in enumerate(NAMES)]


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_changes_the_wording_and_is_drawn_by_the_seed(name: str) -> None:
    first, again = (CHANGES[name](TEXT, random.Random(4)) for _ in range(2))

    assert first == again != TEXT
    assert first.strip()


def test_changes_do_what_they_are_called() -> None:
    chance = random.Random(1)

    assert "4.7" not in CHANGES["vague"](TEXT, chance)
    assert len(CHANGES["noise-words"](TEXT, chance).split()) > len(TEXT.split())
    assert sorted(CHANGES["reorder"](TEXT, chance).replace(",", "").split()) != TEXT.split()
    assert len(CHANGES["verbose"](TEXT, chance)) > len(TEXT) > len(CHANGES["concise"](TEXT, chance))
    assert len(CHANGES["misspell"](TEXT, chance).split()) == len(TEXT.split())


def test_the_shares_of_the_paper_come_to_57_per_cent_and_not_to_67() -> None:
    found = augment(ROWS, shares=Shares(), seed=5)

    assert found.total == pytest.approx(0.57, abs=0.01)
    assert {row.label for row in found.rows if row.change == "verbose"} == {0}
    assert {row.label for row in found.rows if row.change == "concise"} == {2}


def test_every_changed_question_keeps_its_original_and_its_class() -> None:
    labels = {row.text: row.label for row in ROWS}
    found = augment(ROWS, shares=Shares(), seed=5)

    assert all(labels[row.original] == row.label and row.text != row.original for row in found.rows)
    assert len({row.original for row in found.rows}) == len(found.rows)


def test_shares_that_come_to_more_than_there_is_are_refused() -> None:
    with pytest.raises(ValueError, match="smaller"):
        augment(ROWS, shares=Shares(vague=0.9, misspell=0.9), seed=5)


def test_no_document_and_no_original_is_on_both_sides() -> None:
    rows = [LabelledText(f"question {n}", n % 3, f"d{n % 11};d{n % 7}") for n in range(200)]
    rows += [LabelledText(f"changed {n}", n % 3, "", "vague", f"plain {n}") for n in range(40)]
    rows += [LabelledText(f"plain {n}", n % 3) for n in range(40)]
    found = split(rows, share=0.3, seed=2)

    def sides(places: tuple[int, ...]) -> set[str]:
        return {part for at in places for part in (rows[at].group or rows[at].original or rows[at].text).split(";")}

    assert found.train
    assert found.test
    assert sides(found.train) & sides(found.test) == set()
    assert len(found.train) + len(found.test) + len(found.left_out) == len(rows)


def test_folds_keep_every_group_once() -> None:
    rows = [LabelledText(f"question {n}", n % 3, f"d{n % 9}") for n in range(90)]
    tested = [at for part in folds(rows, n=3, seed=1) for at in part.test]

    assert sorted(tested) == list(range(90))


def test_length_matched_questions_are_as_many_of_each_class_in_every_length() -> None:
    lengths, labels = [5] * 10 + [9] * 10 + [20] * 5, [0] * 8 + [1] * 5 + [0] * 7 + [1] * 5
    found = length_matched(lengths, labels, seed=1)

    for length in (5, 9):
        here = [labels[at] for at in found if lengths[at] == length]
        assert here.count(0) == here.count(1) > 0
    assert all(lengths[at] != 20 for at in found)
