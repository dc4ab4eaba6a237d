"""Rows of several hops and of prior cases, on invented outcomes whose figures can be counted by hand."""

from pathlib import Path
from typing import Any

import pytest

from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.rows import questions
from legalqa.reproduce.rows.documents import DocumentOutcome, chunks_of, document_figures, documents_ranked
from legalqa.reproduce.rows.hops import Shown, completed, numbered_nodes, stage_figures
from legalqa.reproduce.rows.precedents import PrecedentOutcome, is_reported, precedent_figures
from legalqa.reproduce.types import Context
from legalqa.training.collections.questions import LabelledQuestion
from legalqa.training.ranker.chains import questions_chosen
from retrieval.types import Hit, Ranking
from tests.legalqa.reproduce.test_questions import outcome


def context(row: str) -> Context:
    return Context(row, expected_load().rows[row], Path(), Path(), Path(), 144, lambda _: None)


def test_prior_cases_by_hand() -> None:
    found = [
        PrecedentOutcome("1", ("a", "b"), ("x", "a", "b"), ("a", "x", "b")),
        PrecedentOutcome("2", ("a",), ("x", "y", "a"), ("a", "x", "y")),
    ]

    figures = precedent_figures(found, context("irled2017"))

    # Of the first query 5/6 and by BM25 7/12, of the second 1 and a third.
    assert figures["map"].value == pytest.approx((5 / 6 + 1) / 2)
    assert figures["gain_map"].value == pytest.approx(((5 / 6 - 7 / 12) + (1 - 1 / 3)) / 2)
    assert figures["recall_10"].value == 1
    assert set(figures) == set(context("irled2017").spec.figures)


def test_a_third_of_the_queries_chose_the_settings_and_is_not_reported() -> None:
    reported = sum(is_reported(f"query_{number}") for number in range(300))

    assert 180 < reported < 220


def test_recall_for_its_tokens_with_a_stage_less_that_without() -> None:
    on = [Shown(1.0, 0.5), Shown(0.5, 1.0)]
    off = [Shown(0.5, 1.0), Shown(0.5, 1.0)]

    figures = stage_figures("chains", on, off, ["one", "two"], context("hops"))

    assert figures["recall_chains"].value == pytest.approx(0.25)
    assert figures["per_1000_chains"].value == pytest.approx(1.5 / 1.5 - 1.0 / 2.0)
    assert set(figures) <= set(context("hops").spec.figures)


def test_a_section_by_its_numbers_is_completed_beside_its_best_passage() -> None:
    numbers = {4: "8.1.1.(1)", 5: "8.1.1.(2)", 6: "8.1.1.(3)", 7: "8.1.2", 8: "8.1.2.Guidance.1."}
    nodes = numbered_nodes(numbers)

    assert len([node for node in nodes if node.is_parent]) == 5
    assert completed([5, 20, 4, *range(21, 29)], [(nodes, numbers.keys())]) == [5, 6, 20, 4, *range(21, 27)]
    assert completed([5, 20], [(nodes, numbers.keys())]) == [5, 20]


def test_documents_rank_by_their_first_passage() -> None:
    found = Ranking("q", tuple(Hit(chunk, rank, 1.0) for rank, chunk in enumerate((2, 0, 3, 1), start=1)))

    assert documents_ranked(found, ["lease", "loan", "loan", "will"]) == ("loan", "lease", "will")
    assert " ".join(part.strip() for part in chunks_of("One rule. " * 250)) == ("One rule. " * 250).strip()
    assert [len(part) <= 1000 for part in chunks_of("One rule. " * 250)] == [True] * 3


def test_the_right_document_by_hand() -> None:
    asked = [DocumentOutcome("a", ("a", "b"), ("b", "a"), ("b",)), DocumentOutcome("b", ("b",), ("b",), ("b",))]

    figures = document_figures(asked, context("legalbench_rag_mini"))

    assert [figures[name].value for name in ("mrr", "gain_words", "gain_meaning")] == [1.0, 0.25, 0.5]


def test_only_questions_with_several_passages_are_in_the_rows_of_hops() -> None:
    asked: list[Any] = [outcome(number, kind=kind) for number, kind in enumerate(("1", "2", "3+"))]

    figures = questions.hops_figures(asked, context("obliqa_hops"))

    assert set(figures) == {"recall_two", "gain_two", "recall_more", "gain_more"}


def test_chains_are_learned_from_all_questions_with_several_passages_and_some_of_the_others() -> None:
    asked = [LabelledQuestion(str(n), "", "", "", (1, 2) if n < 5 else (1,)) for n in range(400)]

    chosen = questions_chosen(asked)

    assert [one.id for one in chosen[:5]] == ["0", "1", "2", "3", "4"]
    assert len(chosen) == 305
    assert questions_chosen(asked) == chosen
