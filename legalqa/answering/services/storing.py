"""The answer's rows: claims with their citations, the evidence, and every step that led to them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from corpora.languages import is_common
from corpora.term_memory import TermMemory
from corpora.tokens import tokens
from legalqa.accounts.services import reply_note
from legalqa.answering.draft import Draft, DraftClaim
from legalqa.answering.models import Answer, AnswerMode, AnswerState, Citation, Claim, Question
from legalqa.answering.services.finding import Asked, Found, question_terms
from legalqa.answering.types import SCAFFOLDING, Generation, Sentence
from legalqa.answering.verification import Check
from legalqa.answering.written import WrittenClaim
from retrieval.pipelines.run import Timed
from retrieval.services.search import Passage, SearchResult

PASSAGES_KEPT = 12  # in the evidence pack, where fewer were read
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|<\S+")  # a pasted tag is no word of the question
Place = tuple[Passage, int, int]


@dataclass(frozen=True, slots=True)
class Ending:
    """How an answer ended: what to say, and what a model said of it, shown or withheld."""

    state: AnswerState
    mode: AnswerMode
    why: str
    quoted: tuple[DraftClaim, ...] = ()
    written: tuple[WrittenClaim, ...] = ()
    generation: Generation = field(default_factory=Generation)
    steps: tuple[dict[str, object], ...] = ()


def ending_quoted(draft: Draft, *, note: str = "") -> Ending:
    """The answer in the documents' own words, or the silence; `note` says why it was not written."""
    return Ending(
        AnswerState(draft.state), AnswerMode.EXTRACTIVE, " ".join(filter(None, [note, draft.why])), draft.claims
    )


def answer_create(question: Question, asked: Asked, *, state: AnswerState, why: str, seconds: float = 0.0) -> Answer:
    """The answer's row, bound to the request's key if it has one."""
    preset = asked.preset
    answer = Answer.objects.create(
        organization_id=question.organization_id,
        question=question,
        state=state,
        why=why,
        preset=preset.name,
        pipeline=preset.model_dump(mode="json", include={"pipeline", "answer"}),
        fingerprint=preset.fingerprint(),
        asked=asked.as_json(),
        seconds=round(seconds, 3),
    )
    reply_note(subject_id=answer.pk)
    return answer


def answer_store(answer: Answer, found: Found, ending: Ending, *, seconds: float) -> Answer:
    """Fill the row of an answer and write its claims, in the caller's transaction."""
    used = {place for place, *_ in _places_of(ending)}
    answer.state, answer.mode, answer.why = ending.state, ending.mode, ending.why
    answer.generation = dict(ending.generation)
    answer.confidence, answer.seconds = found.draft.probability, round(seconds, 3)
    answer.evidence = evidence_rows(found, answer.question.text, used)
    answer.trace = [*trace_of(found), *ending.steps]
    answer.preset, answer.fingerprint = found.preset.name, found.preset.fingerprint()
    answer.pipeline = found.preset.model_dump(mode="json", include={"pipeline", "answer"})
    answer.save()
    shown: list[tuple[str, Check, bool, list[Place]]] = [
        (c.sentence.text, c.check, c.is_shown, _quoted_places(found.result, (c.sentence, *c.elsewhere)))
        for c in ending.quoted
    ]
    for written in ending.written:
        places = [(found.result.passages[s.place], s.start, s.end) for s in written.sources]
        shown.append((written.text, written.check, written.is_shown, places))
    for ordinal, (text, check, is_shown, places) in enumerate(shown):
        claim = Claim.objects.create(
            organization_id=answer.organization_id,
            answer=answer,
            ordinal=ordinal,
            text=text,
            verdict=check.verdict,
            is_shown=is_shown,
            reason=" ".join(check.reasons)[:200],
        )
        Citation.objects.bulk_create(_citation(claim, rank, place) for rank, place in enumerate(places))
    return answer


def trace_of(found: Found) -> list[dict[str, object]]:
    """The steps of the search and of the decision to speak, as the trail keeps them."""
    result = found.result
    return [
        *([result.complexity] if result.complexity else []),
        *([step] if result.rewriting and (step := result.rewriting.as_step()) else []),
        *(_step(timed) for timed in result.times),
        *found.draft.trace,
    ]


def evidence_rows(found: Found, text: str, used: Iterable[int] = ()) -> list[dict[str, object]]:
    """Every passage that the answer was drawn from, the best of the others, and those that are cited.

    `read` says which the answer was drawn from; a model that wrote was given the first of them, as many as fitted.

    Args:
        found: What was found.
        text: The question.
        used: Places of the passages that a claim cites.
    """
    cited = {s.passage for claim in found.draft.claims for s in (claim.sentence, *claim.elsewhere)} | set(used)
    words = _subject_words(found.result, text)
    unknown = found.result.unknown_terms(text)
    memory = TermMemory(corpus_id=found.result.corpus.pk, language=found.result.corpus.language)
    return [
        _evidence_row(passage, place, found.draft, words, unknown, memory) | {"read": place < found.n_read}
        for place, passage in enumerate(found.result.passages)
        if place < max(PASSAGES_KEPT, found.n_read) or place in cited
    ]


def _places_of(ending: Ending) -> list[tuple[int, int, int]]:
    return [(s.place, s.start, s.end) for claim in ending.written for s in claim.sources]


def _step(timed: Timed) -> dict[str, object]:
    step: dict[str, object] = {
        "step": timed.stage,
        "milliseconds": round(timed.milliseconds, 1),
        "hits": timed.n_hits,
    }
    return step | ({"note": timed.note} if timed.note else {})


def _quoted_places(result: SearchResult, sentences: Sequence[Sentence]) -> list[Place]:
    """Where the words stand, one place a paragraph: the citation first, then "also in"."""
    places: dict[int, Place] = {}
    for sentence in sentences:
        passage = result.passages[sentence.passage]
        places.setdefault(passage.position.paragraph_id, (passage, sentence.start, sentence.end))
    return list(places.values())


def _citation(claim: Claim, rank: int, place: Place) -> Citation:
    passage, start, end = place
    position = passage.position
    return Citation(
        organization_id=claim.organization_id,
        claim=claim,
        paragraph_id=position.paragraph_id,
        version_id=position.version_id,
        rank=rank,
        page=position.page,
        page_label=position.page_label,
        start=start,
        end=end,
        quote=position.paragraph.text[start:end],
    )


def _subject_words(result: SearchResult, text: str) -> dict[str, frozenset[str]]:
    """The question's words that name its subject, as they were typed, each with its index terms; rare ones first."""
    terms = question_terms(result, text)
    found = {}
    for word in _MARKUP.sub(" ", text).split():
        typed = word.strip(".,;:?!\"'“”‘’()")
        own = frozenset(tokens(typed, language=result.corpus.language)) & (terms.weights.keys() | terms.unknown)
        if own and own - SCAFFOLDING and not is_common(typed):
            found[typed] = own
    return dict(sorted(found.items(), key=lambda item: -max(terms.weights.get(term, 0.0) for term in item[1])))


def _evidence_row(
    passage: Passage,
    place: int,
    draft: Draft,
    words: dict[str, frozenset[str]],
    unknown: frozenset[str],
    memory: TermMemory,
) -> dict[str, object]:
    position = passage.position
    held = frozenset(memory.terms(f"{passage.heading} {passage.text}"))
    best = max((s for s in draft.ranked if s.passage == place), key=lambda s: s.score, default=None)
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
        "stages": {name: round(value, 6) for name, value in passage.parts},
        "cosine": round(best.cosine, 4) if best else None,
        "coverage": round(min(1.0, best.coverage), 4) if best else None,
        "missing": [word for word, terms in words.items() if not terms & held],
        "unknown": [word for word, terms in words.items() if terms <= unknown],
    }
