"""The encoder's training data: questions of gold sets, the live chunks that answer them, and chunks that do not."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import F

from corpora.models import Chunk, Corpus, Position
from corpora.services.encoding import encoder_rows
from corpora.services.indexing import BEFORE_TEXT, window_texts
from judging.gold.grades import graded_questions
from judging.gold.services.sets import gold_questions_learned, gold_references
from judging.models import GoldQuestion, GoldSet
from judging.splits import document_groups
from legalqa.training.encoder.finetuning import Pair
from retrieval.services.lab import query_hash

SHARED = 0.5  # ours: share of the shorter of the two that a chunk must share to hold a passage


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage that answers: a paragraph, or the part of it from `start` to `end`."""

    paragraph_id: int
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class GoldAsked:
    """A question with the passages that answer it; questions of one group share a document, if through others."""

    id: str
    text: str
    group: int
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a training works with, kept with the encoder: what it learns from, and what is kept from it.

    `pairs` and `passages` are empty until the search for what does not answer is done; `elsewhere` are ids of gold sets
    of other corpora.
    """

    learned: tuple[GoldAsked, ...]
    held_out: tuple[GoldAsked, ...]
    pairs: tuple[Pair, ...] = ()
    passages: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()

    def as_bytes(self) -> bytes:
        """Gzipped JSON; the same for the same snapshot."""
        return gzip.compress(json.dumps(asdict(self), ensure_ascii=False).encode(), mtime=0)

    @classmethod
    def read(cls, data: bytes) -> "Snapshot":
        """The snapshot that `as_bytes` wrote."""
        document = json.loads(gzip.decompress(data))
        pairs = tuple(Pair(p["question"], tuple(p["gold"]), tuple(p["negatives"])) for p in document["pairs"])
        return cls(
            _asked(document["learned"]),
            _asked(document["held_out"]),
            pairs,
            tuple(document["passages"]),
            tuple(document["elsewhere"]),
        )


def _asked(rows: Iterable[Mapping[str, Any]]) -> tuple[GoldAsked, ...]:
    return tuple(
        GoldAsked(row["id"], row["text"], row["group"], tuple(Reference(**one) for one in row["references"]))
        for row in rows
    )


def gold_asked(*, gold_sets: Sequence[GoldSet], with_unanswerable: bool = False) -> list[GoldAsked]:
    """The answerable questions of gold sets, in their order, each text once with all that answers it.

    `with_unanswerable` adds those that nothing answers; they have no references.
    """
    questions = list(gold_questions_learned(gold_sets=gold_sets))
    references = gold_references(questions=questions)
    first: dict[str, GoldQuestion] = {}
    by_text: dict[str, dict[Reference, UUID]] = defaultdict(dict)
    for question in questions:
        rows = references.get(question.pk, ())
        if rows or (with_unanswerable and not question.is_answerable):
            first.setdefault(question.text, question)
        for row in rows:
            by_text[question.text][Reference(row.paragraph_id, row.start, row.end)] = row.paragraph.document_id
    groups = document_groups([set(by_text[text].values()) for text in first])
    return [
        GoldAsked(str(question.pk), text, group, tuple(by_text[text]))
        for (text, question), group in zip(first.items(), groups, strict=True)
    ]


def refuted_asked(*, corpus: Corpus, questions: Iterable[GoldAsked]) -> list[GoldAsked]:
    """The questions with, for references, the passages of which graders of the same words say that they do not answer.

    A passage that graders of these words call right in any conversation is not among them.
    """
    right: dict[str, set[int]] = defaultdict(set)
    refuted: dict[str, dict[int, None]] = defaultdict(dict)
    for graded in graded_questions(organization=corpus.organization, corpus=corpus):
        words = query_hash(query=graded.text)
        right[words].update(graded.relevant())
        refuted[words].update(dict.fromkeys(graded.refuted()))
    refutations = []
    for question in questions:
        words = query_hash(query=question.text)
        wrong = refuted.get(words, {}).keys() - right.get(words, set())
        refutations.append(replace(question, references=tuple(Reference(paragraph) for paragraph in sorted(wrong))))
    return refutations


def encoder_learned_texts(*, corpus_id: UUID, name: str) -> frozenset[str]:
    """The texts of the questions that an encoder of the corpus learned from; none of the packaged one."""
    rows = encoder_rows(corpus_id=corpus_id, name=name).values_list("data", flat=True)
    return frozenset(question.text for data in rows for question in Snapshot.read(bytes(data)).learned)


Held = dict[Reference, tuple[int, ...]]


def chunks_holding(*, corpus: Corpus, questions: Iterable[GoldAsked]) -> Held:
    """The live chunks that hold each reference, the one that holds most of it first; none where it is gone."""
    references = {reference for question in questions for reference in question.references}
    paragraphs = {reference.paragraph_id for reference in references}
    positions = {
        paragraph_id: (version_id, start, end)
        for paragraph_id, version_id, start, end in Position.objects.filter(
            paragraph_id__in=paragraphs, version=F("paragraph__document__current")
        ).values_list("paragraph_id", "version_id", "start", "end")
    }
    chunks: dict[UUID, list[tuple[int, int, int]]] = defaultdict(list)
    live = Chunk.objects.filter(corpus=corpus, is_live=True, is_parent=False)
    versions = {version_id for version_id, _, _ in positions.values()}
    for pk, version_id, start, end in live.filter(version__in=versions).values_list("pk", "version_id", "start", "end"):
        chunks[version_id].append((pk, start, end))
    holders: Held = {}
    for reference in references:
        if reference.paragraph_id in positions:
            version_id, start, end = positions[reference.paragraph_id]
            span = (start + (reference.start or 0), end if reference.end is None else start + reference.end)
            holders[reference] = _holding(span, chunks[version_id])
    return holders


def _holding(span: tuple[int, int], chunks: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    """The chunks that share SHARED with a span, those that share most first; the best one where none shares as much."""
    shared = sorted(
        ((min(span[1], end) - max(span[0], start), end - start, pk) for pk, start, end in chunks),
        key=lambda row: (-row[0], row[2]),
    )
    holders = [pk for n, length, pk in shared if n > 0 and n >= SHARED * min(length, span[1] - span[0])]
    return tuple(holders) or tuple(pk for n, _, pk in shared[:1] if n > 0)


def gold_chunks(question: GoldAsked, chunks: Held) -> list[int]:
    """The chunks that hold any of a question's passages, each once."""
    return list(dict.fromkeys(pk for reference in question.references for pk in chunks.get(reference, ())))


def paired(snapshot: Snapshot, *, gold: Sequence[Sequence[int]], wrong: Sequence[Sequence[int]]) -> Snapshot:
    """The snapshot with what training reads: texts of the chunks that answer, and of those found that do not.

    Args:
        snapshot: With the questions.
        gold: Of each learned question the chunks that hold its passages.
        wrong: Of each the chunks that our search found and that do not, best first.
    """
    ids = {pk for row in (*gold, *wrong) for pk in row}
    rows = Chunk.objects.filter(pk__in=ids).order_by("pk").values_list("pk", BEFORE_TEXT, "text")
    passages: dict[str, int] = {}  # equal texts are one passage, or it would be a negative of itself
    place = {
        pk: passages.setdefault(window_texts(heading=heading, text=text)[0], len(passages))
        for pk, heading, text in rows.iterator(chunk_size=2000)  # some may be gone by now
    }
    pairs = []
    for question, right, others in zip(snapshot.learned, gold, wrong, strict=True):
        answering = _places(place, right)
        negatives = tuple(at for at in _places(place, others) if at not in answering)
        pairs.append(Pair(question.text, answering, negatives))
    return replace(snapshot, pairs=tuple(pair for pair in pairs if pair.gold), passages=tuple(passages))


def unlabelled(snapshot: Snapshot, *, corpus: Corpus, n: int, seed: int) -> Snapshot:
    """The snapshot with at most `n` passages of the corpus, drawn by the seed, each paired with itself."""
    live = Chunk.objects.filter(corpus=corpus, is_live=True, is_parent=False).order_by("pk")
    chunks = np.random.default_rng(seed).permutation(list(live.values_list("pk", flat=True)))[:n].tolist()
    rows = live.filter(pk__in=chunks).values_list(BEFORE_TEXT, "text").iterator(chunk_size=2000)
    passages = tuple(dict.fromkeys(window_texts(heading=heading, text=text)[0] for heading, text in rows))
    pairs = tuple(Pair(passage, (place,), ()) for place, passage in enumerate(passages))
    return replace(snapshot, pairs=pairs, passages=passages)


def _places(place: Mapping[int, int], chunks: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(place[pk] for pk in chunks if pk in place))
