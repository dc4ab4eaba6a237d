"""The tables of retrieval: what the search lab keeps, what a corpus has trained for itself, and how it is used."""

from retrieval.models.complexity import ComplexityActivation, ComplexityClassifier
from retrieval.models.mapping import MappingVersion
from retrieval.models.questions import AskedParagraph, IndexedQuestion, QuestionIndex, QuestionSource, QuestionState
from retrieval.models.ranker import RankerActivation, TrainedRanker
from retrieval.models.search_lab import RelevantPassage, SavedPreset

__all__ = [
    "AskedParagraph",
    "ComplexityActivation",
    "ComplexityClassifier",
    "IndexedQuestion",
    "MappingVersion",
    "QuestionIndex",
    "QuestionSource",
    "QuestionState",
    "RankerActivation",
    "RelevantPassage",
    "SavedPreset",
    "TrainedRanker",
]
