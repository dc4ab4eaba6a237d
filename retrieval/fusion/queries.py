"""Rankings of the several queries of one question made one, each passage knowing which of them found it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from retrieval.fusion.ranks import RRF_K
from retrieval.types import Hit, Ranking, sides_of

# Ours, chosen on awkward questions made from ObliQA (`judging.rewriting.questions`, the half that is shown).
FURTHER_WEIGHT = 0.3  # weight of a rewrite's list; the question's is 1
WHOLE_WEIGHT = 0.25  # weight of the whole question's list; each part's is 1
# For joined ranks: small, so that each part's first passages come before passages far down in all the parts' lists.
JOINED_K = 5
# A part is missed by the whole where none of its own first PART_FIRST is among the first WHOLE_FIRST of the whole.
PART_FIRST, WHOLE_FIRST = 5, 10
OF_THE_QUESTION = "learned.probability"


def widened(first: Ranking, further: Mapping[int, Ranking]) -> Ranking:
    """The question's ranking with what its rewrites find; a ranker that reads it next sees the question's own numbers.

    A chunk scores 1 / (RRF_K + rank) in the question's ranking, and FURTHER_WEIGHT of that in each other one. Its parts
    are those of the question's ranking, and "rewrite#n.rank" for each rewrite that found it.

    Args:
        first: Of the question.
        further: Of its rewrites, by their number from 1.
    """
    if not further:
        return first
    weights = {0: 1.0, **dict.fromkeys(further, FURTHER_WEIGHT)}
    return _fused(first.query_text, {0: first, **further}, weights, keep=(0,))


def joined(whole: Ranking, parts: Mapping[int, Ranking]) -> Ranking:
    """The rankings of questions that were asked at once, each ranked for itself, as one.

    Where the whole misses no part, its order stays. Else a chunk's place follows from the sum of 1 / (JOINED_K + rank)
    over the parts, with WHOLE_WEIGHT of that for the whole: the parts' best take turns. Its score is
    1 / (RRF_K + rank), as flat as a reranker leaves it.

    A ranker's word on the whole question is taken from the part where it is surest: an answer to one part is an answer.

    Args:
        whole: Of all that was asked.
        parts: Of each question, by the number of its rewrite from 1.
    """
    if not parts:
        return whole
    top = {hit.chunk_id for hit in whole.hits[:WHOLE_FIRST]}
    is_missed = any(not top & {hit.chunk_id for hit in part.hits[:PART_FIRST]} for part in parts.values() if part.hits)
    weights = {0: WHOLE_WEIGHT if is_missed else 1.0, **dict.fromkeys(parts, 1.0 if is_missed else 0.0)}
    merged = _fused(whole.query_text, {0: whole, **parts}, weights, keep=(0, *parts), k=JOINED_K)
    merged = replace(merged, hits=tuple(replace(hit, score=1.0 / (RRF_K + hit.rank)) for hit in merged.hits))
    chances = [dict(hit.parts).get(OF_THE_QUESTION) for ranking in (whole, *parts.values()) for hit in ranking.hits[:1]]
    surest = max((chance for chance in chances if chance is not None), default=None)
    if surest is None:
        return merged
    hits = (replace(hit, parts=tuple((dict(hit.parts) | {OF_THE_QUESTION: surest}).items())) for hit in merged.hits)
    return replace(merged, hits=tuple(hits))


def _fused(
    text: str, rankings: Mapping[int, Ranking], weights: Mapping[int, float], *, keep: Sequence[int], k: int = RRF_K
) -> Ranking:
    """Weighted reciprocal ranks; the parts of the first ranking in `keep` that holds a chunk are kept."""
    scores: dict[int, float] = {}
    parts: dict[int, dict[str, float]] = {}
    for number, ranking in rankings.items():
        for hit in ranking.hits:
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + weights[number] / (k + hit.rank)
            own = parts.setdefault(hit.chunk_id, {})
            # The first ranking that is kept gives the numbers; ranks in rewrites may have come before them.
            if number in keep and all(name.startswith("rewrite#") for name in own):
                own.update(hit.parts)
            if number:
                own[f"rewrite#{number}.rank"] = float(hit.rank)
    ordered = sorted(scores, key=lambda chunk: (-round(scores[chunk], 12), chunk))
    return Ranking(
        text,
        tuple(
            Hit(chunk, rank, scores[chunk], tuple(parts[chunk].items())) for rank, chunk in enumerate(ordered, start=1)
        ),
        sides_of(rankings.values()),
    )
