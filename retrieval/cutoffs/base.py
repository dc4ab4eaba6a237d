"""What every cutoff is."""

from abc import abstractmethod
from typing import ClassVar

from retrieval.stages import Stage


class Cut(Stage):
    """Keeps the first hits of a ranking."""

    label = "Cutoff"
    action = "Passages kept"
    takes: ClassVar[str] = "Ranking"

    @property
    @abstractmethod
    def most(self) -> int:
        """The most hits that it keeps."""
