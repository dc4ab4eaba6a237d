"""A rerank endpoint over HTTP, in the shape of Cohere and Jina or in that of text-embeddings-inference."""

import json
import math
from collections.abc import Sequence
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from django.conf import settings

MAX_BYTES = 4 * 1024 * 1024  # ours: 200 scores take some kilobytes


class EndpointFailed(Exception):
    """The endpoint gave no usable scores; the message says why in one sentence."""


def rerank_scores(query: str, texts: Sequence[str], *, seconds: float) -> list[float]:
    """The endpoint's score of each text for the query, larger is better.

    Raises:
        EndpointFailed: none is set, it does not answer in so many seconds, or the answer is not one finite
            score for each text.
    """
    if not settings.RERANK_URL:
        raise EndpointFailed("No rerank endpoint is set (LEGALQA_RERANK_URL).")
    if settings.RERANK_SHAPE == "tei":
        body: dict[str, Any] = {"query": query, "texts": list(texts)}
    else:
        body = {"model": settings.RERANK_MODEL, "query": query, "documents": list(texts), "top_n": len(texts)}
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if settings.RERANK_API_KEY:
        headers["Authorization"] = f"Bearer {settings.RERANK_API_KEY}"
    # The address is the operator's own setting, checked at the start to be http or https.
    request = Request(settings.RERANK_URL, json.dumps(body).encode(), headers, method="POST")  # noqa: S310
    try:
        with urlopen(request, timeout=seconds) as response:  # noqa: S310
            answer = response.read(MAX_BYTES + 1)
    except TimeoutError:
        raise EndpointFailed(f"The rerank endpoint did not answer in {settings.RERANK_TIMEOUT_S} seconds.") from None
    except (URLError, OSError) as error:
        status = getattr(error, "code", None)
        what = f"answered with status {status}" if status else "cannot be reached"
        raise EndpointFailed(f"The rerank endpoint {what}.") from None
    return _scores(answer, len(texts))


def _scores(answer: bytes, count: int) -> list[float]:
    """Read `[{index, score}]` or `{results: [{index, relevance_score}]}`."""
    if len(answer) > MAX_BYTES:
        raise EndpointFailed("The rerank endpoint's answer is too long.")
    try:
        data = json.loads(answer)
        rows = data["results"] if isinstance(data, dict) else data
        scored = {int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise EndpointFailed("The rerank endpoint's answer cannot be read.") from None
    if len(rows) != count or set(scored) != set(range(count)) or not all(map(math.isfinite, scored.values())):
        raise EndpointFailed(f"The rerank endpoint did not score each of the {count} passages once.")
    return [scored[place] for place in range(count)]
