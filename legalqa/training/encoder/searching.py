"""Searches of training and its report: a pipeline on a corpus by any encoder that has all of its vectors."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from corpora.models import Corpus
from corpora.services.encoding import question_encoder
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.training.encoder.data import GoldAsked, Held
from legalqa.training.encoder.evaluation import Figures, question_figures
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.retrievers import Dense
from retrieval.stages import Pipeline, Resources
from retrieval.types import Query

T = TypeVar("T")

DEEP = 100  # hits that are looked at: as many as the default preset fuses


def dense_pipeline() -> Pipeline:
    """Meaning search alone."""
    return Dense(top_k=DEEP) % DEEP


def default_pipeline() -> Pipeline:
    """The default preset's search, cut no earlier than its lists are; the question as it is, not rewritten."""
    return preset_get(DEFAULT_PRESET, {"k": str(DEEP), "rewriter": "off"}).pipeline


def searched(
    *, corpus: Corpus, questions: Sequence[GoldAsked], encoder: str, search: Callable[[Query, Resources], T]
) -> list[T]:
    """The result of a search for each question, by the vectors of `encoder`, whichever the corpus uses.

    Opens its own short transactions; the questions are encoded outside them. A person's searches see nothing of it.
    """
    asker = question_encoder(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=encoder)
    connection_give_back()
    vectors = asker.encode([question.text for question in questions])
    found = []
    for question, vector in zip(questions, vectors, strict=True):
        with organization_scope(corpus.organization_id, user=None):
            copy = Corpus.objects.get(pk=corpus.pk)
            copy.encoder = encoder  # of this row in memory alone
            found.append(search(Query(question.text), Resources(copy, vector, None)))
    return found


def is_judged(question: GoldAsked, chunks: Held) -> bool:
    """Whether something answers a question, and all that does is searched."""
    return bool(question.references) and all(chunks.get(one) for one in question.references)


def figures_found(question: GoldAsked, chunks: Held, chunk_ids: Iterable[int]) -> Figures:
    """The measures of a question that is judged, by the chunks found for it, best first."""
    holders = [chunks[one] for one in question.references]
    return question_figures(passages_ranked(chunk_ids, holders), [f"gold {number}" for number in range(len(holders))])


def passages_ranked(chunk_ids: Iterable[int], holders: Sequence[Sequence[int]]) -> list[str]:
    """A ranking of chunks as one of passages.

    A chunk that holds passages which answer counts as those that were not shown before it ("gold 0", "gold 1", …), and
    is left out where all were; any other chunk counts as itself.

    Args:
        chunk_ids: Best first.
        holders: Of each passage that answers, the chunks that hold it.
    """
    of_chunk: dict[int, list[str]] = {}
    for number, chunks in enumerate(holders):
        for pk in chunks:
            of_chunk.setdefault(pk, []).append(f"gold {number}")
    passages: dict[str, None] = {}
    for chunk_id in chunk_ids:
        passages |= dict.fromkeys(of_chunk.get(chunk_id, [str(chunk_id)]))
    return list(passages)
