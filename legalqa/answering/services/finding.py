"""From a question to what the documents hold on it: search, and the answer in their own words, or silence."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from uuid import UUID

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.draft import Draft, Reading, draft_extractive
from legalqa.answering.extraction import question_parts
from legalqa.answering.gate import gate_load
from legalqa.answering.memory import SentenceEncoder
from legalqa.answering.types import QuestionTerms, ReadPassage
from legalqa.common.errors import ApplicationError
from legalqa.encoder import client as encoder
from retrieval.pipelines.presets import Preset
from retrieval.services.search import SearchResult, corpus_search
from retrieval.types import Filters

PASSAGES_READ = 24  # ours: paragraphs whose sentences are weighed


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was asked: all that another process needs to answer it.

    Attributes:
        corpus_id: What is searched.
        text: The person's words.
        preset: How.
        filters: In which documents.
        follows: The former question of the same person that it follows up.
        former: The words of the questions before it, the last one first.
        temperature: Of the model that writes; None for the preset's own.
        complexity: The class of the question, where the person set it; None where it is predicted.
    """

    corpus_id: UUID
    text: str
    preset: Preset
    filters: Filters = field(default_factory=Filters)
    follows: UUID | None = None
    former: tuple[str, ...] = ()
    temperature: float | None = None
    complexity: int | None = None

    def as_json(self) -> dict[str, Any]:
        """What the answer keeps beside its question."""
        return {
            "preset": self.preset.model_dump(mode="json"),
            "filters": self.filters.as_mapping(),
            "former": list(self.former),
            "temperature": self.temperature,
            "complexity": self.complexity,
        }

    @classmethod
    def of_json(cls, kept: Mapping[str, Any], *, corpus_id: UUID, text: str, follows: UUID | None) -> Self:
        return cls(
            corpus_id=corpus_id,
            text=text,
            preset=Preset.model_validate(kept["preset"]),
            filters=Filters.parse(kept["filters"]),
            follows=follows,
            former=tuple(kept["former"]),
            temperature=kept["temperature"],
            complexity=kept["complexity"],
        )


@dataclass(frozen=True, slots=True)
class Found:
    """What the search gave, and the answer in the documents' own words or the silence; `preset` is what ran."""

    result: SearchResult
    draft: Draft
    preset: Preset

    @property
    def n_read(self) -> int:
        """How many of the passages, from the first on, the answer is drawn from."""
        shown = self.result.passages[:PASSAGES_READ]
        return sum(passage.hit_rank <= self.preset.answer.evidence_k for passage in shown)


def evidence_find(*, organization: Organization, user: User | None, asked: Asked) -> Found:
    """Search, weigh the sentences, decide whether they answer. No transaction is open while the encoder works.

    Raises:
        NotFound: no such corpus, or you stand outside its wall.
        ApplicationError: the question is empty or too long, or the corpus holds nothing searchable yet.
    """
    result = corpus_search(
        organization=organization,
        user=user,
        corpus_id=asked.corpus_id,
        text=asked.text,
        preset=asked.preset,
        filters=asked.filters,
        complexity=asked.complexity,
        former=asked.former,
    )
    preset = result.preset or asked.preset  # an adaptive one is concrete from here on
    if not len(result.matrix.chunk_ids):
        raise ApplicationError(
            "The corpus holds nothing searchable yet. Upload a document, or wait until one is ready.",
            code="corpus_empty",
        )
    result = _evidence_first(result, preset.answer.evidence_k)
    return Found(result, _draft(result, result.question or asked.text, preset), preset)


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
    sentences = SentenceEncoder(
        corpus_id=result.corpus.pk, language=result.corpus.language, question=question_parts(text)
    )
    return draft_extractive(
        text=text,
        passages=[ReadPassage(p.position.paragraph.text, p.heading, p.hit_rank - 1, p.position.ordinal) for p in shown],
        question=question,
        policy=preset.answer,
        reading=Reading(
            tokenise=sentences.terms,
            encode=sentences.encode,
            encode_tokens=sentences.encode_tokens,
            offsets=lambda words: encoder.token_offsets([words])[0],
            gate=gate_load(),
        ),
    )
