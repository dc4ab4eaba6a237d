"""Rows that time or stress this machine: scale, search, ingestion."""

from collections.abc import Mapping

import numpy as np

from judging.measures.intervals import bootstrap_mean
from legalqa.reproduce.benchmarks.dashboard import dashboard_times
from legalqa.reproduce.benchmarks.ingest import bench_ingest
from legalqa.reproduce.benchmarks.scale import ScaleSize, SyntheticData, dense_recalls, tenants_make
from legalqa.reproduce.benchmarks.scale_words import words_checks
from legalqa.reproduce.benchmarks.search import bench_timings
from legalqa.reproduce.types import Context, Figure

OPERATIONS = 200
QUERIES_A_TENANT = 20
PASSAGES, QUESTIONS = 13_732, 300


def scale(context: Context) -> Mapping[str, Figure]:
    """100,000 chunks beside 20 small tenants: both searches against what is exactly right."""
    data, size = SyntheticData(context.seed), ScaleSize()
    big, small = tenants_make(data=data, size=size, note=context.note)
    recalls = dense_recalls(tenant=big, queries=data.vectors(size.queries))
    smallest = [np.mean(dense_recalls(tenant=one, queries=data.vectors(QUERIES_A_TENANT)).values) for one in small]
    checks = words_checks(tenant=big, data=data, n_operations=OPERATIONS, seed=context.seed, note=context.note)
    return {
        "big": Figure.of(
            bootstrap_mean(recalls.values, seed=context.seed),
            note="answered by its own index" if recalls.by_index else "answered without an index",
        ),
        "small": Figure(
            float(min(smallest)), len(small), note=f"worst of {len(small)} tenants, {QUERIES_A_TENANT} queries each"
        ),
        "words": Figure.count(sum(checks), len(checks)),
    }


def search(context: Context) -> Mapping[str, Figure]:
    """Times of the whole search without and with the ranker, and of its two stages beside their peers."""
    timings = bench_timings(
        data=context.data, n_passages=PASSAGES, n_questions=QUESTIONS, seed=context.seed, note=context.note
    )
    plain, ranked, _, words, vectors = timings
    assert words.ratio and vectors.ratio  # both stages have a peer
    return {
        "plain": Figure(plain.p95, QUESTIONS, note=f"median {plain.p50:.1f} ms"),
        "ranked": Figure(ranked.p95, QUESTIONS, note=f"median {ranked.p50:.1f} ms"),
        "words": Figure(words.ratio, QUESTIONS, note=f"{words.p50:.2f} ms, bm25s {words.peer_p50:.2f} ms"),
        "vectors": Figure(vectors.ratio, QUESTIONS, note=f"{vectors.p50:.2f} ms, faiss {vectors.peer_p50:.2f} ms"),
    }


def ingest(context: Context) -> Mapping[str, Figure]:
    """The AI Act from file to searchable, beside LlamaIndex on the same pieces."""
    t = bench_ingest(data=context.data, note=context.note)
    parts = f"reading {t.parse_s:.1f} s, encoding {t.encode_s:.1f} s, storing and the rest {t.store_s:.1f} s"
    peer = f"LlamaIndex encoding {t.peer_encode_s:.1f} s, storing {t.peer_store_s:.1f} s"
    return {
        "ratio": Figure(t.ratio, t.n_pieces, note=peer),
        "whole_ratio": Figure(t.whole_ratio, t.n_pieces, note=parts),
        "pages_per_second": Figure(t.pages_per_second, t.n_pages),
    }


def dashboard(context: Context) -> Mapping[str, Figure]:
    """The pages of experiments over ten experiments of eight presets on three hundred questions."""
    times = dashboard_times(seed=context.seed, note=context.note)
    p95 = {name: float(np.quantile(milliseconds, 0.95)) for name, milliseconds in times.items()}
    slowest = max(p95, key=lambda name: p95[name])
    loads = sum(map(len, times.values()))
    return {"slowest": Figure(p95[slowest], loads, note=", ".join(f"{name} {ms:.0f}" for name, ms in p95.items()))}
