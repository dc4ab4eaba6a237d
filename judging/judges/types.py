"""What a judge reads and what it says: one contract for models, rules and the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Protocol


class Status(StrEnum):
    """The outcome of a judgment; only JUDGED has a value."""

    JUDGED = "judged"
    NOT_APPLICABLE = "not applicable"  # nothing to judge: no claim, no passage, no reference
    UNREADABLE = "unreadable"  # the judge gave two replies that cannot be read
    REFUSED = "refused"
    FAILED = "failed"  # the provider gave no answer


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer to be judged; `passages` are what it was made from, () where nothing was retrieved.

    `model` is the language model that wrote it, "" where none did.
    """

    text: str
    passages: tuple[str, ...] = ()
    is_silent: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A question with one answer, or with several that are compared.

    `gold_passages` are the texts that answer it by its gold set; `reference_answer` is "" where there is none;
    `gold_model` is the language model that wrote question or reference, "" where none did. `as_of` is the day whose law
    a judge with law is shown; None for the current versions.
    """

    id: str
    question: str
    answers: tuple[JudgedAnswer, ...]
    reference_answer: str = ""
    gold_passages: tuple[str, ...] = ()
    is_answerable: bool = True
    question_type: str = ""
    gold_model: str = ""
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """One value of one measure for one answer of an item, or why there is none.

    Calls, tokens, cost and seconds are those of the whole item and are on its first judgment, so that they add up.

    Attributes:
        measure: One of the judge's measures.
        answer: The place in the item's answers, from 0.
        value: On the measure's scale; None unless the status is JUDGED.
        law: Paragraphs that the judge was shown beside the item.
        n_calls: Calls of the model.
        n_tokens: Of prompts and replies.
        cost: In the currency of the price list.
        seconds: That the item took.
        warning: Why the value may flatter: the judge's own model wrote the answer, or the gold set.
        model: The language model that judged; "" where none did.
    """

    measure: str
    answer: int
    value: float | None
    status: Status
    reason: str = ""
    law: tuple[int, ...] = ()
    n_calls: int = 0
    n_tokens: int = 0
    cost: Decimal = Decimal(0)
    seconds: float = 0.0
    warning: str = ""
    model: str = ""


class Judge(Protocol):
    """Judges an item; never raises because of a provider.

    Attributes:
        name: As people and commands write it.
        version: Changes whenever a prompt, a rule or a setting does that may change a value.
        measures: The names of what it says, each with its lowest and highest value.
        needs_model: Whether it asks a language model.
    """

    name: str
    version: str
    measures: dict[str, tuple[float, float]]
    needs_model: bool

    def judge(self, item: JudgedItem) -> Sequence[Judgment]:
        """Every answer of an item, judged by each of `measures`.

        Returns:
            For each answer, in their order, one judgment of each measure: a value on the measure's scale, or None with
            the status and reason why there is none.
        """
        ...
