"""What reads a paragraph: rules always, and a parser or a model where the graph says so."""

from collections.abc import Sequence
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class Reader:
    """The ways in which a graph's paragraphs are read; `name` changes with them, and then all are read again.

    `n_refused` counts what a model said that its paragraph does not hold.
    """

    name: str
    organization: Organization
    uses_parser: bool
    uses_model: bool
    n_refused: int = field(default=0)

    def read(self, parts: Sequence[Part], unit: Unit) -> list[Triplet]:
        """The triplets of a paragraph, those of the rules first; no transaction may be open."""
        triplets = triplets_of(parts, unit)
        if not (self.uses_parser or self.uses_model):
            return triplets
        part = parts[unit.places[0]]
        where = (part.ordinal, 0, len(part.text), unit.section, unit.stem)
        place = Triplet(Kind.RELATION, "", "", "", *where)
        if self.uses_parser:
            triplets += parser_triplets(part.text, place=place)
        if self.uses_model:
            found, n_refused = model_triplets(
                organization=self.organization, text=part.text, stem=unit.stem, place=place
            )
            triplets += found
            self.n_refused += n_refused
        return triplets


def reader_of(graph: Graph) -> Reader:
    """How the paragraphs of a graph are read: as it says, with what is installed and configured."""
    uses_parser = graph.uses_parser and parser_is_installed()
    uses_model = graph.uses_model and role_is_configured(organization=graph.organization, role=Role.EXTRACT)
    name = f"rules {VERSION}{' parser' if uses_parser else ''}{' model' if uses_model else ''}"
    return Reader(name, graph.organization, uses_parser, uses_model)
