"""From a question to its evidence: search, and the answer in the documents' own words, or silence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from time import perf_counter
from typing import Any

from django.db.models import Q

from corpora.provisions.around import context_of, without_marks
from corpora.provisions.roles import is_blank
from corpora.provisions.types import Provision
from corpora.selectors import document_names
from corpora.services.passages import passage_vectors
from corpora.services.provisions import provisions_around
from corpora.term_memory import TermMemory
from corpora.tokens import tokens
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.composing import Composed, PassageFound, compose
from legalqa.answering.composing.drafting import draft_composed
from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.silence import names_unmentioned, silence_of
from legalqa.answering.composing.terms import terms_compared
from legalqa.answering.composing.types import Asked, PartAnswered
from legalqa.answering.conflicts.resolving import source_of
from legalqa.answering.memory import PassageEncoder
from legalqa.answering.places import heading_name, place_words
from legalqa.answering.spelling import one_spelling
from legalqa.answering.strategies.base import Work
from legalqa.answering.strategies.graph_statements import with_statements
from legalqa.answering.strategies.pointed import annex_pointed, with_annex
from legalqa.answering.strategies.reading import likeness_for, reader_for
from legalqa.answering.strategies.search import Search, question_search
from legalqa.answering.types import Composition, Draft, Evidence, Question
from retrieval.services.search import Passage, passages_where

PASSAGES_KEPT = 12  # passages in the evidence pack if fewer were read
MEANS = "What does “{}” mean?"  # what is asked of each term that a question compares
ASKED_OF = "“{}” was asked: “{}”."
READ_AS = "Read as “{}”: so the documents name themselves."


@dataclass(frozen=True, slots=True)
class Reading:
    """The passages that were read for a question, and what was composed of them.

    Attributes:
        search: With the passages of an annex that the answer points to, where it does.
        passages: As they were read.
        composed: The answer in whole provisions.
        is_read: Whether a reader is on; without one, likeness alone decides.
        step: What the trace says of reading.
    """

    search: Search
    passages: tuple[PassageFound, ...]
    composed: Composed
    is_read: bool
    step: dict[str, object]


def evidence_find(question: Question, work: Work, *, is_read: bool = True) -> Evidence:
    """Search, read the passages, and decide whether they answer. No transaction is open while the encoder works.

    The step under way takes note of every stage. If nothing is to be read, there is no draft: the evidence is the
    search's result, in its order.

    Raises:
        NotFound, ApplicationError: as `question_search`.
    """
    search = question_search(question)
    evidence = _read(search) if is_read else _unread(search)
    work.note(*search.steps, *evidence.draft.trace)
    return evidence


def _read(search: Search) -> Evidence:
    """The evidence with a draft: first the passages that were read or make the provisions of the answer whole.

    Those of the knowledge graph's statements come next.
    """
    reading = _reading(search)
    search = reading.search
    text, unknown = search.question.text, search.unknown_words
    with search.question.scope():
        evidence = with_statements(search, _ordered(reading))
        titles = [title for _, title in document_names(corpus=search.result.corpus)] if unknown else []
    connection_give_back()
    composed, passages = reading.composed, reading.passages
    draft = draft_composed(
        composed,
        passages,
        given={_name(passage): passage for passage in evidence.passages},
        silence=silence_of(
            text,
            _passages_named(search, [passages[one.place] for one in composed.readings]),
            subject=search.subject,
            unknown=unknown,
            titles=titles,
            chance=composed.probability,
            threshold=search.threshold,
            is_limited=bool(search.question.filters.as_mapping()),
        ),
        unmentioned=names_unmentioned(text, unknown, corpus=search.result.corpus.name),
        threshold=search.threshold,
        step=reading.step,
    )
    if search.put_as:
        composition: Composition = {**draft.composition, "read_as": search.put_as}
        draft = replace(draft, why=f"{draft.why} {search.put_as}", composition=composition)
    return _with_rows(replace(evidence, draft=draft), reading)


def _unread(search: Search) -> Evidence:
    """The evidence in the order of the search, none of its passages read."""
    ordered = {_name(passage): passage for passage in (*search.opened, *search.result.passages)}
    evidence = _undrafted(search, ordered.values(), n_read=len(search.opened))
    return _with_rows(evidence, Reading(search, (), Composed("", (), ()), is_read=False, step={}))


def _undrafted(search: Search, passages: Iterable[Passage], *, n_read: int) -> Evidence:
    draft = Draft("insufficient_evidence", "", None, (), ())
    return Evidence(tuple(passages), n_read, draft, search.result.preset, (), search.index)


def _reading(search: Search) -> Reading:
    """Read the opened passages with the provisions around them, and compose an answer of the likeliest.

    If the answer only points to an annex, that annex follows it.
    """
    question, wordings = search.question, search.wordings
    positions = [passage.position for passage in search.opened]
    with question.scope():
        stored = passage_vectors(positions=positions)
    passages = _passages_found(search, search.opened)
    connection_give_back()
    started = perf_counter()
    compared = terms_compared(wordings.text, [passage.text for passage in passages])
    parts = (wordings.text, *map(MEANS.format, compared)) if compared else question_parts(wordings.text)
    # An experiment puts each question of a gold set to many presets, and these questions are no person's own.
    keeps = question.is_experiment
    encoder = PassageEncoder(corpus_id=search.result.corpus.pk, keeps_asked=keeps, stored=stored)
    notes = [READ_AS.format(wordings.text)] if wordings.is_named else []
    notes += [ASKED_OF.format(one.title, one.text) for one in wordings.of_documents if one.title]
    calls: list[dict[str, Any]] = []
    reader = reader_for(question, wordings, search.trained, notes, calls)

    def composed_of(passages: Sequence[PassageFound], of_documents: Sequence[Asked]) -> Composed:
        return compose(
            wordings.text,
            parts,
            passages,
            reader=reader,
            likeness=likeness_for(wordings, encoder),
            threshold=search.threshold,
            typed=wordings.typed,
            case=wordings.case,
            of_documents=of_documents,
        )

    composed = composed_of(passages, wordings.of_documents)
    if pointed := annex_pointed(search, composed, passages):
        annex, asked = pointed
        known = {(passage.version, passage.ordinal) for passage in passages}
        more = (one for one in _passages_found(search, annex) if (one.version, one.ordinal) not in known)
        passages, search = (*passages, *more), search.with_passages(annex)
        connection_give_back()
        composed = with_annex(composed, composed_of(passages, [asked]))
    if not wordings.of_documents:
        composed = replace(composed, parts=_as_typed(composed.parts, question.text))
    if search.is_vague:
        composed = Composed(composed.kind, (), (), readings=composed.readings)
    milliseconds = round(1000 * (perf_counter() - started), 1)
    step = {"step": "reader", "milliseconds": milliseconds, "hits": len(composed.readings)}
    step |= {"note": " ".join(notes)} if notes else {}
    step |= {"calls": calls} if calls else {}
    return Reading(search, passages, composed, reader is not None, step)


def _passages_found(search: Search, opened: Sequence[Passage]) -> tuple[PassageFound, ...]:
    """Passages with the provisions around them; what holds no words is left out."""
    with search.question.scope():
        provisions = provisions_around(positions=[passage.position for passage in opened])
    named = search.wordings.versions
    return tuple(
        _passage_found(p, provisions[key], is_elsewhere=bool(named) and str(key[0]) not in named)
        for p in opened
        if (key := (p.position.version_id, p.position.ordinal)) in provisions and not is_blank(p.text)
    )


def _as_typed(parts: Sequence[PartAnswered], text: str) -> tuple[PartAnswered, ...]:
    """The parts of a question as they were typed, not as they were reworded for the documents."""
    typed = question_parts(text)[1:]
    if len(typed) != len(parts):
        return tuple(parts)
    return tuple(replace(part, asked=replace(part.asked, text=own)) for part, own in zip(parts, typed, strict=True))


def _ordered(reading: Reading) -> Evidence:
    """The passages, first those that were read and that the chosen provisions need, before anything is drafted.

    The provisions come first, each whole and in its order, then the others by what the reader makes of them: a model
    that has no room for all is given the best.
    """
    texts, result = reading.passages, reading.search.result
    needed = [
        (texts[one.passage].version, texts[one.passage].provision.pieces[place].ordinal)
        for one in reading.composed.shown
        for place in sorted(piece.place for piece in one.pieces)
    ]
    by_name = {_name(passage): passage for passage in result.passages}
    lacking = (Q(version=version, ordinal=ordinal) for version, ordinal in needed if (version, ordinal) not in by_name)
    where = reduce(or_, lacking, Q(pk__in=()))
    added = passages_where(result=result, where=where, first_rank=len(result.passages) + 1)
    every = by_name | {_name(passage): passage for passage in added}
    names = [(texts[one.place].version, texts[one.place].ordinal) for one in reading.composed.readings]
    first = [key for key in dict.fromkeys([*needed, *names]) if key in every]
    ordered = (every[key] for key in dict.fromkeys([*first, *every]))
    return _undrafted(reading.search, ordered, n_read=len(first))


def _name(passage: Passage) -> tuple[str, int]:
    return str(passage.position.version_id), passage.position.ordinal


def _passage_found(passage: Passage, provision: Provision, *, is_elsewhere: bool) -> PassageFound:
    position, document = passage.position, str(passage.document.pk)
    _, title = source_of(
        document=document, title=passage.document.title, kind=passage.kind, headings=position.heading_path
    )
    return PassageFound(
        str(position.version_id),
        document,
        position.ordinal,
        passage.hit_rank - 1,
        without_marks(position.paragraph.text),
        provision,
        is_elsewhere,
        title,
    )


def _with_rows(evidence: Evidence, reading: Reading) -> Evidence:
    """With the rows of every passage that the answer was drawn from, and of the best of the others.

    `read` says which the answer was drawn from; a model that wrote was given the first of them, as many as fitted.
    """
    search, texts = reading.search, reading.passages
    corpus, unknown = search.result.corpus, search.unknown_words
    memory = TermMemory(corpus_id=corpus.pk, language=corpus.language)
    before = {(one.version, one.ordinal): context_of(one.provision, one.ordinal) for one in texts}
    reads = {(texts[one.place].version, texts[one.place].ordinal): one for one in reading.composed.readings}
    read_ranks = {name: rank for rank, name in enumerate(reads, start=1)}
    rows = []
    for place, passage in enumerate(evidence.passages[: max(PASSAGES_KEPT, evidence.n_given)]):
        own, name = frozenset(memory.terms(f"{passage.heading} {passage.text}")), _name(passage)
        read = reads.get(name)
        rows.append(
            _row(passage)
            | {
                "cosine": round(read.cosine, 4) if read else None,
                "coverage": round(min(1.0, search.coverage(own)), 4),
                "missing": _words_missing(search, passage, before.get(name, ""), memory),
                "unknown": unknown,
                "read": place < evidence.n_read,
                "read_rank": read_ranks.get(name),
                "reader": round(read.probability, 4) if read and reading.is_read else None,
            }
        )
    return replace(evidence, rows=tuple(rows))


def _row(passage: Passage) -> dict[str, object]:
    position = passage.position
    return {
        "rank": passage.rank,
        "kind": passage.kind,
        "paragraph_id": passage.paragraph_id,
        "document_id": str(passage.document.pk),
        "document": passage.document.title,
        "version": passage.version_number,
        "ordinal": position.ordinal,
        "page": position.page,
        "page_label": position.page_label,
        "heading": passage.heading,
        "text": passage.text,
        "score": round(passage.score, 6),
        "stages": {name: round(value, 6) for name, value in passage.stages.items()},
        "matched_question": passage.question,
    }


def _passages_named(search: Search, passages: Sequence[PassageFound]) -> list[PassageFound]:
    """The passages, each under the name that a silence gives its place: document, clause and page.

    What a question without a subject could ask instead is about the clause alone.
    """
    opened, named = {_name(passage): passage for passage in search.opened}, []
    for one in passages:
        passage, heading = opened[one.version, one.ordinal], heading_name(one.provision.path)
        if search.subject:
            label = passage.position.page_label if passage.kind == "pdf" else ""
            place = {"document_title": passage.document.title, "heading": heading, "page_label": label}
            heading = place_words(place)
        named.append(replace(one, provision=replace(one.provision, heading=heading)))
    return named


def _words_missing(search: Search, passage: Passage, before: str, memory: TermMemory) -> list[str]:
    """The words of the question's subject that neither a passage nor what is above it has, in any spelling.

    Above it are the title of its document, its headings, and the line that opens its list.
    """
    text = " ".join([passage.document.title, passage.heading, before, passage.text])
    said = frozenset(memory.terms(one_spelling(text)))
    return [word for word in search.subject if said.isdisjoint(tokens(one_spelling(word), language=memory.language))]
