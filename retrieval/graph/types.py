"""Triplets as they are read from a paragraph; plain data."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a triplet states."""

    DUTY = "duty"  # somebody must do something
    REQUIREMENT = "requirement"  # something must be so; the text does not say by whom
    PERMISSION = "permission"
    PROHIBITION = "prohibition"
    DEFINITION = "definition"
    THRESHOLD = "threshold"
    AMOUNT = "amount"
    DEADLINE = "deadline"
    CONDITION = "condition"
    EXCEPTION = "exception"
    REFERENCE = "reference"
    RELATION = "relation"  # what a parser or a model finds beyond these


KIND_WORDS: dict[str, str] = {
    Kind.DUTY.value: "Duty",
    Kind.REQUIREMENT.value: "Requirement",
    Kind.PERMISSION.value: "Permission",
    Kind.PROHIBITION.value: "Prohibition",
    Kind.DEFINITION.value: "Definition",
    Kind.THRESHOLD.value: "Threshold",
    Kind.AMOUNT.value: "Amount",
    Kind.DEADLINE.value: "Deadline",
    Kind.CONDITION.value: "Condition",
    Kind.EXCEPTION.value: "Exception",
    Kind.REFERENCE.value: "Cross-reference",
    Kind.RELATION.value: "Relation",
}


class By(StrEnum):
    """What found a triplet."""

    RULES = "rules"
    PARSER = "parser"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Triplet:
    """One statement of a paragraph.

    Attributes:
        kind: What it states.
        subject: Who or what it is about, as the text says it.
        predicate: The verb with its modal, or the words that join the two.
        object: What is stated of it.
        ordinal: Of the paragraph, in its version.
        start: Offset of the sentence in the paragraph.
        end: Offset in the paragraph, exclusive.
        section: The section that the paragraph stands in, such as "Article 5(1)", "" if none.
        stem: The words above a list item that it completes, "" for none.
        by: What found it.
    """

    kind: Kind
    subject: str
    predicate: str
    object: str
    ordinal: int
    start: int
    end: int
    section: str = ""
    stem: str = ""
    by: By = By.RULES

    @property
    def sentence(self) -> str:
        """The triplet as a line of text."""
        return f"{self.subject} {self.predicate} {self.object}"
