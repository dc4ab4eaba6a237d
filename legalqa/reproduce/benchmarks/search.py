"""Speed of the search beside named peers, in one process, on the same passages, tokens and vectors.

A single time says little on a shared machine; the ratios are reliable.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from json import dumps
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from corpora.models import Chunk, Corpus, Embedding
from corpora.selectors import corpus_get
from corpora.tokens import term_ids, tokens
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder import client as encoder
from legalqa.reproduce.intake import Note, corpus_own, file_take_in
from legalqa.training.collections.corpus import rows
from retrieval.indexes.cache import matrix_current
from retrieval.pipelines.presets import DEFAULT_PRESET, Preset, preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.retrievers import Dense
from retrieval.services.search import corpus_search
from retrieval.stages import Resources
from retrieval.types import Query

SLUG, NAME = "bench", "ObliQA"
TOP_K = 100
PLAIN_PRESET = "fixed-10"


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds a query of one stage and of its peer (None without one); `what` says in words what the stage is."""

    stage: str
    what: str
    p50: float
    p95: float
    peer: str = ""
    peer_p50: float | None = None
    peer_p95: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's, at the median; below 1 is faster."""
        return self.p50 / self.peer_p50 if self.peer_p50 else None


def bench_questions(data: Path, *, n: int, seed: int) -> list[str]:
    """Questions of ObliQA, drawn with a seed."""
    questions = [row["question"] for row in rows(data / "obliqa", "questions.jsonl.gz")]
    return random.Random(seed).sample(questions, n)  # noqa: S311 - a reproducible sample


def bench_corpus(*, data: Path, n_passages: int, note: Note) -> tuple[Organization, Corpus]:
    """The benchmark's own organisation with the first non-empty passages of ObliQA, ingested like any upload."""
    organization, corpus = corpus_own(slug=SLUG, title="Benchmark", name=f"{NAME} {n_passages}")
    parts = _passages_file(data, n_passages)
    file_take_in(organization=organization, corpus=corpus, name="passages.jsonl", parts=parts, note=note).ready()
    return organization, corpus


def _passages_file(data: Path, n_passages: int) -> Iterator[bytes]:
    passages = (row for row in rows(data / "obliqa", "corpus.jsonl.gz") if row["text"].strip())
    for row in islice(passages, n_passages):
        yield (dumps({"id": row["id"], "text": row["text"]}) + "\n").encode()


def bench_timings(*, data: Path, n_passages: int, n_questions: int, seed: int, note: Note) -> list[Timing]:
    """Time the searches of drawn questions; the first twenty are asked once before, so that all is loaded."""
    questions = bench_questions(data, n=n_questions, seed=seed)
    organization, corpus = bench_corpus(data=data, n_passages=n_passages, note=note)
    bench_search(organization=organization, corpus=corpus, questions=questions[:20])
    return bench_search(organization=organization, corpus=corpus, questions=questions)


def bench_search(*, organization: Organization, corpus: Corpus, questions: Sequence[str]) -> list[Timing]:
    """Time whole searches with query encoding, BM25 beside bm25s, exact dense search beside faiss flat."""

    def whole(preset: Preset) -> list[float]:
        return [
            _timed(corpus_search, request=SearchRequest(organization, None, corpus.pk, q, preset)) for q in questions
        ]

    encoded = [_timed(encoder.encoder().encode, [q], is_urgent=True) for q in questions]
    return [
        _timing("plain", f"search with query encoding, {PLAIN_PRESET}", whole(preset_get(PLAIN_PRESET))),
        _timing("ranked", f"search with query encoding, {DEFAULT_PRESET}", whole(preset_get(DEFAULT_PRESET))),
        _timing("encoding", "query encoding alone", encoded),
        _bm25(organization, corpus, questions),
        _dense(organization, corpus, questions),
    ]


def _bm25(organization: Organization, corpus: Corpus, questions: Sequence[str]) -> Timing:
    import bm25s

    with organization_scope(organization, user=None):
        matrix = matrix_current(corpus=corpus)
        texts = list(Chunk.objects.filter(corpus=corpus, is_live=True).order_by("pk").values_list("text", flat=True))
    peer = bm25s.BM25(k1=1.2, b=0.75)
    peer.index([tokens(text) for text in texts], show_progress=False)
    queries = [tokens(q) for q in questions]
    ours, theirs = _in_turn(
        [partial(matrix.top, term_ids(words), k=TOP_K) for words in queries],
        [partial(peer.retrieve, [words], k=TOP_K, show_progress=False, n_threads=0) for words in queries],
    )
    return _timing("words", "BM25 stage", ours, "bm25s", theirs)


def _dense(organization: Organization, corpus: Corpus, questions: Sequence[str]) -> Timing:
    import faiss

    faiss.omp_set_num_threads(1)
    with organization_scope(organization, user=None):
        embeddings = (
            Embedding.objects.filter(corpus=corpus, is_live=True).order_by("pk").values_list("vector", flat=True)
        )
        vectors = np.stack([np.asarray(v, dtype=np.float32) for v in embeddings])
    flat = faiss.IndexFlatIP(encoder.DIMENSIONS)
    flat.add(vectors)
    queries = encoder.encoder().encode(list(questions))
    with organization_scope(organization, user=None):
        corpus = corpus_get(organization=organization, corpus_id=corpus.pk)
        resources = [Resources(corpus, vector, None) for vector in queries]
        ours, theirs = _in_turn(
            [partial(Dense(top_k=TOP_K).search, Query("q"), one) for one in resources],
            [partial(flat.search, vector[None], TOP_K) for vector in queries],
        )
    return _timing("vectors", "exact dense stage", ours, "faiss flat", theirs)


def _in_turn(ours: Sequence[Callable[[], Any]], theirs: Sequence[Callable[[], Any]]) -> tuple[list[float], list[float]]:
    """Milliseconds of ours and of the peer's, query by query: what disturbs the machine meanwhile disturbs both."""
    times = [(_timed(one), _timed(other)) for one, other in zip(ours, theirs, strict=True)]
    return [one for one, _ in times], [other for _, other in times]


def _timed(call: Callable[..., Any], *arguments: Any, **keywords: Any) -> float:
    started = perf_counter()
    call(*arguments, **keywords)
    return 1000 * (perf_counter() - started)


def _timing(stage: str, what: str, ours: Sequence[float], peer: str = "", theirs: Sequence[float] = ()) -> Timing:
    p50, p95 = np.percentile(ours, [50, 95])
    if not theirs:
        return Timing(stage, what, float(p50), float(p95))
    peer_p50, peer_p95 = np.percentile(theirs, [50, 95])
    return Timing(stage, what, float(p50), float(p95), peer, float(peer_p50), float(peer_p95))
