"""A corpus to train on: passages about gardens, their rents and their watering, in three documents, with gold sets."""

import json
from dataclasses import dataclass
from typing import Any, cast

from corpora.models import Corpus
from judging.gold.services.sets import gold_set_import
from judging.models import GoldSet
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.selectors import paragraphs_read
from legalqa.answering.services import answer_grade, question_ask
from legalqa.answering.types import Question
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.training.versions.trainer import Trainer, V
from retrieval.pipelines.presets import preset_get
from tests.ingestion import Place, ingest, make_corpus
from tests.judging.gold.reading import gold_rows_read
from tests.people import Firm, make_firm

PLANTS = (
    "apple barley cedar daisy elm fern grape hazel iris juniper kale lily maple nettle oak pear quince rose sage tulip"
)
NAMES = PLANTS.split()


@dataclass(frozen=True)
class Library(Place):
    """Passages about twenty gardens; of each, a question that one of them answers."""

    other: Corpus
    gold_set: GoldSet
    elsewhere: GoldSet

    def worked(self, trainer: Trainer[V, Any], version: V, job: Job) -> V:
        """A version once the job of its training has ended."""
        for _ in range(60):
            if not Job.objects.get(pk=job.pk).is_open:
                break
            job_run(job_id=job.pk, work=trainer.slice)
        with self.inside():
            return cast(V, type(version)._default_manager.get(pk=version.pk))

    def grade(self, question: str, grade: str, *, passages: dict[str, bool]) -> None:
        """Ask as the manager, and grade the answer; passages by their words."""
        answer = question_ask(question=Question(**self.acting, text=question, preset=preset_get("fixed-10")))
        with self.inside():
            names = {row.text.strip(): name for name, row in paragraphs_read(answer=answer).items()}
            answer_grade(
                **self.firm.by_manager,
                answer_id=answer.pk,
                grade=grade,
                passages={names[text]: said for text, said in passages.items()},
            )


def make_library() -> Library:
    firm = make_firm("harding", "Harding & Stone")
    corpus, other = make_corpus(firm, "Gardens"), make_corpus(firm, "Letters")
    for part in range(3):  # three documents, so that some can be kept from training
        ingest(firm, corpus, f"part-{part}.jsonl", "\n".join(map(json.dumps, passages(NAMES[part::3]))))
    ingest(firm, other, "other.jsonl", "\n".join(map(json.dumps, passages(NAMES[:6]))))
    rows = [*map(question_row, NAMES), {"question": "Who was the first mayor?", "answerable": False}]
    gold_set = _brought(firm, corpus, "rents", rows)
    return Library(
        firm, corpus, other, gold_set, _brought(firm, other, "letters", [question_row(name) for name in NAMES[:6]])
    )


def passages(names: list[str]) -> list[dict[str, str]]:
    return [
        passage
        for name in names
        for passage in (
            {"id": f"{name}-1", "text": f"The tenant of the {name} garden pays {len(name)} euros on the first of May."},
            {"id": f"{name}-2", "text": f"The {name} garden is watered every {len(name)} days, in the evening."},
        )
    ]


def question_row(name: str) -> dict[str, Any]:
    question = f"How much money does somebody owe for the {name} plot?"
    return {"id": name, "question": question, "reference_paragraph_ids": [f"{name}-1"]}


def _brought(firm: Firm, corpus: Corpus, name: str, rows: list[dict[str, Any]]) -> GoldSet:
    lines = gold_rows_read("\n".join(map(json.dumps, rows)))
    with organization_scope(firm.organization, user=firm.manager):
        return gold_set_import(**firm.by_manager, corpus_id=corpus.pk, name=name, rows=lines)
