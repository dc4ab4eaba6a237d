"""The effect of rewriting by rules: awkward questions made from public ones, searched with and without it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import term_ids, tokens
from legalqa.common.sentences import sentence_spans
from legalqa.reproduce.ll144 import SHARED_WORDS
from legalqa.reproduce.rewriting.questions import MadeQuestion, questions_made
from legalqa.training.collections.corpus import LANGUAGE, TOP_K, MemoryCorpus, rows, vectors_of
from legalqa.training.collections.questions import LabelledQuestion, obliqa
from retrieval.fusion.queries import joined, widened
from retrieval.indexes.glossary import Glossary, GlossaryRow
from retrieval.rerankers.features import Pool
from retrieval.rerankers.learned import ranked
from retrieval.rerankers.model import RankerModel, model_load
from retrieval.rewriters.rules import CorpusView, Reading, parts_apart, question_read, rewrites_made
from retrieval.types import Queries, Ranking

Q = 3  # rewrites of a question, as in the default preset
K = 10
OBLIQA_ASKED = 240  # ours: questions of ObliQA, so that the row takes minutes
PASSAGE_CHARS = 400  # ours: the law's sections in pieces of about a paragraph
PLAIN, PLAIN_IN_CHAT = "plain", "plain in a chat"

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Compared:
    """One question: its recall among the first K without rewriting and with it, and whether those are the same."""

    collection: str
    kind: str
    group: str
    before: float
    after: float
    is_same: bool


@dataclass(slots=True)
class MemorySearch:
    """The default preset's search over a collection in memory, with and without rewriting by rules."""

    corpus: MemoryCorpus
    model: RankerModel
    vectors: dict[str, Vector] = field(default_factory=dict)
    _pools: dict[str, Pool] = field(default_factory=dict)
    _ranked: dict[str, Ranking] = field(default_factory=dict)

    def view(self) -> CorpusView:
        """What the rules may know of the collection: the same as of a corpus in the database."""
        words = self.corpus.words
        glossary = Glossary.build([GlossaryRow(place, text) for place, text in enumerate(self.corpus.texts)])
        every = np.arange(len(self.corpus.texts))

        def weigh(text: str) -> dict[str, float]:
            terms = sorted(set(tokens(text, language=LANGUAGE)))
            ids = term_ids(terms)
            return dict(zip(terms, np.where(words.holds(ids), words.idf(ids), 0.0).tolist(), strict=True))

        def spread(text: str) -> int:
            ids = np.unique(term_ids(tokens(text, language=LANGUAGE)))
            return int(words.presence(ids, every).all(axis=0).sum()) if len(ids) else 0

        return CorpusView(glossary, weigh, spread, LANGUAGE)

    def learn(self, texts: Sequence[str]) -> None:
        """Encode texts that will be searched."""
        fresh = sorted(set(texts) - self.vectors.keys())
        if fresh:
            self.vectors |= dict(zip(fresh, vectors_of(fresh), strict=True))

    def nearness(self, readings: Sequence[Reading]) -> dict[str, float]:
        """For each text that the rules ask about, the cosine of the nearest passage."""
        texts = sorted({text for reading in readings for text in reading.measured})
        return (
            dict(zip(texts, (self.corpus.vectors @ vectors_of(texts).T).max(axis=0).tolist(), strict=True))
            if texts
            else {}
        )

    def plain(self, text: str) -> Ranking:
        """The ranking of one text, as the preset gives it without rewriting."""
        if text not in self._ranked:
            self._ranked[text] = self._ordered(text, self._pool(text).ranking)
        return self._ranked[text]

    def rewritten(self, queries: Queries) -> Ranking:
        """The ranking of a question with its rewrites, as `retrieval.pipelines.run.queries_run` makes it."""
        numbered = list(enumerate(queries.rewrites, start=1))
        others = {number: self._pool(one.text).ranking for number, one in numbered if not one.is_part}
        text = queries.text
        whole = self._ordered(text, widened(self._pool(text).ranking, others)) if others else self.plain(text)
        return joined(whole, {number: self.plain(one.text) for number, one in numbered if one.is_part})

    def _pool(self, text: str) -> Pool:
        if text not in self._pools:
            self._pools[text] = self.corpus.pool(text, self.vectors[text])[0]
        return self._pools[text]

    def _ordered(self, text: str, fused: Ranking) -> Ranking:
        return ordered(self.corpus, self._pool(text), fused, self.model)


def ordered(corpus: MemoryCorpus, pool: Pool, fused: Ranking, model: RankerModel) -> Ranking:
    """The fused lists, reranked as the default preset does."""
    first = fused.cut(TOP_K) if fused.hits else fused
    places = [hit.chunk_id for hit in first.hits]
    texts, terms = [corpus.texts[i] for i in places], [corpus.terms[i] for i in places]
    return ranked(fused, replace(pool, ranking=first, texts=texts, terms=terms), model)


def compared(
    name: str, corpus: MemoryCorpus, plain: Sequence[LabelledQuestion], awkward: Sequence[MadeQuestion]
) -> list[Compared]:
    """Search for each plain question, alone and after another one, and each awkward one, without and with rewriting."""
    questions = [
        *(MadeQuestion(q.id, PLAIN, q.group, q.text, (), q.gold) for q in plain),
        *(
            MadeQuestion(q.id, PLAIN_IN_CHAT, q.group, q.text, (plain[place - 1].text,), q.gold)
            for place, q in enumerate(plain)
        ),
        *awkward,
    ]
    search = MemorySearch(corpus, model_load())
    view = search.view()
    readings = [question_read(one.text, history=one.history, view=view) for one in questions]
    nearness = search.nearness(readings)
    rewrites = [rewrites_made(reading, nearness=nearness, view=view, q=Q) for reading in readings]
    search.learn([text for queries in rewrites for text in queries.texts] + [one.text for one in questions])
    comparisons = []
    for one, queries in zip(questions, rewrites, strict=True):
        parts, vectors = parts_apart(queries, [search.vectors[text] for text in queries.texts])
        search.vectors |= dict(zip(parts.texts, vectors, strict=True))
        before, after = places_first(search.plain(one.text)), places_first(search.rewritten(parts))
        comparisons.append(
            Compared(name, one.kind, one.group, share(before, one.gold), share(after, one.gold), before == after)
        )
    return comparisons


def rewriting_compared(*, data: Path, seed: int) -> list[Compared]:
    """Local Law 144 with every held-out template, and OBLIQA_ASKED questions of ObliQA with those by turns."""
    law, law_questions = ll144_passages(data)
    rules = obliqa(data)
    order = np.random.default_rng(seed).permutation(len(rules.questions))
    questions = [rules.questions[place] for place in order[-OBLIQA_ASKED:]]
    return [
        *compared("ll144", law, law_questions, questions_made(law_questions, held_out=True, every_template=True)),
        *compared("obliqa", rules.corpus, questions, questions_made(questions, held_out=True)),
    ]


def ll144_passages(data: Path) -> tuple[MemoryCorpus, list[LabelledQuestion]]:
    """The law's sections in passages, and its answerable questions with the passages that hold their evidence."""
    folder = data / "public_law" / "ll144"
    texts: list[str] = []
    documents: list[int] = []
    for number, section in enumerate(rows(folder, "sections.jsonl")):
        pieces = _pieces(section["text"])
        texts += pieces
        documents += [number] * len(pieces)
    squeezed = [_letters(text) for text in texts]
    questions = []
    for row in rows(folder, "questions.jsonl"):
        quotes = [_letters(evidence["quote"]) for evidence in row["evidence"]]
        gold = tuple(i for i, text in enumerate(squeezed) if any(_shares(quote, text) for quote in quotes))
        if row["answerable"] and gold:
            questions.append(LabelledQuestion(row["id"], row["question"], row["id"], row["complexity"], gold))
    return MemoryCorpus.build(texts, documents), questions


def _pieces(text: str) -> list[str]:
    """Whole sentences up to PASSAGE_CHARS."""
    pieces = [""]
    for start, end in sentence_spans(text):
        if pieces[-1] and len(pieces[-1]) + end - start > PASSAGE_CHARS:
            pieces.append("")
        pieces[-1] += text[start:end]
    return [piece for piece in pieces if piece.strip()]


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def _shares(quote: str, passage: str) -> bool:
    """Whether the passage holds SHARED_WORDS words of the quote in a row, or all of a shorter one."""
    words = quote.split()
    runs = (" ".join(words[at : at + SHARED_WORDS]) for at in range(max(1, len(words) - SHARED_WORDS + 1)))
    return any(f" {run} " in f" {passage} " for run in runs)


def places_first(ranking: Ranking) -> list[int]:
    """The places of the first K."""
    return [hit.chunk_id for hit in ranking.hits[:K]]


def share(places: Sequence[int], gold: Sequence[int]) -> float:
    """The share of the gold that is among the places."""
    return len(set(places) & set(gold)) / len(gold)
