"""Public test collections as they lie on disk under LEGALQA_DATA, and corpora of them in memory.

In memory: calibrating needs the same search and the same features as the product, on thousands of questions, without
filling anybody's database.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import term_ids, terms_and_counts, tokens
from legalqa.common.errors import ApplicationError
from legalqa.llm import encoder
from retrieval.bm25 import Bm25Matrix, ForwardRow
from retrieval.fusion import reciprocal_rank_fusion
from retrieval.types import Ranking


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, gzipped or not.

    Raises:
        ApplicationError: the file is missing.
    """
    file = folder / name
    if not file.is_file():
        raise ApplicationError(f"There is no {file}. Set LEGALQA_DATA to the folder of the data sets.", code="no_data")
    with gzip.open(file, "rb") if name.endswith(".gz") else file.open("rb") as lines:
        for line in lines:
            yield json.loads(line)


@dataclass(frozen=True, slots=True)
class MemoryCorpus:
    """Passages with their BM25 matrix and vectors; a passage's place is its chunk id."""

    texts: tuple[str, ...]
    matrix: Bm25Matrix
    vectors: NDArray[np.float32]

    @classmethod
    def build(cls, texts: Sequence[str]) -> "MemoryCorpus":
        found = []
        for place, text in enumerate(texts):
            terms = terms_and_counts(text)
            found.append(ForwardRow(place, terms.length, terms.ids_bytes(), terms.counts_bytes()))
        ordered = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # alike lengths together: less padding
        vectors = np.empty((len(texts), encoder.DIMENSIONS), np.float32)
        vectors[ordered] = encoder.encoder().encode([texts[i][:1200] for i in ordered])
        return cls(tuple(texts), Bm25Matrix.build(found), vectors)

    def search(
        self, question: str, vector: NDArray[np.float32], *, k: int = 10, without: Sequence[int] = ()
    ) -> list[int]:
        """Places of the best k passages: BM25 and dense, fused; `without` takes passages out of the corpus."""
        allowed = np.setdiff1d(np.arange(len(self.texts)), np.asarray(without, np.int64))
        ids, scores = self.matrix.top(term_ids(tokens(question)), k=100, allowed=allowed)
        sparse = Ranking.of(question, zip(ids.tolist(), scores.tolist(), strict=True), stage="bm25")
        cosines = self.vectors[allowed] @ vector
        best = np.argsort(-cosines)[:100]
        dense = Ranking.of(question, ((int(allowed[i]), float(cosines[i])) for i in best), stage="dense")
        return [hit.chunk_id for hit in reciprocal_rank_fusion([sparse, dense]).hits[:k]]
