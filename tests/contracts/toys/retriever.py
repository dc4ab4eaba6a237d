"""A retriever in one file: the chunks whose text says most of the words, and beside them a path from word to word."""

from typing import Literal

from pydantic import Field

from corpora.models import Chunk
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking, SideEvidence, Source


class Toy(Retriever):
    """Counts words."""

    label = "Toy"
    action = "Searched by a toy"
    settable = ("top_k",)

    kind: Literal["toy.v1"] = "toy.v1"
    top_k: int = Field(default=5, ge=1, le=100)

    def search(self, query: Query, resources: Resources) -> Ranking:
        words = query.text.casefold().strip("?").split()
        chunks = Chunk.objects.filter(corpus=resources.corpus, is_live=True)
        if resources.allowed is not None:
            chunks = chunks.filter(pk__in=resources.allowed.tolist())
        counts = {chunk.pk: sum(word in chunk.text.casefold() for word in words) for chunk in chunks}
        scored = sorted(((pk, float(n)) for pk, n in counts.items() if n), key=lambda pair: (-pair[1], pair[0]))
        ranking = Ranking.of(query.text, scored[: self.top_k], stage=self.name)
        path = SideEvidence(Source("path", "tenant-rent"), "The tenant owes the rent.", 0.5, self.kind)
        return Ranking(query.text, ranking.hits, (path,))
