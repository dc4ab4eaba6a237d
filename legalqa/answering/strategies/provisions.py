"""Opening the provision that a question names by its number, in the document or the documents that have it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from uuid import UUID

from django.db.models import Q

from corpora.in_force import versions_searched
from corpora.models import Position
from corpora.selectors import version_openings
from legalqa.answering.composing.documents import OPENING_CHARS
from legalqa.answering.composing.kinds import subject_of
from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.provisions import (
    OF_ENTRY_INTO_FORCE,
    OF_PARTIES,
    OPENING_PARAGRAPHS,
    WHOLE,
    ProvisionAsked,
    asks_for_parties,
    asks_when_in_force,
    names_a_contract,
    part_labelled,
    provision_asked,
)
from legalqa.answering.composing.types import Asked
from legalqa.answering.strategies.reading import Wordings
from retrieval.named import paragraphs_where, provision_paragraphs
from retrieval.numbered import NAMED
from retrieval.services.search import Passage, SearchResult, passages_where

_SIGNED = re.compile(r"\W*(?:done|signed)\s+(?:at|in|this)\b|\W*in\s+witness\s+whereof\b", re.IGNORECASE)
MOST_DOCUMENTS = 5  # ours: most documents with a provision of that number that are asked one by one


def provisions_opened(result: SearchResult, wordings: Wordings) -> tuple[tuple[Passage, ...], Wordings]:
    """The paragraphs of the provisions that a question names, and the wordings that ask for them there.

    Of a question that asks several things, each part that names a provision is asked of it alone; one that asks when a
    law or its rules apply, of the provision on entry into force; one that asks for the parties of contracts, of how
    each begins. Nothing, and the unchanged wordings, if there is no such part, or no document that may be meant has the
    provision.
    """
    parts = wordings.of_documents or tuple(map(Asked, question_parts(wordings.text)[1:] or (wordings.text,)))
    with result.request.scope():
        opening = _Opening(result, wordings)
        opened = [opening.of(part) for part in parts]
    passages = tuple(passage for own, _ in opened for passage in own)
    if not passages:
        return (), wordings
    return passages, replace(wordings, of_documents=tuple(one for _, asked in opened for one in asked))


@dataclass(slots=True)
class _Opening:
    """The provisions of a question, looked up where it may search."""

    result: SearchResult
    wordings: Wordings
    before: frozenset[str] = frozenset()  # the documents of the provision that was named before: "it"

    def of(self, part: Asked) -> tuple[tuple[Passage, ...], list[Asked]]:
        """The passages of the provisions that a part asks for, and what each of their documents is asked."""
        is_known = bool(part.versions or self.wordings.versions)
        if asks_for_parties(part.text) and (is_known or not names_a_contract(part.text)):
            return self._whole(part, self._first_lines(part))
        if part.versions:  # documents are compared
            return (), [part]
        if asked := provision_asked(part.text):
            rows = self._named(asked.unit, asked.number, labels=asked.labels, law=asked.law)
            passages = self._passages(rows)
            self.before = frozenset(str(passage.position.version_id) for passage in passages)
            return passages, _asked(asked, part, rows, passages)
        if asks_when_in_force(part.text, of_provision=bool(self.before)):
            return self._whole(part, self._in_force(part.text))
        return (), [part]

    def _whole(self, part: Asked, rows: Mapping[UUID, Sequence[Position]]) -> tuple[tuple[Passage, ...], list[Asked]]:
        passages = self._passages(rows)
        return passages, _asked(WHOLE, part, rows, passages)

    def _first_lines(self, part: Asked) -> dict[UUID, list[Position]]:
        """Of each document that is meant, the paragraph that says who agrees with whom."""
        condition = Q(ordinal__lt=OPENING_PARAGRAPHS, paragraph__text__iregex=OF_PARTIES)
        return {version: own[:1] for version, own in self._where(condition, part.versions).items()}

    def _named(
        self, unit: str, number: str, *, labels: Sequence[str] = (), law: Sequence[str] = ()
    ) -> dict[UUID, list[Position]]:
        """The paragraphs of a provision, in the documents that may be meant; another one that heads it hides none."""
        versions = self._of_law(law) if law else self.wordings.versions
        if law and not versions:
            return {}
        by_version = provision_paragraphs(
            corpus=self.result.corpus,
            unit=unit,
            number=number,
            filters=self.result.request.filters,
            most=MOST_DOCUMENTS,
            versions=versions,
        )
        return {key: _part(own, labels) for key, own in by_version.items()}

    def _of_law(self, law: Sequence[str]) -> frozenset[str]:
        """The documents that may be the law named in the question, by their titles or by the name of the corpus.

        If the question names documents in another way ("the Rogers agreement"), their files and openings count too.
        """
        corpus, named = self.result.corpus.name.lower(), self.wordings.versions
        rows = versions_searched(corpus=self.result.corpus)
        for word in law:
            if word not in corpus:
                rows = rows.filter(document__title__icontains=word)
        titled = frozenset(map(str, rows.values_list("pk", flat=True)))
        openings = version_openings(version_ids=map(UUID, named), n_chars=OPENING_CHARS)
        texts = {str(version): f"{' '.join(opening)} {corpus}".lower() for version, opening in openings.items()}
        return (titled & named if named else titled) | {
            version for version, text in texts.items() if all(word in text for word in law)
        }

    def _in_force(self, part: str) -> dict[UUID, list[Position]]:
        """The provisions on entry into force, of the documents with the provision that is named."""
        named = NAMED.search(part)
        before = frozenset(map(str, self._named(named["unit"], named["number"]))) if named else self.before
        return {
            key: list(takewhile(lambda row: not _SIGNED.match(row.paragraph.text), own))
            for key, own in self._where(Q(path__iregex=rf"{OF_ENTRY_INTO_FORCE}[^\n]*$"), before).items()
        }

    def _where(self, condition: Q, versions: frozenset[str]) -> dict[UUID, list[Position]]:
        """The paragraphs that meet a condition, in these documents or in those that the question names."""
        return paragraphs_where(
            condition,
            corpus=self.result.corpus,
            filters=self.result.request.filters,
            versions=versions or self.wordings.versions,
            most=MOST_DOCUMENTS,
        )

    def _passages(self, rows: Mapping[UUID, Sequence[Position]]) -> tuple[Passage, ...]:
        where = Q(pk__in=[row.pk for own in rows.values() for row in own])
        return passages_where(result=self.result, where=where, first_rank=len(self.result.passages) + 1)


def _asked(
    asked: ProvisionAsked, part: Asked, by_version: Mapping[UUID, Sequence[Position]], passages: Sequence[Passage]
) -> list[Asked]:
    """What each document with the provision is asked, under its title where there are several."""
    titles = {passage.position.version_id: passage.document.title for passage in passages}
    return [
        replace(
            part,
            versions=frozenset({str(version)}),
            title=part.title or (titles[version] if len(titles) > 1 else ""),
            ordinals=frozenset(row.ordinal for row in rows),
            is_whole=asked.of == "" or _is_about(asked.of or "", rows),
            may_be_whole=_told(asked.of or "", rows),
        )
        for version, rows in by_version.items()
        if version in titles
    ] or [part]


def _is_about(of: str, rows: Sequence[Position]) -> bool:
    """Whether a provision as a whole is about what is asked of it, by its heading and most of its paragraphs.

    Article 26, "Obligations of deployers", is about what it requires of deployers; Article 50, "Transparency
    obligations for providers and deployers", is not about what it requires of providers.
    """
    words = subject_of(of)
    n_with = sum(words <= subject_of(row.paragraph.text) for row in rows)
    return bool(words) and words <= subject_of(" ".join(rows[0].heading_path[-1:])) and 2 * n_with > len(rows)


def _told(of: str, rows: Sequence[Position]) -> frozenset[int]:
    """The paragraphs that have all words of what is asked of a provision; all of them if only together they do."""
    words = subject_of(of)
    if not words or not words <= subject_of(" ".join(map(_words, rows))):
        return frozenset()
    own = frozenset(row.ordinal for row in rows if words <= subject_of(row.paragraph.text))
    return own or frozenset(row.ordinal for row in rows)


def _part(rows: Sequence[Position], labels: Sequence[str]) -> list[Position]:
    return [rows[place] for place in part_labelled([row.paragraph.text for row in rows], labels)]


def _words(position: Position) -> str:
    return f"{' '.join(position.heading_path[-1:])} {position.paragraph.text}"
