"""Leaving a provider alone that keeps failing, so that the next person does not wait for it as well.

Kept in this process: each learns for itself, within five calls.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from uuid import UUID

FAILURES, WITHIN_S = 5, 30.0
LOOK_BACK = 20  # half of so many calls failed: open as well
REST_S = 20.0  # then one call may try
MAX_KEPT = 10_000

Key = tuple[UUID, UUID | None, str]  # organisation, provider, model


@dataclass
class _State:
    failed_at: deque[float] = field(default_factory=lambda: deque(maxlen=FAILURES))
    last: deque[bool] = field(default_factory=lambda: deque(maxlen=LOOK_BACK))
    opened_at: float | None = None
    is_probing: bool = False


class Breakers:
    """The state of each (organisation, provider, model)."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._lock, self._states = now, Lock(), dict[Key, _State]()

    def is_closed(self, key: Key) -> bool:
        """Whether a call may go out now; after REST_S one may, and the others wait for what becomes of it."""
        with self._lock:
            state = self._states.get(key)
            if state is None or state.opened_at is None:
                return True
            if state.is_probing or self._now() - state.opened_at < REST_S:
                return False
            state.is_probing = True
            return True

    def note(self, key: Key, *, failed: bool | None) -> None:
        """What became of a call that was let through; None where it says nothing about the provider."""
        with self._lock:
            if len(self._states) > MAX_KEPT:
                self._states.clear()
            state = self._states.setdefault(key, _State())
            was_probe, state.is_probing = state.is_probing, False
            if failed is None:
                return
            if not failed and state.opened_at is not None:
                self._states[key] = _State()
                return
            now = self._now()
            state.last.append(failed)
            if failed:
                state.failed_at.append(now)
            is_run = len(state.failed_at) == FAILURES and now - state.failed_at[0] <= WITHIN_S
            is_half = len(state.last) == LOOK_BACK and sum(state.last) * 2 >= LOOK_BACK
            if failed and (was_probe or is_run or is_half):
                state.opened_at = now

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._states.clear()


BREAKERS = Breakers()
