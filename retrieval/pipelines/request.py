"""What is searched, by whom and how: one value from those who ask to the stages."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from retrieval.pipelines.presets import Preset
from retrieval.selectors import corpus_searched
from retrieval.types import Filters


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question that is put to a corpus.

    Attributes:
        organization: Whose documents are searched.
        user: Who asks; None for the system.
        corpus_id: What is searched.
        text: The person's words.
        preset: How to search.
        filters: In which documents.
        complexity: The class of the question, where the person set it; None where it is predicted.
        former: The words of the questions before it, the latest first.
    """

    organization: Organization
    user: User | None
    corpus_id: UUID
    text: str
    preset: Preset
    filters: Filters = field(default_factory=Filters)
    complexity: int | None = None
    former: tuple[str, ...] = ()

    @property
    def compared(self) -> dict[str, str]:
        """The index that the preset compares, as of `corpus_searched`."""
        return self.preset.compared.model_dump() if self.preset.compared else {}

    def scope(self) -> AbstractContextManager[object]:
        """A transaction as the one who asks."""
        return organization_scope(self.organization, user=self.user)

    def corpus(self) -> Corpus:
        """The corpus as it is searched; inside the scope. Raises as `corpus_searched`."""
        return corpus_searched(
            organization=self.organization, corpus_id=self.corpus_id, filters=self.filters, compared=self.compared
        )
