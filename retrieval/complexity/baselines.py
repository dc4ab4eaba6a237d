"""A classifier that learns nothing: random labels."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.complexity.types import MostLikely, Probabilities


@dataclass(frozen=True)
class RandomClassifier(MostLikely):
    """Each class with the same chance, by a hash of the text: the same question gets the same class again.

    Attributes:
        n_classes: How many classes, 2 to 5.
        seed: Any whole number; another one draws other classes.

    Source: HyPA-RAG 7, the random baseline. Differs: by a hash of the text (ours).
    """

    n_classes: int
    seed: int
    kind: str = "random"

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        """All of the chance on the class that is drawn for each text."""
        chances = np.zeros((len(texts), self.n_classes))
        for row, text in enumerate(texts):
            digest = hashlib.sha256(f"{self.seed}\0{text}".encode()).digest()
            chances[row, int.from_bytes(digest[:8], "big") % self.n_classes] = 1.0
        return chances

    def as_bytes(self) -> bytes:
        return json.dumps({"format": 1, "kind": self.kind, "classes": self.n_classes, "seed": self.seed}).encode()
