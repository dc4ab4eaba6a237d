"""Pieces of which enough was found are completed, from the smallest to the largest."""

from retrieval.expanders.base import Link
from retrieval.expanders.merging import Node, merged

# Chunks 10 to 14 are in pieces 5 (three chunks) and 6 (two chunks), both in piece 7.
NODES = (
    Node(10, 0, 5, False),
    Node(11, 1, 5, False),
    Node(12, 2, 5, False),
    Node(13, 3, 6, False),
    Node(14, 4, 6, False),
    Node(20, 5, 7, True),
    Node(21, 6, 7, True),
    Node(22, 7, None, True),
)


def completed(found: list[int], *, threshold: float = 0.5, budget: int = 10) -> list[Link]:
    return merged(NODES, found, threshold=threshold, budget=budget)


def test_a_piece_of_which_more_than_the_share_was_found_is_completed_beside_its_best_hit() -> None:
    assert completed([12, 10]) == [Link(12, 11)]


def test_a_piece_of_which_just_the_share_was_found_stays_as_it_is() -> None:
    assert completed([13]) == []
    assert completed([13], threshold=0.49, budget=1) == [Link(13, 14)]


def test_merged_pieces_count_as_found_in_the_piece_around_them() -> None:
    assert completed([10, 11], threshold=0.4) == [Link(10, 12), Link(10, 13), Link(10, 14)]


def test_a_piece_that_needs_more_than_the_budget_is_left_whole_or_not_at_all() -> None:
    assert completed([10, 11], threshold=0.4, budget=2) == [Link(10, 12)]
