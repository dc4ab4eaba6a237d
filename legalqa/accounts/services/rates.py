"""How many requests programs may send: counted in the database, so that all processes of the server count together.

A sliding window made from two numbers: the requests of the current period, and those of the previous one, weighted by
how much of it is still within the window. The counts are exact; it is assumed that the earlier requests were spread
evenly. Refused requests do not count.
"""

from dataclasses import dataclass
from time import time
from uuid import UUID

from django.conf import settings
from django.db import connection

from legalqa.accounts.models import ApiToken, User
from legalqa.accounts.scoping import organization_scope

COUNT = """
INSERT INTO accounts_requestcount AS c (id, organization_id, subject_id, kind, period, n, n_before, day)
SELECT gen_random_uuid(), %(organization)s, b.subject, b.kind, b.period, 1, 0, %(day)s
FROM unnest(%(subjects)s::uuid[], %(kinds)s::text[], %(periods)s::bigint[]) AS b (subject, kind, period)
ON CONFLICT (organization_id, subject_id, kind) DO UPDATE SET
    n = CASE WHEN c.period >= EXCLUDED.period THEN c.n + 1 ELSE 1 END,
    n_before = CASE WHEN c.period >= EXCLUDED.period THEN c.n_before
        WHEN c.period = EXCLUDED.period - 1 THEN c.n ELSE 0 END,
    period = greatest(c.period, EXCLUDED.period),
    day = EXCLUDED.day
RETURNING subject_id, kind, n, n_before
"""
TAKE_BACK = """
UPDATE accounts_requestcount AS c SET n = c.n - 1
WHERE c.organization_id = %(organization)s AND c.n > 0
    AND (c.subject_id, c.kind) IN (SELECT * FROM unnest(%(subjects)s::uuid[], %(kinds)s::text[]))
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds."""

    limit: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Bucket:
    """Requests that are counted together: of one kind, by a token or by a whole organisation."""

    subject_id: UUID
    kind: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a limit after a request: `wait_s` is 0 if the request was let through."""

    limit: int
    remaining: int
    wait_s: int
    whose: str  # token or organization


def buckets_of(*, token: ApiToken, kind: str) -> list[Bucket]:
    """Buckets, narrowest first: once a token's own limit is reached, its requests do not count for its organisation."""
    rates = {name: settings.API_RATES[name] for name in (kind, "any")}
    holders = ((token.pk, 1), (token.organization_id, settings.API_ORGANIZATION_TIMES))
    return [
        Bucket(holder, name, Rate(limit * times, seconds))
        for holder, times in holders
        for name, (limit, seconds) in rates.items()
    ]


def request_count(*, organization_id: UUID, user: User, buckets: list[Bucket]) -> Standing:
    """Count one request in each bucket, up to the first that is full."""
    now = time()
    subjects, kinds = [bucket.subject_id for bucket in buckets], [bucket.kind for bucket in buckets]
    values: dict[str, UUID | int | list[UUID] | list[str] | list[int]] = {
        "organization": organization_id,
        "subjects": subjects,
        "kinds": kinds,
        "periods": [int(now) // bucket.rate.seconds for bucket in buckets],
        "day": int(now) // 86_400,
    }
    with organization_scope(organization_id, user=user), connection.cursor() as cursor:
        # It does not matter if a crash of the database loses a count; waiting for its disk at every request would.
        cursor.execute("SET LOCAL synchronous_commit = off")
        cursor.execute(COUNT, values)
        counts = {(subject, kind): (n, n_before) for subject, kind, n, n_before in cursor.fetchall()}
        for place, bucket in enumerate(buckets):
            n, n_before = counts[bucket.subject_id, bucket.kind]
            wait_s = seconds_to_wait(rate=bucket.rate, n=n, n_before=n_before, elapsed=now % bucket.rate.seconds)
            if wait_s:  # the request does not count in this bucket and the following ones
                cursor.execute(TAKE_BACK, values | {"subjects": subjects[place:], "kinds": kinds[place:]})
                whose = "token" if bucket.subject_id != organization_id else "organization"
                return Standing(bucket.rate.limit, 0, wait_s, whose)
    rate, (n, n_before) = buckets[0].rate, counts[buckets[0].subject_id, buckets[0].kind]
    n_used = n + n_before * (1 - (now % rate.seconds) / rate.seconds)
    whose = "token" if buckets[0].subject_id != organization_id else "organization"
    return Standing(rate.limit, max(0, int(rate.limit - n_used)), 0, whose)


def seconds_to_wait(*, rate: Rate, n: int, n_before: int, elapsed: float) -> int:
    """0 if the n-th request of the period fits into the window; else the seconds until one will.

    Args:
        n: Requests of the current period, including this one.
        n_before: Requests of the previous period.
        elapsed: Seconds since the current period began.
    """
    if n + n_before * (1 - elapsed / rate.seconds) <= rate.limit:
        return 0
    if n <= rate.limit:  # in this period: once enough of the earlier requests are outside the window
        return max(1, _ceil(rate.seconds * (1 - (rate.limit - n) / n_before) - elapsed))
    full = n - 1  # in the next one, where the current requests are the earlier ones
    return max(1, _ceil(rate.seconds - elapsed + rate.seconds * max(0.0, 1 - (rate.limit - 1) / full)))


def _ceil(seconds: float) -> int:
    return int(seconds) + (seconds > int(seconds))
