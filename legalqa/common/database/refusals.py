"""The database's own refusals in words for people: it is slow, busy, away, or does not know us."""

import psycopg
from django.db import Error as DatabaseError

from legalqa.common.errors import DiskFull, Unavailable

_STRANGERS = ("authentication failed", "no password supplied", "no pg_hba.conf entry")
_BUSY = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.TooManyConnections,
)
_ENDED = psycopg.errors.IdleInTransactionSessionTimeout
_MISSING = (psycopg.errors.InvalidCatalogName, psycopg.errors.InvalidAuthorizationSpecification)


def refusal_of(error: BaseException | None) -> Unavailable | None:
    """The sentence for a database error that is not a fault in our code; None for one that is.

    The database's own words may hold values of rows and are never repeated.
    """
    if not isinstance(error, DatabaseError | psycopg.Error):
        return None
    cause = error if isinstance(error, psycopg.Error) else error.__cause__
    if isinstance(cause, psycopg.errors.QueryCanceled):
        return Unavailable(
            "This took longer than the database's time limit and was stopped. Nothing was changed. Try again in a "
            "minute, or request less at once.",
            code="too_slow",
        )
    if isinstance(cause, psycopg.errors.DiskFull):
        return DiskFull()
    if isinstance(cause, _BUSY):
        return Unavailable(
            "Someone else is changing the same data right now. Nothing was changed. Try again in a minute.", code="busy"
        )
    if isinstance(cause, _MISSING) or any(words in str(cause) for words in _STRANGERS):
        return Unavailable(
            "The database refused the sign-in. Check names and passwords in DATABASE_URL, DATABASE_OWNER_URL and "
            "DATABASE_BACKUP_URL.",
            code="database_login",
        )
    if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError | _ENDED):
        return Unavailable(
            "The database is not responding right now. Nothing was changed. Try again in a minute.",
            code="database_down",
        )
    return None
