"""The row of the case base: F1@k of finding the two cases that a question needs, by every weighting.

Source: CBR-RAG, section 6.2. Differs: the cases are ObliQA's questions on one passage, one a passage; test questions
are those that it lists with two passages which are both cases, and none of them is in the base. ObliQA has no answers,
so a case's answer is the sentence of its passage that shares most words with the question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpora.models import Corpus
from judging.experiments.cases.measure import (
    PAPER,
    CaseQuestion,
    Compared,
    Floats,
    found_by,
    heat_map_of,
    part_vectors,
    tests_of,
)
from judging.experiments.plots.png import chart_png
from judging.measures.intervals import bootstrap_mean, paired_difference
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.sentences import sentence_spans
from legalqa.encoder.client import encoder
from legalqa.reproduce.asking import SLUG, TITLE
from legalqa.reproduce.indexing import cases_built
from legalqa.reproduce.intake import Note, corpus_own
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.indexing import vectors_of
from retrieval.cases.similarity import KS, WEIGHTINGS
from retrieval.models import CaseEntry, CaseIndex

FOLDER, NAME = "obliqa", "ObliQA cases"
NAME_OF_ENCODER = "MiniLM"  # the encoder's name, short enough for the heat map
TEST = "test"  # the split that figures are of; weights were chosen on the others
K = 3
GRID = tuple((a / 10, b / 10, (10 - a - b) / 10) for a in range(11) for b in range(11 - a))
_WORD = re.compile(r"\w+")


def casebase(context: Context) -> Mapping[str, Figure]:
    """F1@3 of hybrid retrieval less that of questions alone, and what each weighting reaches."""
    cases, tests = cases_and_questions(context.data)
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=NAME)
    parts = _embedded(organization, corpus, cases, note=context.note)
    questions = vectors_of([one.text for one in tests], encoder=encoder())
    cosines = tuple(questions @ part.T for part in parts)
    compared = Compared(tuple(tests), cosines)  # type: ignore[arg-type]  # three parts
    file = context.var / "results" / "casebase.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(chart_png(heat_map_of(found_by({NAME_OF_ENCODER: compared}))))
    return casebase_figures(compared, seed=context.seed)


def casebase_figures(compared: Compared, *, seed: int) -> dict[str, Figure]:
    """The figures of the test split; of the others, only which weights of a grid are best there."""
    of = {name: compared.f1(weights, k=K, is_test=True) for name, weights in WEIGHTINGS.items()}
    groups = [one.group for one in compared.questions if one.is_test]
    figures = {
        f"f1_{name}": Figure.of(bootstrap_mean(values, seed=seed, groups=groups), note=_at_each_k(compared, name))
        for name, values in of.items()
    }
    best = max(GRID, key=lambda weights: float(np.mean(compared.f1(weights, k=K, is_test=False))))
    pairs = {"gain": ("hybrid", "question", ""), "gain_chosen": ("chosen", "hybrid", f"best elsewhere {best}")}
    for key, (ours, theirs, note) in pairs.items():
        difference = paired_difference(of[ours], of[theirs], seed=seed, groups=groups)
        figures[key] = Figure.of(difference, note=note)
    tests = tests_of({name: of[name] for name in PAPER}, best="hybrid")
    figures["anova"] = Figure(tests.anova, len(groups), note="p, the paper's four weightings")
    for name, p in tests.greater.items():
        figures[f"t_{name}"] = Figure(p, len(groups), note="p, hybrid greater")
    return figures


def _at_each_k(compared: Compared, name: str) -> str:
    rankings = compared.found(WEIGHTINGS[name])
    means = ((k, np.mean(rankings.f1(k=k))) for k in KS)
    return ", ".join(f"@{k} {mean:.3f}" for k, mean in means)


def cases_and_questions(data: Path) -> tuple[list[CaseRow], list[CaseQuestion]]:
    """A case for each passage that a question of ObliQA needs alone, and the questions on two such passages."""
    folder = data / FOLDER
    questions = [*rows(folder, "questions.jsonl.gz"), *rows(folder, "multipassage_questions.jsonl.gz")]
    cases: dict[tuple[int, str], CaseRow] = {}
    for row in questions:
        if row["n_passages"] == 1:
            cases.setdefault(_key(row["passages"][0]), case_of(row))
    places = {key: place for place, key in enumerate(cases)}
    return list(cases.values()), list(_asked(questions, places))


def _asked(questions: Sequence[Mapping[str, Any]], places: Mapping[tuple[int, str], int]) -> Iterator[CaseQuestion]:
    seen: set[str] = set()
    for row in questions:
        keys = [_key(passage) for passage in row["passages"]]
        gold = frozenset(places[key] for key in keys if key in places)
        if len(keys) == len(gold) == 2 and row["question"] not in seen:
            seen.add(row["question"])
            yield CaseQuestion(row["question"], gold, str(min(keys)[0]), row["split"] == TEST)


def _key(passage: Mapping[str, Any]) -> tuple[int, str]:
    return int(passage["document_id"]), str(passage["passage_id"])


def case_of(row: Mapping[str, Any], *, spans: tuple[CaseSpan, ...] = ()) -> CaseRow:
    """A question of ObliQA on one passage as a solved case, which cites the paragraphs of `spans`."""
    text = row["passages"][0]["text"]
    words = set(_WORD.findall(row["question"].lower()))
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)] or [text]
    answer = max(sentences, key=lambda sentence: len(words & set(_WORD.findall(sentence.lower()))))
    return CaseRow(row["question"], answer, text, spans, id=row["id"])


def _embedded(organization: Organization, corpus: Corpus, cases: Sequence[CaseRow], *, note: Note) -> list[Floats]:
    """The vectors of every part of the cases, in their order, through the product; kept between runs."""
    cases_built(organization=organization, corpus=corpus, cases=cases, note=note)
    with organization_scope(organization, user=None):
        index = CaseIndex.objects.get(corpus=corpus)
        ids = dict(CaseEntry.objects.filter(corpus=corpus).values_list("external_id", "pk"))
        order = [ids[case.id] for case in cases]
        return list(part_vectors(index, order))
