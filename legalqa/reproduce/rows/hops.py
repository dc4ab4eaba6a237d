"""The row of single stages on questions with several passages: chains, merged sections, judging; each against off."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from judging.measures.intervals import bootstrap_statistic, paired_difference
from judging.measures.values import Undefined, Value
from legalqa.encoder.client import count_tokens, reading
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows
from legalqa.training.collections.questions import QuestionSet
from legalqa.training.ranker.evaluation import outcomes, question_sets
from legalqa.training.ranker.types import QuestionOutcome
from retrieval.expanders import AutoMerge
from retrieval.expanders.base import expanded
from retrieval.expanders.merging import Node, links_merged
from retrieval.indexes.outline import is_title
from retrieval.pipelines.master import Master, Widening, rounds_judged
from retrieval.stages import Resources
from retrieval.types import Hit, Ranking

COLLECTION, K = "obliqa", 10
SAMPLE = 150  # ours: questions that the reader judges passages of; it reads thirty passages for each
WIDENINGS: tuple[Widening, ...] = ("max", "add")


@dataclass(frozen=True, slots=True)
class Shown:
    """The result of one setting for a question: the share of its gold passages, and thousands of tokens."""

    recall: float
    kilotokens: float


def hops(context: Context) -> Mapping[str, Figure]:
    """Questions of ObliQA with several passages, everything trained without ObliQA; off is the ranker's first ten."""
    plain = [one for one in outcomes(COLLECTION, data=context.data, seed=context.seed) if len(one.gold) > 1]
    chained = {one.id: one for one in outcomes(COLLECTION, data=context.data, is_chained=True, seed=context.seed)}
    question_set = question_sets(context.data)[COLLECTION]
    texts = dict(zip(question_set.passage_ids, question_set.corpus.texts, strict=True))
    asked_as = {question.id: question.text for question in question_set.questions}
    places = np.random.default_rng(context.seed).permutation(len(plain))[:SAMPLE]
    judged = [plain[place] for place in sorted(places.tolist())]
    settings: dict[str, tuple[Sequence[QuestionOutcome], Sequence[Sequence[str]]]] = {
        "chains": (plain, [chained[one.id].ranked[:K] for one in plain]),
        "merged": (plain, _merged(plain, question_set, context.data)),
    }
    for widen in WIDENINGS:
        context.note(f"judging with {widen} …")
        settings[f"judged_{widen}"] = (judged, [_judged(one, texts, asked_as, widen) for one in judged])
    figures: dict[str, Figure] = {}
    for name, (questions, ranked) in settings.items():
        off = [shown(one, one.ranked[:K], texts) for one in questions]
        on = [shown(one, passages, texts) for one, passages in zip(questions, ranked, strict=True)]
        figures |= stage_figures(name, on, off, [one.group for one in questions], context)
    return figures


def stage_figures(
    name: str, on: Sequence[Shown], off: Sequence[Shown], groups: Sequence[str], context: Context
) -> dict[str, Figure]:
    """Recall, and recall per 1,000 tokens, with the stage less without it; documents are drawn again."""
    recall = paired_difference(
        [one.recall for one in on], [one.recall for one in off], seed=context.seed, groups=groups
    )

    def gain(at: NDArray[np.int64]) -> Value:
        return _ratio([on[i] for i in at.tolist()]) - _ratio([off[i] for i in at.tolist()])

    per_1000 = bootstrap_statistic(gain, len(on), seed=context.seed, groups=groups, draws=1000)
    note = "" if isinstance(per_1000, Undefined) else f"with {_ratio(on):.3f}, without {_ratio(off):.3f}"
    return {f"recall_{name}": Figure.of(recall), f"per_1000_{name}": Figure.of(per_1000, note=note)}


def _ratio(outcomes: Sequence[Shown]) -> float:
    """Mean recall over mean thousands of tokens; 0 where nothing was shown."""
    kilotokens = sum(one.kilotokens for one in outcomes)
    return sum(one.recall for one in outcomes) / kilotokens if kilotokens else 0.0


def shown(one: QuestionOutcome, passages: Sequence[str], texts: Mapping[str, str]) -> Shown:
    """Recall and tokens of showing these passages."""
    recall = len(set(passages) & set(one.gold)) / len(set(one.gold))
    return Shown(recall, sum(count_tokens([texts[passage] for passage in passages])) / 1000)


def _merged(questions: Sequence[QuestionOutcome], question_set: QuestionSet, data: Path) -> list[list[str]]:
    """The first ten after sections that are mostly among them are completed: sections as the numbers have them."""
    documents: dict[int, dict[int, str]] = defaultdict(dict)
    numbers = (row["passage_id"] for row in rows(data / COLLECTION, "corpus.jsonl.gz") if row["text"].strip())
    for place, (number, text) in enumerate(zip(numbers, question_set.corpus.texts, strict=True)):
        if not is_title(text):
            documents[int(question_set.corpus.outline.versions[place])][place] = number
    pieces = [(numbered_nodes(document), document.keys()) for document in documents.values()]
    place_of = {passage: place for place, passage in enumerate(question_set.passage_ids)}
    return [
        [question_set.passage_ids[place] for place in completed([place_of[passage] for passage in one.ranked], pieces)]
        for one in questions
    ]


def completed(ranking: Sequence[int], pieces: Sequence[tuple[Sequence[Node], Set[int]]]) -> list[int]:
    """The first K of a ranking, the rest of a section of which more than the share was found beside its best hit."""
    stage, before = AutoMerge(), Ranking.of("", [(place, -rank) for rank, place in enumerate(ranking)], stage="ranker")
    first = [hit.chunk_id for hit in before.hits[: stage.depth]]
    touched = [(nodes, places) for nodes, places in pieces if not places.isdisjoint(first)]
    links = links_merged(first, touched, threshold=stage.threshold, budget=stage.budget)
    resources = Resources(Corpus(), None, None)
    after = expanded(
        before, links, stage=stage.name, most=stage.budget, behind=stage.places_behind, resources=resources
    )
    return [hit.chunk_id for hit in after.hits[:K]]


def numbered_nodes(numbers: Mapping[int, str]) -> list[Node]:
    """Passages as parts of what their numbers name: "8.3.1.(2)" is a part of 8.3.1, that of 8.3, and that of 8.

    Args:
        numbers: Of each passage of one document, by its place.
    """
    paths = {place: tuple(part for part in number.split(".") if part) for place, number in numbers.items()}
    pieces = sorted({path[:length] for path in paths.values() for length in range(1, len(path))})
    ordinal = {piece: number for number, piece in enumerate(pieces, start=1 + max(numbers, default=0))}
    above = {path: ordinal.get(path[:-1]) for path in pieces}
    nodes = [Node(-number, number, above[piece], is_parent=True) for piece, number in ordinal.items()]
    return [
        *nodes,
        *(Node(p, p, ordinal.get(path, ordinal.get(path[:-1])), is_parent=False) for p, path in paths.items()),
    ]


def _judged(one: QuestionOutcome, texts: Mapping[str, str], questions: Mapping[str, str], widen: Widening) -> list[str]:
    """The passages that the reader keeps; the ranker's first ten where it keeps none, as a second search would be."""
    preset = {name: field.default for name, field in Master.model_fields.items()}
    hits = [Hit(place, place + 1, 0.0) for place in range(len(one.ranked))]

    def judge(window: Sequence[Hit]) -> list[float]:
        pairs = [(questions[one.id], texts[one.ranked[hit.chunk_id]]) for hit in window]
        return [score.answers for score in reading(pairs)]

    rounds = rounds_judged(
        hits, judge, k=preset["k"], widen=widen, rounds=preset["rounds"], relevant_from=preset["relevant_from"]
    )
    passages = [one.ranked[hit.chunk_id] for hit, _, _ in rounds.hits] if rounds is not None else []
    return passages or list(one.ranked[:K])
