"""Request bodies are cut off where their address takes no more, before Django stores them."""

import asyncio
import errno
import json
from collections.abc import Iterable
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from legalqa.asgi import application
from legalqa.common import body_limit
from legalqa.common.body_limit import ANYBODY_BYTES, KIBIBYTE, MAX_BODY_BYTES, MEBIBYTE, BodyLimit
from legalqa.common.refusing import Message, Receive, Scope, Send

CORPUS = "11111111-1111-4111-8111-111111111111"
UPLOAD = f"/api/v1/corpora/{CORPUS}/documents/"
UPLOADS = [UPLOAD, f"/o/harding/corpora/{CORPUS}/upload/"]


async def somebody(scope: Scope) -> str | None:
    return "a lawyer"


async def nobody(scope: Scope) -> str | None:
    return None


class Recorder:
    """An application that reads the whole body, as Django does, and answers with its length."""

    def __init__(self) -> None:
        self.n_read = 0
        self.last = ""
        self.path = ""

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.path = scope["path"]
        while True:
            message = await receive()
            self.last = message["type"]
            if self.last == "http.disconnect":
                return
            self.n_read += len(message["body"])
            if not message["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(self.n_read).encode()})


def exchange(
    parts: Iterable[int],
    *,
    path: str = "/api/v1/search/",
    method: str = "POST",
    declared: int | None = None,
    inner: Any = None,
    caller: Any = somebody,
) -> tuple[list[Message], Recorder, int]:
    """What was sent for a body in parts of these lengths, and how many of the parts were asked for."""
    recorder, sent, lengths = Recorder(), [], list(parts)
    n_asked = 0

    async def receive() -> Message:
        nonlocal n_asked
        n_asked += 1
        return {"type": "http.request", "body": b"x" * lengths[n_asked - 1], "more_body": n_asked < len(lengths)}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [] if declared is None else [(b"content-length", str(declared).encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asyncio.run(BodyLimit(inner or recorder, caller=caller)(scope, receive, send))
    return sent, recorder, n_asked


def check_refusal(sent: list[Message], path: str, *, status: int = 413, says: str = "The request is larger") -> None:
    start, body = sent
    headers = dict(start["headers"])
    assert start["status"] == status
    assert headers[b"connection"] == b"close"
    assert headers[b"content-length"] == str(len(body["body"])).encode()
    if path.startswith("/api/"):
        assert headers[b"content-type"] == b"application/json"
        error = json.loads(body["body"])
        assert set(error) == {"message", "code", "extra"}
        text = error["message"]
    else:
        assert headers[b"content-type"].startswith(b"text/plain")
        text = body["body"].decode()
    assert text.startswith(says)


@pytest.mark.parametrize("path", ["/api/v1/search/", "/o/harding/", *UPLOADS])
def test_a_body_that_says_it_is_too_large_is_refused_unread(path: str, settings: Settings) -> None:
    settings.MAX_UPLOAD_BYTES = 5 * MEBIBYTE
    cap = 6 * MEBIBYTE if path in UPLOADS else MAX_BODY_BYTES
    sent, recorder, n_asked = exchange([10], path=path, declared=cap + 1)

    check_refusal(sent, path)
    assert (n_asked, recorder.path) == (0, "")


@pytest.mark.parametrize("path", ["/api/v1/search/", "/o/harding/", *UPLOADS])
@pytest.mark.parametrize("declared", [None, 7])
def test_a_body_that_turns_out_too_large_is_read_no_further(
    path: str, declared: int | None, settings: Settings
) -> None:
    settings.MAX_UPLOAD_BYTES = 5 * MEBIBYTE
    cap = 6 * MEBIBYTE if path in UPLOADS else MAX_BODY_BYTES
    sent, recorder, n_asked = exchange([MEBIBYTE] * 20, path=path, declared=declared)

    check_refusal(sent, path)
    assert (recorder.n_read, recorder.last) == (cap, "http.disconnect")
    assert n_asked == cap // MEBIBYTE + 1


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", UPLOAD), ("GET", UPLOAD), ("POST", f"{UPLOAD}x/"), ("POST", "/nowhere/upload/")]
)
def test_only_a_post_to_an_upload_may_be_large(method: str, path: str) -> None:
    sent, _, _ = exchange([], path=path, method=method, declared=MAX_BODY_BYTES + 1)

    assert sent[0]["status"] == 413


@pytest.mark.parametrize("parts", [[0], [10], [MEBIBYTE] * 3])
def test_a_body_within_the_cap_passes_unchanged(parts: list[int]) -> None:
    sent, recorder, _ = exchange(parts, declared=sum(parts))

    assert sent[0]["status"] == 200
    assert recorder.n_read == sum(parts)


def test_who_has_been_answered_already_is_cut_off_without_a_second_answer() -> None:
    async def hasty(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()
        assert (await receive())["type"] == "http.disconnect"
        await send({"type": "http.response.body", "body": b"too late"})

    sent, _, _ = exchange([MAX_BODY_BYTES, 1], inner=hasty)
    assert [message["type"] for message in sent] == ["http.response.start"]


@pytest.mark.parametrize("path", ["/nowhere/upload/", "/sign-in/", "/api/v1/search/", *UPLOADS])
def test_nobody_in_particular_sends_more_than_a_small_form(path: str) -> None:
    says = "Without a sign-in or an API token, a request can have at most 64 KB"
    sent, recorder, n_asked = exchange([10], path=path, declared=ANYBODY_BYTES + 1, caller=nobody)
    check_refusal(sent, path, status=401, says=says)
    assert (n_asked, recorder.path) == (0, "")

    sent, recorder, n_asked = exchange([ANYBODY_BYTES, 1, 1], path=path, caller=nobody)
    check_refusal(sent, path, status=401, says=says)
    assert (recorder.n_read, recorder.last, n_asked) == (ANYBODY_BYTES, "http.disconnect", 2)

    sent, recorder, _ = exchange([ANYBODY_BYTES], path=path, declared=ANYBODY_BYTES, caller=nobody)
    assert (sent[0]["status"], recorder.n_read) == (200, ANYBODY_BYTES)


def test_who_asks_is_looked_up_once_and_only_for_what_is_not_small() -> None:
    asked = []

    async def counted(scope: Scope) -> str:
        asked.append(scope["path"])
        return "a lawyer"

    exchange([10, 10], declared=20, caller=counted)
    assert asked == []
    exchange([MEBIBYTE, MEBIBYTE], declared=2 * MEBIBYTE, caller=counted)
    assert len(asked) == 1


class Waiting:
    """Bodies that are at the door until they are let go, at one limit."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            await self.go.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        async def caller(scope: Scope) -> str:
            return str(scope["who"])

        self.limit = BodyLimit(application, caller=caller)

    async def send_one(self, who: str, n_bytes: int) -> int:
        """The status of a body of this many bytes."""
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            raise AssertionError("the application reads nothing")

        headers = [(b"content-length", str(n_bytes).encode())]
        scope = {"type": "http", "method": "POST", "path": UPLOAD, "headers": headers, "who": who}
        await self.limit(scope, receive, send)
        return int(sent[0]["status"])


@pytest.mark.parametrize(
    ("who", "sizes", "status"),
    [
        (["a", "a", "a"], [5, 5, 5], 429),  # one person's third
        (["a", "b", "c", "d"], [5, 5, 5, 5], 503),  # the fourth of all
        (["a", "b"], [15, 6], 503),  # more than they may hold together
        (["a", "a", "a"], [5, 5, 1], 200),  # small ones are not counted
        (["a", "b"], [15, 5], 200),
    ],
)
def test_large_bodies_under_way_are_limited_in_number_and_in_sum(
    who: list[str], sizes: list[int], status: int, settings: Settings
) -> None:
    settings.UPLOADS_AT_ONCE_EACH, settings.UPLOADS_AT_ONCE = 2, 3
    settings.UPLOADS_AT_ONCE_BYTES = 20 * MEBIBYTE

    async def run() -> None:
        waiting = Waiting()
        tasks = [
            asyncio.create_task(waiting.send_one(person, size * MEBIBYTE))
            for person, size in zip(who, sizes, strict=True)
        ]
        await asyncio.sleep(0.05)
        waiting.go.set()
        assert await asyncio.gather(*tasks) == [200] * (len(who) - 1) + [status]
        assert await waiting.send_one(who[-1], sizes[-1] * MEBIBYTE) == 200  # every place was given back

    asyncio.run(run())


def test_a_body_that_trickles_is_given_up_with_a_sentence(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.UPLOAD_LEAST_SPEED = 32 * KIBIBYTE
    monkeypatch.setattr(body_limit, "GRACE_S", 0.05)  # or it waits for seconds
    recorder, sent, n_asked = Recorder(), [], 0

    async def receive() -> Message:
        nonlocal n_asked
        n_asked += 1
        if n_asked > 1:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": UPLOAD, "headers": []}
    asyncio.run(BodyLimit(recorder, caller=somebody)(scope, receive, send))

    check_refusal(sent, UPLOAD, status=408, says="The upload was too slow: at least 32 KB a second must arrive.")
    assert recorder.last == "http.disconnect"


def through_django(path: str, headers: list[tuple[bytes, bytes]], body: bytes) -> list[Message]:
    """What the web server's entry point answers."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []
    is_answered = asyncio.Event()

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await is_answered.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    asyncio.run(application(scope, receive, send))
    return sent


def test_the_web_server_has_the_limit() -> None:
    sent = through_django("/sign-in/", [(b"host", b"localhost"), (b"content-length", b"99999999999")], b"")

    check_refusal(sent, "/sign-in/")


def test_a_normal_request_reaches_django() -> None:
    start, body = through_django("/api/v1/nothing/", [(b"host", b"localhost"), (b"content-length", b"2")], b"{}")[:2]

    assert start["status"] == 404
    assert json.loads(body["body"])["code"] == "not_found"


@pytest.mark.parametrize("path", UPLOADS)
def test_a_file_is_refused_unread_while_the_disk_has_too_little_room(path: str, settings: Settings) -> None:
    settings.MIN_FREE_BYTES = 10**18
    sent, recorder, n_asked = exchange([10], path=path)

    assert (sent[0]["status"], n_asked, recorder.path) == (507, 0, "")
    assert b"too little room" in sent[1]["body"]


def test_a_disk_that_fills_up_while_a_body_is_stored_is_said_to_be_full() -> None:
    async def full(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    sent, _, _ = exchange([10], path=UPLOAD, inner=full)
    assert sent[0]["status"] == 507
    assert json.loads(sent[1]["body"])["code"] == "disk_full"
