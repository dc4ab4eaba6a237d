"""The row of whole documents: whether the first result for a question is from the document that it is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corpora.chunkers.base import ParagraphText
from corpora.chunkers.recursive import RecursiveChunker
from corpora.configs import RecursiveChunking
from judging.measures import ranking
from judging.measures.intervals import bootstrap_mean, paired_difference
from legalqa.reproduce.types import Context, Figure, defined
from legalqa.training.collections.corpus import MemoryCorpus, rows, vectors_of
from retrieval.types import Ranking

SIZE = 1000  # ours: characters of a chunk


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """One question: its document, and the documents by the fused lists, by words and by meaning, best first."""

    gold: str
    fused: tuple[str, ...]
    words: tuple[str, ...]
    meaning: tuple[str, ...]


def legalbench_rag_mini(context: Context) -> Mapping[str, Figure]:
    """The four fused lists of the default preset, beside BM25 and meaning search alone."""
    return document_figures(document_outcomes(context.data), context)


def document_outcomes(data: Path) -> list[DocumentOutcome]:
    """Every question, asked of all documents together."""
    texts: list[str] = []
    owners: list[str] = []
    numbers: list[int] = []
    folder = data / "legalbench_rag_mini"
    for number, row in enumerate(rows(folder, "documents.jsonl.gz")):
        cut = chunks_of(row["text"])
        texts += cut
        owners += [str(row["doc_id"])] * len(cut)
        numbers += [number] * len(cut)
    corpus = MemoryCorpus.build(texts, numbers)
    queries = list(rows(folder, "queries.jsonl"))
    vectors = vectors_of([row["query"] for row in queries])
    outcomes = []
    for row, vector in zip(queries, vectors, strict=True):
        words, _, _, meaning = corpus.lists(row["query"], corpus.vectors @ vector, None)
        pool, _ = corpus.pool(row["query"], vector)
        rankings = (documents_ranked(one, owners) for one in (pool.ranking, words, meaning))
        outcomes.append(DocumentOutcome(str(row["relevant_doc"]), *rankings))
    return outcomes


def chunks_of(text: str) -> list[str]:
    """A document in chunks of at most SIZE characters."""
    whole = ParagraphText(0, 0, len(text), text, (), "text")
    spans = RecursiveChunker(RecursiveChunking(size_chars=SIZE, overlap_chars=0)).chunk(
        (whole,), count_tokens=lambda _: [], encode=lambda _: np.zeros((0, 0), np.float32)
    )
    return [text[span.start : span.end] for span in spans]


def documents_ranked(hits: Ranking, owners: Sequence[str]) -> tuple[str, ...]:
    """The documents of a ranking's chunks, each by its first one."""
    return tuple(dict.fromkeys(owners[hit.chunk_id] for hit in hits.hits))


def document_figures(outcomes: Sequence[DocumentOutcome], context: Context) -> dict[str, Figure]:
    """Mean reciprocal rank of the right document, and what that is above words and meaning; documents are drawn."""
    groups = [one.gold for one in outcomes]
    fused, words, meaning = (
        [defined(ranking.reciprocal_rank(getattr(one, name), [one.gold])) for one in outcomes]
        for name in ("fused", "words", "meaning")
    )
    return {
        "mrr": Figure.of(bootstrap_mean(fused, seed=context.seed, groups=groups)),
        "gain_words": Figure.of(paired_difference(fused, words, seed=context.seed, groups=groups)),
        "gain_meaning": Figure.of(paired_difference(fused, meaning, seed=context.seed, groups=groups)),
    }
