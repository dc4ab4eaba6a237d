"""Rows of the knowledge graph: what it adds for questions that need several passages, and how fast it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from corpora.parsers.sandbox import parse_file
from corpora.provisions.roles import roles_of
from corpora.provisions.types import Part
from corpora.services.recognition import reading_limits
from judging.measures import ranking
from legalqa.reproduce.benchmarks.search import bench_corpus
from legalqa.reproduce.indexing import graph_built
from legalqa.reproduce.rows.machine import PASSAGES
from legalqa.reproduce.types import Context, Figure, NotRun, defined
from legalqa.training.collections.corpus import rows
from retrieval.graph.parser import parser_is_installed, parser_triplets
from retrieval.graph.rules.reading import triplets_of, units_of
from retrieval.graph.stage import GraphPaths
from retrieval.graph.types import Triplet
from retrieval.kinds import Kind
from retrieval.pipelines.presets import Preset, preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search

K = 10  # hits of a search without the graph
ADDED = 3  # hits that the union with the graph may add
SEEDS = {"keywords": 5, "hops": 2}  # ours: between the paper's values for the two upper classes
EU_AI_ACT = "public_law/eu_ai_act/eu_ai_act_ep_corrigendum_2024-04-19.pdf"
PARSED_PAGES = 60  # the parser takes its time


def graph(context: Context) -> Mapping[str, Figure]:
    """Recall for ObliQA's questions with two passages or more, with the graph less without, on the same questions.

    Cut: both keep ten passages. Union: ten and up to three of the graph, beside thirteen without it.
    """
    organization, corpus = bench_corpus(data=context.data, n_passages=PASSAGES, note=context.note)
    graph_built(organization=organization, corpus=corpus, note=context.note)
    questions = questions_asked(context.data, n_least=2)
    recalls: dict[str, list[float]] = {"plain": [], "cut": [], "union": [], "wide": []}
    for number, (text, gold, _) in enumerate(questions):
        for name, preset, k in (
            ("plain", preset_get(f"fixed-{K}"), K),
            ("cut", with_graph(join="cut"), K),
            ("union", with_graph(join="union"), K + ADDED),
            ("wide", preset_get(f"fixed-{K}", {"k": str(K + ADDED)}), K + ADDED),
        ):
            result = corpus_search(request=SearchRequest(organization, None, corpus.pk, text, preset))
            ranked = list(dict.fromkeys(passage.paragraph_id for passage in result.passages))  # long ones are several
            recalls[name].append(defined(ranking.recall_at(ranked, gold, k)))
        context.note(f"asked {number + 1} of {len(questions)}")
    groups = [group for _, _, group in questions]
    return {
        "gain_cut": Figure.gained(recalls["cut"], recalls["plain"], seed=context.seed, groups=groups),
        "gain_union": Figure.gained(recalls["union"], recalls["wide"], seed=context.seed, groups=groups),
    }


def graph_speed(context: Context) -> Mapping[str, Figure]:
    """Pages a second from the paragraphs of the EU AI Act to their triplets, by rules alone."""
    parts, n_pages = _ai_act(context)
    n_found, seconds = _by_rules(parts)
    return {"rules": Figure(n_pages / seconds, n_pages, note=f"{n_found:,} triplets")}


def graph_parser(context: Context) -> Mapping[str, Figure]:
    """The same with the dependency parser as a second reader, on the first pages."""
    if not parser_is_installed():
        raise NotRun("The parser is not installed: pip install -c constraints.txt '.[graph]'.")
    parts, _ = _ai_act(context)
    first = [part for part in parts if part.page <= PARSED_PAGES]
    place = Triplet(Kind.RELATION, "", "", "", 0, 0, 0)
    parser_triplets("The parser is loaded once.", place=place)
    started = perf_counter()
    n_found = sum(len(parser_triplets(part.text, place=place)) for part in first)
    seconds = perf_counter() - started + _by_rules(first)[1]
    return {"parser": Figure(PARSED_PAGES / seconds, PARSED_PAGES, note=f"{n_found:,} triplets of the parser")}


def _ai_act(context: Context) -> tuple[list[Part], int]:
    file = context.data / EU_AI_ACT
    parsed = parse_file(file, name=file.name, limits=reading_limits(kind="pdf"))
    parts = [
        Part(i, parsed.text[p.start : p.end], p.kind, p.label, p.heading_path, p.level, page=p.page)
        for i, p in enumerate(parsed.paragraphs)
    ]
    roles = roles_of(parts)
    return [replace(part, role=role) for part, role in zip(parts, roles, strict=True)], len(parsed.pages)


def _by_rules(parts: Sequence[Part]) -> tuple[int, float]:
    """How many triplets, in how many seconds."""
    started = perf_counter()
    n_found = sum(len(triplets_of(parts, unit)) for unit in units_of(parts))
    return n_found, perf_counter() - started


def with_graph(*, join: str) -> Preset:
    """The preset of K passages with passages of the graph among them ("cut") or behind them ("union")."""
    preset = preset_get(f"fixed-{K}")
    stage = GraphPaths.model_validate({"kind": "graph.v1", "join": join, "most": ADDED, **SEEDS})
    return preset.model_copy(update={"pipeline": preset.pipeline >> stage})


def questions_asked(data: Path, *, n_least: int = 1) -> list[tuple[str, list[str], str]]:
    """(question, ids of its passages, its document) of those with this many passages or more, all in the corpus."""
    folder = data / "obliqa"
    passages = [row for row in rows(folder, "corpus.jsonl.gz") if row["text"].strip()]
    ids = {(row["document_id"], row["passage_id"]): str(row["id"]) for row in passages}
    questions = []
    for row in rows(folder, "questions.jsonl.gz"):
        gold = [ids.get((one["document_id"], one["passage_id"])) for one in row["passages"]]
        if len(gold) >= n_least and None not in gold:
            paragraph_ids = [one for one in gold if one is not None]
            questions.append((row["question"], paragraph_ids, str(row["passages"][0]["document_id"])))
    return questions
