"""Errors that a person can act on.

ApplicationError            what is wrong, which rule, what to do; a 4xx, or exit code 2
├── NotFound                no such object, or not yours: the two look alike on purpose (404)
├── Forbidden               you may see it, but your role may not do this (403)
├── Conflict                the state of the object does not allow it now (409)
├── TooMany                 more at once, or in a minute, than one may have (429)
├── Unavailable             the database is away, slow or busy; later it may work (503)
│   └── DiskFull            there is no room for it (507)
└── FileRefused             a file that cannot be taken in (corpora.parsers.reasons)

ResourceDown                background work waits for something; no person sees it
ScopeError                  a query without an organisation: a fault in our code, never shown (500)

The failures of a language model are no exceptions but values (`legalqa.llm.failing.MEANINGS`):

transient (`retry`)         tried again inside the gateway: no name, no connection, busy, a fault of the server
permanent                   the next provider is asked, or the outcome says it: key, account, model, filter, too long
"""

from typing import Any, TypeVar

T = TypeVar("T")


class ApplicationError(Exception):
    """One clear sentence, a machine-readable code, and details that are safe to show."""

    status = 400

    def __init__(self, message: str, *, code: str = "invalid", extra: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.extra = extra or {}


class NotFound(ApplicationError):
    status = 404

    def __init__(self, what: str = "page") -> None:
        super().__init__(f"There is no such {what}, or you may not see it.", code="not_found")


def existing(row: T | None, what: str) -> T:
    """What was looked up; raises NotFound where there is none, or it may not be seen."""
    if row is None:
        raise NotFound(what)
    return row


class Forbidden(ApplicationError):
    status = 403

    def __init__(self, message: str) -> None:
        super().__init__(message, code="forbidden")


class Conflict(ApplicationError):
    status = 409


class TooMany(ApplicationError):
    status = 429


class Unavailable(ApplicationError):
    status = 503


class DiskFull(Unavailable):
    status = 507

    def __init__(self) -> None:
        super().__init__(
            "There is too little room left on the server's disk, so nothing was stored. "
            "Ask the operator to free some space, then try again.",
            code="disk_full",
        )


class ResourceDown(RuntimeError):
    """Something that background work needs does not answer: wait for it, and do not count this as a try."""


class ScopeError(RuntimeError):
    """A query was about to run without an active organisation, or across two."""
