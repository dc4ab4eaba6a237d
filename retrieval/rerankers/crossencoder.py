"""Reranking by a cross-encoder on this machine: a folder of sentence-transformers that the operator has set."""

import threading
from functools import cache
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from pydantic import Field

from legalqa.accounts.models import Organization
from retrieval.rerankers.base import Reranker, RerankFailed, reordered
from retrieval.selectors import chunk_texts
from retrieval.stages import Resources
from retrieval.types import Query, Ranking

_lock = threading.Lock()  # one prediction at a time: two at once take longer than one after the other


class CrossEncode(Reranker):
    """A cross-encoder of this site over the first `depth` hits; which one is a setting of the installation.

    Attributes:
        depth: Hits that are scored, 1 to 200; those behind keep their order.

    Source: Nogueira and Cho 2019, Passage Re-ranking with BERT, by the `CrossEncoder` of sentence-transformers.
    """

    label = "Cross-encoder"
    action = "Reranked by the cross-encoder"
    choice = ("cross-encoder", "cross-encoder")

    kind: Literal["cross-encoder.v1"] = "cross-encoder.v1"
    depth: int = Field(default=20, ge=1, le=200)

    @classmethod
    def is_available(cls, *, organization: Organization) -> bool:  # noqa: ARG003 - one for all of them
        return bool(settings.CROSS_ENCODER_PATH)

    def rerank(self, query: Query, before: Ranking, resources: Resources) -> Ranking:
        """Order the first hits by the model's score of (query, text).

        Returns:
            The same hits, best first, ties as they were. Scores are 1 / (RRF_K + rank); the part "cross-encoder.score"
            is the model's, on the model's scale.

        Raises:
            RerankFailed: no folder is set, or it holds no cross-encoder.
        """
        if not before.hits:
            return before
        if not settings.CROSS_ENCODER_PATH:
            raise RerankFailed(
                "No cross-encoder is set (LEGALQA_CROSS_ENCODER_PATH). The passages are in the order they were found."
            )
        first = before.cut(self.depth)
        texts = chunk_texts(corpus=resources.corpus, chunk_ids=[hit.chunk_id for hit in first.hits])
        pairs = [(query.text, texts.get(hit.chunk_id, "")) for hit in first.hits]
        try:
            with _lock:
                scores = _model(settings.CROSS_ENCODER_PATH).predict(pairs, show_progress_bar=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise RerankFailed(
                "The cross-encoder cannot be used. The passages are in the order they were found."
            ) from error
        return reordered(before, [float(score) for score in scores], stage=self.name)


@cache
def _model(path: str) -> Any:
    from sentence_transformers import CrossEncoder

    if not Path(path).is_dir():
        raise OSError(f"There is no folder {path}.")
    return CrossEncoder(path, device="cpu", num_labels=1, local_files_only=True)
