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


KIND_WORDS = {kind.value: kind.value.capitalize() for kind in Kind} | {Kind.REFERENCE.value: "Cross-reference"}
KIND_CHOICES = list(KIND_WORDS.items())


class By(StrEnum):
    """What found a triplet."""

    RULES = "rules"
    PARSER = "parser"
    MODEL = "model"
