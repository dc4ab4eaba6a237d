"""The readers of a paragraph: always the rules, and a parser or a model if the graph says so."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.provisions.types import Part
from legalqa.accounts.models import Organization
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.types import Role
from retrieval.graph.model import model_triplets
from retrieval.graph.parser import parser_is_installed, parser_triplets
from retrieval.graph.rules.reading import VERSION, Unit, triplets_of
from retrieval.graph.types import Triplet
from retrieval.kinds import Kind
from retrieval.models import Graph


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a paragraph.

    Attributes:
        triplets: Those of the rules first.
        n_refused: How many triplets of the model are not in the paragraph.
        is_whole: False where the model gave no answer.
    """

    triplets: list[Triplet]
    n_refused: int = 0
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Reader:
    """The ways in which a graph's paragraphs are read; `name` changes with them, and then all are read again."""

    name: str
    organization: Organization
    uses_parser: bool
    uses_model: bool

    @property
    def batch(self) -> int:
        """Ours: paragraphs between two commits."""
        return 5 if self.uses_model else 100

    def read(self, parts: Sequence[Part], unit: Unit) -> Reading:
        """The triplets of a paragraph; no transaction may be open."""
        triplets = triplets_of(parts, unit)
        part = parts[unit.places[0]]
        where = (part.ordinal, 0, len(part.text), unit.section, unit.stem)
        place = Triplet(Kind.RELATION, "", "", "", *where)
        if self.uses_parser:
            triplets += parser_triplets(part.text, place=place)
        if not self.uses_model:
            return Reading(triplets)
        reply = model_triplets(organization=self.organization, text=part.text, stem=unit.stem, place=place)
        if reply is None:
            return Reading(triplets, is_whole=False)
        return Reading(triplets + reply[0], reply[1])


def reader_of(graph: Graph) -> Reader:
    """How the paragraphs of a graph are read: as it says, with what is installed and configured."""
    uses_parser = graph.uses_parser and parser_is_installed()
    uses_model = graph.uses_model and role_is_configured(organization=graph.organization, role=Role.EXTRACT)
    name = f"rules {VERSION}{' parser' if uses_parser else ''}{' model' if uses_model else ''}"
    return Reader(name, graph.organization, uses_parser, uses_model)
