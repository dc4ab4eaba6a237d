"""What the question index adds to the default search: public questions searched without it and with it."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.provisions.roles import roles_of
from corpora.provisions.types import Part
from corpora.tokens import tokens
from judging.gold.generation.wording import CHANGES
from legalqa.reproduce.rewriting.evaluation import ll144_passages, ordered, places_first, share
from legalqa.training.collections.corpus import LANGUAGE, TOP_K, MemoryCorpus, rows, vectors_of
from legalqa.training.collections.questions import LabelledQuestion, QuestionSet, obliqa
from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.questions.sentences import paragraphs_asked
from retrieval.rerankers.model import model_load
from retrieval.types import Ranking

OBLIQA_ASKED = 240  # ours: questions of the test split, so that the row takes minutes
PARAPHRASES = ("vague", "verbose", "concise", "reorder")  # of `judging.gold.generation.wording`, without chance letters
SHARED_WORDS = 0.6  # of a test question's words in a template question, above which it would have been shown the test


@dataclass(frozen=True, slots=True)
class Matched:
    """One question: its recall among the first ten by the default search without the index and with it.

    `fused_before` and `fused_after` are those of the lists without the ranker, which reads no rank of the index: with
    it the index can only add candidates. `alone` is that of the index by itself, `shared` the largest share of the
    question's words that one indexed question has.
    """

    collection: str
    group: str
    before: float
    after: float
    fused_before: float
    fused_after: float
    alone: float
    shared: float


@dataclass(frozen=True, slots=True)
class IndexedPassages:
    """A collection in memory with the questions that templates make of its passages."""

    corpus: MemoryCorpus
    texts: tuple[str, ...]
    passages: NDArray[np.int64]
    words: tuple[frozenset[str], ...]

    @classmethod
    def build(cls, corpus: MemoryCorpus, documents: Sequence[object]) -> "IndexedPassages":
        """Make the questions, document by document, as the product does of an upload.

        Args:
            documents: What each passage belongs to.
        """
        places: dict[object, list[int]] = defaultdict(list)
        for place, document in enumerate(documents):
            places[document].append(place)
        texts, passages = [], []
        for own in places.values():
            parts = [Part(number, corpus.texts[place], "passage") for number, place in enumerate(own)]
            parts = [replace(part, role=role) for part, role in zip(parts, roles_of(parts), strict=True)]
            for paragraph in paragraphs_asked(parts):
                for question in paragraph.questions(own[paragraph.ordinal]):
                    texts.append(question.text)
                    passages.append(own[paragraph.ordinal])
        words = tuple(frozenset(tokens(text, language=LANGUAGE)) for text in texts)
        return cls(corpus, tuple(texts), np.array(passages, np.int64), words)

    def matched(self, text: str, cosines: NDArray[np.float32]) -> Ranking:
        """The passages to which the nearest questions lead, as `QuestionMatch` ranks them."""
        best: dict[int, float] = {}
        for place, cosine in zip(self.passages.tolist(), cosines.tolist(), strict=True):
            best[place] = max(cosine, best.get(place, -1.0))
        nearest = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP_K]
        return Ranking.of(text, nearest, stage="question-index")

    def shared(self, text: str) -> float:
        """The largest share of a question's words that one indexed question has."""
        terms = frozenset(tokens(text, language=LANGUAGE))
        return max((len(terms & words) / len(terms) for words in self.words), default=0.0) if terms else 0.0


def compared(name: str, indexed: IndexedPassages, questions: Sequence[LabelledQuestion]) -> list[Matched]:
    """Search for each question by the default preset, and by it with the index as one more list."""
    model, corpus = model_load(), indexed.corpus
    vectors, indexed_vectors = vectors_of([question.text for question in questions]), vectors_of(indexed.texts)
    matches = []
    for question, vector in zip(questions, vectors, strict=True):
        pool, _ = corpus.pool(question.text, vector)
        own = indexed.matched(question.text, indexed_vectors @ vector)
        lists = corpus.lists(question.text, pool.cosines, None)
        fused = [reciprocal_rank_fusion(every) for every in (lists, [*lists, own])]
        rankings = (*(ordered(corpus, pool, one, model) for one in fused), *fused, own)
        before, after, fused_before, fused_after, alone = (
            share(places_first(ranking), question.gold) for ranking in rankings
        )
        shared = indexed.shared(question.text)
        matches.append(Matched(name, question.group, before, after, fused_before, fused_after, alone, shared))
    return matches


def obliqa_compared(*, data: Path, seed: int) -> list[Matched]:
    """Drawn questions of the test split of ObliQA."""
    rules: QuestionSet = obliqa(data)
    ids = {row["id"] for row in rows(data / "obliqa", "questions.jsonl.gz") if row["split"] == "test"}
    questions = [question for question in rules.questions if question.id in ids]
    order = np.random.default_rng(seed).permutation(len(questions))[:OBLIQA_ASKED]
    passages = [row for row in rows(data / "obliqa", "corpus.jsonl.gz") if row["text"].strip()]
    indexed = IndexedPassages.build(rules.corpus, [row["document_id"] for row in passages])
    return compared("obliqa", indexed, [questions[place] for place in order])


def ll144_compared(*, data: Path, seed: int) -> list[Matched]:
    """The answerable questions on Local Law 144, each in other words by every rule of PARAPHRASES."""
    corpus, questions = ll144_passages(data)
    chance = random.Random(seed)  # noqa: S311 - draws, guards nothing
    paraphrased = [
        replace(question, text=text)
        for question in questions
        for rule in PARAPHRASES
        if (text := CHANGES[rule](question.text, chance)) != question.text
    ]
    return compared("ll144", IndexedPassages.build(corpus, corpus.outline.versions.tolist()), paraphrased)
