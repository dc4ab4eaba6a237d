"""Opening the provision that a question names by its number, in the document or the documents that have it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from corpora.models import Position
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.composing.kinds import subject_of
from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.provisions import ProvisionAsked, part_labelled, provision_asked
from legalqa.answering.composing.types import Asked
from legalqa.answering.strategies.reading import Wordings
from legalqa.answering.types import Question
from retrieval.named import provision_paragraphs
from retrieval.services.search import Passage, SearchResult, passages_of

MOST_DOCUMENTS = 5  # ours: documents with a provision of that number, of which each is asked


def provision_opened(
    question: Question, result: SearchResult, wordings: Wordings
) -> tuple[tuple[Passage, ...], Wordings]:
    """The paragraphs of the provision that a question names, and the wordings that ask for it there.

    Nothing, and the wordings as they are, where it names none, asks several things or of several documents, or where
    no document has the provision; nor where another day than today is searched.
    """
    is_several = bool(wordings.of_documents) or len(question_parts(wordings.text)) > 1
    asked = None if is_several else provision_asked(wordings.text)
    if asked is None or not result.corpus.is_searched_as_live:
        return (), wordings
    with organization_scope(question.organization, user=question.user):
        by_version = provision_paragraphs(
            corpus=result.corpus, unit=asked.unit, number=asked.number, document_ids=question.filters.document_ids
        )
        by_version = {version: _part(rows, asked.labels) for version, rows in by_version.items()}
        named = {version: rows for version, rows in by_version.items() if str(version) in wordings.versions}
        by_version = named or by_version
        if not by_version or len(by_version) > MOST_DOCUMENTS:
            return (), wordings
        passages = passages_of(
            corpus=result.corpus,
            paragraph_ids=[row.paragraph_id for rows in by_version.values() for row in rows],
            filters=question.filters,
            first_rank=len(result.passages) + 1,
        )
    return passages, replace(wordings, of_documents=_asked(asked, wordings.text, by_version, passages))


def _asked(
    asked: ProvisionAsked, text: str, by_version: Mapping[UUID, Sequence[Position]], passages: Sequence[Passage]
) -> tuple[Asked, ...]:
    """What each document with the provision is asked, under its title where there are several."""
    of = asked.of or ""
    titles = {passage.position.version_id: passage.document.title for passage in passages}
    return tuple(
        Asked(
            text,
            frozenset({str(version)}),
            titles.get(version, "") if len(by_version) > 1 else "",
            frozenset(row.ordinal for row in rows),
            is_whole=asked.of == "",
            may_be_whole=bool(of) and subject_of(of) <= subject_of(" ".join(map(_words, rows))),
        )
        for version, rows in by_version.items()
    )


def _part(rows: Sequence[Position], labels: Sequence[str]) -> list[Position]:
    return [rows[place] for place in part_labelled([row.paragraph.text for row in rows], labels)]


def _words(position: Position) -> str:
    return f"{' '.join(position.heading_path[-1:])} {position.paragraph.text}"
