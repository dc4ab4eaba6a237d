"""Rivals: the passages near a question that do not answer it, which its own passage is to come before."""

import numpy as np
import pytest

from legalqa.encoder.client import FloatMatrix
from legalqa.training.reader.mix import examples_of
from legalqa.training.reader.rivals import MOST, rivals_of
from legalqa.training.reader.rows import AnswerRow

PAY = "The tenant pays the rent on the first day of each month."
PAID = "Rent is due from the tenant on the first of the month."
KEYS = "The tenant returns all keys on the day the lease ends."
PETS = "No pets are kept in the premises."


def row(name: str, passage: str, *, group: str = "lease", is_answerable: bool = True) -> AnswerRow:
    spans = ((0, 10),) if is_answerable else ()
    return AnswerRow(name, f"Question {name}?", passage, is_answerable, spans, source="everyday_made_law", group=group)


def unit(*vectors: tuple[float, float]) -> FloatMatrix:
    matrix = np.array(vectors, dtype=np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), dtype=np.float32)


def test_the_nearest_come_first_and_the_passage_itself_is_not_among_them() -> None:
    rows = [row("pay", PAY), row("keys", KEYS), row("pets", PETS)]
    passages = unit((1, 0), (0.6, 0.8), (0, 1))

    assert rivals_of(rows, unit((1, 0.1), (0, 1), (0, 1)), passages)["everyday_made_law", "pay"] == (KEYS, PETS)


def test_a_passage_of_another_document_that_says_nearly_the_same_may_answer_too_and_is_left_out() -> None:
    rows = [row("pay", PAY), row("paid", PAID, group="another lease"), row("pets", PETS)]
    passages = unit((1, 0), (0.9, 0.4), (0, 1))

    assert rivals_of(rows, unit((1, 0), (1, 0), (0, 1)), passages)["everyday_made_law", "pay"] == (PETS,)


def test_another_passage_that_answers_the_same_question_is_no_rival() -> None:
    twice = AnswerRow("b", "Question pay?", PAID, True, ((0, 10),), source="everyday_made_law", group="lease")
    rows = [row("pay", PAY), twice, row("pets", PETS)]
    passages = unit((1, 0), (0.8, 0.6), (0, 1))

    assert rivals_of(rows, unit((1, 0), (1, 0), (0, 1)), passages)["everyday_made_law", "pay"] == (PETS,)


def test_questions_without_an_answer_have_no_rivals_and_nobody_has_more_than_the_most() -> None:
    rows = [row("pay", PAY), row("none", KEYS, is_answerable=False)]
    rows += [row(f"n{n}", f"Clause {n}.", is_answerable=False) for n in range(9)]
    angles = np.linspace(0.9, 1.5, len(rows))
    vectors = unit((1.0, 0.0), *((float(np.cos(a)), float(np.sin(a))) for a in angles[1:]))
    rivals = rivals_of(rows, vectors, vectors)

    assert list(rivals) == [("everyday_made_law", "pay")]
    assert len(rivals["everyday_made_law", "pay"]) == MOST


def test_what_a_person_marked_as_no_answer_comes_before_the_nearest() -> None:
    marked = AnswerRow("a", "Question pay?", PETS, is_answerable=False, source="everyday_made_law", group="lease")
    rows = [row("pay", PAY), row("keys", KEYS), marked]
    passages = unit((1, 0), (0.6, 0.8), (0, 1))

    assert rivals_of(rows, unit((1, 0.1), (0, 1), (0, 1)), passages)["everyday_made_law", "pay"] == (PETS, KEYS)


def test_a_question_with_rivals_is_one_example_that_names_them() -> None:
    rows = [row("pay", PAY), row("keys", KEYS)]
    examples = examples_of(rows, seed=1, rivals={("everyday_made_law", "pay"): (KEYS, PETS)})
    (of_pay,) = [one for one in examples if one.first == "Question pay?" and one.label]

    assert of_pay.second == PAY
    assert of_pay.rivals == (KEYS, PETS)
    assert all(not one.rivals for one in examples if one is not of_pay)


@pytest.mark.parametrize("sampled", [0.2, 0.5])
def test_other_sources_are_sampled_and_everyday_questions_are_all_read(sampled: float) -> None:
    others = [AnswerRow(str(n), f"Other {n}?", PAY, True, ((0, 10),), source="squad", group=str(n)) for n in range(400)]
    examples = examples_of([*others, row("pay", PAY)], seed=1, sampled=sampled)

    n_others = sum(one.first.startswith("Other") and one.second == PAY for one in examples)
    assert n_others == pytest.approx(400 * sampled, rel=0.3)
    assert any(one.first == "Question pay?" for one in examples)
