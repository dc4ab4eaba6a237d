"""From a question to the stored answer: search, gate, quote, check, keep the whole trail."""

import logging
from dataclasses import replace
from time import perf_counter
from uuid import UUID

from corpora.tokens import tokens
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit, reply_note
from legalqa.answering.draft import Draft, draft_extractive
from legalqa.answering.models import Answer, AnswerState, Citation, Claim, Question
from legalqa.answering.types import SCAFFOLDING, QuestionTerms, Sentence
from legalqa.common.errors import ApplicationError
from legalqa.llm import encoder
from retrieval.build import Timed
from retrieval.presets import Preset
from retrieval.services import Passage, SearchResult, corpus_search, query_check
from retrieval.types import Filters

logger = logging.getLogger(__name__)
PASSAGES_READ = 24  # ours: paragraphs whose sentences are weighed
PASSAGES_KEPT = 12  # in the evidence pack


def question_ask(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    text: str,
    preset: Preset,
    filters: Filters | None = None,
) -> Answer:
    """Answer a question from one corpus, in its documents' own words, or say that they do not answer it.

    Opens its own short transactions; no transaction is open while the encoder works. A fault inside is stored as a
    failed answer and never looks like "no law found".

    Raises:
        NotFound: no such corpus, or you stand outside its wall.
        ApplicationError: the question is empty or too long, or the corpus holds nothing searchable yet.
    """
    started = perf_counter()
    query_check(text)
    try:
        result = corpus_search(
            organization=organization,
            user=user,
            corpus_id=corpus_id,
            text=text,
            preset=preset,
            filters=filters,
        )
        if not len(result.matrix.chunk_ids):
            raise ApplicationError(
                "The corpus holds nothing searchable yet. Upload a document, or wait until one is ready.",
                code="corpus_empty",
            )
        result = _evidence_first(result, preset.answer.evidence_k)
        draft = _draft(result, text, preset)
    except ApplicationError:
        raise
    except Exception as error:
        logger.exception("answering failed: %s", type(error).__name__)
        with organization_scope(organization, user=user):
            question = _question(organization, user, corpus_id, text)
            answer = _answer(
                question,
                preset,
                state=AnswerState.FAILED,
                seconds=perf_counter() - started,
                why="A fault in the system stopped the answer; the documents were not fully searched.",
            )
            audit(organization=organization, actor=user, action="question.asked", subject_id=question.pk)
            return answer
    with organization_scope(organization, user=user):
        question = _question(organization, user, corpus_id, text)
        answer = _store(question, preset, result, draft, perf_counter() - started)
        audit(organization=organization, actor=user, action="question.asked", subject_id=question.pk)
        return answer


def question_terms(result: SearchResult, text: str) -> QuestionTerms:
    """The question's index terms with their weight in the corpus."""
    return QuestionTerms.of(result.term_weights(text), result.unknown_terms(text))


def _evidence_first(result: SearchResult, evidence_k: int) -> SearchResult:
    """The passages of the best `evidence_k` chunks in front: the answer is drawn from these, the rest is shown only."""
    is_read = [p for p in result.passages if p.hit_rank <= evidence_k][:PASSAGES_READ]
    seen = {p.rank for p in is_read}
    return replace(result, passages=(*is_read, *(p for p in result.passages if p.rank not in seen)))


def _draft(result: SearchResult, text: str, preset: Preset) -> Draft:
    connection_give_back()
    question = question_terms(result, text)
    shown = [p for p in result.passages[:PASSAGES_READ] if p.hit_rank <= preset.answer.evidence_k]
    return draft_extractive(
        text=text,
        passages=[(p.position.paragraph.text, p.heading, p.hit_rank - 1) for p in shown],
        question=question,
        policy=preset.answer,
        answerable=result.answerable,
        threshold=result.answer_from,
        tokenise=lambda words: tokens(words, language=result.corpus.language),
        encode=lambda texts: encoder.encoder().encode(texts, is_urgent=True),
    )


def _question(organization: Organization, user: User | None, corpus_id: UUID, text: str) -> Question:
    return Question.objects.create(organization=organization, corpus_id=corpus_id, asker=user, text=text.strip())


def _answer(question: Question, preset: Preset, *, state: AnswerState, seconds: float, why: str) -> Answer:
    answer = Answer.objects.create(
        organization_id=question.organization_id,
        question=question,
        state=state,
        why=why,
        preset=preset.name,
        pipeline=preset.model_dump(mode="json", include={"pipeline", "answer"}),
        fingerprint=preset.fingerprint(),
        seconds=round(seconds, 3),
    )
    reply_note(subject_id=answer.pk)
    return answer


def _store(question: Question, preset: Preset, result: SearchResult, draft: Draft, seconds: float) -> Answer:
    answer = _answer(question, preset, state=AnswerState(draft.state), seconds=seconds, why=draft.why)
    answer.confidence = draft.probability
    quoted = {s.passage for claim in draft.claims for s in (claim.sentence, *claim.elsewhere)}
    kept = [(place, p) for place, p in enumerate(result.passages) if place < PASSAGES_KEPT or place in quoted]
    words = _subject_words(result, question.text)
    unknown = result.unknown_terms(question.text)
    answer.evidence = [_evidence_row(p, place, draft, words, unknown) for place, p in kept]
    answer.trace = [
        *(_step(timed) for timed in result.times),
        *draft.trace,
    ]
    answer.save(update_fields=["confidence", "evidence", "trace"])
    for ordinal, item in enumerate(draft.claims):
        claim = Claim.objects.create(
            organization_id=answer.organization_id,
            answer=answer,
            ordinal=ordinal,
            text=item.sentence.text,
            verdict=item.check.verdict,
            is_shown=item.is_shown,
            reason=" ".join(item.check.reasons)[:200],
        )
        places = _places(result, (item.sentence, *item.elsewhere))
        Citation.objects.bulk_create(
            _citation(claim, rank, passage, sentence) for rank, (passage, sentence) in enumerate(places)
        )
    return answer


def _step(timed: Timed) -> dict[str, object]:
    step: dict[str, object] = {
        "step": timed.stage,
        "milliseconds": round(timed.milliseconds, 1),
        "hits": timed.n_hits,
    }
    return step | ({"note": timed.note} if timed.note else {})


def _places(result: SearchResult, sentences: tuple[Sentence, ...]) -> list[tuple[Passage, Sentence]]:
    """Where the words stand, one place a paragraph: the citation first, then "also in"."""
    seen: set[int] = set()
    places = []
    for sentence in sentences:
        passage = result.passages[sentence.passage]
        if passage.position.paragraph_id not in seen:
            seen.add(passage.position.paragraph_id)
            places.append((passage, sentence))
    return places


def _citation(claim: Claim, rank: int, passage: Passage, sentence: Sentence) -> Citation:
    position = passage.position
    return Citation(
        organization_id=claim.organization_id,
        claim=claim,
        paragraph_id=position.paragraph_id,
        version_id=position.version_id,
        rank=rank,
        page=position.page,
        page_label=position.page_label,
        start=sentence.start,
        end=sentence.end,
        quote=position.paragraph.text[sentence.start : sentence.end],
    )


def _subject_words(result: SearchResult, text: str) -> dict[str, frozenset[str]]:
    """The question's words that name its subject, as they were typed, each with its index terms; rare ones first."""
    terms = question_terms(result, text)
    found = {}
    for word in text.split():
        typed = word.strip(".,;:?!\"'“”‘’()")
        own = frozenset(tokens(typed, language=result.corpus.language)) & (terms.weights.keys() | terms.unknown)
        if own and own - SCAFFOLDING:
            found[typed] = own
    return dict(sorted(found.items(), key=lambda item: -max(terms.weights.get(term, 0.0) for term in item[1])))


def _evidence_row(
    passage: Passage, place: int, draft: Draft, words: dict[str, frozenset[str]], unknown: frozenset[str]
) -> dict[str, object]:
    position = passage.position
    held = frozenset(tokens(f"{passage.heading} {passage.text}", language=passage.language))
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
