"""What the kill tests interrupt, as the loop over kills sees it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.faults.environment import WAIT_S, Case
from tests.soak.product import Product


class Subject(Protocol):
    """Work of the product that passes through the steps it is killed at."""

    @property
    def name(self) -> str: ...

    @property
    def points(self) -> tuple[str, ...]:
        """Its steps; before a colon is what tells them from the same steps of another subject."""

    @property
    def together(self) -> int:
        """So many of it stand still at once, each in an organisation of its own."""

    @property
    def patience_s(self) -> float:
        """How long a step, or the end, may take to come on a busy machine."""

    def prepare(self, product: Product, case: Case) -> None:
        """Make ready what must be there before; nobody stands still yet."""

    def begin(self, product: Product, case: Case) -> None:
        """Have the work taken, as a person does who tries again until it is."""

    def stored(self, product: Product, case: Case) -> dict[str, Any]:
        """All that it has stored; equal for equal work."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is taken in."""

    path: Path
    points: tuple[str, ...]
    together: int = 6
    patience_s: float = WAIT_S

    @property
    def name(self) -> str:
        return self.path.stem

    def prepare(self, product: Product, case: Case) -> None:
        """Nothing is there before."""

    def begin(self, product: Product, case: Case) -> None:
        product.upload_until_taken(case, self.path)

    def stored(self, product: Product, case: Case) -> dict[str, Any]:
        return product.stored(case)
