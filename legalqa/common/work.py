"""How much work one request may ask for: counted, so that no size of input can keep a process busy."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock

from legalqa.common.errors import TooMany


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
        """Take so many steps; False, with nothing taken, where fewer are left."""
        if steps > self.left:
            self.is_spent = True
            return False
        self.left -= steps
        return True


class Places:
    """How many pieces of one kind of heavy work run at once in this process: of one caller, and of all together."""

    def __init__(self, *, of_one: int, of_all: int, refusal: str) -> None:
        self.of_one, self.of_all, self.refusal = of_one, of_all, refusal
        self._taken: Counter[Hashable] = Counter()
        self._lock = Lock()

    @contextmanager
    def one(self, caller: Hashable) -> Iterator[None]:
        """Hold a place while the block runs.

        Raises:
            TooMany: the caller has as many already, or all together have.
        """
        with self._lock:
            if self._taken[caller] >= self.of_one or self._taken.total() >= self.of_all:
                raise TooMany(self.refusal, code="too_many", extra={"retry_after": 5})
            self._taken[caller] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[caller] -= 1
                if not self._taken[caller]:
                    del self._taken[caller]
