"""The Rewrite stage on a corpus: read the question, ask the rules or a model, encode all that is searched at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.selectors import corpus_get
from corpora.services.encoders import encoder_load
from corpora.tokens import term_ids, tokens
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.llm import encoder
from legalqa.llm.encoder import NAME
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.types import Role
from retrieval.build import Timed, needs_vector
from retrieval.configs import Dense, Pipeline, Rewrite
from retrieval.matrices import glossary_current, matrix_current
from retrieval.retrievers import Resources
from retrieval.retrievers.dense import dense_search
from retrieval.rewriters.llm import RewritingFailed, model_rewrites
from retrieval.rewriters.rules import CorpusView, Reading, parts_apart, question_read, rewrites_made
from retrieval.selectors import provisions_named
from retrieval.types import Queries, Query

Vector = NDArray[np.float32]
NO_MODEL = "No language model is set up for rewriting, so the rules did it."


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What is searched, by which stages, and the vectors of it.

    `vectors` is empty where no stage reads them; `encoder` names what made them.
    """

    queries: Queries
    pipeline: Pipeline
    vectors: tuple[Vector, ...]
    times: tuple[Timed, ...]
    milliseconds: float = 0.0
    encoder: str = NAME

    def fits(self, corpus: Corpus) -> bool:
        """Whether the vectors can be compared with those that the corpus is searched by now."""
        return not self.vectors or self.encoder == corpus.encoder

    def as_step(self) -> dict[str, object] | None:
        """The step of the answer's trail; None where the pipeline rewrites nothing."""
        queries = self.queries
        if not queries.method:
            return None
        return {
            "step": "rewrite",
            "milliseconds": round(self.milliseconds, 1),
            "method": queries.method,
            "asked": queries.asked,
            "question": queries.text,
            "reasons": list(queries.reasons),
            "rewrites": [
                {"number": number, "text": one.text, "rule": one.rule, "reason": one.reason}
                for number, one in enumerate(queries.rewrites, start=1)
            ],
            "note": queries.note,
            **({"call": dict(queries.call)} if queries.call else {}),
        }


def question_rewrite(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    text: str,
    former: Sequence[str],
    pipeline: Pipeline,
) -> Rewriting:
    """The queries of a question with their vectors, encoded together; no transaction is open while the encoder works.

    Args:
        organization: Whose corpus.
        user: Who asks.
        corpus_id: The corpus.
        text: The question, checked.
        former: The questions that it follows up, the last one first.
        pipeline: Whose first stage says how to rewrite, if it is a Rewrite.

    Raises:
        NotFound: no such corpus, or you stand outside its wall.
    """
    stage, started = pipeline.stages[0], perf_counter()
    queries, corpus, rest = Queries(text, text), None, pipeline
    reads_meaning = needs_vector(pipeline)
    if isinstance(stage, Rewrite):
        rest = Pipeline(stages=pipeline.stages[1:])
        history = list(reversed(former))
        queries, corpus = _rewritten(organization, user, corpus_id, text, history, stage, reads_meaning=reads_meaning)
    milliseconds = 1000 * (perf_counter() - started)
    if not reads_meaning:
        return Rewriting(queries, rest, (), (), milliseconds)
    if corpus is None:
        with organization_scope(organization, user=user):
            corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    started = perf_counter()
    connection_give_back()
    vectors: list[Vector] = queries_encoded(queries.texts, encoder_load(corpus=corpus))
    times = (Timed("encode", 1000 * (perf_counter() - started), len(vectors)),)
    queries, vectors = parts_apart(queries, vectors)
    return Rewriting(queries, rest, tuple(vectors), times, milliseconds, corpus.encoder)


def encoded_again(rewriting: Rewriting, *, corpus: Corpus) -> Rewriting:
    """The same queries with vectors of the corpus's encoder, which was switched since; call it outside any scope."""
    connection_give_back()
    vectors = queries_encoded(rewriting.queries.texts, encoder_load(corpus=corpus))
    return replace(rewriting, vectors=tuple(vectors), encoder=corpus.encoder)


def _rewritten(
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    text: str,
    history: Sequence[str],
    stage: Rewrite,
    *,
    reads_meaning: bool,
) -> tuple[Queries, Corpus | None]:
    """By the model where the stage asks for one and there is one, else by the rules, which say so.

    With the corpus, where it was read.
    """
    note, call = "", None
    if stage.method != "rules" and role_is_configured(organization=organization, role=Role.REWRITE):
        connection_give_back()
        try:
            return model_rewrites(organization=organization, user=user, text=text, history=history, q=stage.q), None
        except RewritingFailed as failure:
            note, call = f"{str(failure).rstrip('.')}, so the rules did it.", failure.call
    elif stage.method == "llm":
        note = NO_MODEL
    with organization_scope(organization, user=user):
        corpus = corpus_get(organization=organization, corpus_id=corpus_id)
        view = _view(corpus)
        reading = question_read(text, history=history, view=view)
        lines = provisions_named(corpus=corpus, text=reading.text)
    nearness = _nearness(organization, user, corpus, reading) if reads_meaning and reading.measured else {}
    view = replace(view, named=lambda _: lines)
    made = rewrites_made(reading, nearness=nearness, view=view, q=stage.q)
    return replace(made, note=note, call=call), corpus


def _view(corpus: Corpus) -> CorpusView:
    matrix, language = matrix_current(corpus=corpus), corpus.language

    def weigh(words: str) -> dict[str, float]:
        found = sorted(set(tokens(words, language=language)))
        ids = term_ids(found)
        weights = np.where(matrix.holds(ids), matrix.idf(ids), 0.0)
        return dict(zip(found, weights.tolist(), strict=True))

    def spread(words: str) -> int:
        ids = np.unique(term_ids(tokens(words, language=language)))
        every = np.arange(len(matrix.chunk_ids))
        return int(matrix.presence(ids, every).all(axis=0).sum()) if len(ids) else 0

    return CorpusView(glossary_current(corpus=corpus), weigh, spread, language)


def _nearness(organization: Organization, user: User | None, corpus: Corpus, reading: Reading) -> dict[str, float]:
    """For each text that the rules ask about, the cosine of the nearest passage."""
    connection_give_back()
    vectors = queries_encoded(reading.measured, encoder_load(corpus=corpus))
    with organization_scope(organization, user=user):
        nearest = [
            dense_search(Query(measured), config=Dense(top_k=1), resources=Resources(corpus, vector, None)).hits
            for measured, vector in zip(reading.measured, vectors, strict=True)
        ]
    return {measured: hits[0].score if hits else 0.0 for measured, hits in zip(reading.measured, nearest, strict=True)}


def queries_encoded(texts: Sequence[str], by: encoder.Encoder) -> list[Vector]:
    """The unit vector of each text, all in one batch: the mean over its windows, where it is longer than one."""
    step = encoder.WINDOW_TOKENS
    windows: list[str] = []
    bounds = [0]
    for text, offsets in zip(texts, encoder.token_offsets(list(texts)), strict=True):
        own = [
            text[offsets[at][0] : offsets[min(at + step, len(offsets)) - 1][1]] for at in range(0, len(offsets), step)
        ]
        windows += own or [text]
        bounds.append(len(windows))
    every = by.encode(windows, is_urgent=True)
    means = [every[start:end].mean(axis=0) for start, end in pairwise(bounds)]
    return [np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32) for mean in means]
