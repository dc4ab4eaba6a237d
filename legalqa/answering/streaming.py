"""An answer as a stream of server-sent events: progress, evidence, and the whole answer once it is checked.

A stream lives as long as the connection and holds no transaction. All streams of one answer share one look at it in
LOOK_S: it enters the organisation again each time, as the person who listens, so that a wall that is closed meanwhile
ends the streams. Before each sends words of documents, its token is asked about again: it may have been revoked. How
many may be open at once is counted in each process: of several web processes each has its share of the limit, and those
of one answer look once in each.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any, Final
from uuid import UUID
from weakref import WeakSet

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection

from legalqa.accounts.models import ApiToken, Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_of_token, token_find
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.pages.progress import evidence_event, is_over, progress_event
from legalqa.answering.selectors import answer_get
from legalqa.answering.services import answer_settle
from legalqa.common.errors import ApplicationError, TooMany
from legalqa.common.work import retry_in

logger = logging.getLogger(__name__)

CONTENT_TYPE: Final = "text/event-stream"
LOOK_S = 0.5
SILENCE_S = 10.0  # progress is sent again after so long without news, or proxies close the connection
STREAM_S = settings.LLM_DEADLINE_MAX_S + 300.0  # longer than any answer takes
RETRY_S = 30  # streams last for minutes
Event = tuple[str, Any]
Key = tuple[UUID, UUID, UUID]

ENDED: Event = ("error", {"message": "The token is no longer valid. Create another one.", "code": "token_ended"})

_open: "WeakSet[EventStream]" = WeakSet()
_open_lock = Lock()
_watches: dict[Key, "_Watch"] = {}


class EventStream:
    """The events of one answer for one listener; it holds a place until it ends, is closed, or nobody has it."""

    def __init__(self, *, organization: Organization, user: User, token: ApiToken, answer_id: UUID) -> None:
        self.organization_id, self.token_id = organization.pk, token.pk
        self._is_valid = partial(_is_valid, token)
        self._key: Key = (organization.pk, user.pk, answer_id)
        self._look = partial(_look, organization, user, answer_id)

    def close(self) -> None:
        """Give the place back; the web framework calls it when the response ends, however it ends."""
        with _open_lock:
            _open.discard(self)

    async def __aiter__(self) -> AsyncIterator[str]:
        until, told_at = monotonic() + STREAM_S, 0.0
        events: dict[str, Any] = {}
        try:
            with _watching(self._key, self._look) as watch:
                while monotonic() < until:
                    for name, value in await asyncio.shield(watch.next):
                        content = {k: v for k, v in value.items() if k != "elapsed_s"} if name == "progress" else value
                        if events.get(name) == content and (name != "progress" or monotonic() - told_at < SILENCE_S):
                            continue
                        events[name], told_at = content, monotonic()
                        if name != "progress" and not await sync_to_async(self._is_valid, thread_sensitive=False)():
                            yield _told(*ENDED)
                            return
                        yield _told(name, value)
                        if name in ("answer", "error"):
                            return
        finally:
            self.close()


def answer_events(*, organization: Organization, user: User, token: ApiToken, answer_id: UUID) -> EventStream:
    """Events `progress`, `evidence`, then `answer` or `error`, after which the stream ends.

    Raises:
        TooMany: the token, or the organisation's tokens together, have as many streams open as they may.
    """
    stream = EventStream(organization=organization, user=user, token=token, answer_id=answer_id)
    with _open_lock:
        of_token = sum(other.token_id == stream.token_id for other in _open)
        of_organization = sum(other.organization_id == stream.organization_id for other in _open)
        if of_token >= settings.EVENT_STREAMS_TOKEN:
            whose, limit = "This token has", settings.EVENT_STREAMS_TOKEN
        elif of_organization >= settings.EVENT_STREAMS_ORGANIZATION:
            whose, limit = "The tokens of your organisation have", settings.EVENT_STREAMS_ORGANIZATION
        else:
            _open.add(stream)
            return stream
    raise TooMany(
        f"{whose} {limit} event streams open, and no more are allowed. Close one, or ask for the answer itself.",
        code="too_many_streams",
        extra={"limit": limit, "retry_after": retry_in(RETRY_S)},
    )


class _Watch:
    """One look at an answer every LOOK_S for all who listen to it; `next` is the result of the coming look."""

    def __init__(self, key: Key, look: Callable[[], list[Event]]) -> None:
        self.n_listeners = 0
        self._key, self._look = key, look
        self._loop = asyncio.get_running_loop()
        self.next: asyncio.Future[list[Event]] = self._loop.create_future()
        self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            while True:
                # Not in the thread of the request that began it: others listen on when that request has ended.
                events = await sync_to_async(self._look, thread_sensitive=False)()
                self.next.set_result(events)
                self.next = self._loop.create_future()
                await asyncio.sleep(LOOK_S)
                if not self.n_listeners:
                    return
        finally:
            if _watches.get(self._key) is self:
                del _watches[self._key]


@contextmanager
def _watching(key: Key, look: Callable[[], list[Event]]) -> Iterator[_Watch]:
    watch = _watches.get(key)
    if watch is None:
        watch = _watches[key] = _Watch(key, look)
    watch.n_listeners += 1
    try:
        yield watch
    finally:
        watch.n_listeners -= 1


def _told(name: str, value: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(value, cls=DjangoJSONEncoder)}\n\n"


def _is_valid(token: ApiToken) -> bool:
    """Whether the token and its person's membership are still there."""
    try:
        return token_find(digest=token.digest) is not None and membership_of_token(token=token) is not None
    finally:
        connection.close()  # as in `_look`


def _look(organization: Organization, user: User, answer_id: UUID) -> list[Event]:
    try:
        with organization_scope(organization, user=user):
            answer = answer_settle(answer=answer_get(organization=organization, user=user, answer_id=answer_id))
            progress: Event = ("progress", progress_event(answer=answer))
            events = [progress, *([("evidence", evidence_event(answer=answer))] if answer.evidence else [])]
            return [*events, ("answer", answer_document(answer=answer))] if is_over(answer) else events
    except ApplicationError as error:
        return [("error", {"message": error.message, "code": error.code})]
    except Exception as error:
        logger.exception("looking at an answer failed: %s", type(error).__name__)
        return [("error", {"message": "The events stopped. Ask for the answer itself in a minute.", "code": "fault"})]
    finally:
        connection.close()  # the thread is shared, and may wait long for its next task
