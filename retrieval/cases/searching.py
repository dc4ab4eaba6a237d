"""Finding solved cases that are like a question, and the chunks of the corpus that they cite."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray
from pgvector.django import MaxInnerProduct

from corpora.in_force import chunks_searched, versions_searched
from corpora.models import Corpus, Position
from retrieval.cases.selectors import cases_usable
from retrieval.cases.similarity import Floats, Weights, best, scores
from retrieval.models import CaseEntry, CaseIndex, CasePart, CaseSupport, CaseVector
from retrieval.vectors import Vectors, question_vector

LOOKED_AT = 200  # ours: most similar cases looked at where filters may leave some out


@dataclass(frozen=True, slots=True)
class SimilarCase:
    """A case with how alike it is, and the searched chunks that it cites."""

    case: CaseEntry
    score: float
    chunk_ids: tuple[int, ...]


def cases_similar(
    *,
    corpus: Corpus,
    text: str,
    vector: Floats,
    weights: Weights,
    k: int,
    intra: str = "",
    inter: str = "",
    allowed: NDArray[np.int64] | None = None,
    vectors: Vectors | None = None,
) -> list[SimilarCase]:
    """The k usable cases most like a question, best first; in the caller's transaction.

    Where only some chunks are allowed, or the corpus is searched as of a former day, a case must cite a chunk that
    is searched.

    Args:
        corpus: As read in this transaction.
        text: The question.
        vector: Its unit vector by the corpus's encoder.
        weights: Of question, support and entities (equation 3).
        k: Most cases.
        intra, inter: Names of the encoders that compare questions with questions, and with supports and entities; ""
            for the corpus's, or where it has none, the first of the case base.
        allowed: Chunk ids that may be returned; None for all.
        vectors: Of the question by added encoders; nothing is found while one is lacking there, which it notes.
    """
    indexes = list(CaseIndex.objects.filter(corpus=corpus).order_by("created_at"))
    same, other = _index(indexes, intra or corpus.encoder), _index(indexes, inter or corpus.encoder)
    if same is None or other is None:
        return []
    of: Any = {"corpus": corpus, "text": text, "own": vector, "vectors": vectors}
    by_question = question_vector(**of, encoder=same.encoder)
    by_rest = question_vector(**of, encoder=other.encoder, cue=other.cue)
    if by_question is None or by_rest is None:
        return []
    usable = cases_usable(corpus=corpus)
    cosines = _by_case(_cosines(same, _PARTS[:1], by_question, usable), _cosines(other, _PARTS[1:], by_rest, usable))
    ids = sorted(cosines)
    question, support, entities = (np.array([cosines[i].get(part, np.nan) for i in ids], np.float32) for part in _PARTS)
    similar = scores(question, support, entities, weights=weights)
    ranked = best(similar, k=LOOKED_AT)
    is_limited = allowed is not None or corpus.as_of_versions is not None
    chunks = chunks_of_cases(corpus=corpus, case_ids=[ids[place] for place in ranked], allowed=allowed)
    places = [place for place in ranked if ids[place] in chunks or not is_limited][:k]
    cases = CaseEntry.objects.in_bulk([ids[place] for place in places])
    return [
        SimilarCase(cases[ids[place]], round(float(similar[place]), 6), tuple(chunks.get(ids[place], ())))
        for place in places
    ]


_PARTS = (CasePart.QUESTION, CasePart.SUPPORT, CasePart.ENTITIES)


def chunks_of_cases(
    *, corpus: Corpus, case_ids: Sequence[UUID], allowed: NDArray[np.int64] | None = None
) -> dict[UUID, list[int]]:
    """The searched chunks that hold a paragraph which a case rests on, by case; without cases that have none."""
    supports = CaseSupport.objects.filter(case__in=case_ids).values_list("case_id", "paragraph_id")
    by_paragraph: dict[int, set[UUID]] = defaultdict(set)
    for case_id, paragraph_id in supports:
        by_paragraph[paragraph_id].add(case_id)
    searched = Position.objects.filter(version__in=versions_searched(corpus=corpus).values("pk"))
    places = searched.filter(paragraph__in=by_paragraph).values_list("paragraph_id", "version_id", "ordinal")
    by_place = {(version, ordinal): by_paragraph[paragraph] for paragraph, version, ordinal in places}
    condition = Q(pk=None)
    for version, ordinal in by_place:
        condition |= Q(version=version, first_paragraph__lte=ordinal, last_paragraph__gte=ordinal)
    chunks = chunks_searched(corpus=corpus).filter(condition).order_by("pk") if by_place else ()
    ids = None if allowed is None else set(allowed.tolist())
    chunk_ids: dict[UUID, list[int]] = defaultdict(list)
    for chunk in chunks:
        ordinals = range(chunk.first_paragraph, chunk.last_paragraph + 1)
        cases = set().union(*(by_place.get((chunk.version_id, ordinal), set()) for ordinal in ordinals))
        for case_id in cases if ids is None or chunk.pk in ids else ():
            chunk_ids[case_id].append(chunk.pk)
    return dict(chunk_ids)


def _index(indexes: Sequence[CaseIndex], name: str) -> CaseIndex | None:
    return next((index for index in indexes if index.encoder == name), indexes[0] if indexes else None)


def _by_case(*rows: Iterable[tuple[UUID, str, float]]) -> dict[UUID, dict[str, float]]:
    cosines: dict[UUID, dict[str, float]] = defaultdict(dict)
    for case_id, part, cosine in chain(*rows):
        cosines[case_id][part] = cosine
    return cosines


def _cosines(
    index: CaseIndex, parts: Sequence[str], query: Floats, usable: QuerySet[CaseEntry]
) -> Iterable[tuple[UUID, str, float]]:
    """Every usable case is compared, in the database: a case base is small, and an index would lose the filter."""
    vectors = CaseVector.objects.filter(index=index, part__in=parts, case__in=usable)
    rows = vectors.annotate(negative=MaxInnerProduct("vector", query.tolist()))
    return ((case, part, -float(negative)) for case, part, negative in rows.values_list("case_id", "part", "negative"))
