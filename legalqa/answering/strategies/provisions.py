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


def provisions_opened(
    question: Question, result: SearchResult, wordings: Wordings
) -> tuple[tuple[Passage, ...], Wordings]:
    """The paragraphs of the provisions that a question names, and the wordings that ask for them there.

    Of a question that asks several things, each part that names a provision is asked of it alone. Nothing, and the
    wordings as they are, where none is named, where documents are compared, or where no document that may be meant has
    it.
    """
    parts = question_parts(wordings.text)[1:] or (wordings.text,)
    named = {part: asked for part in parts if (asked := provision_asked(part))}
    if wordings.of_documents or not named:
        return (), wordings
    with organization_scope(question.organization, user=question.user):
        opened = {part: _opened(asked, question, result, wordings) for part, asked in named.items()}
    passages = tuple(passage for _, own in opened.values() for passage in own)
    if not passages:
        return (), wordings
    asked_of = [
        one for part in parts for one in (_asked(named[part], part, *opened[part]) if part in named else [Asked(part)])
    ]
    return passages, replace(wordings, of_documents=tuple(asked_of))


def _opened(
    asked: ProvisionAsked, question: Question, result: SearchResult, wordings: Wordings
) -> tuple[Mapping[UUID, Sequence[Position]], tuple[Passage, ...]]:
    """The paragraphs of one provision by the version of their document, and the passages of those that may be meant."""
    by_version = provision_paragraphs(
        corpus=result.corpus, unit=asked.unit, number=asked.number, filters=question.filters, most=MOST_DOCUMENTS
    )
    rows = {
        version: _part(own, asked.labels)
        for version, own in by_version.items()
        if not wordings.versions or str(version) in wordings.versions
    }
    ids = [row.paragraph_id for own in rows.values() for row in own]
    passages = passages_of(
        corpus=result.corpus, paragraph_ids=ids, filters=question.filters, first_rank=len(result.passages) + 1
    )
    return rows, _of_law(asked.law, passages, result)


def _of_law(law: tuple[str, ...], passages: tuple[Passage, ...], result: SearchResult) -> tuple[Passage, ...]:
    """The passages of documents that may be the law that is named, by their titles or by the name of the corpus."""
    corpus = result.corpus.name.lower()
    titles = {passage.document.title for passage in passages}
    fitting = {title for title in titles if all(word in f"{title} {corpus}".lower() for word in law)}
    return tuple(passage for passage in passages if passage.document.title in fitting)


def _asked(
    asked: ProvisionAsked, text: str, by_version: Mapping[UUID, Sequence[Position]], passages: Sequence[Passage]
) -> list[Asked]:
    """What each document with the provision is asked, under its title where there are several."""
    titles = {passage.position.version_id: passage.document.title for passage in passages}
    return [
        Asked(
            text,
            frozenset({str(version)}),
            titles[version] if len(titles) > 1 else "",
            frozenset(row.ordinal for row in rows),
            is_whole=asked.of == "" or _is_about(asked.of or "", rows),
            may_be_whole=_told(asked.of or "", rows),
        )
        for version, rows in by_version.items()
        if version in titles
    ] or [Asked(text)]


def _is_about(of: str, rows: Sequence[Position]) -> bool:
    """Whether a provision as a whole is about what is asked of it, by its heading and most of its paragraphs.

    Article 26, "Obligations of deployers", is about what it requires of deployers; Article 50, "Transparency
    obligations for providers and deployers", is not about what it requires of providers.
    """
    words = subject_of(of)
    n_with = sum(words <= subject_of(row.paragraph.text) for row in rows)
    return bool(words) and words <= subject_of(" ".join(rows[0].heading_path[-1:])) and 2 * n_with > len(rows)


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
