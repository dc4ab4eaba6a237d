"""The search lab as its page shows it."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from legalqa.accounts.models import Organization
from retrieval.expanders import EXPANDERS
from retrieval.expanders.base import origin_of
from retrieval.fusion import Fuse
from retrieval.fusion.ranks import RRF_K
from retrieval.pipelines.presets import Preset, setting_names
from retrieval.pipelines.steps import step_label
from retrieval.rerankers import RERANKERS, Beam, Learned
from retrieval.rerankers.features import GROUPS
from retrieval.rerankers.model import TREES
from retrieval.services.lab import SHOWN, Trial
from retrieval.services.presets import saved_preset_list
from retrieval.services.search import Passage
from retrieval.stages import Pipeline

MAX_TEXT = 420
LETTERS = "AB"
RANKER, FUSION = Learned().name, Fuse.name_of("rrf.v1")
PROBABILITY = f"{RANKER}.probability"
_EXPANDERS = {EXPANDERS.get(kind).name_of(kind): EXPANDERS.get(kind) for kind in EXPANDERS.names()}
_TIES = {name: stage.tie for name, stage in _EXPANDERS.items()} | {Beam().name: Beam.tie}


def lab_page(*, organization: Organization, corpus_id: Any) -> dict[str, Any]:
    """What the page shows before anything is searched."""
    saved = saved_preset_list(organization=organization).filter(corpus_id=corpus_id)
    rows = [
        {"id": p.pk, "name": p.name, "base": p.base, "changes": " ".join(f"{k}={v}" for k, v in p.overrides.items())}
        for p in saved
    ]
    return {"saved": rows, "setting_names": setting_names()}


def trials_shown(*, trials: tuple[Trial, ...], slug: str) -> list[dict[str, Any]]:
    """Each trial with its passages, their stages, and how they rank in the other trial."""
    rows = []
    for place, trial in enumerate(trials):
        other = trials[1 - place] if len(trials) > 1 else None
        slowest = max((t.milliseconds for t in trial.result.times), default=1.0)
        rows.append(
            {
                "letter": LETTERS[place],
                "side": ("left", "right")[place],
                "title": trial.preset.title,
                "changes": trial.changes,
                "rewriting": trial.result.rewriting.as_step(),
                "n_relevant": len(trial.relevant),
                "n_found": trial.found,
                "probability": _probability(trial),
                "total_ms": sum(t.milliseconds for t in trial.result.times),
                "times": [
                    {
                        "stage": step_label(t.stage),
                        "ms": t.milliseconds,
                        "share": t.milliseconds / (slowest or 1.0),
                        "n_hits": t.n_hits,
                        "note": t.note,
                    }
                    for t in trial.result.times
                ],
                "evidence_beside": trial.result.side,
                "passages": [_passage(p, trial, other, slug) for p in trial.result.passages[:SHOWN]],
            }
        )
    return rows


def _probability(trial: Trial) -> float | None:
    """The ranker's calibrated probability that one of the first five passages answers."""
    values = (dict(p.parts).get(PROBABILITY) for p in trial.result.passages)
    return next((value for value in values if value is not None), None)


def _passage(passage: Passage, trial: Trial, other: Trial | None, slug: str) -> dict[str, Any]:
    position = passage.position
    text = passage.text
    place = {"v": passage.version_number, "at": f"{position.ordinal}:0-{len(text)}"}
    return {
        "rank": passage.rank,
        "paragraph": position.paragraph_id,
        "document": passage.document.title,
        "page_label": position.page_label,
        "heading": passage.heading,
        "text": text if len(text) <= MAX_TEXT else text[:MAX_TEXT].rsplit(" ", 1)[0] + " …",
        "url": reverse("document_detail", args=(slug, passage.document.pk), query=place),
        "question": passage.question,
        "stages": stage_parts(passage, trial.preset),
        "brought": brought_words(passage, trial.result.passages),
        "reasons": reasons(passage),
        "is_relevant": position.paragraph_id in trial.relevant,
        "move": _move(passage, other),
    }


def brought_words(passage: Passage, passages: Sequence[Passage]) -> str:
    """In which hop a passage came, from which other one and why; "" for one that the search itself found."""
    origin = origin_of(dict(passage.parts))
    if origin is None or origin[0] not in _TIES:
        return ""
    stage, chunk, hop = origin
    source = next((other for other in passages if other.chunk_id == chunk), None)
    place = f"passage {source.rank}" if source is not None else "a passage that was not kept"
    return f"Hop {hop}, from {place}: {_TIES[stage]}."


def _move(passage: Passage, other: Trial | None) -> str:
    """How the passage ranks beside the other setting, in words."""
    if other is None:
        return ""
    rank = other.rank_of(passage.position.paragraph_id)
    if rank is None:
        return "only here"
    if rank == passage.rank:
        return "same place"
    return f"{abs(rank - passage.rank)} {'higher' if passage.rank < rank else 'lower'} here"


def stage_parts(passage: Passage, preset: Preset) -> list[dict[str, Any]]:
    """Each list's part in the passage's place: its rank there, and the share of the fused score, 0 to 1.

    The share of a list is its reciprocal rank over the largest one possible, as the fusion adds it up. A reranker has a
    rank and a score, and no share: it orders what the fusion found.
    """
    parts = dict(passage.parts)
    k = _fusion_k(preset.pipeline)
    rerankers = {Learned.name_of(kind) for kind in RERANKERS.names()}
    rows = []
    for name, rank in parts.items():
        stage, _, measure = name.rpartition(".")
        if measure != "rank" or stage in (FUSION, RANKER, *_EXPANDERS):
            continue
        kind, _, number = stage.partition("#")
        rows.append(
            {
                "name": " ".join(filter(None, [step_label(kind), number if kind == "rewrite" else ""])),
                "rank": int(rank),
                "score": parts.get(f"{stage}.score"),
                "share": None if kind in (*rerankers, "rewrite") else (k + 1) / (k + rank),
            }
        )
    return rows


def reasons(passage: Passage) -> list[dict[str, Any]]:
    """What the groups of features of the LTR reranker say for or against the passage, strongest first."""
    parts = dict(passage.parts)
    shares = {group: parts[f"{RANKER}.{group}"] for group in (*GROUPS, TREES) if f"{RANKER}.{group}" in parts}
    most = max(map(abs, shares.values()), default=0.0) or 1.0
    ordered = sorted(shares.items(), key=lambda item: -abs(item[1]))
    return [{"name": name, "value": value, "share": abs(value) / most, "is_for": value >= 0} for name, value in ordered]


def _fusion_k(pipeline: Pipeline) -> int:
    return next((stage.k for stage in pipeline.stages if isinstance(stage, Fuse)), RRF_K)
