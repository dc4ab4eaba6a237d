"""Word search against brute force while documents come, change and go, through the product's own services."""

import math
import random
from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np

from corpora.models import Chunk
from corpora.selectors import corpus_get
from corpora.services import document_remove
from corpora.tokens import tokens
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.reproduce.benchmarks.scale import SyntheticData, Tenant
from legalqa.reproduce.intake import Note, file_take_in
from retrieval.retrievers import Bm25
from retrieval.stages import Resources
from retrieval.types import Query

K1, B = 1.2, 0.75  # the usual weights of BM25: of a term's frequency, and of a text's length
TOP_K = 25
EMAIL = "scale@measures.example"
CLOSE = 2e-9  # search rounds to nine decimals


@dataclass
class BruteForce:
    """BM25 by its formula, from Python's own dictionaries; shares nothing with the product but the tokeniser."""

    lengths: dict[int, int] = field(default_factory=dict)
    postings: dict[str, dict[int, int]] = field(default_factory=dict)
    counts: dict[int, Counter[str]] = field(default_factory=dict)

    def add(self, chunk_id: int, text: str) -> None:
        counts = Counter(tokens(text))
        self.counts[chunk_id], self.lengths[chunk_id] = counts, counts.total()
        for term, count in counts.items():
            self.postings.setdefault(term, {})[chunk_id] = count

    def remove(self, chunk_id: int) -> None:
        del self.lengths[chunk_id]
        for term in self.counts.pop(chunk_id):
            del self.postings[term][chunk_id]

    def scores(self, text: str) -> dict[int, float]:
        """The score of every chunk that holds a term of the text."""
        n, average = len(self.lengths), sum(self.lengths.values()) / max(len(self.lengths), 1)
        scores: dict[int, float] = {}
        for term in set(tokens(text)):
            holders = self.postings.get(term, {})
            idf = math.log(1 + (n - len(holders) + 0.5) / (len(holders) + 0.5))
            for chunk_id, tf in holders.items():
                norm = K1 * (1 - B + B * self.lengths[chunk_id] / average)
                scores[chunk_id] = scores.get(chunk_id, 0.0) + idf * tf * (K1 + 1) / (tf + norm)
        return scores


@dataclass
class Traffic:
    """Documents that come, change and go in one corpus, and the brute force that is told of each."""

    tenant: Tenant
    data: SyntheticData
    user: User
    chance: random.Random
    brute: BruteForce = field(default_factory=BruteForce)
    chunk_ids: dict[UUID, list[int]] = field(default_factory=dict)
    names: dict[UUID, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Tell the brute force what is there at the beginning."""
        with organization_scope(self.tenant.organization, user=None):
            for chunk in Chunk.objects.filter(corpus=self.tenant.corpus, is_live=True).iterator(2000):
                self._take(chunk)

    def _take(self, chunk: Chunk) -> None:
        self.brute.add(chunk.pk, f"{chunk.heading}\n{chunk.text}")
        self.chunk_ids.setdefault(chunk.document_id, []).append(chunk.pk)

    def step(self) -> str:
        """One act, half of them new documents while there are few; returns words of what changed, to ask for."""
        act = self.chance.choice(("add", "change", "remove")) if len(self.names) > 5 else "add"
        if act == "add":
            return self._ingest(f"note-{self.chance.randrange(10**9)}.txt")
        document_id = self.chance.choice(sorted(self.names))
        if act == "change":
            return self._ingest(self.names[document_id])
        return self._remove(document_id)

    def _ingest(self, name: str) -> str:
        text = "\n\n".join(self.data.text(self.chance.randint(20, 90)) for _ in range(self.chance.randint(1, 6)))
        organization, corpus = self.tenant.organization, self.tenant.corpus
        upload = file_take_in(
            organization=organization, corpus=corpus, name=name, parts=iter([text.encode()]), user=self.user
        )
        document_id = upload.ready().document_id
        self._forget(document_id)
        with organization_scope(organization, user=None):
            for chunk in Chunk.objects.filter(document_id=document_id, is_live=True):
                self._take(chunk)
        self.names[document_id] = name
        return text

    def _remove(self, document_id: UUID) -> str:
        with organization_scope(self.tenant.organization, user=None):
            texts = Chunk.objects.filter(document_id=document_id, is_live=True).values_list("text", flat=True)
            text = " ".join(texts)
            document_remove(organization=self.tenant.organization, user=self.user, document_id=document_id)
        self._forget(document_id)
        del self.names[document_id]
        return text

    def _forget(self, document_id: UUID) -> None:
        for chunk_id in self.chunk_ids.pop(document_id, []):
            self.brute.remove(chunk_id)

    def is_equal(self, text: str) -> bool:
        """Whether search gives the brute force's best chunks, with their scores, for a query.

        Chunks whose scores are equal to nine decimals may be in either order.
        """
        with organization_scope(self.tenant.organization, user=None):
            corpus = corpus_get(organization=self.tenant.organization, corpus_id=self.tenant.corpus.pk)
            ranking = Bm25(top_k=TOP_K).search(Query(text), Resources(corpus, None, None))
        expected = self.brute.scores(text)
        best = sorted(expected.values(), reverse=True)[:TOP_K]
        scores = [hit.score for hit in ranking.hits]
        return (
            len(scores) == len(best)
            and all(hit.chunk_id in expected for hit in ranking.hits)
            and np.allclose(scores, best, rtol=0, atol=CLOSE)
            and np.allclose(scores, [expected[hit.chunk_id] for hit in ranking.hits], rtol=0, atol=CLOSE)
        )


def words_checks(*, tenant: Tenant, data: SyntheticData, n_operations: int, seed: int, note: Note) -> list[bool]:
    """Do `n_operations` random acts and ask after each: for what changed, or for words drawn at random.

    Returns:
        For each act, whether search and brute force agreed.
    """
    chance = random.Random(seed)  # noqa: S311 - a reproducible course of events
    user = User.objects.filter(email=EMAIL).first() or User.objects.create_user(EMAIL, name="Scale")
    traffic = Traffic(tenant, data, user, chance)
    checks = []
    for place in range(n_operations):
        terms = traffic.step().split()
        words = chance.sample(terms, min(len(terms), chance.randint(1, 4)))
        checks.append(traffic.is_equal(" ".join([*words, data.text(chance.randint(1, 5))])))
        note(f"{place + 1} of {n_operations} operations, {sum(checks)} equal")
    return checks
