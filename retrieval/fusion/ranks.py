"""Fuses rankings of one query into one."""

import math
from collections import defaultdict
from collections.abc import Sequence

from retrieval.types import Hit, Ranking, sides_of

RRF_K = 60  # ranks; Cormack, Clarke and Buettcher 2009


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking], *, k: int = RRF_K, weights: Sequence[float] | None = None
) -> Ranking:
    """Fuse rankings of one query by the sum of their reciprocal ranks.

    A chunk scores sum(weight / (k + rank)), rank counted from 1; absent from a ranking, it adds
    nothing there. Ties break on chunk id. The sum is correctly rounded, so the order of the
    rankings changes nothing.

    Args:
        rankings: R >= 1 rankings, best first, of any length, same query.
        k: Smoothing constant in ranks, > 0. Larger flattens the top.
        weights: One factor >= 0 for each ranking, not all 0; all 1 when left out. A ranking of weight
            0 adds no chunk.

    Returns:
        Union of the chunks, each once. Scores lie in (0, sum of weights / (k + 1)] and mean nothing
        outside this ranking. Parts are those of the inputs, then "rrf.rank" and "rrf.score"; a stage
        that occurs in several rankings has its number there added to its name ("bm25#2.rank").

    Raises:
        ValueError: no rankings, mixed queries, k <= 0, or weights that do not fit.

    Source: Cormack, Clarke, Buettcher, SIGIR 2009, RRF score (ranks from 1, k = 60). Differs: tie-break on chunk id
        (ours); weights (ours).
    """
    factors = _checked(rankings, k, weights)
    shares: defaultdict[int, list[float]] = defaultdict(list)
    parts: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for number, (ranking, factor) in enumerate(zip(rankings, factors, strict=True), start=1):
        for hit in ranking.hits if factor else ():
            shares[hit.chunk_id].append(factor / (k + hit.rank))
            parts[hit.chunk_id].update(_renamed(hit, parts[hit.chunk_id], number))
    scored = [(chunk_id, math.fsum(share)) for chunk_id, share in shares.items()]
    fused = Ranking.of(rankings[0].query_text, scored, stage="rrf")
    hits = (Hit(hit.chunk_id, hit.rank, hit.score, (*parts[hit.chunk_id].items(), *hit.parts)) for hit in fused.hits)
    return Ranking(fused.query_text, tuple(hits), sides_of(rankings))


def _checked(rankings: Sequence[Ranking], k: int, weights: Sequence[float] | None) -> Sequence[float]:
    """Return the factor of each ranking, or say what cannot be fused."""
    if not rankings:
        raise ValueError("There are no rankings to fuse; give at least one.")
    queries = {ranking.query_text for ranking in rankings}
    if len(queries) > 1:
        raise ValueError(f"The rankings answer {len(queries)} queries; fuse rankings of one query only.")
    if k <= 0:
        raise ValueError(f"k is {k}; reciprocal ranks need a constant above 0, such as {RRF_K}.")
    if weights is None:
        return (1.0,) * len(rankings)
    if len(weights) != len(rankings):
        raise ValueError(f"{len(weights)} weights for {len(rankings)} rankings; give one for each.")
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights) or not any(weights):
        raise ValueError(f"The weights are {list(weights)}; give finite numbers of at least 0, one of them above 0.")
    return weights


def _renamed(hit: Hit, present: dict[str, float], number: int) -> dict[str, float]:
    """Return the hit's parts under names that the chunk does not have yet."""
    renamed: dict[str, float] = {}
    for name, value in hit.parts:
        stage, _, measure = name.rpartition(".")
        renamed[f"{stage}#{number}.{measure}" if name in present else name] = value
    return renamed
