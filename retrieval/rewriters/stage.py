"""What is searched for a question: rewritten as the pipeline says, and all of it encoded at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.encoder.client import NAME, EncoderDown
from retrieval.rewriters.base import RewriteRequest
from retrieval.rewriters.encoding import Vector, queries_encoded
from retrieval.rewriters.rewrite import Rewrite
from retrieval.rewriters.rules import parts_apart
from retrieval.stages import Pipeline
from retrieval.types import Filters, Queries, Timed


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
    filters: Filters | None = None,
    compared: Mapping[str, str] | None = None,
) -> Rewriting:
    """The queries of a question with their vectors, encoded together; no transaction is open while the encoder works.

    Args:
        organization: Whose corpus.
        user: Who asks.
        corpus_id: The corpus.
        text: The question, checked.
        former: The questions that it follows up, the last one first.
        pipeline: Whose first stage says how to rewrite, if it is a Rewrite.
        filters: Of the search that follows.
        compared: The index that it reads, as of `corpus_searched`.

    Raises:
        NotFound, ApplicationError, Conflict: as `corpus_searched`.
        EncoderDown: the encoder process does not come back, and the pipeline cannot search without it.
    """
    first, history = next(iter(pipeline.stages), None), tuple(reversed(former))
    q = first.q if isinstance(first, Rewrite) else 0
    request = RewriteRequest(
        organization,
        user,
        corpus_id,
        text,
        history,
        q,
        reads_meaning=pipeline.needs_vector,
        filters=filters or Filters(),
        compared=compared or {},
    )
    try:
        return _rewriting(request, pipeline)
    except EncoderDown:
        if not pipeline.can_lack_vector:
            raise
        return _rewriting(replace(request, reads_meaning=False), pipeline)


def _rewriting(request: RewriteRequest, pipeline: Pipeline) -> Rewriting:
    """The queries of a request, with vectors where it reads the meaning."""
    first, started = next(iter(pipeline.stages), None), perf_counter()
    queries, rest = Queries(request.text, request.text), pipeline
    if isinstance(first, Rewrite):
        rest, queries = Pipeline(stages=pipeline.stages[1:]), first.queries(request)
    milliseconds = 1000 * (perf_counter() - started)
    if not request.reads_meaning:
        return Rewriting(queries, rest, (), (), milliseconds)
    with organization_scope(request.organization, user=request.user):
        corpus = request.searched()
    started = perf_counter()
    connection_give_back()
    vectors: list[Vector] = queries_encoded(queries.texts, corpus)
    times = (Timed("encode", 1000 * (perf_counter() - started), len(vectors)),)
    queries, vectors = parts_apart(queries, vectors)
    return Rewriting(queries, rest, tuple(vectors), times, milliseconds, corpus.encoder)


def encoded_again(rewriting: Rewriting, *, corpus: Corpus) -> Rewriting:
    """The same queries with vectors of the corpus's encoder, which was switched since; call it outside any scope."""
    connection_give_back()
    vectors = queries_encoded(rewriting.queries.texts, corpus)
    return replace(rewriting, vectors=tuple(vectors), encoder=corpus.encoder)
