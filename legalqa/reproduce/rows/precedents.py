"""The row of prior cases: the decisions that a court cites, found by its own decision with the citations taken out."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from corpora.tokens import TermIds, term_ids, tokens
from judging.measures import ranking
from judging.measures.intervals import bootstrap_mean, paired_difference
from judging.measures.values import Value
from legalqa.reproduce.types import Context, Figure, defined
from legalqa.training.collections.corpus import LANGUAGE, rows
from retrieval.indexes.bm25 import Bm25Matrix, ForwardRow
from retrieval.indexes.statistics import Scores
from retrieval.indexes.wording import WordingIndex, WordingRow

CITATION = "[?CITATION?]"
CHOSEN_ON = 3  # one query of three: length of runs and powers were chosen on them, so no figure is on them


@dataclass(frozen=True, slots=True)
class PrecedentOutcome:
    """One decision: the prior cases that it cites, and those found by words and by shared wording, best first."""

    id: str
    gold: tuple[str, ...]
    words: tuple[str, ...]
    wording: tuple[str, ...]


def irled2017(context: Context) -> Mapping[str, Figure]:
    """Prior cases of IRLeD 2017 by shared wording, and by BM25 of the whole decision."""
    return precedent_figures(precedent_outcomes(context.data), context)


def is_reported(query_id: str) -> bool:
    """Whether a query is reported, and not among those that settings were chosen on."""
    return int(hashlib.sha256(query_id.encode()).hexdigest(), 16) % CHOSEN_ON != 0


def precedent_outcomes(data: Path) -> list[PrecedentOutcome]:
    """Every reported query, asked with its whole text."""
    folder = data / "irled2017"
    names, texts = [], []
    for row in rows(folder, "prior_cases.jsonl.gz"):
        names.append(row["doc_id"])
        texts.append(_terms(row["text"]))
    wording = WordingIndex.build([WordingRow(place, terms) for place, terms in enumerate(texts)])
    words = Bm25Matrix.build([_forward(place, terms) for place, terms in enumerate(texts)])
    gold = cases_cited(folder)
    outcomes = []
    for row in rows(folder, "queries.jsonl.gz"):
        if is_reported(row["query_id"]):
            terms = _terms(row["text"].replace(CITATION, " "))
            lists = (words.scores(np.unique(terms)), wording.scores(terms))
            by_words, by_wording = (_ordered(names, scores) for scores in lists)
            outcomes.append(PrecedentOutcome(row["query_id"], tuple(gold[row["query_id"]]), by_words, by_wording))
    return outcomes


def cases_cited(folder: Path) -> dict[str, list[str]]:
    """The prior cases that each decision cites."""
    by_query: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "qrels.txt").read_text().splitlines():
        query, _, document, _ = line.split()
        by_query[query].append(document)
    return by_query


def precedent_figures(outcomes: Sequence[PrecedentOutcome], context: Context) -> dict[str, Figure]:
    """Mean average precision and recall@10 and @100 by wording; and what that is above BM25 on the same queries."""
    measures: dict[str, Callable[[Sequence[str], Sequence[str]], Value]] = {
        "map": ranking.average_precision,
        "recall_10": partial(ranking.recall_at, k=10),
        "recall_100": partial(ranking.recall_at, k=100),
    }
    figures = {}
    for name, measure in measures.items():
        ours = [defined(measure(one.wording, one.gold)) for one in outcomes]
        theirs = [defined(measure(one.words, one.gold)) for one in outcomes]
        note = f"BM25 {np.mean(theirs):.3f}" if theirs else ""
        figures[name] = Figure.of(bootstrap_mean(ours, seed=context.seed), note=note)
        figures[f"gain_{name}"] = Figure.of(paired_difference(ours, theirs, seed=context.seed))
    return figures


def _terms(text: str) -> TermIds:
    return term_ids(tokens(text, language=LANGUAGE))


def _forward(place: int, terms: TermIds) -> ForwardRow:
    ids, counts = np.unique(terms, return_counts=True)
    most = np.iinfo(np.uint16).max
    return ForwardRow(place, len(terms), ids.tobytes(), np.minimum(counts, most).astype(np.uint16).tobytes())


def _ordered(names: Sequence[str], scores: Scores) -> tuple[str, ...]:
    return tuple(names[place] for place in np.argsort(-scores, kind="stable"))
