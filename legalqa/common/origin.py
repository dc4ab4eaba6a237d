"""The origin of the current action: a browser or program at an address, or a command on the machine itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class Origin:
    """`source` is page, api, or machine (a command or background work); `address` is empty for the machine."""

    source: str
    address: str = ""


MACHINE = Origin("machine")
_active: ContextVar[Origin] = ContextVar("origin", default=MACHINE)


def active_origin() -> Origin:
    return _active.get()


def origin_of(request: HttpRequest) -> Origin:
    """Where a request comes from; the server has put the client that a trusted proxy names into REMOTE_ADDR."""
    source = "api" if request.path.startswith("/api/") else "page"
    return Origin(source, str(request.META.get("REMOTE_ADDR") or "")[:45])


@contextmanager
def origin(active: Origin) -> Iterator[None]:
    token = _active.set(active)
    try:
        yield
    finally:
        _active.reset(token)
