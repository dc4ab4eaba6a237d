"""Random orders that follow from a stored seed, so that they can be repeated years later and elsewhere."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Placed(Protocol):
    """What an order needs of an item."""

    ordinal: int
    question_type: str


def draw(*parts: object) -> int:
    """A pseudo-random number determined by the parts: the first 8 bytes of their SHA-256."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8])


def answer_order(*, seed: int, grader: str, ordinal: int, n_answers: int, is_repeat: bool) -> list[int]:
    """The places of an item's answers as a grader is shown them: the first one becomes A."""
    return sorted(range(n_answers), key=lambda answer: draw(seed, grader, ordinal, int(is_repeat), answer))


P = TypeVar("P", bound=Placed)


def item_order(items: Sequence[P], *, seed: int, grader: str) -> list[P]:
    """Items in a grader's order: random, question types in turn, so that a grader who stops early has seen every type.

    The first of every type come first, in random order, then the second of every type, and so on.
    """
    shuffled = sorted(items, key=lambda item: draw(seed, grader, item.ordinal))
    counts: dict[str, int] = defaultdict(int)
    ranks = {}
    for item in shuffled:
        ranks[item.ordinal] = counts[item.question_type]
        counts[item.question_type] += 1
    return sorted(shuffled, key=lambda item: ranks[item.ordinal])


def drawn_share(ordinals: Sequence[int], *, percent: int, parts: tuple[object, ...]) -> set[int]:
    """A share of the ordinals, rounded to the nearest count, drawn by the parts."""
    n_drawn = (len(ordinals) * percent + 50) // 100
    return set(sorted(ordinals, key=lambda ordinal: draw(*parts, ordinal))[:n_drawn])


def letters_order(names: Sequence[str], *, seed: int, ordinal: int) -> list[str]:
    """Graders of an item as an adjudicator reads them, A first: another order at every item, so that A is nobody."""
    return sorted(names, key=lambda name: draw(seed, "letters", ordinal, name))
