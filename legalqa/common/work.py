"""How much work one request may ask for: counted, so that no size of input can keep a process busy."""

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock

from legalqa.common.errors import TooMany, Unavailable

RETRY_S = 5  # after so long a place may be free again
SPREAD = 3  # ours: times so long, at most, that one of many who were refused is told to wait


def retry_in(seconds: int = RETRY_S) -> int:
    """After how many seconds to come back: those who were refused at once would otherwise come back at once."""
    return random.randint(seconds, SPREAD * seconds)  # noqa: S311 - spreads load


class Work:
    """A budget of steps; who has spent it leaves out what is left, and says so.

    Attributes:
        left: Steps that may still be done.
        is_spent: Whether something was left out because it would have cost more than was left.
    """

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.is_spent = False

    def take(self, steps: int) -> bool:
        """Take this many steps; False, with nothing taken, where fewer are left."""
        if steps > self.left:
            self.is_spent = True
            return False
        self.left -= steps
        return True


class Places:
    """How many pieces of one kind of heavy work run at once in this process: of one caller, and of all together.

    Several web processes count each for itself; settings that hold for the installation give each its share.

    Args:
        of_one: Pieces of one caller.
        of_all: Pieces of all callers.
        size_of_all: What the sizes of all may add up to, where pieces have sizes.
        refusal: One sentence: what is full, and what to do.
    """

    def __init__(self, *, of_one: int, of_all: int, refusal: str, size_of_all: int = 0) -> None:
        self.of_one, self.of_all, self.size_of_all, self.refusal = of_one, of_all, size_of_all, refusal
        self._counts: Counter[Hashable] = Counter()
        self._size = 0
        self._lock = Lock()

    @property
    def n_taken(self) -> int:
        return self._counts.total()

    @contextmanager
    def one(self, caller: Hashable, *, size: int = 0) -> Iterator[None]:
        """Hold a place while the block runs, and `size` of `size_of_all`, in the same unit.

        Raises:
            TooMany: the caller has as many as one may have.
            Unavailable: all together have as many, or as much.
        """
        with self._lock:
            if self._counts[caller] >= self.of_one:
                raise TooMany(self.refusal, code="too_many", extra={"retry_after": retry_in()})
            if self.n_taken >= self.of_all or self._size + size > max(self.size_of_all, size):
                raise Unavailable(self.refusal, code="too_many", extra={"retry_after": retry_in()})
            self._counts[caller] += 1
            self._size += size
        try:
            yield
        finally:
            with self._lock:
                self._size -= size
                self._counts[caller] -= 1
                if not self._counts[caller]:
                    del self._counts[caller]
