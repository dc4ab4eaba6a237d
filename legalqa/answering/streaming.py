"""An answer as a stream of server-sent events: progress, evidence, and the whole answer once it is checked.

The generator lives as long as the connection and holds no transaction: it enters the organisation anew for each look,
as the person who listens, so that a wall that is closed meanwhile ends the stream.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any, Final
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.answering.presentation import answer_document
from legalqa.answering.progress import evidence_event, is_over, progress_event
from legalqa.answering.selectors import answer_get, answer_job
from legalqa.answering.services import answer_settle
from legalqa.common.errors import ApplicationError

CONTENT_TYPE: Final = "text/event-stream"
LOOK_S = 0.5
SILENCE_S = 10.0  # after so long without news the progress is told again, or proxies close the connection
STREAM_S = settings.LLM_DEADLINE_MAX_S + 300.0  # longer than any answer takes
Event = tuple[str, Any]


async def answer_events(*, organization: Organization, user: User, answer_id: UUID) -> AsyncIterator[str]:
    """Events `progress`, `evidence`, then `answer` or `error`, after which the stream ends."""
    until, told_at = monotonic() + STREAM_S, 0.0
    told: dict[str, Any] = {}
    while monotonic() < until:
        try:
            events = await sync_to_async(_look)(organization, user, answer_id)
        except ApplicationError as error:
            yield _event("error", {"message": error.message, "code": error.code})
            return
        for name, value in events:
            kept = {k: v for k, v in value.items() if k != "elapsed_s"} if name == "progress" else value
            if told.get(name) == kept and (name != "progress" or monotonic() - told_at < SILENCE_S):
                continue
            told[name], told_at = kept, monotonic()
            yield _event(name, value)
            if name == "answer":
                return
        await asyncio.sleep(LOOK_S)


def _look(organization: Organization, user: User, answer_id: UUID) -> list[Event]:
    with organization_scope(organization, user=user):
        answer = answer_settle(answer_get(organization=organization, user=user, answer_id=answer_id))
        progress: Event = ("progress", progress_event(answer=answer, job=answer_job(answer=answer)))
        events = [progress, *([("evidence", evidence_event(answer=answer))] if answer.evidence else [])]
        if is_over(answer):
            events.append(("answer", answer_document(answer=answer)))
    connection_give_back()
    return events


def _event(name: str, value: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(value, cls=DjangoJSONEncoder)}\n\n"
