"""The row of chunkers: a drawn part of ObliQA split in several ways, and what the same questions find in each."""

from collections.abc import Mapping
from typing import Any

from corpora.models import ChunkSet, Corpus
from corpora.services import chunk_set_keep
from judging.measures.intervals import bootstrap_mean
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.waiting import job_worked
from legalqa.reproduce.intake import corpus_own
from legalqa.reproduce.rows.ablation.measuring import SetCorpus, VariantMeasures, asked_by_all, files_taken_in
from legalqa.reproduce.rows.ablation.sets import AblationSet, K, collection
from legalqa.reproduce.rows.ablation.variants import BASE
from legalqa.reproduce.rows.hops import Shown, stage_figures
from legalqa.reproduce.types import Context, Figure
from retrieval.pipelines.presets import preset_get

NAME = "obliqa"
PASSAGES = 1_000  # ours: passages in whole documents, so that all ways take minutes
DEFAULT = "default"  # the sentences of a corpus that nobody has set up, embedded behind the heading above them
# What differs from the default: the settings of the chunker, and what is before a chunk's text when it is embedded.
WAYS: Mapping[str, tuple[dict[str, Any], str]] = {
    "hierarchical": ({"kind": "hierarchical.v1"}, ""),
    "semantic": ({"kind": "semantic.v1"}, ""),
    "path": ({}, "path"),
}


def chunkers(context: Context) -> Mapping[str, Figure]:
    """Recall@10 by the default, and what each other way finds more or less of the same passages, also by token."""
    drawn = collection(NAME, context.data, context.seed, passages=PASSAGES, split="test")
    return ways_compared(drawn, context)


def ways_compared(drawn: AblationSet, context: Context) -> dict[str, Figure]:
    """The figures of a set that is drawn already."""
    organization, corpus = corpus_own(slug="bench-chunkers", title="Benchmark of chunkers", name=NAME, is_fresh=True)
    of: dict[str, Any] = {"organization": organization, "corpus": corpus}
    site = SetCorpus(**of, documents=files_taken_in(NAME, drawn, **of, note=context.note), has=frozenset())
    presets = {DEFAULT: preset_get(BASE)}
    for way, (chunker, before) in WAYS.items():
        context.note(f"{NAME}: splitting, {way} …")
        presets[way] = preset_get(BASE, {"chunk_set": split(**of, chunker=chunker, before=before)})
    measured = {way: VariantMeasures(0.0) for way in presets}
    asked_by_all(NAME, drawn, site, presets, measured, note=context.note, most=K)
    groups = [one.group for one in drawn.questions]
    shown = {
        way: [Shown(recall, n / 1000) for recall, n in zip(one.values, one.tokens, strict=True)]
        for way, one in measured.items()
    }
    figures = {
        f"recall_{DEFAULT}": Figure.of(bootstrap_mean(measured[DEFAULT].values, seed=context.seed, groups=groups))
    }
    for way in WAYS:
        figures |= stage_figures(way, shown[way], shown[DEFAULT], groups, context)
    return figures


def split(*, organization: Organization, corpus: Corpus, chunker: dict[str, Any], before: str) -> str:
    """Keep a corpus in a further chunk set beside the live one; its name."""
    of: dict[str, Any] = {"organization": organization, "user": None, "corpus_id": corpus.pk}
    with organization_scope(organization, user=None):
        job = chunk_set_keep(**of, chunker=chunker, context=before)
    job_worked(job)
    with organization_scope(organization, user=None):
        return ChunkSet.objects.get(pk=job.subject_id).name
