"""What the rules give: a value with the sentence that says why."""

from dataclasses import dataclass

_KINDS = ("law", "regulation", "rule", "policy", "contract", "guidance", "form", "decision", "correspondence", "other")
DOCUMENT_KINDS = {kind: kind.capitalize() for kind in _KINDS}


@dataclass(frozen=True, slots=True)
class Guess:
    """A value, and the reason for it in one sentence."""

    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Description:
    """What the words of a document say about it; None where they say nothing.

    Attributes:
        kind: A key of DOCUMENT_KINDS.
        jurisdiction: Where it holds, such as "European Union".
        authority: Who issued it, or the parties to it.
        effective_date: The day it takes effect, as an ISO date.
    """

    kind: Guess | None = None
    jurisdiction: Guess | None = None
    authority: Guess | None = None
    effective_date: Guess | None = None
