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
    no document that may be meant has the provision.
    """
    is_several = bool(wordings.of_documents) or len(question_parts(wordings.text)) > 1
    asked = None if is_several else provision_asked(wordings.text)
    if asked is None:
        return (), wordings
    with organization_scope(question.organization, user=question.user):
        by_version = provision_paragraphs(
            corpus=result.corpus,
            unit=asked.unit,
            number=asked.number,
            filters=question.filters,
            most=MOST_DOCUMENTS,
        )
        by_version = {
            version: _part(rows, asked.labels)
            for version, rows in by_version.items()
            if not wordings.versions or str(version) in wordings.versions
        }
        passages = passages_of(
            corpus=result.corpus,
            paragraph_ids=[row.paragraph_id for rows in by_version.values() for row in rows],
            filters=question.filters,
            first_rank=len(result.passages) + 1,
        )
    passages = _of_law(asked.law, passages, result)
    if not passages:
        return (), wordings
    return passages, replace(wordings, of_documents=_asked(asked, wordings.text, by_version, passages))


def _of_law(law: tuple[str, ...], passages: tuple[Passage, ...], result: SearchResult) -> tuple[Passage, ...]:
    """The passages of documents that may be the law that is named, by their titles or by the name of the corpus."""
    corpus = result.corpus.name.lower()
    titles = {passage.document.title for passage in passages}
    fitting = {title for title in titles if all(word in f"{title} {corpus}".lower() for word in law)}
    return tuple(passage for passage in passages if passage.document.title in fitting)


def _asked(
    asked: ProvisionAsked, text: str, by_version: Mapping[UUID, Sequence[Position]], passages: Sequence[Passage]
) -> tuple[Asked, ...]:
    """What each document with the provision is asked, under its title where there are several."""
    titles = {passage.position.version_id: passage.document.title for passage in passages}
    return tuple(
        Asked(
            text,
            frozenset({str(version)}),
            titles[version] if len(titles) > 1 else "",
            frozenset(row.ordinal for row in rows),
            is_whole=asked.of == "",
            may_be_whole=_told(asked.of or "", rows),
        )
        for version, rows in by_version.items()
        if version in titles
    )


def _told(of: str, rows: Sequence[Position]) -> frozenset[int]:
    """The paragraphs that have all words of what is asked of a provision; all of them where only together they do."""
    words = subject_of(of)
    if not words or not words <= subject_of(" ".join(map(_words, rows))):
        return frozenset()
    own = frozenset(row.ordinal for row in rows if words <= subject_of(row.paragraph.text))
    return own or frozenset(row.ordinal for row in rows)


def _part(rows: Sequence[Position], labels: Sequence[str]) -> list[Position]:
    return [rows[place] for place in part_labelled([row.paragraph.text for row in rows], labels)]


def _words(position: Position) -> str:
    return f"{' '.join(position.heading_path[-1:])} {position.paragraph.text}"
