"""What is searched for a question: rewritten as the pipeline says, and all of it encoded at once."""

from dataclasses import dataclass, replace
from time import perf_counter
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.encoder.client import NAME, EncoderDown
from retrieval.pipelines.presets import Preset
from retrieval.pipelines.request import SearchRequest
from retrieval.rewriters.base import RewriteRequest
from retrieval.rewriters.encoding import Vector, queries_encoded
from retrieval.rewriters.rules import parts_apart
from retrieval.stages import Pipeline
from retrieval.types import Queries, Timed

# Corpora that a search did not find compared by the packaged encoder. Questions to others are encoded by it before the
# corpus is looked up: the search looks it up anyway, and encodes again where that does not fit.
_of_other_encoders = set[UUID]()


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The queries to search, the stages that search them, and the queries' vectors.

    `pipeline` is without its Rewrite stage. `vectors` has one for each of `queries.texts`, or none where no stage reads
    them; `encoder` names what made them.
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


def question_rewrite(asked: SearchRequest) -> Rewriting:
    """The queries of a question with their vectors, encoded together; no transaction is open while the encoder works.

    Args:
        asked: With a concrete preset, whose pipeline says in its first stage how to rewrite, if at all.

    Raises:
        NotFound, ApplicationError, Conflict: as `corpus_searched`.
        EncoderDown: the encoder process does not come back, and the pipeline cannot search without it.
    """
    preset = asked.preset
    request = RewriteRequest(
        asked.organization,
        asked.user,
        asked.corpus_id,
        asked.text,
        history=tuple(reversed(asked.former)),
        q=preset.rewriter.q if preset.rewriter else 0,
        reads_meaning=preset.pipeline.needs_vector,
        filters=asked.filters,
        compared=asked.compared,
    )
    try:
        return _rewriting(request, preset)
    except EncoderDown:
        if not preset.pipeline.can_lack_vector:
            raise
        return _rewriting(replace(request, reads_meaning=False), preset)


def _rewriting(request: RewriteRequest, preset: Preset) -> Rewriting:
    """The queries of a request, with vectors where it reads the meaning."""
    queries, rest, started = Queries(request.text, request.text), preset.pipeline, perf_counter()
    if preset.rewriter:
        rest, queries = Pipeline(stages=rest.stages[1:]), preset.rewriter.queries(request)
    milliseconds = 1000 * (perf_counter() - started)
    if not request.reads_meaning:
        return Rewriting(queries, rest, (), (), milliseconds)
    corpus = request.corpus
    if corpus is None and (request.compared or request.corpus_id in _of_other_encoders):
        with organization_scope(request.organization, user=request.user):
            corpus = request.searched()
    corpus = corpus or Corpus(pk=request.corpus_id, organization=request.organization, encoder=NAME)
    started = perf_counter()
    connection_give_back()
    vectors: list[Vector] = queries_encoded(queries.texts, corpus)
    times = (Timed("encode", 1000 * (perf_counter() - started), len(vectors)),)
    queries, vectors = parts_apart(queries, vectors)
    return Rewriting(queries, rest, tuple(vectors), times, milliseconds, corpus.encoder)


def encoded_again(rewriting: Rewriting, *, corpus: Corpus) -> Rewriting:
    """The same queries with vectors of the corpus's encoder, which was switched since; call it outside any scope."""
    if corpus.encoder != NAME:
        _of_other_encoders.add(corpus.pk)
    connection_give_back()
    vectors = queries_encoded(rewriting.queries.texts, corpus)
    return replace(rewriting, vectors=tuple(vectors), encoder=corpus.encoder)
