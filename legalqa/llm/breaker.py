"""Pausing a provider that keeps failing, so that the next person does not have to wait for it too.

The state is in the database, so that all processes of an installation share it. A provider that works costs one look
at an empty table: its row exists from its first failure until LOOK_BACK calls in a row succeed or KEPT_S have passed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from time import time
from typing import Any, Self
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.llm.models import BreakerState

FAILURES = 5  # ours: so many failed calls within WITHIN_S open the breaker
WITHIN_S = 30.0  # ours: seconds from the first to the last of FAILURES
LOOK_BACK = 20  # ours: if half of this many last calls failed, the breaker opens too
REST_S = 20.0  # ours: seconds until an open breaker lets one call try
KEPT_S = 86_400.0  # seconds after which a failure no longer counts

Key = tuple[UUID, UUID | None, str]  # organisation, provider (None: the operator's), model


@dataclass
class _State:
    """Times in seconds since 1970; a probe without a result by `probe_until` has died."""

    failed_at: list[float] = field(default_factory=list)
    last: list[bool] = field(default_factory=list)
    opened_at: float | None = None
    probe_until: float = 0.0

    @classmethod
    def of(cls, document: dict[str, Any], now: float) -> Self:
        state = cls(**document)
        return cls() if now - max([0.0, *state.failed_at]) > KEPT_S else state

    def rests(self, now: float) -> bool:
        """Whether calls must wait: the pause is not over, or another call is trying."""
        return self.opened_at is not None and (now < self.probe_until or now - self.opened_at < REST_S)

    def add(self, *, failed: bool, now: float) -> None:
        was_probe, self.probe_until = now < self.probe_until, 0.0
        self.last = [*self.last, failed][-LOOK_BACK:]
        if not failed:
            if self.opened_at is not None:
                self.failed_at, self.last, self.opened_at = [], [], None
            return
        self.failed_at = [*self.failed_at, now][-FAILURES:]
        is_run = len(self.failed_at) == FAILURES and now - self.failed_at[0] <= WITHIN_S
        is_half = len(self.last) == LOOK_BACK and sum(self.last) * 2 >= LOOK_BACK
        if was_probe or is_run or is_half:
            self.opened_at = now


class Breakers:
    """The state of each (organisation, provider, model); call it outside any scope."""

    def __init__(self, now: Callable[[], float] = time) -> None:
        self._now = now

    def is_closed(self, key: Key, *, seconds: float = 60.0) -> bool:
        """Whether a call may be sent now; after REST_S one may, and the others wait for its result.

        Args:
            seconds: How long the call may take. A probe that takes longer has died, and another call may try.
        """
        now = self._now()
        with organization_scope(key[0], user=None):
            row = _rows(key).first()
            if row is None or (state := _State.of(row.state, now)).opened_at is None:
                return True
            if state.rests(now):
                return False
            row = _rows(key).select_for_update().first()
            if row is None:
                return True
            state = _State.of(row.state, now)
            if state.rests(now):  # somebody else was quicker
                return False
            if state.opened_at is not None:
                state.probe_until = now + seconds
                _keep(row, state)
            return True

    def note(self, key: Key, *, failed: bool | None) -> None:
        """Note whether a call that was let through failed; None if it says nothing about the provider."""
        now = self._now()
        with organization_scope(key[0], user=None):
            if not failed and not _rows(key).exists():
                return
            BreakerState.objects.bulk_create(
                [BreakerState(organization_id=key[0], provider=_provider(key), model=key[2], state=vars(_State()))],
                ignore_conflicts=True,
            )
            row = _rows(key).select_for_update().get()
            state = _State.of(row.state, now)
            if failed is None:
                state.probe_until = 0.0
            else:
                state.add(failed=failed, now=now)
            if any(state.last) or state.opened_at is not None:
                _keep(row, state)
            else:
                row.delete()


def _rows(key: Key) -> QuerySet[BreakerState]:
    return BreakerState.objects.filter(organization_id=key[0], provider=_provider(key), model=key[2])


def _provider(key: Key) -> str:
    return str(key[1] or "operator")


def _keep(row: BreakerState, state: _State) -> None:
    row.state = vars(state)
    row.save(update_fields=["state", "changed_at"])


BREAKERS = Breakers()


def breakers_sweep(*, organization: Organization) -> None:
    """Remove states that no longer count; in the organisation's scope."""
    long_ago = timezone.now() - timedelta(seconds=KEPT_S)
    BreakerState.objects.filter(organization=organization, changed_at__lt=long_ago).delete()
