"""Retrievers by name: each maps a query on one corpus to a ranking of chunks.

To add one: write its file, add its settings to `retrieval.pipelines.configs`, register it here, give it a row in
the README.
"""

from legalqa.common.registry import Registry
from retrieval.retrievers.base import Resources, Retriever
from retrieval.retrievers.bm25 import bm25_near_search, bm25_search, bm25_title_search
from retrieval.retrievers.dense import dense_search

RETRIEVERS: Registry[Retriever] = Registry("retriever")
RETRIEVERS.register("bm25.v1", bm25_search)
RETRIEVERS.register("bm25-title.v1", bm25_title_search)
RETRIEVERS.register("bm25-near.v1", bm25_near_search)
RETRIEVERS.register("dense.v1", dense_search)

__all__ = ["RETRIEVERS", "Resources", "Retriever"]
