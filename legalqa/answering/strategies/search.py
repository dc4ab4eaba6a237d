"""The search for a question, and what all that comes after it needs to know: one object from here to the evidence."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter

from django.db import OperationalError
from django.db.models import Q

from corpora.in_force import chunks_searched, versions_searched
from corpora.languages import is_common
from corpora.models import DocumentVersion
from corpora.services.passages import passages_nearest
from corpora.tokens import tokens
from legalqa.answering.calls import calls_of
from legalqa.answering.composing.composing import THRESHOLD
from legalqa.answering.composing.silence import is_vague
from legalqa.answering.everyday import in_words_of_documents, short_forms, spelling_of
from legalqa.answering.presets import policy_of
from legalqa.answering.readers import StoredReader, reader_in_use
from legalqa.answering.scaffolding import SCAFFOLDING
from legalqa.answering.spelling import one_spelling, respelled
from legalqa.answering.strategies.provisions import provisions_opened
from legalqa.answering.strategies.reading import Wordings, wordings_of
from legalqa.answering.types import Question
from legalqa.common.dates import day_words
from legalqa.common.errors import ApplicationError
from legalqa.encoder import client as encoder
from retrieval.pipelines.request import SearchRequest
from retrieval.selectors import chunks_allowed
from retrieval.services.search import Passage, SearchResult, corpus_search, passages_where
from retrieval.types import Filters

SHORT_FORMS = 3  # ours: most short forms of a question that are looked up
SPELLINGS = 40  # ours: chunks searched for the meaning of a short form
PASSAGES_OPENED = 240  # ours: most paragraphs of the hits; the nearest of them are read
READ_AS = "Read as “{}”, as the documents put it."
CORPUS_EMPTY = "The corpus holds nothing searchable yet. Upload a document, or wait until one is ready."
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|<\S+")  # a pasted tag is no word of the question
_NEGATIONS = frozenset(tokens("no not nor none never cannot"))  # words of a question that name no subject
Trace = tuple[dict[str, object], ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The results of the search for a question, and how they are to be read.

    Attributes:
        question: What is asked.
        result: What the search found; behind its passages those nearest to the question in meaning.
        opened: The passages that may be read.
        wordings: The words that they are read for.
        trained: The reader that the corpus has trained and activated; None for that of the installation.
        threshold: The probability from which an answer is given.
        unknown: The question's index terms that are in no document.
        weights: Its index terms with their idf in the corpus, without scaffolding words that are in no document.
        subject: Its words that name its subject, as they were typed, each with its index terms; rare ones first.
        steps: What was done, for the trace.
        put_as: What the person is told if the question was reworded; empty if only its spelling was changed.
    """

    question: Question
    result: SearchResult
    opened: tuple[Passage, ...]
    wordings: Wordings
    trained: StoredReader | None
    threshold: float
    unknown: frozenset[str]
    weights: Mapping[str, float]
    subject: Mapping[str, frozenset[str]]
    steps: Trace
    put_as: str = ""

    @property
    def unknown_words(self) -> list[str]:
        """The words of the subject, as they were typed, that are in no document and no title; "NDAs" may be in one."""
        unknown = (word for word, terms in self.subject.items() if terms <= self.unknown)
        return [word for word in unknown if not self.wordings.names & set(_forms(word.lower()))]

    def coverage(self, terms: frozenset[str]) -> float:
        """Share of the question's idf mass that `terms` hold."""
        mass = sum(self.weights.values()) or 1.0
        return sum(weight for term, weight in self.weights.items() if term in terms) / mass

    @property
    def is_vague(self) -> bool:
        """Whether neither the question nor an earlier one says what it is about."""
        return is_vague(self.question.text) and not self.question.former

    def with_passages(self, more: Sequence[Passage]) -> "Search":
        """The same with passages that are to be read, too, each with a rank of its own behind the others."""
        passages = enumerate(_with(self.result.passages, more), start=1)
        result = replace(self.result, passages=tuple(replace(one, rank=rank) for rank, one in passages))
        return replace(self, result=result, opened=_with(self.opened, more))

    @property
    def index(self) -> dict[str, object]:
        """What was searched and by which reader, with the solved cases that were found beside it."""
        corpus, cases = self.result.corpus, [side for side in self.result.side if side.source.kind == "case"]
        rows = [{"case_id": side.source.key, "score": side.score} for side in cases]  # words are read when shown
        return {
            "corpus_version": corpus.version,
            "chunk_set": str(self.result.chunk_set_id or ""),
            "encoder": corpus.encoder,
            "reader": self.trained.name if self.trained else "",
            **({"cases": rows} if rows else {}),
        }


def _forms(word: str) -> tuple[str, ...]:
    """A word, and without the ending of a possessive or a plural."""
    bare = re.sub(r"['’]s?$", "", word)
    return word, bare, bare.removesuffix("s")


def question_search(question: Question) -> Search:
    """Search for a question; no transaction is open while the encoder works.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the question is empty or too long, or the corpus holds nothing searchable yet.
    """
    result = corpus_search(request=question)
    wording: Trace = ()
    put_as = ""
    if (put := _as_documents_put_it(result)) != question.text:
        note = READ_AS.format(put)
        calls = calls_of(_steps(result))  # from the search for the question as it was typed, which is discarded
        wording = ({"step": "wording", "note": note, **({"calls": calls} if calls else {})},)
        put_as = note if one_spelling(put) != one_spelling(question.text) else ""
        question = replace(question, text=put)
        result = corpus_search(request=question)
    if not result.statistics.size:
        if (day := question.filters.as_of) is not None:
            raise ApplicationError(
                f"No document was in force on {day_words(day)}. Choose a later day.", code="nothing_in_force"
            )
        raise ApplicationError(CORPUS_EMPTY, code="corpus_empty")
    policy, n_kept = policy_of(result.preset), result.preset.hits or len(result.passages)
    opened = [p for p in result.passages if p.hit_rank <= policy.evidence_k or p.hit_rank > n_kept][:PASSAGES_OPENED]
    provision, wordings = provisions_opened(result, wordings_of(result))
    near, near_steps = _nearest(result, wordings, most=policy.nearest)
    with question.scope():
        trained = reader_in_use(corpus=result.corpus) if encoder.reader_is_on() else None
    usual = THRESHOLD if result.corpus.answer_threshold is None else result.corpus.answer_threshold
    unknown = result.unknown_terms(question.text)
    empty = unknown & SCAFFOLDING
    weights = {term: idf for term, idf in result.term_weights(question.text).items() if term not in empty}
    return Search(
        question,
        result,
        tuple(opened),
        wordings,
        trained,
        usual if policy.gate else 0.0,
        unknown,
        weights,
        _subject(weights, question.text, result.corpus.language),
        (*wording, *_steps(result), *near_steps),
        put_as,
    ).with_passages((*provision, *near))


def _as_documents_put_it(result: SearchResult) -> str:
    """A question in the spelling and the words of the documents, where some of its own are in none of them."""
    text, texts = result.request.text, [text for one in result.passages for text in (one.document.title, one.text)]

    def is_unknown(words: str) -> bool:
        return bool(result.unknown_terms(words))

    def rarity(words: str) -> float:
        return max(result.term_weights(words).values(), default=0.0)

    spelled = respelled(text, texts, is_unknown) if is_unknown(text) else text
    if result.corpus.language != "english":
        return spelled
    unknown = list(dict.fromkeys(filter(is_unknown, short_forms(spelled))))[:SHORT_FORMS]
    texts += [text for short in unknown for text in _spelling(short, result)]
    return in_words_of_documents(spelled, texts, is_unknown, rarity)


def _spelling(short: str, result: SearchResult) -> list[str]:
    """Texts of the documents with words that a short form may stand for; none if finding them takes too long.

    None of a question that leaves paragraphs out, either: a chunk holds several.
    """
    spells, filters = spelling_of(short), result.request.filters
    if filters.excluded_paragraph_ids:
        return []
    with suppress(OperationalError), result.request.scope():
        chunks = chunks_searched(corpus=result.corpus).filter(Q(text__regex=spells) | Q(heading__regex=spells))
        if (allowed := chunks_allowed(corpus=result.corpus, filters=filters)) is not None:
            chunks = chunks.filter(pk__in=allowed.tolist())
        rows = chunks.order_by("pk").values_list("heading", "text")
        return [text for row in rows[:SPELLINGS] for text in row]
    return []


def _with(passages: Sequence[Passage], more: Sequence[Passage]) -> tuple[Passage, ...]:
    """Passages, and behind them those of others that are not among them."""
    known = {passage.position.paragraph_id for passage in passages}
    return (*passages, *(one for one in more if one.position.paragraph_id not in known))


def _nearest(result: SearchResult, wordings: Wordings, *, most: int) -> tuple[tuple[Passage, ...], Trace]:
    """At most so many paragraphs that the search did not open, nearest to the question as it is read; the trace's step.

    Of a question that names a document, those of that one; of one that compares some, at most so many of each. None of
    a small corpus, which a search opens whole, none before its vectors are made in the background, and none of a search
    as of a former day.
    """
    if not most or result.corpus.is_as_of_former_day or result.corpus.kept_set is not None:
        return (), ()
    started = perf_counter()
    texts = [one.text for one in wordings.of_documents] or [wordings.text]
    vectors = encoder.encoder(encoder.PASSAGES).encode(texts, is_urgent=True)
    near: dict[int, Passage] = {}
    n_paragraphs = 0
    with result.request.scope():
        searched = versions_searched(corpus=result.corpus).values("pk")
        versions = [one.versions for one in wordings.of_documents] or [wordings.versions]
        wanted = [_filters_of(result.request, own) for own in versions]
        for filters, vector in zip(wanted, vectors, strict=True):
            allowed = chunks_allowed(corpus=result.corpus, filters=filters)
            chunk_ids = None if allowed is None else allowed.tolist()
            paragraphs = passages_nearest(corpus=result.corpus, vector=vector, most=most, chunk_ids=chunk_ids)
            n_paragraphs += len(paragraphs)
            opened = {passage.position.paragraph_id for passage in result.passages} | near.keys()
            ids = [paragraph for paragraph in paragraphs if paragraph not in opened]
            added = passages_where(
                result=result,
                where=Q(version__in=searched, paragraph_id__in=ids),
                first_rank=len(result.passages) + len(near) + 1,
            )
            near |= {passage.position.paragraph_id: passage for passage in added}
    milliseconds = round(1000 * (perf_counter() - started), 1)
    step: Trace = ({"step": "nearest", "milliseconds": milliseconds, "hits": len(near)},)
    return tuple(near.values()), step if n_paragraphs else ()


def _filters_of(request: SearchRequest, versions: frozenset[str]) -> Filters:
    """The filters of a search, and the documents that have the versions, if any; in the caller's transaction."""
    if not versions:
        return request.filters
    documents = DocumentVersion.objects.filter(pk__in=versions).values_list("document_id", flat=True)
    return replace(request.filters, document_ids=tuple(sorted(map(str, documents))))


def _subject(weights: Mapping[str, float], text: str, language: str) -> dict[str, frozenset[str]]:
    words = {}
    for word in _MARKUP.sub(" ", text).split():
        typed = word.strip(".,;:?!\"'“”‘’()")
        own = frozenset(tokens(typed, language=language)) & weights.keys()
        if own - SCAFFOLDING - _NEGATIONS and not is_common(typed):
            words[typed] = own
    return dict(sorted(words.items(), key=lambda item: -max(weights.get(term, 0.0) for term in item[1])))


def _steps(result: SearchResult) -> Trace:
    """The stages of the search, as the trace keeps them."""
    steps = [step for step in (result.complexity, result.rewriting.as_step()) if step]
    for timed in result.times:
        step = {"step": timed.stage, "milliseconds": round(timed.milliseconds, 1), "hits": timed.n_hits}
        steps.append(step | ({"note": timed.note} if timed.note else {}) | ({"call": timed.call} if timed.call else {}))
    return tuple(steps)
