"""Measures of answers and of silences: who was answered, and whether the citations are those that people marked."""

from collections.abc import Collection, Sequence
from typing import Protocol

from judging.measures.values import Average, Undefined, Value, average

NO_CITATION = Undefined("the answer cites nothing")
NO_GOLD = Undefined("no passage is marked as relevant")
SILENT = Undefined("no answer was given")


class Outcome(Protocol):
    """What the measures read of one question."""

    @property
    def is_answerable(self) -> bool: ...
    @property
    def is_answered(self) -> bool: ...
    @property
    def gold(self) -> Collection[str]: ...
    @property
    def cited(self) -> Collection[str]: ...


def answer_rate(outcomes: Sequence[Outcome]) -> Average:
    """Share of the answerable questions that were answered; a silence there is a wrong abstention."""
    return average(float(o.is_answered) for o in outcomes if o.is_answerable)


def cited_gold(outcome: Outcome) -> Value:
    """1 where an answer to an answerable question cites a gold passage, 0 where it cites others only.

    An answer without citations counts as 0: it was shown, and nothing vouches for it. Undefined for silences and for
    questions without gold.
    """
    if (nothing := _unmeasured(outcome)) is not None:
        return nothing
    return float(not set(outcome.gold).isdisjoint(outcome.cited))


def citation_precision(outcome: Outcome) -> Value:
    """Share of an answer's citations that are gold passages; undefined for silences, without citations or gold."""
    if (nothing := _unmeasured(outcome)) is not None:
        return nothing
    cited = set(outcome.cited)
    return len(cited & set(outcome.gold)) / len(cited) if cited else NO_CITATION


def _unmeasured(outcome: Outcome) -> Undefined | None:
    """Why an answer's citations cannot be compared with gold passages, where they cannot."""
    if not outcome.is_answered:
        return SILENT
    return None if outcome.gold else NO_GOLD
