"""What a statement of a knowledge graph can be, and what found it."""

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
KIND_CHOICES = list(KIND_WORDS.items())


class By(StrEnum):
    """What found a triplet."""

    RULES = "rules"
    PARSER = "parser"
    MODEL = "model"
