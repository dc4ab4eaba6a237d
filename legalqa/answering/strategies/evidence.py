"""From a question to its evidence: search, and the answer in the documents' own words, or silence."""

import re
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from uuid import UUID

from corpora.languages import is_common
from corpora.provisions.types import Provision
from corpora.services.passages import passage_vectors
from corpora.services.provisions import provisions_around
from corpora.term_memory import TermMemory
from corpora.tokens import tokens
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.answering.composing import Composed, PassageFound, compose
from legalqa.answering.composing.composing import THRESHOLD
from legalqa.answering.composing.drafting import draft_composed
from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.silence import silence_of
from legalqa.answering.memory import PassageEncoder
from legalqa.answering.presets import policy_of
from legalqa.answering.readers import StoredReader
from legalqa.answering.scaffolding import SCAFFOLDING
from legalqa.answering.strategies.base import Work
from legalqa.answering.strategies.endpoint_reader import EndpointReader, reader_is_endpoint
from legalqa.answering.strategies.graph_statements import with_statements
from legalqa.answering.strategies.nearest import nearest_passages
from legalqa.answering.strategies.reading import (
    Wordings,
    likeness_for,
    reader_here,
    reads_for,
    trained_reader,
    wordings_of,
)
from legalqa.answering.types import Draft, Evidence, GraphStatement, Question, QuestionTerms, ReadAs
from legalqa.common.errors import ApplicationError
from legalqa.encoder.client import reader_is_on
from retrieval.services.search import Passage, SearchResult, corpus_search, passages_beside
from retrieval.types import Timed

PASSAGES_OPENED = 240  # ours: paragraphs of the hits, of which the nearest are read
PASSAGES_KEPT = 12  # in the evidence pack, where fewer were read
CORPUS_EMPTY = "The corpus holds nothing searchable yet. Upload a document, or wait until one is ready."
READ_AS = "Read as “{}”: so the documents name themselves."
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|<\S+")  # a pasted tag is no word of the question


def evidence_find(question: Question, work: Work, *, is_read: bool = True) -> Evidence:
    """Search, weigh the sentences, decide whether they answer. No transaction is open while the encoder works.

    The step under way takes note of every stage. Where it is not to be read, there is no draft: what was searched is
    the evidence, in the order of the search.

    Raises:
        NotFound: no such corpus, or you stand outside its wall.
        ApplicationError: the question is empty or too long, or the corpus holds nothing searchable yet.
    """
    result = corpus_search(
        organization=question.organization,
        user=question.user,
        corpus_id=question.corpus_id,
        text=question.text,
        preset=question.preset,
        filters=question.filters,
        complexity=question.complexity,
        former=question.former,
    )
    preset = result.preset or question.preset
    policy = policy_of(preset)
    if not result.statistics.size:
        if (day := question.filters.as_of) is not None:
            raise ApplicationError(f"No document was in force on {day}. Choose a later day.", code="nothing_in_force")
        raise ApplicationError(CORPUS_EMPTY, code="corpus_empty")
    kept = preset.hits or len(result.passages)
    opened = [p for p in result.passages if p.hit_rank <= policy.evidence_k or p.hit_rank > kept][:PASSAGES_OPENED]
    wordings = wordings_of(question, result)
    near, near_steps = nearest_passages(question, result, text=wordings.text, most=policy.nearest)
    result = replace(result, passages=(*result.passages, *near))
    opened += near
    usual = THRESHOLD if result.corpus.answer_threshold is None else result.corpus.answer_threshold
    threshold, trained = usual if policy.gate else 0.0, trained_reader(question, result)
    passages, n_read, statements, draft = (
        _composed(question, result, opened, wordings, threshold, trained) if is_read else _unread(result, opened)
    )
    work.note(*_search_steps(result), *near_steps, *draft.trace)
    evidence = Evidence(
        passages,
        n_read,
        draft,
        preset,
        (),
        {
            "corpus_version": result.corpus.version,
            "chunk_set": str(result.chunk_set_id or ""),
            "encoder": result.corpus.encoder,
            "reader": trained.name if trained else "",
            **_cases_beside(result),
        },
        statements,
    )
    return replace(evidence, rows=_rows(evidence, result, question.text))


def _composed(
    question: Question,
    result: SearchResult,
    opened: Sequence[Passage],
    wordings: Wordings,
    threshold: float,
    trained: StoredReader | None,
) -> tuple[tuple[Passage, ...], int, tuple[GraphStatement, ...], Draft]:
    """The passages, first those that were read or make the provisions of the answer whole; how many these are.

    With what the knowledge graph states, whose paragraphs come next; and the draft.
    """
    with organization_scope(question.organization, user=question.user):
        positions = [passage.position for passage in opened]
        provisions, stored = provisions_around(positions=positions), passage_vectors(positions=positions)
    connection_give_back()
    found = [_passage_found(p, provisions[key]) for p in opened if (key := _key(p)) in provisions]
    started = perf_counter()
    parts = question_parts(wordings.text)
    # An experiment puts each question of a gold set to many presets, and they are no person's.
    own = () if question.is_experiment else (*parts, *wordings.of(wordings.text))
    encoder = PassageEncoder(corpus_id=result.corpus.pk, question=own, stored=stored)
    reader = EndpointReader(question) if trained is None and reader_is_endpoint() else None
    reads = reader or reader_here(question, trained)
    read = reads_for(wordings, reads) if reader_is_on() else None
    composed = compose(
        wordings.text,
        parts,
        found,
        read=read,
        likeness=likeness_for(wordings, encoder),
        threshold=threshold,
        typed=wordings.typed,
    )
    milliseconds = 1000 * (perf_counter() - started)
    ordered, n_read = _completed(question, result.passages, composed, found)
    ordered, statements = with_statements(question, result, ordered, n_read)
    places = {(str(p.position.version_id), p.position.ordinal): place for place, p in enumerate(ordered)}
    nearest = [found[one.place] for one in composed.read]
    draft = draft_composed(
        composed,
        found,
        place_of=lambda version, ordinal: places.get((version, ordinal)),
        ranks=[passage.rank for passage in ordered],
        silence=_silence(question, result, nearest, chance=composed.probability, threshold=threshold),
        threshold=threshold,
        milliseconds=milliseconds,
    )
    by_passage = {
        (found[one.place].version, found[one.place].ordinal): ReadAs(one.probability if read else None, one.cosine)
        for one in composed.read
    }
    notes = [*([READ_AS.format(wordings.text)] if wordings.is_named else []), *(reader.notes if reader else [])]
    if notes:
        note = {"note": " ".join(notes)}
        draft = replace(draft, trace=tuple(s | note if s["step"] == "reader" else s for s in draft.trace))
    return ordered, n_read, statements, replace(draft, read={places[key]: said for key, said in by_passage.items()})


def _silence(
    question: Question, result: SearchResult, nearest: Sequence[PassageFound], *, chance: float, threshold: float
) -> tuple[str, str, str]:
    """Why nothing is said, where nothing is: code, sentence, and what to ask instead."""
    words = _subject_words(_terms(result, question.text), question.text, result.corpus.language)
    unknown = result.unknown_terms(question.text)
    return silence_of(
        question.text,
        nearest,
        subject=words,
        unknown=[word for word, terms in words.items() if terms <= unknown],
        chance=chance,
        threshold=threshold,
    )


def _unread(
    result: SearchResult, opened: Sequence[Passage]
) -> tuple[tuple[Passage, ...], int, tuple[GraphStatement, ...], Draft]:
    """As `_composed`, without reading any of the passages."""
    ordered = dict.fromkeys([*map(_key, opened), *map(_key, result.passages)])
    by_key = {_key(passage): passage for passage in result.passages}
    return tuple(by_key[key] for key in ordered), len(opened), (), Draft("insufficient_evidence", "", None, (), ())


def _key(passage: Passage) -> tuple[UUID, int]:
    return passage.position.version_id, passage.position.ordinal


def _passage_found(passage: Passage, provision: Provision) -> PassageFound:
    position = passage.position
    return PassageFound(
        str(position.version_id),
        str(passage.document.pk),
        position.ordinal,
        passage.hit_rank - 1,
        position.paragraph.text,
        provision,
    )


def _completed(
    question: Question, passages: Sequence[Passage], composed: Composed, found: Sequence[PassageFound]
) -> tuple[tuple[Passage, ...], int]:
    """The passages, first those that were read and that the chosen provisions need; how many these are.

    The provisions come first, each whole and in its order, then the others by what the reader makes of them: a model
    that has no room for all is given the best.
    """
    wanted: dict[tuple[str, int], PassageFound] = {}
    for chosen in composed.shown:
        of = found[chosen.passage]
        places = sorted(piece.place for piece in chosen.pieces)
        wanted |= {(of.version, of.provision.pieces[place].ordinal): of for place in places}
    known = {(str(p.position.version_id), p.position.ordinal): p for p in passages}
    lacking = [
        (known[of.version, of.ordinal], ordinal)
        for (version, ordinal), of in wanted.items()
        if (version, ordinal) not in known
    ]
    with organization_scope(question.organization, user=question.user):
        added = passages_beside(lacking, filters=question.filters, first_rank=len(passages) + 1)
    every = known | {(str(p.position.version_id), p.position.ordinal): p for p in added}
    read = [(found[one.place].version, found[one.place].ordinal) for one in composed.read]
    first = [key for key in dict.fromkeys([*wanted, *read]) if key in every]
    return tuple(every[key] for key in dict.fromkeys([*first, *every])), len(first)


def _terms(result: SearchResult, text: str) -> QuestionTerms:
    """The index terms of a text with their weight in the corpus."""
    return QuestionTerms.of(result.term_weights(text), result.unknown_terms(text))


def _search_steps(result: SearchResult) -> list[dict[str, object]]:
    """The stages of the search, as the trace keeps them."""
    rewrite = result.rewriting.as_step() if result.rewriting else None
    return [*filter(None, (result.complexity, rewrite)), *(_stage_step(timed) for timed in result.times)]


def _cases_beside(result: SearchResult) -> dict[str, object]:
    """The ids of the solved cases shown with the evidence; their words are read when they are shown."""
    cases = [{"case_id": side.source.key, "score": side.score} for side in result.side if side.source.kind == "case"]
    return {"cases": cases} if cases else {}


def _stage_step(timed: Timed) -> dict[str, object]:
    step: dict[str, object] = {
        "step": timed.stage,
        "milliseconds": round(timed.milliseconds, 1),
        "hits": timed.n_hits,
    }
    return step | ({"note": timed.note} if timed.note else {})


def _rows(evidence: Evidence, result: SearchResult, text: str) -> tuple[dict[str, object], ...]:
    """Every passage that the answer was drawn from, and the best of the others.

    `read` says which the answer was drawn from; a model that wrote was given the first of them, as many as fitted.
    """
    unknown = result.unknown_terms(text)
    terms = _terms(result, text)
    words = _subject_words(terms, text, result.corpus.language)
    memory = TermMemory(corpus_id=result.corpus.pk, language=result.corpus.language)
    read_ranks = {place: rank for rank, place in enumerate(evidence.draft.read, start=1)}
    rows = []
    for place, passage in enumerate(evidence.passages[: max(PASSAGES_KEPT, evidence.n_given)]):
        own = frozenset(memory.terms(f"{passage.heading} {passage.text}"))
        read = evidence.draft.read.get(place)
        rows.append(
            _row(passage)
            | {
                "cosine": round(read.cosine, 4) if read else None,
                "coverage": round(min(1.0, terms.coverage(own)), 4),
                "missing": [word for word, stems in words.items() if not stems & own],
                "unknown": [word for word, stems in words.items() if stems <= unknown],
                "read": place < evidence.n_read,
                "read_rank": read_ranks.get(place),
                "reader": round(read.probability, 4) if read and read.probability is not None else None,
            }
        )
    return tuple(rows)


def _subject_words(terms: QuestionTerms, text: str, language: str) -> dict[str, frozenset[str]]:
    """The question's words that name its subject, as they were typed, each with its index terms; rare ones first."""
    words = {}
    for word in _MARKUP.sub(" ", text).split():
        typed = word.strip(".,;:?!\"'“”‘’()")
        own = frozenset(tokens(typed, language=language)) & (terms.weights.keys() | terms.unknown)
        if own and own - SCAFFOLDING and not is_common(typed):
            words[typed] = own
    return dict(sorted(words.items(), key=lambda item: -max(terms.weights.get(term, 0.0) for term in item[1])))


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
