"""The search lab: one query, two settings, and which passages people know to be right."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from corpora.models import Paragraph
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from retrieval.models import RelevantPassage
from retrieval.pipelines.presets import Preset
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import SearchResult, corpus_search, query_check

SHOWN = 10  # hits of each setting


@dataclass(frozen=True, slots=True)
class Trial:
    """What one setting found, and which of the right passages are among its first SHOWN.

    `changes` are the settings that were typed on top of the preset.
    """

    preset: Preset
    changes: str
    result: SearchResult
    relevant: frozenset[int]

    @property
    def found(self) -> int:
        """How many right passages are among the first SHOWN."""
        return len(self.relevant & {p.position.paragraph_id for p in self.result.passages[:SHOWN]})

    def rank_of(self, paragraph: int) -> int | None:
        """Where a paragraph is; None where it is not among the first SHOWN."""
        first = self.result.passages[:SHOWN]
        return next((p.rank for p in first if p.position.paragraph_id == paragraph), None)


def lab_search(
    *, organization: Organization, user: User, corpus_id: UUID, text: str, presets: Sequence[tuple[Preset, str]]
) -> tuple[Trial, ...]:
    """Search with each setting in turn, given with what was changed in it; the same query, the same corpus.

    Raises:
        NotFound, ApplicationError, Conflict: as `corpus_search`.
    """
    query = query_check(text=text)
    results = [
        corpus_search(request=SearchRequest(organization, user, corpus_id, query, preset)) for preset, _ in presets
    ]
    with organization_scope(organization, user=user):
        marks = RelevantPassage.objects.filter(
            organization=organization, corpus_id=corpus_id, query_hash=query_hash(query=query)
        )
        relevant = frozenset(marks.values_list("paragraph_id", flat=True))
    return tuple(Trial(*side, result, relevant) for side, result in zip(presets, results, strict=True))


def relevance_set(
    *, organization: Organization, user: User, corpus_id: UUID, text: str, paragraph_id: int, is_relevant: bool
) -> None:
    """Mark a paragraph as a right one for a query, or take the mark back; both may be repeated.

    Raises:
        NotFound: no such corpus, or no such paragraph in it.
        ApplicationError: the query is empty or too long.
    """
    query = query_check(text=text)
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    paragraphs = Paragraph.objects.filter(organization=organization, document__corpus=corpus, pk=paragraph_id)
    if not paragraphs.exists():
        raise NotFound("passage")
    key = {
        "organization": organization,
        "corpus": corpus,
        "query_hash": query_hash(query=query),
        "paragraph_id": paragraph_id,
    }
    if is_relevant:
        RelevantPassage.objects.get_or_create(**key, defaults={"query": query, "marked_by": user})
    else:
        RelevantPassage.objects.filter(**key).delete()


def query_hash(*, query: str) -> str:
    """SHA-256 of a query, letter case and runs of blanks being equal."""
    return hashlib.sha256(" ".join(query.casefold().split()).encode()).hexdigest()
