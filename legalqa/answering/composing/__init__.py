"""From passages that a search found to an answer: the smallest set of whole provisions that the reader says answers."""

from legalqa.answering.composing.composing import compose
from legalqa.answering.composing.types import ChosenPiece, ChosenProvision, Composed, PassageFound

__all__ = ["ChosenPiece", "ChosenProvision", "Composed", "PassageFound", "compose"]
