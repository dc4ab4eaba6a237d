"""What a candidate can be asked for: a chat, vectors, scores. Each knows how to build, send and judge its request."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from legalqa.llm import wire
from legalqa.llm.clock import Clock
from legalqa.llm.context import Fitted, fit
from legalqa.llm.pricing import tokens_estimate
from legalqa.llm.replies import Judged, judge, repair_turn, schema_note
from legalqa.llm.selectors import Candidate
from legalqa.llm.types import Json, LLMRequest, OnDelta, Outcome
from legalqa.llm.wire import TEI_PARAMETER, CallFailed, Fault, RawReply

SCHEMA_PARAMETERS = frozenset({"response_format", "json_schema"})


class Quirks:
    """Parameters that a model at an address does not accept, learnt from its refusals while the process runs."""

    def __init__(self) -> None:
        self._lock, self._parameters = Lock(), dict[tuple[str, str], frozenset[str]]()

    def of(self, candidate: Candidate) -> frozenset[str]:
        return self._parameters.get(self._key(candidate), frozenset())

    def learn(self, candidate: Candidate, parameter: str) -> bool:
        """Note a parameter; False if it was already known, so that leaving it out did not help."""
        with self._lock:
            parameters = self.of(candidate)
            self._parameters[self._key(candidate)] = parameters | {parameter}
            return parameter not in parameters

    def _key(self, candidate: Candidate) -> tuple[str, str]:
        assert candidate.endpoint is not None
        return candidate.endpoint.base_url, candidate.model


QUIRKS = Quirks()


class ChatWork:
    """A request for text or for an object, sent to one candidate after the other.

    `body` is None if it is too long for the candidate; `listener` receives the text of a reply as it arrives.
    """

    can_record = True

    def __init__(self, request: LLMRequest, on_delta: OnDelta | None) -> None:
        self._request, self._on_delta = request, on_delta
        self.volatile, self.sample = request.volatile, request.sample
        self._restart()

    def _restart(self) -> None:
        """Start again with the whole request for the next candidate."""
        self._n_most: int | None = None
        self._repair: list[dict[str, str]] = []
        self._fitted: Fitted | None = None
        self._last_text = ""
        self._candidate: Candidate | None = None
        self.tokens_in, self.most_out, self.blocks_dropped = 0, self._request.max_tokens, 0

    @property
    def is_repair(self) -> bool:
        return bool(self._repair)

    @property
    def listener(self) -> OnDelta | None:
        return None if self._repair else self._on_delta  # a repair would send everything twice

    def body(self, candidate: Candidate) -> Json | None:
        if self._candidate is not None and self._candidate is not candidate:
            self._restart()
        self._candidate = candidate
        most = min(self._request.max_tokens, candidate.context_tokens // 2)  # a long reply leaves room for the question
        request, quirks = replace(self._request, max_tokens=most), QUIRKS.of(candidate)
        takes_schema = not quirks & SCHEMA_PARAMETERS
        note = schema_note(request.schema) if request.schema is not None and not takes_schema else ""
        self._fitted = fit(
            request,
            context_tokens=candidate.context_tokens,
            evidence_tokens=candidate.limits.evidence_tokens,
            n_most=self._n_most,
            note=note,
        )
        if self._fitted is None:
            return None
        self.blocks_dropped = self._fitted.n_dropped
        self.tokens_in = self._fitted.tokens + sum(tokens_estimate([turn["content"] for turn in self._repair]))
        body: Json = {"model": candidate.model, "messages": [*self._fitted.turns, *self._repair]}
        body["max_completion_tokens" if "max_tokens" in quirks else "max_tokens"] = request.max_tokens
        if "temperature" not in quirks:
            body["temperature"] = request.temperature
        if request.seed is not None and "seed" not in quirks:
            body["seed"] = request.seed + request.sample
        if request.n_tops and "logprobs" not in quirks:
            body |= {"logprobs": True, "top_logprobs": request.n_tops}
        if request.is_scored and "prompt_logprobs" not in quirks:
            body["extra_body"] = {"prompt_logprobs": 0}  # the SDK knows no such parameter
        if request.schema is not None and takes_schema:
            shape = {"name": request.schema.__name__, "schema": request.schema.model_json_schema()}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return body

    def send(self, candidate: Candidate, body: Json, clock: Clock) -> RawReply:
        assert candidate.endpoint is not None
        if self.listener is None:
            return wire.chat(candidate.endpoint, body, clock)
        return wire.chat_stream(
            candidate.endpoint,
            body,
            clock,
            on_delta=self.listener,
            first_token_s=candidate.limits.first_token_s or self._request.first_token_s,
            between_s=candidate.limits.between_s or self._request.between_s,
        )

    def judge(self, reply: RawReply) -> Judged:
        self._last_text = reply.text
        if reply.scored:  # whatever else it wrote does not matter
            return Judged(Outcome.OK)
        return judge(reply, self._request.schema)

    def change(self, candidate: Candidate, *, failure: CallFailed | None, verdict: Judged | None) -> bool:
        """Change the request so that sending it again at once may work; False if nothing is left to change."""
        if verdict is not None and verdict.fix and not self._repair:
            self._repair = [
                {"role": "assistant", "content": self._last_text[:20_000]},
                {"role": "user", "content": repair_turn(verdict.fix)},
            ]
            return True
        if failure is None or failure.text:
            return False
        if failure.fault is Fault.PARAMETER:
            return QUIRKS.learn(candidate, failure.parameter)
        if failure.fault is Fault.OVERFLOW and self._n_most is None and self._fitted and self._fitted.n_kept > 1:
            self._n_most = self._fitted.n_kept // 2
            return True
        return False


class NumbersWork:
    """A request for a vector of each text, or, with a query, for a score of each."""

    volatile: tuple[str, ...] = ()
    most_out, blocks_dropped, sample, is_repair, can_record = 0, 0, 0, False, False
    listener: OnDelta | None = None

    def __init__(self, texts: Sequence[str], query: str | None = None) -> None:
        self._texts, self._query = list(texts), query
        self.tokens_in = sum(tokens_estimate([*self._texts, query or ""]))
        self.vectors: list[list[float]] = []
        self.scores: list[float] = []

    def body(self, candidate: Candidate) -> Json:
        if self._query is None:
            return {"model": candidate.model, "input": self._texts}
        if candidate.rerank_shape == "tei" or TEI_PARAMETER in QUIRKS.of(candidate):
            return {"query": self._query, TEI_PARAMETER: self._texts}
        return {"model": candidate.model, "query": self._query, "documents": self._texts, "top_n": len(self._texts)}

    def send(self, candidate: Candidate, body: Json, clock: Clock) -> RawReply:
        assert candidate.endpoint is not None
        if self._query is None:
            self.vectors, reply = wire.embeddings(candidate.endpoint, candidate.model, body["input"], clock)
            return reply
        self.scores, reply = wire.scores(candidate.endpoint, candidate.rerank_path, body, len(self._texts), clock)
        return reply

    def judge(self, reply: RawReply) -> Judged:  # noqa: ARG002 - the wire lets whole replies through only
        return Judged(Outcome.OK)

    def change(self, candidate: Candidate, *, failure: CallFailed | None, verdict: Judged | None) -> bool:  # noqa: ARG002 - of every work
        """A server that misses `texts` speaks the protocol of text-embeddings-inference: ask it again in that."""
        is_tei = failure is not None and failure.parameter == TEI_PARAMETER
        return is_tei and self._query is not None and QUIRKS.learn(candidate, TEI_PARAMETER)


Work = ChatWork | NumbersWork
