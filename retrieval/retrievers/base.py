"""What every retriever takes and gives."""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from retrieval.scores import Scores
from retrieval.types import Query, Ranking


@dataclass(frozen=True, slots=True)
class Resources:
    """What a search works with: the corpus, the query's vector, and the chunks that its filters let through.

    Attributes:
        corpus: The corpus searched, as read in this transaction; readable by the active person.
        vector: The query's unit vector by the corpus's encoder, None where no stage needs it.
        allowed: Chunk ids that may be returned, None for all.
        scores: What a machine outside made of texts; what is lacking there is noted in it.
    """

    corpus: Corpus
    vector: NDArray[np.float32] | None
    allowed: NDArray[np.int64] | None
    scores: Scores = field(default_factory=Scores)


class Retriever(Protocol):
    """Ranks the chunks of a corpus for a query, inside the organisation's scope."""

    def __call__(self, query: Query, *, config: Any, resources: Resources) -> Ranking: ...
