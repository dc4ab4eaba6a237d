"""The tables of retrieval: what the search lab keeps, classifiers of how complex a question is, and what that means."""

from retrieval.models.complexity import ClassifierState, ComplexityActivation, ComplexityClassifier
from retrieval.models.mapping import MappingVersion
from retrieval.models.search_lab import RelevantPassage, SavedPreset

__all__ = [
    "ClassifierState",
    "ComplexityActivation",
    "ComplexityClassifier",
    "MappingVersion",
    "RelevantPassage",
    "SavedPreset",
]
