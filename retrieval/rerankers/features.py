"""The features of the evidence ranker: how each candidate's words, meaning and place fit the question."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import TermIds, term_ids, tokens
from retrieval.indexes.bm25 import K1
from retrieval.indexes.outline import Outline, is_title
from retrieval.indexes.statistics import Scores, TermStatistics
from retrieval.types import Ranking

Matrix = NDArray[np.float64]

WINDOW = 30  # ours: terms between which the question's words are said together
RARE = 3  # ours: the question's rarest terms are its subject
NEARBY = 5  # ours: chunks on either side that are read as the same section
ABSENT = 150.0  # the rank of a chunk that a list does not hold

# Each group is one line on the page of a search: what it says for or against a passage.
GROUPS: dict[str, tuple[str, ...]] = {
    "words": ("bm25", "bm25_of_mass", "coverage", "terms", "rare", "digits", "rank_bm25"),
    "titles": ("with_title", "title", "coverage_title", "title_share", "rank_title", "is_title"),
    "neighbours": ("before", "after", "coverage_near", "nearby", "rank_near"),
    "meaning": ("cosine", "cosine_gap", "cosine_z", "cosine_before", "cosine_after", "rank_dense"),
    "phrases": ("pairs", "pairs_mass", "window", "run"),
    "length": ("length", "question_length"),
    "fusion": ("fusion", "rank_fusion"),
}
NAMES = tuple(name for names in GROUPS.values() for name in names)
PLACED = ("document", "place")  # after the NAMES: they have no weight; trees use them to see a passage's neighbours
LISTS = {
    "rank_bm25": "bm25.rank",
    "rank_title": "bm25-title.rank",
    "rank_near": "bm25-near.rank",
    "rank_dense": "dense.rank",
    "rank_fusion": "rrf.rank",
}


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one question with all that is known of their corpus.

    Attributes:
        question: The question's words.
        ranking: The candidates, best first, with the parts of the lists they come from.
        words: Statistics of the corpus's words.
        outline: Titles and neighbours, over the same chunks as `words`.
        cosines: For each chunk of the corpus its cosine with the question; NaN where that was not computed.
        texts: The text of each candidate, in the order of `ranking`.
        terms: The term ids of each of them, in the order of the text.
        language: Of the corpus.
    """

    question: str
    ranking: Ranking
    words: TermStatistics
    outline: Outline
    cosines: NDArray[np.float32]
    texts: Sequence[str]
    terms: Sequence[TermIds]
    language: str


def features(pool: Pool) -> Matrix:
    """Measure every candidate: a matrix [n candidates, len(NAMES + PLACED)], finite, in the order of both.

    Scores are divided by the best of the question, cosines are taken as distances to the best, ranks as logarithms: so
    that what is learned on one corpus holds on another. Documents have the numbers of their list.

    Source: the features named in models.md 2; the normalisation is ours.
    """
    order = tokens(pool.question, language=pool.language)
    sequence = term_ids(order)
    ids = np.unique(sequence)
    at = np.searchsorted(pool.outline.chunk_ids, [hit.chunk_id for hit in pool.ranking.hits])
    weights = pool.words.idf(ids)
    measured = {
        **_scores(pool, ids, weights, at),
        **_coverage(pool, ids, weights, at, _digits(order, sequence, ids)),
        **_cosines(pool, at),
        **_phrases(pool, sequence, dict(zip(ids.tolist(), weights.tolist(), strict=True))),
        **_ranks(pool.ranking),
        "length": np.log1p(pool.words.lengths_of(pool.outline.chunk_ids[at])),
        "question_length": np.full(len(at), np.log1p(len(ids))),
        "is_title": np.array([float(is_title(text)) for text in pool.texts]),
        "document": np.unique(pool.outline.versions[at], return_inverse=True)[1],
        "place": at,
    }
    return np.nan_to_num(np.stack([np.asarray(measured[name], np.float64) for name in (*NAMES, *PLACED)], axis=1))


def _scores(pool: Pool, ids: TermIds, weights: Scores, at: NDArray[np.int64]) -> dict[str, Scores]:
    """BM25 of the candidates, of their titles and of the chunks around them, against the best candidate's."""
    outline, last = pool.outline, len(pool.outline.chunk_ids) - 1
    around = np.clip(at[:, None] + np.arange(-NEARBY, NEARBY + 1), 0, max(last, 0))
    scores = pool.words.scores_of(ids, outline.chunk_ids[around.ravel()]).reshape(around.shape)
    own, title = scores[:, NEARBY], outline.titles.scores_of(ids, outline.chunk_ids[at])
    most = max(float(own.max(initial=0.0)), 1e-9)
    mass = max(float(weights.sum()), 1e-9) * (K1 + 1.0)
    both = own + 0.5 * title
    relative = scores / most
    is_near = (outline.versions[around] == outline.versions[at][:, None]) & (around != at[:, None])
    return {
        "bm25": relative[:, NEARBY],
        "bm25_of_mass": own / mass,
        "with_title": both / max(float(both.max(initial=0.0)), 1e-9),
        "title": title / mass,
        "before": np.where(outline.has_before[at], relative[:, NEARBY - 1], 0.0),
        "after": np.where(outline.has_after[at], relative[:, NEARBY + 1], 0.0),
        "nearby": _sum_in_order(np.where(is_near, relative, 0.0)),
    }


def _sum_in_order(values: Matrix) -> Scores:
    """The sum of each row, column by column: another order would change its last digit, and with it a tie."""
    total = np.zeros(len(values))
    for column in values.T:
        total += column
    return total


def _coverage(
    pool: Pool, ids: TermIds, weights: Scores, at: NDArray[np.int64], digits: NDArray[np.bool_]
) -> dict[str, Scores]:
    """Shares of the question's idf mass that the candidates hold, alone, with their title, with their neighbours."""
    mass = max(float(weights.sum()), 1e-9)
    chunk_ids = pool.outline.chunk_ids
    own = pool.words.presence(ids, chunk_ids[at])
    title = pool.outline.titles.presence(ids, chunk_ids[at])
    near = own.copy()
    last = len(chunk_ids) - 1
    for step, has in ((-1, pool.outline.has_before), (1, pool.outline.has_after)):
        near |= pool.words.presence(ids, chunk_ids[np.clip(at + step, 0, last)]) & has[at]
    rare = np.argsort(-weights, kind="stable")[:RARE]
    return {
        "coverage": weights @ own / mass,
        "terms": own.mean(axis=0) if len(ids) else np.zeros(len(at)),
        "rare": weights[rare] @ own[rare] / max(float(weights[rare].sum()), 1e-9),
        "digits": own[digits].mean(axis=0) if digits.any() else np.full(len(at), 0.5),
        "coverage_title": weights @ (own | title) / mass,
        "title_share": weights @ title / mass,
        "coverage_near": weights @ near / mass,
    }


def _digits(order: Sequence[str], sequence: TermIds, ids: TermIds) -> NDArray[np.bool_]:
    with_digits = {i for word, i in zip(order, sequence.tolist(), strict=True) if any(c.isdigit() for c in word)}
    return np.array([i in with_digits for i in ids.tolist()], np.bool_)


def _cosines(pool: Pool, at: NDArray[np.int64]) -> dict[str, Scores]:
    every = pool.cosines.astype(np.float64)
    own = np.nan_to_num(every[at], nan=float(np.nanmin(every[at])) if np.isfinite(every[at]).any() else 0.0)
    most, middle = float(own.max(initial=0.0)), float(own.mean()) if len(own) else 0.0
    last = len(every) - 1
    beside = {}
    for name, step, has in (
        ("cosine_before", -1, pool.outline.has_before),
        ("cosine_after", 1, pool.outline.has_after),
    ):
        there = np.where(has[at], every[np.clip(at + step, 0, last)], middle)
        beside[name] = np.nan_to_num(there, nan=middle) - most
    return {"cosine": own, "cosine_gap": own - most, "cosine_z": (own - middle) / (own.std() + 1e-6), **beside}


def _ranks(ranking: Ranking) -> dict[str, Scores]:
    """The logarithm of each list's rank, and the fusion's score against its best."""
    parts = [dict(hit.parts) for hit in ranking.hits]
    ranks = {name: np.log1p([part.get(key, ABSENT) for part in parts]) for name, key in LISTS.items()}
    fused = np.array([part.get("rrf.score", hit.score) for part, hit in zip(parts, ranking.hits, strict=True)])
    return {**ranks, "fusion": fused / max(float(fused.max(initial=0.0)), 1e-9)}


def _phrases(pool: Pool, sequence: TermIds, idf: dict[int, float]) -> dict[str, Scores]:
    """Pairs of the question's words that are side by side, the best window of words, and the longest run."""
    question = sequence.tolist()
    pairs = {(a, b): min(idf[a], idf[b]) for a, b in pairwise(question) if a != b}
    following: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        following[a].add(b)
    mass, pair_mass = sum(idf.values()) or 1.0, sum(pairs.values()) or 1.0
    measured = np.zeros((4, len(pool.terms)))
    for place, (where, terms) in enumerate(_asked_words(pool.terms, np.unique(sequence))):
        if where:
            pairs_here, run = _pairs_said(terms, where, following)
            measured[:, place] = (
                len(pairs_here) / max(1, len(pairs)),
                sum(pairs[pair] for pair in pairs_here) / pair_mass,
                _best_window(terms, where, idf) / mass,
                run,
            )
    return dict(zip(("pairs", "pairs_mass", "window", "run"), measured, strict=True))


def _asked_words(passages: Sequence[TermIds], words: TermIds) -> Iterator[tuple[list[int], list[int]]]:
    """For each passage the places at which it holds a word of the question, and those words."""
    ends = np.cumsum([len(terms) for terms in passages])
    all_terms = np.concatenate(passages) if passages else np.zeros(0, np.int64)
    hits = np.flatnonzero(np.isin(all_terms, words))
    for places, end, terms in zip(np.split(hits, np.searchsorted(hits, ends[:-1])), ends, passages, strict=True):
        yield (places - (end - len(terms))).tolist(), all_terms[places].tolist()


def _pairs_said(terms: list[int], where: list[int], following: dict[int, set[int]]) -> tuple[set[tuple[int, int]], int]:
    pairs: set[tuple[int, int]] = set()
    run = longest = 1
    for (a, b), (i, j) in zip(pairwise(terms), pairwise(where), strict=True):
        is_said = j == i + 1 and b in following.get(a, ())
        run = run + 1 if is_said else 1
        longest = max(longest, run)
        if is_said:
            pairs.add((a, b))
    return pairs, longest


def _best_window(terms: list[int], where: list[int], idf: dict[int, float]) -> float:
    """The largest idf mass of the question that is within WINDOW terms."""
    inside: defaultdict[int, int] = defaultdict(int)
    mass = best = 0.0
    first = 0
    for term, place in zip(terms, where, strict=True):
        mass += 0.0 if inside[term] else idf[term]
        inside[term] += 1
        while place - where[first] > WINDOW:
            inside[terms[first]] -= 1
            mass -= 0.0 if inside[terms[first]] else idf[terms[first]]
            first += 1
        best = max(best, mass)
    return best
