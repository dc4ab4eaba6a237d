"""The tables of retrieval: what the search lab keeps, what a corpus has trained, how it is used, and solved cases."""

from retrieval.models.cases import (
    CASE_TRANSITIONS,
    CaseEntry,
    CaseIndex,
    CaseOrigin,
    CasePart,
    CaseState,
    CaseSupport,
    CaseVector,
    EntitiesBy,
)
from retrieval.models.complexity import ComplexityActivation, ComplexityClassifier
from retrieval.models.graph import Graph, GraphDecision, GraphDocument, GraphEntity, GraphLink, GraphTriplet
from retrieval.models.mapping import MappingVersion
from retrieval.models.questions import (
    QUESTION_TRANSITIONS,
    AskedParagraph,
    IndexedQuestion,
    QuestionIndex,
    QuestionSource,
    QuestionState,
)
from retrieval.models.ranker import RankerActivation, TrainedRanker
from retrieval.models.search_lab import RelevantPassage, SavedPreset
