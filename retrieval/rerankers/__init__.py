"""Rerankers by name: each puts the first hits of a ranking into a better order.

To add one: write its file, add its settings to `retrieval.pipelines.configs`, register it here, give it a row in
the README.
"""

from legalqa.common.registry import Registry
from retrieval.rerankers.base import Reranker, RerankFailed
from retrieval.rerankers.crossencoder import crossencoder_rerank
from retrieval.rerankers.http import http_rerank
from retrieval.rerankers.learned import learned_rerank

RERANKERS: Registry[Reranker] = Registry("reranker")
RERANKERS.register("learned.v1", learned_rerank)
RERANKERS.register("cross-encoder.v1", crossencoder_rerank)
RERANKERS.register("http-rerank.v1", http_rerank)

__all__ = ["RERANKERS", "RerankFailed", "Reranker"]
