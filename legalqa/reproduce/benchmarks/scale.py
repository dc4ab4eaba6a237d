"""A large corpus beside many small ones: whether searches stay exact, on made-up chunks that are really stored.

The words follow Zipf's law and the vectors lie in clusters, as real ones do; both come from a seed. Everything that
is measured runs through the product's own retrievers, matrices and index, and documents come and go through its own
services; only the first filling writes the rows directly, because reading 100,000 chunks would take hours.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import numpy as np
from django.db import connections
from django.utils import timezone
from numpy.typing import NDArray

from corpora.hnsw import index_build, index_is_ready
from corpora.models import Chunk, Corpus, Document, DocumentVersion, Embedding, VersionState
from corpora.selectors import corpus_get
from corpora.services.indexing import chunk_set_live
from corpora.tokens import terms_and_counts
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder import client as encoder
from legalqa.reproduce.intake import Note, corpus_own
from retrieval.retrievers import Dense
from retrieval.stages import Resources
from retrieval.types import Query

Vectors = NDArray[np.float32]

CLUSTERS, NOISE_DIMENSIONS = 300, 40  # the storage study's: noise mostly in a few directions
VOCABULARY, WORDS_A_CHUNK = 50_000, 60
CHUNKS_A_DOCUMENT = 250
K = 10
BATCH = 1000


@dataclass(frozen=True, slots=True)
class ScaleSize:
    """How much is made: chunks of the large corpus, small tenants, chunks of each of these, queries of each kind."""

    big: int = 100_000
    tenants: int = 20
    small: int = 1_000
    queries: int = 200


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation's corpus with the vectors of its chunks, [n, 384], in the order of `chunk_ids`."""

    organization: Organization
    corpus: Corpus
    chunk_ids: NDArray[np.int64]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Recalls:
    """Recall@10 of each query against the exact neighbours, and whether the corpus's own index answered."""

    values: tuple[float, ...]
    by_index: bool


@dataclass
class SyntheticData:
    """Where made-up words and vectors come from: one seed, one stream."""

    seed: int
    _chance: np.random.Generator = field(init=False)
    _centres: Vectors = field(init=False)
    _directions: Vectors = field(init=False)
    _words: list[str] = field(init=False)
    _word_ends: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        """Draw the clusters, the directions of their noise, and the vocabulary."""
        self._chance = np.random.default_rng(self.seed)
        self._centres = _unit(self._chance.normal(size=(CLUSTERS, encoder.DIMENSIONS)))
        self._directions = np.linalg.qr(self._chance.normal(size=(encoder.DIMENSIONS, NOISE_DIMENSIONS)))[0].T
        self._words = [_word(rank) for rank in range(VOCABULARY)]
        weights = 1.0 / (np.arange(VOCABULARY) + 2.7)
        self._word_ends = np.cumsum(weights / weights.sum())

    def vectors(self, n: int) -> Vectors:
        """Unit vectors [n, 384] around the cluster centres."""
        centres = self._centres[self._chance.integers(CLUSTERS, size=n)]
        near = self._chance.normal(scale=0.11, size=(n, NOISE_DIMENSIONS)) @ self._directions
        far = self._chance.normal(scale=0.012, size=(n, encoder.DIMENSIONS))
        return _unit(centres + near + far)

    def text(self, n_words: int) -> str:
        places = np.searchsorted(self._word_ends, self._chance.random(n_words))
        return " ".join(self._words[min(place, VOCABULARY - 1)] for place in places.tolist())


def _unit(vectors: NDArray[np.float64]) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def _word(rank: int) -> str:
    """A word of syllables that no other rank has and that the tokeniser takes for no number or reference."""
    syllables = []
    for _ in range(3):
        rank, place = divmod(rank, 40)
        syllables.append("bdfgklmnpr"[place // 4] + "aiou"[place % 4])
    return "z" + "".join(syllables) + ("x" * rank)


def tenants_make(*, data: SyntheticData, size: ScaleSize, note: Note) -> tuple[Tenant, list[Tenant]]:
    """The large corpus with its index built, and the small ones beside it; what an earlier run left is removed."""
    big = _tenant("scale", data, size.big, note)
    small = [_tenant(f"scale-{number}", data, size.small, note) for number in range(1, size.tenants + 1)]
    note("building the index of the large corpus")
    index_build(corpus=big.corpus)
    connections["owner"].close()
    return big, small


def _tenant(slug: str, data: SyntheticData, n_chunks: int, note: Note) -> Tenant:
    organization, corpus = corpus_own(slug=slug, title=slug.capitalize(), name=f"Scale {n_chunks}", is_fresh=True)
    vectors = data.vectors(n_chunks)
    ids: list[int] = []
    for at in range(0, n_chunks, CHUNKS_A_DOCUMENT):
        part = vectors[at : at + CHUNKS_A_DOCUMENT]
        ids += _document(organization, corpus, f"made-{at}.txt", [data.text(WORDS_A_CHUNK) for _ in part], part)
        note(f"{slug}: {at + len(part):,} of {n_chunks:,} chunks")
    with organization_scope(organization, user=None):
        Corpus.objects.filter(pk=corpus.pk).update(version=1)
        corpus = corpus_get(organization=organization, corpus_id=corpus.pk)
    return Tenant(organization, corpus, np.asarray(ids), vectors)


def _document(
    organization: Organization, corpus: Corpus, name: str, texts: Sequence[str], vectors: Vectors
) -> list[int]:
    """Write a published document as ingestion leaves it, as far as searches read it."""
    owned = {"organization_id": organization.pk, "corpus_id": corpus.pk}
    with organization_scope(organization, user=None):
        document = Document.objects.create(**owned, name=name, title=name)
        version = DocumentVersion.objects.create(
            **owned,
            document=document,
            number=1,
            state=VersionState.READY,
            kind="text",
            sha256=hashlib.sha256(f"{corpus.pk}{name}".encode()).hexdigest(),
            size=1,
            file_id=uuid4(),
            n_chunks=len(texts),
            ready_at=timezone.now(),
        )
        Document.objects.filter(pk=document.pk).update(current=version)
        chunk_set = chunk_set_live(corpus=corpus)
        chunks = Chunk.objects.bulk_create(
            (_chunk(owned, chunk_set.pk, version, at, text) for at, text in enumerate(texts)), batch_size=BATCH
        )
        Embedding.objects.bulk_create(
            (
                Embedding(
                    **owned,
                    chunk_id=chunk.pk,
                    encoder=encoder.NAME,
                    window=0,
                    text_hash=hashlib.sha256(chunk.text.encode()).hexdigest(),
                    is_live=True,
                    vector=vector,
                )
                for chunk, vector in zip(chunks, vectors, strict=True)
            ),
            batch_size=BATCH,
        )
    return [chunk.pk for chunk in chunks]


def _chunk(owned: dict[str, UUID], chunk_set_id: UUID, version: DocumentVersion, at: int, text: str) -> Chunk:
    row = terms_and_counts(f"\n{text}")
    return Chunk(
        **owned,
        chunk_set_id=chunk_set_id,
        document_id=version.document_id,
        version=version,
        ordinal=at,
        start=at,
        end=at + 1,
        first_paragraph=at,
        last_paragraph=at,
        text=text,
        is_live=True,
        terms=row.ids_bytes(),
        counts=row.counts_bytes(),
        length=row.length,
    )


def dense_recalls(*, tenant: Tenant, queries: Vectors) -> Recalls:
    """Recall@10 of the product's dense search against all inner products, for each query [n, 384]."""
    recalls = []
    with organization_scope(tenant.organization, user=None):
        by_index = index_is_ready(corpus=tenant.corpus)
        for vector in queries:
            exact = tenant.chunk_ids[np.argsort(-(tenant.vectors @ vector), kind="stable")[:K]]
            ranking = Dense(top_k=K).search(Query("q"), Resources(tenant.corpus, vector, None))
            recalls.append(len({hit.chunk_id for hit in ranking.hits} & set(exact.tolist())) / K)
    return Recalls(tuple(recalls), by_index)
