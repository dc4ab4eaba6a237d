"""Opening the provision that a question names by its number, in the document or the documents that have it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from uuid import UUID

from corpora.models import Position
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.composing.kinds import subject_of
from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.provisions import (
    OF_ENTRY_INTO_FORCE,
    WHOLE,
    ProvisionAsked,
    asks_when_in_force,
    part_labelled,
    provision_asked,
)
from legalqa.answering.composing.types import Asked
from legalqa.answering.strategies.reading import Wordings
from legalqa.answering.types import Question
from retrieval.named import headed_paragraphs, provision_paragraphs
from retrieval.numbered import NAMED
from retrieval.services.search import Passage, SearchResult, passages_of

_SIGNED = re.compile(r"\W*(?:done|signed)\s+(?:at|in|this)\b|\W*in\s+witness\s+whereof\b", re.IGNORECASE)
MOST_DOCUMENTS = 5  # ours: documents with a provision of that number, of which each is asked


def provisions_opened(
    question: Question, result: SearchResult, wordings: Wordings
) -> tuple[tuple[Passage, ...], Wordings]:
    """The paragraphs of the provisions that a question names, and the wordings that ask for them there.

    Of a question that asks several things, each part that names a provision is asked of it alone; one that asks when a
    law or its rules apply, of the provision on entry into force. Nothing, and the
    wordings as they are, where none is named, where documents are compared, or where no document that may be meant has
    it.
    """
    parts = question_parts(wordings.text)[1:] or (wordings.text,)
    if wordings.of_documents:
        return (), wordings
    with organization_scope(question.organization, user=question.user):
        opened = _Opening(question, result, wordings).of(parts)
    passages = tuple(passage for own, _ in opened.values() for passage in own)
    if not passages:
        return (), wordings
    asked_of = [one for part in parts for one in (opened[part][1] if part in opened else [Asked(part)])]
    return passages, replace(wordings, of_documents=tuple(asked_of))


@dataclass(frozen=True, slots=True)
class _Opening:
    """The provisions of a question, looked up where it may search."""

    question: Question
    result: SearchResult
    wordings: Wordings

    def of(self, parts: Sequence[str]) -> dict[str, tuple[tuple[Passage, ...], list[Asked]]]:
        """By the part that asks for them: the passages of provisions, and what each of their documents is asked."""
        opened: dict[str, tuple[tuple[Passage, ...], list[Asked]]] = {}
        before: frozenset[str] = frozenset()  # the documents of the provision that was named before: "it"
        for part in parts:
            if asked := provision_asked(part):
                rows = self._named(asked.unit, asked.number, labels=asked.labels)
                passages = _of_law(asked.law, self._passages(rows), self.result)
                opened[part] = passages, _asked(asked, part, rows, passages)
                before = frozenset(str(passage.position.version_id) for passage in passages)
            elif asks_when_in_force(part, of_provision=bool(before)):
                rows = self._in_force(part, before)
                passages = self._passages(rows)
                opened[part] = passages, _asked(WHOLE, part, rows, passages)
        return opened

    def _named(self, unit: str, number: str, *, labels: Sequence[str] = ()) -> dict[UUID, list[Position]]:
        by_version = provision_paragraphs(
            corpus=self.result.corpus, unit=unit, number=number, filters=self.question.filters, most=MOST_DOCUMENTS
        )
        named = self.wordings.versions
        return {key: _part(own, labels) for key, own in by_version.items() if not named or str(key) in named}

    def _in_force(self, part: str, before: frozenset[str]) -> dict[UUID, list[Position]]:
        """The provisions on entry into force, of the documents with the provision that is named."""
        named = NAMED.search(part)
        if named is not None:
            before = frozenset(map(str, self._named(named["unit"], named["number"])))
        by_version = headed_paragraphs(
            corpus=self.result.corpus,
            heading=OF_ENTRY_INTO_FORCE,
            filters=self.question.filters,
            versions=before or self.wordings.versions,
            most=MOST_DOCUMENTS,
        )
        return {
            key: list(takewhile(lambda row: not _SIGNED.match(row.paragraph.text), own))
            for key, own in by_version.items()
        }

    def _passages(self, rows: Mapping[UUID, Sequence[Position]]) -> tuple[Passage, ...]:
        ids = [row.paragraph_id for own in rows.values() for row in own]
        first_rank = len(self.result.passages) + 1
        return passages_of(
            corpus=self.result.corpus, paragraph_ids=ids, filters=self.question.filters, first_rank=first_rank
        )


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
