"""Scores that a machine outside gives: what a search lacks is noted inside its transaction and asked for after it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """Texts whose score for a query is wanted."""

    query: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """One finite score for each text, or none at all; `note` says who gave them, or why nobody did."""

    values: tuple[float, ...]
    note: str


class Scores:
    """What was scored for one search so far; `lacking` is what its last run looked for in vain."""

    def __init__(self) -> None:
        self._held = dict[Wanted, Scored]()
        self._lacking = dict[Wanted, None]()

    @property
    def lacking(self) -> tuple[Wanted, ...]:
        return tuple(self._lacking)

    def of(self, query: str, texts: Sequence[str]) -> Scored | None:
        """What is known of these texts; None, and noted as lacking, where nobody was asked yet."""
        wanted = Wanted(query, tuple(texts))
        found = self._held.get(wanted)
        if found is None:
            self._lacking[wanted] = None
        return found

    def put(self, wanted: Wanted, scored: Scored) -> None:
        self._held[wanted] = scored
        self._lacking.pop(wanted, None)
