"""A provider of language models on loopback that says what it is told to say, whole or broken in a chosen way.

Real HTTP over a real socket: everything of ours above the wire runs as it is. A request that nobody scripted is
answered with 500 and fails the test at its end, and so does a reply that nobody fetched.
"""

import json
import socket
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Event, Lock, Thread
from time import sleep
from typing import Any

Reply = Callable[["Wire"], None]
USAGE = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
MOST_PIECES = 50  # of a streamed reply: each costs the product a millisecond, and the longest replies have 500 words


@dataclass
class Asked:
    """One request as it came; `connection` is the same for those that came over one."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    connection: int = 0

    @property
    def text(self) -> str:
        """Everything that was said to the model."""
        return "\n".join(str(message["content"]) for message in self.body.get("messages", []))


class Wire:
    """The socket behind a request, for replies that break the rules."""

    def __init__(self, handler: BaseHTTPRequestHandler, asked: Asked, closing: Event) -> None:
        self._handler, self.asked, self.closing = handler, asked, closing
        self._is_kept = not handler.close_connection

    @property
    def wants_stream(self) -> bool:
        return bool(self.asked.body.get("stream"))

    def head(self, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        lines = [f"HTTP/1.1 {status} Scripted", f"Content-Type: {kind}"]
        lines += [] if self._is_kept else ["Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.raw(("\r\n".join(lines) + "\r\n\r\n").encode())

    def raw(self, data: bytes) -> None:
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def document(self, value: Any, status: int = 200, **headers: str) -> None:
        body = json.dumps(value).encode()
        self.head(status, Content_Length=str(len(body)), **headers)
        self.raw(body)

    def event(self, value: Any) -> None:
        self.raw(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode())

    def piece(self, text: str | None, finish: str | None = None, **more: Any) -> None:
        delta = {} if text is None else {"content": text}
        choice = {"index": 0, "delta": delta | more, "finish_reason": finish}
        self.event(
            {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1", "choices": [choice]}
        )

    def usage(self, usage: Any) -> None:
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1"}
        self.event(chunk | {"choices": [], "usage": usage})

    def wait(self, seconds: float) -> None:
        """Stay silent, but not longer than the test lasts."""
        self.closing.wait(seconds)

    def hang_up(self) -> None:
        """Close the connection after this reply, whatever its head said."""
        self._handler.close_connection = True

    def cut(self) -> None:
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._handler.connection.close()
        self.hang_up()


def completion(
    text: str | None, finish: str | None = "stop", usage: Any = USAGE, logprobs: Any = None, **message: Any
) -> dict[str, Any]:
    """A whole reply of the chat endpoint."""
    said = {"role": "assistant", "content": text} | message
    choices = [{"index": 0, "message": said, "finish_reason": finish, "logprobs": logprobs}]
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "scripted-1", "choices": choices} | (
        {"usage": usage} if usage is not None else {}
    )


def says(text: str | None, *, finish: str | None = "stop", usage: Any = USAGE, **message: Any) -> Reply:
    """The model's whole answer; where it was asked to stream, word by word, or a few words at once where it is long."""

    def reply(wire: Wire) -> None:
        if not wire.wants_stream:
            wire.document(completion(text, finish, usage, **message))
            return
        wire.head(kind="text/event-stream")
        words = (text or "").split(" ")
        together = -(-len(words) // MOST_PIECES)
        for at in range(0, len(words), together):
            wire.piece(" ".join(words[at : at + together]) + " ")
        if message:
            wire.piece(None, None, **message)
        wire.piece(None, finish)
        if usage is not None:
            wire.usage(usage)
        wire.event("[DONE]")

    return reply


def says_json(value: Any, **options: Any) -> Reply:
    return says(json.dumps(value), **options)


def scoring(words: str, *, high: float, low: float) -> Reply:
    """What holds the words scores high, everything else low."""

    def reply(wire: Wire) -> None:
        texts = wire.asked.body["documents"]
        rows = [{"index": n, "relevance_score": high if words in text else low} for n, text in enumerate(texts)]
        wire.document({"results": rows, "usage": {"total_tokens": 40}})

    return reply


def embeds(*vectors: list[float]) -> Reply:
    data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
    usage = {"prompt_tokens": 7, "total_tokens": 7}
    return lambda wire: wire.document({"object": "list", "model": "scripted-embed", "data": data, "usage": usage})


def reranks(*scores: float) -> Reply:
    results = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
    return lambda wire: wire.document({"results": results})


def fails(status: int, *, code: str = "", kind: str = "", message: str = "no", **headers: str) -> Reply:
    error = {"message": message, "type": kind or "error", "code": code or None}
    return lambda wire: wire.document({"error": error}, status, **headers)


def never_answers(wire: Wire) -> None:
    wire.wait(60)


def refuses_key(wire: Wire) -> None:
    fails(401, code="invalid_api_key", message="Incorrect API key")(wire)


def overflows(wire: Wire) -> None:
    fails(400, code="context_length_exceeded", message="This model's maximum context length is 10 tokens.")(wire)


def has_no_quota(wire: Wire) -> None:
    fails(429, code="insufficient_quota", kind="insufficient_quota")(wire)


def html(wire: Wire) -> None:
    body = b"<html><body>Please sign in to the proxy.</body></html>"
    wire.head(kind="text/html", Content_Length=str(len(body)))
    wire.raw(body)


def no_choices(wire: Wire) -> None:
    whole = completion("")
    if wire.wants_stream:
        wire.head(kind="text/event-stream")
        wire.usage(USAGE)
        wire.event("[DONE]")
    else:
        wire.document(whole | {"choices": []})


def cut_in_chunk(wire: Wire) -> None:
    """A chunked stream that breaks off inside a piece."""
    wire.head(kind="text/event-stream", Transfer_Encoding="chunked")
    event = json.dumps({"choices": [{"index": 0, "delta": {"content": "The tenant shall "}, "finish_reason": None}]})
    data = f"data: {event}\n\n".encode()
    wire.raw(f"{len(data):x}\r\n".encode() + data + b"\r\n40\r\ndata: {")


def cut_before_text(wire: Wire) -> None:
    wire.cut()


def no_finish(wire: Wire) -> None:
    """A stream that ends cleanly, too early."""
    wire.head(kind="text/event-stream")
    wire.piece("The tenant shall ")


def drips(every_s: float) -> Reply:
    def reply(wire: Wire) -> None:
        wire.head(kind="text/event-stream")
        while not wire.closing.is_set():
            wire.piece("drip ")
            wire.wait(every_s)

    return reply


def slow_loris(wire: Wire) -> None:
    """The head of a reply, one byte at a time, without end."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 10_000:
        if wire.closing.is_set():
            return
        wire.raw(bytes([byte]))
        sleep(0.02)


def huge(wire: Wire) -> None:
    """A hundred megabytes of answer."""
    kind = "text/event-stream" if wire.wants_stream else "application/json"
    wire.head(kind=kind, Content_Length=str(100 * 1024 * 1024))
    for _ in range(100):
        wire.raw(b"a" * 1024 * 1024)


def invalid_utf8(wire: Wire) -> None:
    if wire.wants_stream:
        wire.head(kind="text/event-stream")
        wire.raw(b'data: {"choices": [{"delta": {"content": "\xff\xfe\xfa"}}]}\n\n')
    else:
        body = b'{"choices": [{"message": {"content": "\xff\xfe"}, "finish_reason": "stop"}]}'
        wire.head(Content_Length=str(len(body)))
        wire.raw(body)


def sse_garbage(wire: Wire) -> None:
    wire.head(kind="text/event-stream")
    wire.raw(b"\x00\x01garbage: yes\n\ndata: {not json at all\n\nevent: ?\ndata: 1e999\n\n")


def done_twice(wire: Wire) -> None:
    wire.head(kind="text/event-stream")
    wire.piece("Whole.")
    wire.piece(None, "stop")
    wire.usage(USAGE)
    wire.event("[DONE]")
    wire.event("[DONE]")
    wire.piece(" More.")


def redirects(to: str) -> Reply:
    return lambda wire: wire.head(302, Location=to, Content_Length="0")


@dataclass
class ScriptedProvider:
    """Answers with the replies it was given, one after the other, then with `always` if there is one.

    keeps: Leaves a connection open for the next request; its replies must say where they end.
    tls: Speaks over it.
    """

    replies: deque[Reply] = field(default_factory=deque)
    always: Reply | None = None
    asked: list[Asked] = field(default_factory=list)
    unscripted: list[Asked] = field(default_factory=list)
    keeps: bool = False
    tls: SSLContext | None = None

    def __post_init__(self) -> None:
        self._lock, self._closing = Lock(), Event()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
                headers = {name.lower(): value for name, value in self.headers.items()}
                provider._answer(self, Asked(self.path, headers, body, self.client_address[1]))

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: object) -> None:
                """The client has hung up."""

        self._server = Server(("127.0.0.1", 0), Handler)
        if self.tls is not None:
            self._server.socket = self.tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http{'s' if self.tls else ''}://127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def will(self, *replies: Reply) -> None:
        """Queue replies, in this order."""
        self.replies.extend(replies)

    def _answer(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        with self._lock:
            self.asked.append(asked)
            reply = self.replies.popleft() if self.replies else self.always
            if reply is None:
                self.unscripted.append(asked)
                reply = fails(500, code="unscripted")
        handler.close_connection |= not self.keeps
        reply(Wire(handler, asked, self._closing))

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def check(self) -> None:
        """Every request was scripted, and every reply fetched."""
        assert not self.unscripted, (
            f"nobody scripted a reply to: {[asked.text or asked.path for asked in self.unscripted]}"
        )
        assert not self.replies, f"{len(self.replies)} scripted replies were not fetched"


def provider_running() -> Iterator[ScriptedProvider]:
    """The body of a fixture: a provider for as long as a test lasts, checked at its end."""
    provider = ScriptedProvider()
    yield provider
    provider.close()
    provider.check()
