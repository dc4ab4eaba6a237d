"""The time of one call: a deadline for all of it, one for the next piece, and whether it was cancelled."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic, sleep

from legalqa.llm.types import Cancelled

SLICE_S = 0.1  # how soon a cancelled call is noticed


class ClockStopped(Exception):
    """The time is up, or the call was cancelled."""

    def __init__(self, *, is_cancelled: bool) -> None:
        super().__init__("cancelled" if is_cancelled else "late")
        self.is_cancelled = is_cancelled


@dataclass
class Clock:
    """All times in seconds; `deadline` and `piece_due` on the monotonic clock."""

    deadline: float
    cancelled: Cancelled | None = None
    now: Callable[[], float] = monotonic
    piece_due: float = field(default=float("inf"))

    @classmethod
    def of(cls, seconds: float, cancelled: Cancelled | None = None) -> "Clock":
        return cls(monotonic() + seconds, cancelled)

    def part(self, seconds: float) -> "Clock":
        """A clock inside this one that stops after `seconds`, or with this one."""
        return Clock(min(self.deadline, self.now() + seconds), self.cancelled, self.now)

    def expect_piece(self, seconds: float) -> None:
        """The next piece of the answer is due in this many seconds."""
        self.piece_due = self.now() + seconds

    def left(self) -> float:
        """Seconds until the earlier deadline; 0 or less once it has passed."""
        return min(self.deadline, self.piece_due) - self.now()

    def check(self) -> None:
        """Raise ClockStopped if the time is up or the call was cancelled."""
        if self.cancelled is not None and self.cancelled():
            raise ClockStopped(is_cancelled=True)
        if self.left() <= 0:
            raise ClockStopped(is_cancelled=False)

    def slice(self) -> float:
        """How long to wait before looking again."""
        return max(0.001, min(SLICE_S, self.left()))

    def sleep(self, seconds: float) -> None:
        """Wait; raises ClockStopped if the time runs out or the call is cancelled meanwhile."""
        until = self.now() + seconds
        while (rest := until - self.now()) > 0:
            self.check()
            sleep(min(rest, self.slice()))
        self.check()
