"""An encoder on gold sets of other corpora: what it gained at home must not be lost there. Measured in memory."""

from typing import Any
from uuid import UUID

import numpy as np

from corpora.models import Chunk, Corpus, Embedding
from corpora.services.encoding import question_encoder
from corpora.services.indexing import BEFORE_TEXT, window_texts
from judging.models import GoldSet
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.encoder.client import Encoder
from legalqa.training.encoder.data import GoldAsked, Held, chunks_holding, gold_asked
from legalqa.training.encoder.evaluation import Compared, row_document
from legalqa.training.encoder.report import ROWS, skipped_document
from legalqa.training.encoder.searching import DEEP, figures_found, is_judged
from retrieval.indexes.vectors import VectorMatrix, WindowRows

MAX_WINDOWS = 6000  # ours: windows that are encoded in about a minute
MAX_QUESTIONS = 1000  # ours: the first ones are used


def elsewhere_row(*, organization_id: UUID, gold_set_id: UUID, after: Encoder, seed: int) -> dict[str, Any] | None:
    """Meaning search of another corpus by the encoder that it uses, and by `after`; None where the gold set is gone.

    A corpus of more than MAX_WINDOWS windows is left out, and the row says so.
    """
    with organization_scope(organization_id, user=None):
        gold_set = GoldSet.objects.filter(pk=gold_set_id).select_related("corpus").first()
        if gold_set is None:
            return None
        corpus = gold_set.corpus
        live = Embedding.objects.filter(corpus=corpus, encoder=corpus.encoder, is_live=True)
        if (n_windows := live.count()) > MAX_WINDOWS:
            reason = f"The corpus has {n_windows:,} passages; at most {MAX_WINDOWS:,} are encoded beside it."
            return skipped_document(gold_set.name, corpus=corpus.slug, reason=reason)
        rows = list(live.order_by("pk").values_list("pk", "chunk_id", "window", "vector"))
        questions = gold_asked(gold_sets=[gold_set])[:MAX_QUESTIONS]
        chunks = chunks_holding(corpus=corpus, questions=questions)
        texts = _window_texts(corpus)
        before = question_encoder(organization_id=organization_id, corpus_id=corpus.pk, name=corpus.encoder)
    connection_give_back()
    rows = [row for row in rows if (row[1], row[2]) in texts]
    ids, chunk_ids = (np.array([row[at] for row in rows], np.int64) for at in (0, 1))
    vectors = np.array([row[3] for row in rows], np.float32).reshape(len(rows), -1)
    fresh = after.encode([texts[row[1], row[2]] for row in rows])
    comparisons = _compared(
        questions,
        chunks,
        before=(before, VectorMatrix.build(WindowRows(ids, chunk_ids, vectors))),
        after=(after, VectorMatrix.build(WindowRows(ids, chunk_ids, fresh))),
    )
    return {**row_document(gold_set.name, ROWS["dense"], comparisons, seed=seed), "corpus": corpus.slug}


def _window_texts(corpus: Corpus) -> dict[tuple[int, int], str]:
    """The text of every live window, by its chunk and its number."""
    chunks = Chunk.objects.filter(corpus=corpus, is_live=True, is_parent=False).values_list("pk", BEFORE_TEXT, "text")
    return {
        (pk, number): window
        for pk, heading, text in chunks.iterator(chunk_size=2000)
        for number, window in enumerate(window_texts(heading=heading, text=text))
    }


def _compared(
    questions: list[GoldAsked],
    chunks: Held,
    *,
    before: tuple[Encoder, VectorMatrix],
    after: tuple[Encoder, VectorMatrix],
) -> list[Compared]:
    searchable = [question for question in questions if is_judged(question, chunks)]
    texts = [question.text for question in searchable]
    sides = [
        [matrix.top(vector, k=DEEP)[0].tolist() for vector in asker.encode(texts)] for asker, matrix in (before, after)
    ]
    return [
        Compared(str(question.group), figures_found(question, chunks, old), figures_found(question, chunks, new))
        for question, old, new in zip(searchable, *sides, strict=True)
    ]
