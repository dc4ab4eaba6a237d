"""What reads a paragraph: rules always, and a parser or a model where the graph says so."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.models import Corpus
from corpora.provisions.types import Part
from retrieval.graph.rules.reading import VERSION, Unit, triplets_of
from retrieval.graph.types import Triplet
from retrieval.models import Graph


@dataclass(frozen=True, slots=True)
class Reader:
    """The ways in which a graph's paragraphs are read; `name` changes with them, and then all are read again."""

    name: str
    uses_parser: bool
    uses_model: bool

    def read(self, corpus: Corpus, parts: Sequence[Part], unit: Unit) -> list[Triplet]:
        """The triplets of a paragraph, those of the rules first; no transaction may be open."""
        return triplets_of(parts, unit)


def reader_of(graph: Graph) -> Reader:
    """How the paragraphs of a graph are read."""
    return Reader(f"rules {VERSION}", uses_parser=False, uses_model=False)
