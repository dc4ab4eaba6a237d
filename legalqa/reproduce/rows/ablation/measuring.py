"""The rows of the ablation: what every stage of the search adds on a set, and what it costs in time, tokens, memory."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from uuid import UUID

import django
import numpy as np
import psutil

from corpora.models import Chunk, Corpus
from judging.measures.intervals import bootstrap_mean, paired_difference
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder.client import count_tokens, reader_is_on
from legalqa.jobs.processes import pss_mb
from legalqa.reproduce.indexing import cases_built, graph_built, questions_built, ranker_used
from legalqa.reproduce.intake import Note, corpus_own, file_take_in
from legalqa.reproduce.rows.ablation.sets import SETS, AblationSet, SetQuestion
from legalqa.reproduce.rows.ablation.variants import VARIANTS, Need
from legalqa.reproduce.types import Context, Figure, Row
from legalqa.training.ranker.evaluation import left_out_ranker
from retrieval.pipelines.presets import Preset
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import Passage, corpus_search
from retrieval.types import Filters

SLUG, TITLE = "bench-ablation", "Benchmark of stages"
JUDGED = 20  # ours: questions for which the reader judges passages, ten and more for each


@dataclass(frozen=True, slots=True)
class SetCorpus:
    """A set as a corpus: where it is searched, the documents of its files, and what it has beside its chunks."""

    organization: Organization
    corpus: Corpus
    documents: Mapping[str, UUID]
    has: frozenset[Need]


@dataclass(slots=True)
class VariantMeasures:
    """One way to search: its memory in MB; of each question the measure, milliseconds and tokens."""

    memory: float
    values: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


def ablation(context: Context, *, name: str) -> Mapping[str, Figure]:
    """Every variant that applies, on the same drawn questions; the ranker has not seen the set."""
    ablation_set = SETS[name](context.data, context.seed)
    site = taken_in(name, ablation_set, note=context.note)
    if ablation_set.trained:
        context.note(f"{name}: training a ranker without it …")
        model = left_out_ranker(context.data, ablation_set.trained)
        source = f"the public collections without {ablation_set.trained}"
        ranker_used(model, organization=site.organization, corpus=site.corpus, source=source)
    memory = memory_apart(site, ablation_set.questions[0])
    return variants_measured(name, ablation_set, site, memory, seed=context.seed, note=context.note)


def taken_in(name: str, ablation_set: AblationSet, *, note: Note) -> SetCorpus:
    """Upload a set's files and build everything that its searches read."""
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=name)
    documents = files_taken_in(name, ablation_set, organization=organization, corpus=corpus, note=note)
    graph_built(organization=organization, corpus=corpus, note=note)
    questions_built(organization=organization, corpus=corpus, note=note)
    has: set[Need] = {"graph", "questions"}
    if ablation_set.cases:
        cases_built(organization=organization, corpus=corpus, cases=ablation_set.cases, note=note)
        has.add("cases")
    if reader_is_on():
        has.add("reader")
    with organization_scope(organization, user=None):
        if Chunk.objects.filter(corpus=corpus, is_live=True, parent_ordinal__isnull=False).exists():
            has.add("sections")
    return SetCorpus(organization, corpus, documents, frozenset(has))


def files_taken_in(
    name: str, ablation_set: AblationSet, *, organization: Organization, corpus: Corpus, note: Note
) -> Mapping[str, UUID]:
    """Upload a set's files; the document of each."""
    documents = {}
    for file, parts in ablation_set.files():
        upload = file_take_in(organization=organization, corpus=corpus, name=file, parts=parts, note=note).ready()
        documents[file] = upload.document_id
        note(f"{name}: {len(documents)} files taken in")
    return documents


def memory_apart(site: SetCorpus, question: SetQuestion) -> dict[str, float]:
    """What `memory_held` says in a process of its own, which has taken nothing in and trained nothing."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=django.setup) as apart:
        return apart.submit(memory_held, site, question).result()


def memory_held(site: SetCorpus, question: SetQuestion) -> dict[str, float]:
    """The memory of this process in MB (PSS) after a search by each variant; what those before have loaded stays."""
    process, megabytes = psutil.Process(), dict[str, float]()
    for variant, preset in presets_of(site).items():
        passages_found(question, preset, site)
        megabytes[variant] = pss_mb([process])
    return megabytes


def presets_of(site: SetCorpus) -> dict[str, Preset]:
    """The variants that apply to a corpus, by name."""
    return {one.name: one.built() for one in VARIANTS if one.needs is None or one.needs in site.has}


def variants_measured(
    name: str, ablation_set: AblationSet, site: SetCorpus, memory: Mapping[str, float], *, seed: int, note: Note
) -> dict[str, Figure]:
    """The figures of the set, of every variant that applies to it; `memory` is that of each."""
    measured = {variant: VariantMeasures(memory[variant]) for variant in presets_of(site)}
    asked_by_all(name, ablation_set, site, presets_of(site), measured, note=note)
    groups = [one.group for one in ablation_set.questions]
    each = (variant_figures(key, one, measured["base"], groups, seed=seed) for key, one in measured.items())
    return {key: figure for figures in each for key, figure in figures.items()}


def asked_by_all(
    name: str,
    ablation_set: AblationSet,
    site: SetCorpus,
    presets: Mapping[str, Preset],
    measured: Mapping[str, VariantMeasures],
    *,
    note: Note,
    most: int | None = None,
) -> None:
    """Add to `measured` what each preset shows for each question, `most` passages of it; None for all.

    Every question is asked of all presets in turn, so that anything that slows the machine slows all.
    """
    with_reader = {one.name for one in VARIANTS if one.needs == "reader"}
    for number, one in enumerate(ablation_set.questions):
        note(f"{name}: {number} of {len(ablation_set.questions)} questions asked")
        for variant, preset in presets.items():
            if variant in with_reader and number >= JUDGED:
                continue
            started = perf_counter()
            passages = passages_found(one, preset, site)[:most]
            measured[variant].milliseconds.append(1000 * (perf_counter() - started))
            with organization_scope(site.organization, user=None):  # names of documents are read when asked for
                measured[variant].values.append(ablation_set.value(one, passages))
            measured[variant].tokens.append(sum(count_tokens([passage.text for passage in passages])))


def passages_found(question: SetQuestion, preset: Preset, site: SetCorpus) -> Sequence[Passage]:
    """What a search gives for a question, in its document where it is about one."""
    filters = Filters(document_ids=(str(site.documents[question.file]),) if question.file else ())
    request = SearchRequest(site.organization, None, site.corpus.pk, question.text, preset, filters)
    return corpus_search(request=request).passages


def variant_figures(
    name: str, measured: VariantMeasures, base: VariantMeasures, groups: Sequence[str], *, seed: int
) -> dict[str, Figure]:
    """The measure, what it is above the base on the same questions, and what it costs."""
    n = len(measured.values)  # fewer where the reader judges: the first ones
    groups = groups[:n]
    difference = paired_difference(measured.values, base.values[:n], seed=seed, groups=groups)
    return {
        f"{name}.value": Figure.of(bootstrap_mean(measured.values, seed=seed, groups=groups)),
        f"{name}.gain": Figure.of(difference),
        f"{name}.milliseconds": Figure(float(np.median(measured.milliseconds)), n),
        f"{name}.tokens": Figure(float(np.mean(measured.tokens)), n),
        f"{name}.memory": Figure(measured.memory, n),
    }


ABLATIONS: Mapping[str, Row] = {f"ablation_{name}": partial(ablation, name=name) for name in SETS}
