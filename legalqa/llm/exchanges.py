"""One exchange with a model, by LLM_MODE: live with its provider, live and recorded, or replayed from a recording."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.conf import settings

from legalqa.llm.clock import Clock
from legalqa.llm.recordings import reply_find, reply_keep
from legalqa.llm.selectors import Candidate
from legalqa.llm.types import Json
from legalqa.llm.wire import CallFailed, Fault, RawReply, tell
from legalqa.llm.works import Work


class Live:
    """Asks the provider. To callers, the other two modes differ from this one only in price and time.

    Attributes:
        is_free: No provider is asked, so nothing is charged.
    """

    is_free = False

    def send(self, candidate: Candidate, work: Work, body: Json, clock: Clock, *, name: str) -> RawReply:  # noqa: ARG002 - of recordings
        """Get the reply to a request; by then the work's listener has received all of its text.

        Args:
            candidate: The model to ask.
            work: What to ask it.
            body: The request as it is sent.
            clock: How long it may take.
            name: The hash of the request (`request_hash`).

        Raises:
            CallFailed: there is no reply.
            ListenerFailed: the listener raised.
        """
        return work.send(candidate, body, clock)


class Record(Live):
    """Asks the provider and records its replies; failures are not recorded, because they may not happen again."""

    def send(self, candidate: Candidate, work: Work, body: Json, clock: Clock, *, name: str) -> RawReply:
        reply = super().send(candidate, work, body, clock, name=name)
        if work.can_record:
            reply_keep(settings.LLM_RECORDINGS, name, reply, work.volatile)
        return reply


class Replay(Live):
    """Asks nobody: gives a recorded reply in one piece, or `NO_RECORDING`."""

    is_free = True

    def send(self, candidate: Candidate, work: Work, body: Json, clock: Clock, *, name: str) -> RawReply:  # noqa: ARG002 - of providers
        reply = reply_find(settings.LLM_RECORDINGS, name, work.volatile) if work.can_record else None
        if reply is None:
            raise CallFailed(Fault.NO_RECORDING)
        if work.listener is not None and reply.text:
            tell(work.listener, reply.text)
        return reply


EXCHANGES: Final[Mapping[str, Live]] = MappingProxyType({"live": Live(), "record": Record(), "replay": Replay()})
