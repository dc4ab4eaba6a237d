"""Rerankers by name: each puts the first hits of a ranking into a better order.

To add one: write its file, register it here, give it a row in the README and in `tests/contracts/test_rerankers.py`.
"""

from retrieval.rerankers.base import Reranker, RerankFailed
from retrieval.rerankers.beam import Beam
from retrieval.rerankers.crossencoder import CrossEncode
from retrieval.rerankers.http import HttpRerank
from retrieval.rerankers.learned import Learned
from retrieval.stages import StageRegistry

RERANKERS: StageRegistry[Reranker] = StageRegistry("reranker")
RERANKERS.register("learned.v1", Learned)
RERANKERS.register("cross-encoder.v1", CrossEncode)
RERANKERS.register("http-rerank.v1", HttpRerank)
RERANKERS.register("beam.v1", Beam)
