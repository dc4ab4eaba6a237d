"""The tables of retrieval: what the search lab keeps, what a corpus has trained for itself, and how it is used."""

from retrieval.models.complexity import ComplexityActivation, ComplexityClassifier
from retrieval.models.graph import (
    Graph,
    GraphDecision,
    GraphDocument,
    GraphEntity,
    GraphLink,
    GraphTriplet,
)
from retrieval.models.mapping import MappingVersion
from retrieval.models.ranker import RankerActivation, TrainedRanker
from retrieval.models.search_lab import RelevantPassage, SavedPreset

__all__ = [
    "ComplexityActivation",
    "ComplexityClassifier",
    "Graph",
    "GraphDecision",
    "GraphDocument",
    "GraphEntity",
    "GraphLink",
    "GraphTriplet",
    "MappingVersion",
    "RankerActivation",
    "RelevantPassage",
    "SavedPreset",
    "TrainedRanker",
]
