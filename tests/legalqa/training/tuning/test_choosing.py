"""Tuning a mapping: no document on both sides, no recall given away, and worth what is said on held-out questions."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from judging.measures.intervals import Interval
from judging.splits import document_groups, folds_by_group
from legalqa.training.tuning.choosing import MAX_K, Arm, Cost, SearchedQuestion, Table, fixed_best
from legalqa.training.tuning.report import Tuned, tune


def test_questions_that_share_a_document_share_a_group() -> None:
    assert document_groups([{"a"}, {"b"}, {"b", "c"}, {"c"}, {"a"}, set()]) == [0, 1, 1, 1, 0, 2]


def test_folds_keep_groups_whole_and_about_equal() -> None:
    groups = [place // 7 for place in range(140)]
    folds = folds_by_group(groups, n_folds=5, seed=1)

    assert all(
        len({fold for fold, other in zip(folds, groups, strict=True) if other == group}) == 1 for group in groups
    )
    assert np.bincount(folds).tolist() == [28] * 5
    assert folds != folds_by_group(groups, n_folds=5, seed=2)
    with pytest.raises(ValueError, match="hold out"):
        folds_by_group(groups, n_folds=1, seed=1)


def question(number: int, *, at: Sequence[int], top: float, label: int = 0) -> SearchedQuestion:
    """Gold at these ranks (from 0) among MAX_K hits of 100 tokens; the best hit scores `top` above the others."""
    found = tuple(int(place in at) for place in range(MAX_K))
    scores = (top, *(0.0 for _ in range(MAX_K - 1)))
    return SearchedQuestion(str(number), number % 20, number, len(at), label, {0: Arm(found, (100,) * MAX_K, scores)})


def tuned(questions: Sequence[SearchedQuestion], cost: Cost | None = None) -> Tuned:
    return tune(questions, n_classes=3, measured_on="rrf.v1", is_reranked=False, cost=cost, seed=7)


def test_the_best_fixed_k_weighs_recall_against_tokens() -> None:
    questions = [question(n, at=[4] if n % 2 else [0], top=0.0) for n in range(40)]
    table, every = Table.of(questions, Cost()), np.arange(40)

    # Half of the answers need four passages more: 0.5 of recall for 400 tokens.
    assert fixed_best(table, every, 1.0) + 1 == 5
    assert fixed_best(table, every, 2.0) + 1 == 1


def test_a_ranking_that_falls_steeply_is_cut_early_without_loss() -> None:
    chance = np.random.default_rng(3)
    questions = [question(n, at=[0] if (steep := n % 2) else [int(chance.integers(8))], top=steep) for n in range(200)]
    found = tuned(questions)
    lines = {line.name: line for line in found.lines}

    assert isinstance(found.per_kilotoken, Interval)
    assert isinstance(found.recall, Interval)
    assert found.per_kilotoken.low > 0
    assert found.recall.value >= -0.01
    assert lines["tuned"].kilotokens < 0.7 * lines["fixed"].kilotokens
    assert found.mapping.bands is not None
    assert found.mapping.bands.k[0][0] > found.mapping.bands.k[0][-1] == 1


def test_the_class_counts_where_it_tells_something_and_random_classes_do_not_help() -> None:
    questions = [
        question(n, at=[0, 2, 9] if n % 3 == 0 else [0], top=0.0, label=2 if n % 3 == 0 else 0) for n in range(150)
    ]
    found = tuned(questions)
    lines = {line.name: line for line in found.lines}

    assert lines["tuned"].recall == lines["oracle class"].recall == 1.0
    assert lines["tuned"].kilotokens == pytest.approx((50 * 1.0 + 100 * 0.1) / 150)
    assert lines["random class"].kilotokens > 1.4 * lines["tuned"].kilotokens
    assert lines["oracle k"].kilotokens <= lines["tuned"].kilotokens


def test_rewriting_is_taken_only_where_it_pays() -> None:
    def with_rewrites(number: int) -> SearchedQuestion:
        plain = question(number, at=[6], top=0.0)
        better = Arm((1, *(0,) * (MAX_K - 1)), plain.arms[0].tokens, plain.arms[0].scores, calls=1)
        return SearchedQuestion(plain.id, plain.group, plain.asks, 1, 0, {0: plain.arms[0], 3: better})

    questions = [with_rewrites(n) for n in range(60)]

    assert tuned(questions, Cost(tokens_per_call=50)).mapping.rewrites.of(0) == 3
    assert tuned(questions, Cost(tokens_per_call=5000)).mapping.rewrites.mode == "off"


def test_too_few_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        tuned([question(n, at=[0], top=0.0) for n in range(5)])


def test_questions_of_one_group_of_documents_are_held_out_by_what_they_ask_for() -> None:
    doubled = [replace(question(n, at=[n % 3], top=0.0), group=0, asks=n % 20) for n in range(40)]
    found = tuned(doubled)

    assert (found.n_questions, found.n_asked, found.n_groups) == (40, 20, 1)
