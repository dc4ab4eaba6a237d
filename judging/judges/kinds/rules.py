"""What judges that ask no model share: they need no settings, and a silence has no value."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from judging.judges.kinds.base import Graded, of_each_answer
from judging.judges.types import JudgedAnswer, JudgedItem, Judgment
from legalqa.common.config import Config, fingerprint_of


class RuleSettings(Config):
    """A judge by rule has none."""


class RuleJudge(ABC):
    """A judge that gives every answer its values without asking anybody; the same answer always has the same."""

    needs_model = False
    kind: ClassVar[str]
    measures: dict[str, tuple[float, float]]
    less_is_better: ClassVar[frozenset[str]] = frozenset()  # measures that are good where they are low
    rules: ClassVar[int] = 1  # raised when a rule changes that may change a value

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = fingerprint_of([self.kind, self.rules, self.artefact()])

    def artefact(self) -> str:
        """What else a value depends on."""
        return ""

    @abstractmethod
    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        """The value of each measure, with its reason, or why there is none.

        Returns:
            A value on the measure's scale for each of `measures`, or why it has none.
        """

    def judge(self, item: JudgedItem) -> Sequence[Judgment]:
        """The judgments of an item; of an answer that says nothing, none applies.

        Returns:
            As of `Judge`; no model is called.
        """
        return list(of_each_answer(item, self.measures, lambda answer: self.grade(item, answer)))
