"""Reranking by a cross-encoder on this machine: a folder of sentence-transformers that the operator has set."""

import threading
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from retrieval.pipelines.configs import CrossEncode
from retrieval.rerankers.base import RerankFailed, reordered
from retrieval.retrievers.base import Resources
from retrieval.selectors import chunk_texts
from retrieval.types import Query, Ranking

_lock = threading.Lock()  # one prediction at a time: two at once take longer than one after the other


def crossencoder_rerank(
    query: Query,
    before: Ranking,
    *,
    config: CrossEncode,
    resources: Resources,  # noqa: ARG001 - the model sees texts only
) -> Ranking:
    """Order the first `config.depth` hits by the model's score of (query, text).

    Raises:
        RerankFailed: no folder is set, or it holds no cross-encoder.
    """
    if not before.hits:
        return before
    if not settings.CROSS_ENCODER_PATH:
        raise RerankFailed(
            "No cross-encoder is set (LEGALQA_CROSS_ENCODER_PATH). The passages stand in the order they were found."
        )
    first = before.cut(config.depth)
    held = chunk_texts(chunk_ids=[hit.chunk_id for hit in first.hits])
    pairs = [(query.text, held.get(hit.chunk_id, "")) for hit in first.hits]
    try:
        with _lock:
            scores = _model(settings.CROSS_ENCODER_PATH).predict(pairs, show_progress_bar=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise RerankFailed(
            "The cross-encoder cannot be used. The passages stand in the order they were found."
        ) from error
    return reordered(before, [float(score) for score in scores], stage="cross-encoder")


@cache
def _model(path: str) -> Any:
    from sentence_transformers import CrossEncoder

    if not Path(path).is_dir():
        raise OSError(f"There is no folder {path}.")
    return CrossEncoder(path, device="cpu", num_labels=1, local_files_only=True)
