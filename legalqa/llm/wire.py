"""One exchange with a provider through the SDK: its reply, read strictly, or a `Fault` that says how it failed.

Of a provider's words only the model's text leaves this module.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import httpx2
from pydantic import AliasChoices, Field, TypeAdapter, ValidationError

from legalqa.common.egress import EgressRefused, NameUnknown
from legalqa.common.json_lines import json_read
from legalqa.common.numbers import whole_number
from legalqa.llm.clock import Clock, ClockStopped
from legalqa.llm.odds import Shape, scored_of, tops_of
from legalqa.llm.transport import ConnectFailed, Endpoint, ReplyBroken, ReplyTooLarge, http_client
from legalqa.llm.types import Json, OnDelta, Token

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

# Not taken by every model.
PARAMETERS = ("response_format", "json_schema", "temperature", "max_tokens", "prompt_logprobs", "logprobs", "seed")
TEI_PARAMETER = "texts"  # text-embeddings-inference reports it as missing: that is its name for documents
TOKENS_MAX = 100_000_000  # ours: a larger token count is nonsense


class Fault(StrEnum):
    """Why an exchange gave no reply."""

    ADDRESS = "address"  # it must not be called
    NAME = "name"  # the name does not resolve
    CONNECT = "connect"
    CLOSED = "closed"  # the machine is there but refuses the connection
    LATE = "late"
    CUT = "cut"
    NO_REPLY = "no_reply"  # whatever answered is not a provider: it sent a page, or bytes that are not JSON
    TOO_LARGE = "too_large"
    CANCELLED = "cancelled"
    KEY = "key"
    ACCOUNT = "account"  # the provider's account is used up
    OVERFLOW = "overflow"
    FILTERED = "filtered"
    BUSY = "busy"
    SERVER = "server"
    REQUEST = "request"  # the provider does not accept the request
    MODEL = "model"  # it has no such model
    PARAMETER = "parameter"  # the model does not accept one of the request's parameters
    REDIRECT = "redirect"
    NO_RECORDING = "no_recording"  # in replay mode


class CallFailed(Exception):
    """text: The part of an answer that had arrived; retry_after: seconds, if the provider said so.

    parameter: The one that the model does not accept.
    """

    def __init__(self, fault: Fault, *, text: str = "", retry_after: float | None = None, parameter: str = "") -> None:
        super().__init__(fault.value)
        self.fault, self.text, self.retry_after, self.parameter = fault, text, retry_after, parameter


class ListenerFailed(Exception):
    """The listener raised; the cause is its own."""


@dataclass(frozen=True, slots=True)
class RawReply:
    """A provider's reply before it is judged.

    tokens: (in, out) as the provider counted them; None if it did not count, or the counts are impossible.
    """

    text: str
    finish: str | None
    is_refusal: bool
    tokens: tuple[int, int] | None
    model: str
    tops: tuple[Token, ...] = ()
    scored: tuple[tuple[str, float], ...] = ()


class _Message(Shape):
    content: str | None = None
    refusal: str | None = None


class _Choice(Shape):
    message: _Message
    finish_reason: str | None = None
    logprobs: Any = None


class _Completion(Shape):
    choices: list[_Choice]
    model: str = ""
    usage: Any = None
    prompt_logprobs: Any = None


class _Piece(Shape):
    delta: _Message = _Message()
    finish_reason: str | None = None


class _Chunk(Shape):
    choices: list[_Piece] = []
    model: str | None = None
    usage: Any = None


class _Vector(Shape):
    index: int
    embedding: list[float]


class _Vectors(Shape):
    data: list[_Vector]
    model: str = ""
    usage: Any = None


class _Score(Shape):
    index: int
    score: Annotated[float, Field(validation_alias=AliasChoices("relevance_score", "score"))]


def chat(endpoint: Endpoint, body: Json, clock: Clock) -> RawReply:
    """Ask for a whole answer.

    Raises:
        CallFailed: there is no reply of the chat endpoint.
    """
    with _faults(), _sdk(endpoint, clock) as client:
        reply = client.chat.completions.with_raw_response.create(**body)
        completion = _Completion.model_validate(_json_of(reply.http_response))
    if len(completion.choices) != 1:
        return RawReply("", None, is_refusal=False, tokens=_tokens(completion.usage), model=completion.model)
    [choice] = completion.choices
    return RawReply(
        _clean(choice.message.content),
        choice.finish_reason,
        is_refusal=bool(choice.message.refusal),
        tokens=_tokens(completion.usage),
        model=_clean(completion.model),
        tops=tops_of(choice.logprobs),
        scored=scored_of(completion.prompt_logprobs),
    )


def chat_stream(
    endpoint: Endpoint, body: Json, clock: Clock, *, on_delta: OnDelta, first_token_s: float, between_s: float
) -> RawReply:
    """Ask for an answer piece by piece; `on_delta` receives each.

    Raises:
        CallFailed: as `chat`; with the text that had arrived.
    """
    pieces: list[str] = []
    finish: str | None = None
    is_refusal, usage, model = False, None, ""
    clock.expect_piece(first_token_s)
    streamed: Json = body | {"stream": True, "stream_options": {"include_usage": True}}
    # Closed at the end: a caller that stops in the middle must not leave the connection open.
    with (
        _faults(pieces),
        _sdk(endpoint, clock) as client,
        closing(cast(Any, client.chat.completions.create(**streamed))) as stream,
    ):
        _check_kind(stream.response, "text/event-stream")
        for raw in stream:
            chunk = _Chunk.model_validate(raw.to_dict(mode="python", warnings=False))
            clock.expect_piece(between_s)
            usage, model = chunk.usage or usage, _clean(chunk.model) or model
            for choice in chunk.choices[:1]:
                is_refusal |= bool(choice.delta.refusal)
                finish = choice.finish_reason or finish
                if text := _clean(choice.delta.content):
                    pieces.append(text)
                    tell(on_delta, text)
            clock.check()
    return RawReply("".join(pieces), finish, is_refusal=is_refusal, tokens=_tokens(usage), model=model)


def tell(on_delta: OnDelta, text: str) -> None:
    """Pass a piece of a reply to a listener.

    Raises:
        ListenerFailed: it raised.
    """
    try:
        on_delta(text)
    except Exception as error:
        raise ListenerFailed from error  # otherwise it would be taken for a fault of the provider


def embeddings(
    endpoint: Endpoint, model: str, texts: Sequence[str], clock: Clock
) -> tuple[list[list[float]], RawReply]:
    """One vector for each text.

    Raises:
        CallFailed: as `chat`, or the vectors are not one for each text, all finite and of one length.
    """
    with _faults(), _sdk(endpoint, clock) as client:
        response = client.embeddings.with_raw_response.create(model=model, input=list(texts), encoding_format="float")
        document = _Vectors.model_validate(_json_of(response.http_response))
    vectors = {row.index: row.embedding for row in document.data}
    sizes = {len(vector) for vector in vectors.values()}
    if len(document.data) != len(texts) or set(vectors) != set(range(len(texts))) or len(sizes) != 1 or 0 in sizes:
        raise CallFailed(Fault.NO_REPLY)
    reply = RawReply("", "stop", is_refusal=False, tokens=_tokens(document.usage), model=document.model)
    return [vectors[place] for place in range(len(texts))], reply


def scores(endpoint: Endpoint, path: str, body: Json, n_texts: int, clock: Clock) -> tuple[list[float], RawReply]:
    """A score for each text, larger is better; Jina counts tokens.

    Cohere and Jina reply `{"results": [{index, relevance_score}]}`, text-embeddings-inference `[{index, score}]`.

    Raises:
        CallFailed: as `chat`, or there is not one score for each text.
    """
    with _faults(), _sdk(endpoint, clock) as client:
        data = _json_of(client.post(path, cast_to=httpx2.Response, body=body))
        document = data if isinstance(data, dict) else {"results": data}
        rows = TypeAdapter(list[_Score]).validate_python(document.get("results"))
    by_place = {row.index: row.score for row in rows}
    if len(rows) != n_texts or set(by_place) != set(range(n_texts)):
        raise CallFailed(Fault.NO_REPLY)
    reply = RawReply(
        "", "stop", is_refusal=False, tokens=_tokens(document.get("usage")), model=str(body.get("model", ""))
    )
    return [by_place[place] for place in range(n_texts)], reply


def sdk_load() -> None:
    """Import the SDK before the clock of a call starts: it takes a second the first time."""
    import openai  # noqa: F401 - imported to be loaded


@contextmanager
def _sdk(endpoint: Endpoint, clock: Clock) -> Iterator["OpenAI"]:
    """The SDK for one call: no retries and no redirects of its own, nothing from the environment."""
    from openai import OpenAI

    with http_client(endpoint, clock) as transport:
        client = OpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url,
            http_client=transport,
            max_retries=0,
            timeout=None,
            organization="",
            project="",
        )
        yield client


@contextmanager
def _faults(pieces: Sequence[str] = ()) -> Iterator[None]:
    """Turn what the SDK, our transport and the readers raise into CallFailed."""
    from openai import APIConnectionError, APIError, APIStatusError

    def fail(fault: Fault, **more: Any) -> NoReturn:
        raise CallFailed(fault, text="".join(pieces), **more) from None

    try:
        yield
    except APIStatusError as error:
        fault, parameter = _fault_of(error)
        fail(fault, retry_after=_retry_after(error), parameter=parameter)
    except APIConnectionError:
        fail(Fault.CUT)
    except APIError:  # an error event inside a stream
        fail(Fault.SERVER)
    except NameUnknown:
        fail(Fault.NAME)
    except EgressRefused:
        fail(Fault.ADDRESS)
    except ConnectFailed as failed:
        fail(Fault.CLOSED if failed.is_refused else Fault.CONNECT)
    except ClockStopped as stopped:
        fail(Fault.CANCELLED if stopped.is_cancelled else Fault.LATE)
    except ReplyTooLarge:
        fail(Fault.TOO_LARGE)
    except ReplyBroken:
        fail(Fault.CUT)
    except (ValidationError, ValueError, RecursionError):  # not JSON, not UTF-8, or of another shape
        fail(Fault.NO_REPLY)


def _fault_of(error: "APIStatusError") -> tuple[Fault, str]:
    """The fault that a status means, with the code in the body if there is one; and the parameter that is to blame."""
    body = error.body if isinstance(error.body, dict) else {"message": error.body}
    code, kind = str(body.get("code") or ""), str(body.get("type") or "")
    words = f"{body.get('param') or ''} {body.get('message') or ''}".lower()
    status = error.status_code
    if 300 <= status < 400:
        return Fault.REDIRECT, ""
    if status in (401, 403):
        return Fault.KEY, ""
    if status == 402 or "insufficient_quota" in (code, kind):
        return Fault.ACCOUNT, ""
    if status in (400, 413, 422):
        return _refusal_of(status, code, words)
    if status == 404 and ("model" in words or code == "model_not_found"):
        return Fault.MODEL, ""
    if status == 429:
        return Fault.BUSY, ""
    return (Fault.SERVER if status >= 500 or status in (408, 409) else Fault.REQUEST), ""


def _refusal_of(status: int, code: str, words: str) -> tuple[Fault, str]:
    """Why a provider does not accept a request, guessed from the words of its own message."""
    if code == "context_length_exceeded" or "context length" in words or "context size" in words:
        return Fault.OVERFLOW, ""
    if code in ("content_filter", "content_policy_violation"):
        return Fault.FILTERED, ""
    if f"missing field `{TEI_PARAMETER}`" in words:
        return Fault.PARAMETER, TEI_PARAMETER
    for parameter in PARAMETERS if status != 413 else ():
        if parameter in words:
            return Fault.PARAMETER, parameter
    return Fault.REQUEST, ""


def _retry_after(error: "APIStatusError") -> float | None:
    """In seconds; a date or anything else is ignored."""
    header = error.response.headers.get("retry-after", "")
    return whole_number(header, digits=8)


def _check_kind(response: httpx2.Response, kind: str) -> None:
    if not response.headers.get("content-type", "").lower().startswith(kind):
        response.close()
        raise CallFailed(Fault.NO_REPLY)


def _json_of(response: httpx2.Response) -> Any:
    """The body as JSON; raises NotJson, a ValueError, if it is not JSON, or has NaN."""
    _check_kind(response, "application/json")
    return json_read(response.content)


def _clean(text: str | None) -> str:
    """The text without what a database cannot store: NUL and halves of characters."""
    return (text or "").replace("\x00", "").encode("utf-8", "replace").decode()


def _tokens(usage: Any) -> tuple[int, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = (usage.get("prompt_tokens", usage.get("total_tokens")), usage.get("completion_tokens", 0))
    if not all(type(n) is int and 0 <= n <= TOKENS_MAX for n in counts):
        return None
    return int(counts[0] or 0), int(counts[1] or 0)
