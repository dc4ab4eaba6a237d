"""The row of peers: hybrid search of other libraries over the same chunks and vectors, question by question."""

import random
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from time import perf_counter

import numpy as np

from judging.measures import ranking
from judging.measures.intervals import bootstrap_mean, paired_difference
from legalqa.reproduce.benchmarks.peers import Peer, peers_of, pieces_of
from legalqa.reproduce.benchmarks.search import PLAIN_PRESET, bench_corpus
from legalqa.reproduce.rows.graph import questions_asked
from legalqa.reproduce.rows.machine import PASSAGES
from legalqa.reproduce.types import Context, Figure, NotRun, defined
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search

K = 10  # hits that recall counts
QUESTIONS = 500
WARM = 10  # questions asked before the clock starts
OURS = "ours"
NEEDED = ("llama_index", "bm25s", "txtai")


def peers(context: Context) -> Mapping[str, Figure]:
    """Recall@10 and time of a search beside each peer's, on questions whose passages are all indexed.

    The index is of the first passages of ObliQA. Ours is without the ranker, which has seen ObliQA.
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise NotRun(f"{missing[0]} is not installed: pip install -c constraints.txt '.[bench]'.")
    organization, corpus = bench_corpus(data=context.data, n_passages=PASSAGES, note=context.note)
    pieces = pieces_of(organization=organization, corpus=corpus)
    pool = set(pieces.ids)
    questions = [one for one in questions_asked(context.data) if pool.issuperset(one[1])]
    questions = random.Random(context.seed).sample(questions, min(QUESTIONS, len(questions)))  # noqa: S311 - reproducible
    preset = preset_get(PLAIN_PRESET)

    def ours(text: str) -> list[str]:
        search_result = corpus_search(request=SearchRequest(organization, None, corpus.pk, text, preset))
        return [passage.paragraph_id for passage in search_result.passages]

    context.note("indexing by the peers")
    by_name: dict[str, Peer] = {OURS: ours, **peers_of(pieces)}
    for text, _, _ in questions[:WARM]:
        for search in by_name.values():
            search(text)
    recalls: dict[str, list[float]] = {name: [] for name in by_name}
    times: dict[str, list[float]] = {name: [] for name in by_name}
    for number, (text, gold, _) in enumerate(questions, start=1):
        for name, search in by_name.items():  # in turn: what disturbs the machine disturbs all
            started = perf_counter()
            ids = search(text)
            times[name].append(1000 * (perf_counter() - started))
            recalls[name].append(recall_of(ids, gold))
        context.note(f"asked {number} of {len(questions)}")
    return peer_figures(recalls, times, [group for _, _, group in questions], seed=context.seed)


def recall_of(ids: Sequence[str], gold: Sequence[str]) -> float:
    """Recall@10; a passage that was split counts once."""
    return defined(ranking.recall_at(list(dict.fromkeys(ids)), gold, K))


def peer_figures(
    recalls: Mapping[str, Sequence[float]], times: Mapping[str, Sequence[float]], groups: Sequence[str], *, seed: int
) -> dict[str, Figure]:
    """Ours, and beside each peer the difference in recall and the ratio of the 95th percentiles of time."""
    p95 = {name: float(np.percentile(milliseconds, 95)) for name, milliseconds in times.items()}
    note = f"p95 {p95[OURS]:.1f} ms, median {np.median(times[OURS]):.1f} ms"
    figures = {"recall": Figure.of(bootstrap_mean(recalls[OURS], seed=seed, groups=groups), note=note)}
    for name in recalls.keys() - {OURS}:
        gain = paired_difference(recalls[OURS], recalls[name], seed=seed, groups=groups)
        figures[f"gain_{name}"] = Figure.of(gain, note=f"recall@10 {np.mean(recalls[name]):.3f}")
        figures[f"time_{name}"] = Figure(p95[OURS] / p95[name], len(groups), note=f"p95 {p95[name]:.1f} ms")
    return figures
