"""Retrievers by name: each maps a query on one corpus to a ranking of chunks.

To add one: write its file, register it here, give it a row in the README and in `tests/contracts/test_retrievers.py`.
"""

from retrieval.retrievers.base import Retriever
from retrieval.retrievers.bm25 import Bm25
from retrieval.retrievers.bm25_near import Bm25Near
from retrieval.retrievers.bm25_title import Bm25Title
from retrieval.retrievers.cases import Cases
from retrieval.retrievers.dense import Dense
from retrieval.retrievers.question_index import QuestionMatch
from retrieval.retrievers.wording import Wording
from retrieval.stages import StageRegistry

RETRIEVERS: StageRegistry[Retriever] = StageRegistry("retriever")
RETRIEVERS.register("bm25.v1", Bm25)
RETRIEVERS.register("bm25-title.v1", Bm25Title)
RETRIEVERS.register("bm25-near.v1", Bm25Near)
RETRIEVERS.register("dense.v1", Dense)
RETRIEVERS.register("cases.v1", Cases)
RETRIEVERS.register("wording.v1", Wording)
RETRIEVERS.register("question-index.v1", QuestionMatch)
