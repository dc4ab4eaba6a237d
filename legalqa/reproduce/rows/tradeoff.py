"""Policy Copilot's trade-off: how much is answered, and how much of it is right; its baselines and ours, all quoted."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from judging.experiments.services import EXPERIMENTS, experiment_start
from judging.experiments.settings import experiment_settings
from judging.gold.files import GoldRow, GoldSpan
from judging.gold.services.sets import gold_set_import
from judging.measures.values import Undefined
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.waiting import job_worked
from legalqa.reproduce.asking import SLUG, TITLE
from legalqa.reproduce.intake import corpus_own, file_take_in
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows

FOLDER, NAME = "policy_copilot", "Policy Copilot"
PRESETS = {
    "naive": "naive",
    "unranked": "policy-copilot reranker=off",
    "seed": "policy-copilot",
    "ours": "cited-or-silent",
}
MEASURES = ("answer_rate", "abstention", "ungrounded", "citation_precision")


def tradeoff(context: Context) -> Mapping[str, Figure]:
    """Answer rate, abstention, ungrounded rate and citation precision of each preset, and the seconds of them all."""
    organization, gold_set = gold_set_taken_in(context.data)
    started = monotonic()
    report = experiment_run(organization, gold_set)
    figures = dict(_figures(report))
    n = sum(cell["n"] - cell["reused"] for cell in report["cells"])
    return figures | {"seconds": Figure(round(monotonic() - started, 1), n, note="answers that were computed")}


def gold_set_taken_in(data: Path) -> tuple[Organization, GoldSet]:
    """The collection as a corpus with a gold set, found again or made."""
    folder = data / FOLDER
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=NAME)
    documents: dict[str, list[str]] = defaultdict(list)
    for row in rows(folder, "paragraphs.jsonl"):
        documents[row["doc_id"]].append(json.dumps({"id": row["paragraph_id"], "text": row["text"]}))
    for name, lines in documents.items():
        content = "\n".join(lines).encode()
        file_take_in(organization=organization, corpus=corpus, name=f"{name}.jsonl", parts=[content]).ready()
    with organization_scope(organization, user=None):
        gold_set = GoldSet.objects.filter(corpus=corpus, name=NAME).select_related("corpus").first()
        questions = [_question(line, row) for line, row in enumerate(rows(folder, "golden_set.jsonl"), start=1)]
        return organization, gold_set or gold_set_import(
            organization=organization, user=None, corpus_id=corpus.pk, name=NAME, rows=questions
        )


def experiment_run(organization: Organization, gold_set: GoldSet) -> dict[str, Any]:
    """The report of the presets on the gold set, worked out here."""
    with organization_scope(organization, user=None):
        settings = experiment_settings(presets=tuple(PRESETS.values()), measures=MEASURES)
        experiment = experiment_start(
            organization=organization, user=None, gold_set_id=gold_set.pk, settings=settings, is_enqueued=False
        )
    job_worked(Job.objects.get(subject_id=experiment.pk))
    with organization_scope(organization, user=None):
        report: dict[str, Any] = EXPERIMENTS.get(organization=organization, run_id=experiment.pk)[0].report
        return report


def _figures(report: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    names = {preset: name for name, preset in PRESETS.items()}
    for row in report["rows"]:
        value = Undefined("no answer has a value") if row["value"] is None else row["value"]
        yield f"{names[row['preset']]}_{row['metric']}", Figure(value, row["n"], row["low"], row["high"])


def _question(line: int, row: Mapping[str, Any]) -> GoldRow:
    is_answerable = row["checked_category"] != "unanswerable"
    gold = (row.get("checked_paragraph_ids") or row["gold_paragraph_ids"]) if is_answerable else []
    spans = tuple(GoldSpan(identifier) for identifier in gold)
    return GoldRow(line, row["id"], row["question"], "", spans, row["checked_category"], is_answerable, ())
