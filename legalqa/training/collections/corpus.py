"""Public test collections as they are on disk under LEGALQA_DATA, and corpora of them in memory.

In memory: training needs the same lists, features and models as the product, on thousands of questions, without filling
anybody's database.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from corpora.tokens import TermIds, term_ids, terms_and_counts, tokens
from legalqa.common.errors import ApplicationError
from legalqa.encoder import client as encoder
from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.indexes.bm25 import Bm25Matrix, ForwardRow
from retrieval.indexes.outline import Outline, OutlineRow, near_scores, title_scores
from retrieval.rerankers.features import Pool
from retrieval.types import Ranking

LANGUAGE = "english"
TOP_K = 100  # hits of each list, and of their fusion: as in the default preset
READ_CHARS = 1600  # ours: about what the encoder reads of a passage


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


def vectors_of(texts: Sequence[str], *, name: str = encoder.NAME) -> NDArray[np.float32]:
    """Unit vectors of texts by an encoder, encoded once and kept under LEGALQA_VAR by their hash and its name."""
    starts = [text[:READ_CHARS] for text in texts]
    digest = hashlib.sha256("\0".join([name, *starts]).encode()).hexdigest()
    path = Path(settings.VAR) / "collections" / f"{digest[:32]}.npy"
    if path.is_file():
        stored: NDArray[np.float32] = np.load(path)
        return stored
    ordered = sorted(range(len(starts)), key=lambda i: len(starts[i]))  # alike lengths together: less padding
    vectors = np.empty((len(starts), encoder.DIMENSIONS), np.float32)
    vectors[ordered] = encoder.encoder(name).encode([starts[i] for i in ordered])
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part.npy")
    np.save(fresh, vectors)
    fresh.replace(path)
    return vectors


@dataclass(frozen=True, slots=True)
class MemoryCorpus:
    """Passages with their matrices and vectors; a passage's place is its chunk id."""

    texts: tuple[str, ...]
    terms: tuple[TermIds, ...]
    words: Bm25Matrix
    outline: Outline
    vectors: NDArray[np.float32]

    @classmethod
    def build(cls, texts: Sequence[str], documents: Sequence[int] = ()) -> "MemoryCorpus":
        """Index passages as an upload would.

        Args:
            texts: Of the passages, in reading order.
            documents: The number of each passage's document; one document where left out.
        """
        forward, outline = [], []
        for place, text in enumerate(texts):
            terms = terms_and_counts(text, language=LANGUAGE)
            forward.append(ForwardRow(place, terms.length, terms.ids_bytes(), terms.counts_bytes()))
            outline.append(OutlineRow(place, documents[place] if documents else 0, "", text))
        return cls(
            tuple(texts),
            tuple(term_ids(tokens(text, language=LANGUAGE)) for text in texts),
            Bm25Matrix.build(forward),
            Outline.build(outline, language=LANGUAGE),
            vectors_of(texts),
        )

    def lists(self, question: str, cosines: NDArray[np.float32], allowed: NDArray[np.int64] | None) -> list[Ranking]:
        """The rankings that the default preset fuses: words, words with title, words with neighbours, meaning."""
        ids = term_ids(tokens(question, language=LANGUAGE))
        scored = {
            "bm25": self.words.scores(ids),
            "bm25-title": title_scores(self.words, self.outline, ids),
            "bm25-near": near_scores(self.words, self.outline, ids),
        }
        rankings = []
        for stage, scores in scored.items():
            best, values = self.words.best(scores, k=TOP_K, allowed=allowed)
            rankings.append(Ranking.of(question, zip(best.tolist(), values.tolist(), strict=True), stage=stage))
        open_to = np.arange(len(self.texts)) if allowed is None else allowed
        nearest = open_to[np.argsort(-cosines[open_to], kind="stable")[:TOP_K]]
        pairs = zip(nearest.tolist(), cosines[nearest].tolist(), strict=True)
        return [*rankings, Ranking.of(question, pairs, stage="dense")]

    def pool(
        self, question: str, vector: NDArray[np.float32], *, allowed: NDArray[np.int64] | None = None
    ) -> tuple[Pool, Ranking]:
        """The candidates of the default preset, and the plain fusion of words and meaning as its baseline."""
        cosines = self.vectors @ vector
        lists = self.lists(question, cosines, allowed)
        fused = reciprocal_rank_fusion(lists)
        first = fused.cut(TOP_K) if fused.hits else fused
        places = [hit.chunk_id for hit in first.hits]
        pool = Pool(
            question,
            first,
            self.words,
            self.outline,
            cosines,
            [self.texts[i] for i in places],
            [self.terms[i] for i in places],
            LANGUAGE,
        )
        return pool, reciprocal_rank_fusion([lists[0], lists[3]])
