"""A question matched to the indexed questions of a corpus, each of which leads to the chunk that answers it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

import numpy as np
from django.db.models import Count
from numpy.typing import NDArray

from corpora.in_force import chunks_searched
from corpora.models import Corpus, Position
from retrieval.indexes.cache import CorpusCache
from retrieval.indexes.vectors import TIE_DECIMALS, VectorMatrix, WindowRows
from retrieval.models import IndexedQuestion, QuestionIndex, QuestionState
from retrieval.types import Hit

Ids = NDArray[np.int64]
MAX_BYTES = 128 * 1024 * 1024  # ours: about eighty thousand questions a process
NO_CHUNK = -1
MATCHED = "question-index.question"  # the part of a hit that names the indexed question


@dataclass(frozen=True, slots=True)
class Match:
    """A chunk, the indexed question that led to it, and its cosine with the question asked."""

    chunk_id: int
    question_id: int
    score: float


@dataclass(frozen=True, slots=True)
class Lead:
    """The paragraph of the indexed question that led to a hit, and its text; `is_alone`: nothing else found the hit."""

    paragraph_id: int
    text: str
    is_alone: bool


@dataclass(frozen=True, slots=True)
class QuestionMatrix:
    """Indexed questions: their vectors by one encoder, by question id, and the chunk that each leads to, in that order.

    The encoder is "" where no question has a vector.
    """

    encoder: str
    questions: VectorMatrix
    chunk_ids: Ids

    @property
    def nbytes(self) -> int:
        return self.questions.nbytes + self.chunk_ids.nbytes

    def top(self, vector: NDArray[np.float32], *, k: int, allowed: Ids | None = None) -> list[Match]:
        """The k chunks whose best question is closest to a unit vector, best first, ties by rising chunk id.

        Args:
            vector: Of the question asked, by the encoder, [d].
            k: Most chunks to return, > 0.
            allowed: Chunk ids that may be returned; None allows all.
        """
        leads = self.chunk_ids != NO_CHUNK
        if allowed is not None:
            leads &= np.isin(self.chunk_ids, allowed)
        at = np.flatnonzero(leads)
        if not len(at):
            return []
        scores = np.round(self.questions.vectors[at] @ vector, TIE_DECIMALS)
        order = np.lexsort((self.questions.ids[at], self.chunk_ids[at], -scores))
        _, first = np.unique(self.chunk_ids[at][order], return_index=True)
        best = at[order[np.sort(first)[:k]]]
        cosines = scores[order[np.sort(first)[:k]]]
        rows = zip(self.chunk_ids[best].tolist(), self.questions.ids[best].tolist(), cosines.tolist(), strict=True)
        return [Match(chunk, question, score) for chunk, question, score in rows]


_matrices: CorpusCache[QuestionMatrix] = CorpusCache(MAX_BYTES)


def questions_current(*, corpus: Corpus) -> QuestionMatrix | None:
    """The indexed questions of a corpus that was just read; None where it has none that can be compared.

    Those with a vector by the encoder that most of them have, which is a former one of the corpus until a build has
    encoded half of them again.
    """
    index = QuestionIndex.objects.filter(corpus=corpus).first()
    if index is None:
        return None

    def renew(before: QuestionMatrix | None) -> QuestionMatrix:
        encoded = IndexedQuestion.objects.filter(corpus=corpus, state=QuestionState.INDEXED).exclude(encoder="")
        by_encoder = encoded.values("encoder").annotate(n=Count("pk")).order_by("-n", "encoder")
        encoder: str = by_encoder.values_list("encoder", flat=True).first() or ""
        rows = encoded.filter(encoder=encoder)
        places = {pk: (paragraph, start) for pk, paragraph, start in rows.values_list("pk", "paragraph_id", "start")}
        ids = np.array(list(places), np.int64)
        earlier = before.questions if before is not None and before.encoder == encoder != "" else None
        fetch = partial(_vectors, corpus, encoder)
        questions = VectorMatrix.build(fetch(ids)) if earlier is None else earlier.refreshed(ids, fetch)
        question_places = [places[int(pk)] for pk in questions.ids]
        return QuestionMatrix(encoder, questions, chunks_holding(corpus=corpus, places=question_places))

    matrix = _matrices.current(corpus, renew, revision=index.revision)
    return matrix if matrix.encoder else None


def _vectors(corpus: Corpus, encoder: str, ids: Ids) -> WindowRows:
    """Those by the encoder: a build may have encoded some by another one since the ids were read."""
    questions = IndexedQuestion.objects.filter(corpus=corpus, encoder=encoder, pk__in=ids.tolist())
    rows = list(questions.values_list("pk", "vector").order_by("pk"))
    numbers = np.array([pk for pk, _ in rows], np.int64)
    vectors = np.array([vector for _, vector in rows], np.float32) if rows else np.zeros((0, 0), np.float32)
    return WindowRows(numbers, numbers, vectors)


def chunks_holding(*, corpus: Corpus, places: Sequence[tuple[int, int]]) -> Ids:
    """For each (paragraph id, offset in it) the first searched chunk that holds it; NO_CHUNK where none does."""
    chunks: dict[UUID, list[tuple[int, int, int]]] = {}
    for version, end, start, pk in chunks_searched(corpus=corpus).values_list("version_id", "end", "start", "pk"):
        chunks.setdefault(version, []).append((end, start, pk))
    ordered = {version: np.array(sorted(spans), np.int64) for version, spans in chunks.items()}
    stands: dict[int, list[tuple[UUID, int]]] = {}
    paragraphs = {paragraph for paragraph, _ in places}
    rows = Position.objects.filter(version__in=list(ordered), paragraph__in=paragraphs).order_by("version", "ordinal")
    for paragraph, version, start in rows.values_list("paragraph_id", "version_id", "start"):
        stands.setdefault(paragraph, []).append((version, start))
    chunk_ids = np.full(len(places), NO_CHUNK, np.int64)
    for number, (paragraph, offset) in enumerate(places):
        for version, start in stands.get(paragraph, ()):
            spans = ordered[version]
            later = spans[np.searchsorted(spans[:, 0], start + offset, side="right") :]
            if len(holding := np.flatnonzero(later[:, 1] <= start + offset)):
                chunk_ids[number] = later[holding[0], 2]
                break
    return chunk_ids


def questions_matched(*, corpus: Corpus, hits: Iterable[Hit]) -> dict[int, Lead]:
    """What the indexed questions that hits name lead to, by the id of the hit's chunk."""
    question_ids = {hit: int(question) for hit in hits if (question := hit.part(MATCHED)) is not None}
    if not question_ids:
        return {}
    rows = IndexedQuestion.objects.filter(corpus=corpus, pk__in=question_ids.values()).values_list(
        "pk", "paragraph_id", "text"
    )
    leads = {pk: (paragraph, text) for pk, paragraph, text in rows}
    own = MATCHED.partition(".")[0]
    return {
        hit.chunk_id: Lead(*leads[question], is_alone=all(name.partition(".")[0] == own for name, _ in hit.parts))
        for hit, question in question_ids.items()
        if question in leads
    }
