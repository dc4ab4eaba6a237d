"""By which reader passages are read, and for which words: with and without the story around the question."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from corpora.in_force import versions_searched
from corpora.models import DocumentVersion
from corpora.selectors import version_openings
from legalqa.answering.composing.comparing import EVERY
from legalqa.answering.composing.documents import OPENING_CHARS, Identity, NamedDocuments, documents_named, identity_of
from legalqa.answering.composing.houses import house_named
from legalqa.answering.composing.naming import as_it_names_itself
from legalqa.answering.composing.parts import asking, question_parts, stands_alone, without_fillers
from legalqa.answering.composing.sources import MOST_COMPARED, sources_compared
from legalqa.answering.composing.types import Asked, Likeness, Opening, ReadPairs
from legalqa.answering.memory import PassageEncoder, readings_kept
from legalqa.answering.readers import StoredReader
from legalqa.answering.strategies.endpoint_reader import EndpointReader
from legalqa.answering.types import Question
from legalqa.encoder.client import HTTP_READER, Read, reader_is_on, reading
from retrieval.pipelines.request import SearchRequest
from retrieval.rewriters.clauses import is_elliptical
from retrieval.rewriters.followups import case_named, names_another_thing
from retrieval.services.search import SearchResult

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Wordings:
    """A question in the words that passages are read for; a law has the name that it gives itself.

    Attributes:
        text: The whole, story included, a follow-up completed.
        bare: Without the story; the same as `text` if there is none, or if the question needs it.
        is_named: Whether the person named a law by another name than its own.
        versions: Of the documents that the person named; empty where they named none.
        typed: Of a follow-up that names another thing than the question before it, the words themselves; else empty.
        case: For which a follow-up asks the question before it again: "deepfakes"; an answer names it.
        of_documents: What each document or house is asked, where the question compares some.
        names: Words of the titles of the documents found, and their initials, in small letters: "nda".
    """

    text: str
    bare: str
    is_named: bool = False
    versions: frozenset[str] = frozenset()
    typed: str = ""
    case: str = ""
    of_documents: tuple[Asked, ...] = ()
    names: frozenset[str] = frozenset()

    def of(self, question: str) -> tuple[str, ...]:
        """The wordings of a question: the whole with and without its story, a part as it is."""
        return tuple(dict.fromkeys((question, self.bare))) if question == self.text else (question,)


def wordings_of(result: SearchResult) -> Wordings:
    """The wordings of a question of which the search found passages."""
    question, queries = result.request, result.rewriting.queries
    titles = {passage.document.title for passage in result.passages}
    name = f"{result.corpus.name} {titles.pop() if len(titles) == 1 else ''}"
    texts = [passage.text for passage in result.passages]
    whole = without_fillers(queries.to_answer)
    openings, has_all = _openings(result, is_of_all=EVERY.search(whole) is not None)
    identities = {version: identity_of(opening.title, opening.text) for version, opening in openings.items()}
    nearest = [str(passage.position.version_id) for passage in result.passages]

    def read_as(words: str) -> NamedDocuments:
        named = documents_named(as_it_names_itself(words, name=name, texts=texts), identities=identities)
        if len(named.versions) == 1:
            return named
        house = house_named(named.question, openings=openings, nearest=nearest)
        return replace(house, versions=house.versions or named.versions)

    is_completed = queries.to_answer != queries.asked
    bare = asking(whole)
    # Any duty to tell anybody anything would answer "Do we have to tell them?" alone.
    is_bare = not is_completed and stands_alone(bare)
    named = read_as(whole)
    other = _of_other(question, read_as) if is_completed else None
    asked_of_each = whole if len(question_parts(whole)) > 1 else bare
    follows = is_completed and bool(question.former) and not other
    if other:
        named, asked_of_each = other, other.question
    return Wordings(
        named.question,
        read_as(bare).question if is_bare else named.question,
        is_named=named.question != whole,
        versions=named.versions,
        typed=question.text if follows and names_another_thing(question.text) else "",
        case=case_named(question.text) if follows else "",
        of_documents=tuple(sources_compared(asked_of_each, identities=identities, openings=openings, has_all=has_all)),
        names=_names(identities, openings),
    )


def _of_other(question: SearchRequest, read_as: Callable[[str], NamedDocuments]) -> NamedDocuments | None:
    """The question before a follow-up as it is put to another document: "And in the lease?"; None for other ones."""
    if not (question.former and is_elliptical(question.text)):
        return None
    versions, former = read_as(question.text).versions, read_as(question.former[0])
    is_other = versions and former.versions and versions != former.versions
    return replace(former, versions=versions) if is_other else None


def _names(identities: Mapping[str, Identity], openings: Mapping[str, Opening]) -> frozenset[str]:
    titles = (word for opening in openings.values() for word in _WORD.findall(opening.title))
    initials = (short for identity in identities.values() for short in identity.initials)
    return frozenset(word.lower() for word in (*titles, *initials))


def _openings(result: SearchResult, *, is_of_all: bool) -> tuple[dict[str, Opening], bool]:
    """How the documents of the passages begin, by version, in order of titles; and whether these are all documents.

    Where a question is of all contracts ("which of our contracts …"), those too of which the search found nothing, as
    long as they can be asked one by one.
    """
    ids = {passage.position.version_id for passage in result.passages}
    with result.request.scope():
        every = set(_versions(result)[: MOST_COMPARED + 1]) if is_of_all else set[UUID]()
        has_all = is_of_all and len(every) <= MOST_COMPARED
        openings = version_openings(version_ids=ids | every if has_all else ids, n_chars=OPENING_CHARS)
    ordered = sorted((Opening(*opening), str(version)) for version, opening in openings.items())
    return {version: opening for opening, version in ordered}, has_all


def _versions(result: SearchResult) -> "QuerySet[DocumentVersion, UUID]":
    """The versions that a question is searched in: those of its day, of the documents that were chosen."""
    versions = versions_searched(corpus=result.corpus)
    if chosen := result.request.filters.document_ids:
        versions = versions.filter(document__in=[UUID(one) for one in chosen])
    return versions.values_list("pk", flat=True)


def reader_for(
    question: Question,
    wordings: Wordings,
    trained: StoredReader | None,
    notes: list[str],
    calls: list[dict[str, Any]],
) -> ReadPairs | None:
    """What reads the passages for all wordings of a question; None where no reader is on.

    The reader of the corpus, else that of the installation or a rerank endpoint in its place, which adds its notes and
    its calls.
    """
    if not reader_is_on():
        return None
    if trained is None and settings.READER == HTTP_READER:
        return reads_for(wordings, EndpointReader(question, notes, calls))

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        return trained.read(pairs, is_urgent=True) if trained else reading(pairs, is_urgent=True)

    user_id = question.user.pk if question.user else None
    name = trained.name if trained else ""
    own = readings_kept(read, corpus_id=question.corpus_id, user_id=user_id, reader=name)  # reads no pair twice
    return reads_for(wordings, own)


def likeness_for(wordings: Wordings, encoder: PassageEncoder) -> Likeness:
    """The cosines of a text with others; of the whole question the higher ones of its wordings."""

    def likeness(question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        every = wordings.of(question)
        vectors = encoder.encode(every, texts)
        return [float(cosine) for cosine in (vectors[len(every) :] @ vectors[: len(every)].T).max(axis=1)]

    return likeness


def reads_for(wordings: Wordings, reads: ReadPairs) -> ReadPairs:
    """How the passages are read for all wordings of a question.

    "And the keys?" was put behind the question before it, which the passages that answered that one answer again:
    each is read for what was typed, too, which counts twice. What a person tells may decide which passage answers
    ("We never advertised in France.") or be beside the matter: each is read with and without it, and the likelier
    reading counts.
    """

    def reads_typed(pairs: Sequence[tuple[str, str]]) -> Sequence[Read]:
        alone = reads([(wordings.typed, passage) for _, passage in pairs])
        return [
            one._replace(answers=(one.answers + 2 * other.answers) / 3)
            for one, other in zip(reads(pairs), alone, strict=True)
        ]

    def reads_bare(pairs: Sequence[tuple[str, str]]) -> Sequence[Read]:
        alone = reads([(wordings.of(question)[-1], passage) for question, passage in pairs])
        return [max(both, key=lambda one: one.answers) for both in zip(reads(pairs), alone, strict=True)]

    if wordings.typed:
        return reads_typed
    return reads_bare if wordings.bare != wordings.text else reads
