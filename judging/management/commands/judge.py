"""`judge --items FILE.jsonl --judge NAME`: what a judge says of answers, with or without law."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from corpora.selectors import corpus_by_name
from judging.judges.lines import item_read, judgment_document
from judging.judges.services import judge_make
from judging.judges.types import Judgment
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.commands import LegalQACommand
from legalqa.common.queries import rows_read


class Command(LegalQACommand):
    help = "Judge answers: by rules, by the reader, or by a language model, with or without law beside them."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--items",
            metavar="FILE.jsonl",
            required=True,
            help="objects with id, question, answers (texts, or objects with text and passages), reference_answer",
        )
        parser.add_argument("--judge", metavar="NAME", required=True, help="such as custom2, faireval, ragas, words")
        law = parser.add_mutually_exclusive_group()
        law.add_argument("--with-law", metavar="CORPUS", help="show the judge what this corpus says on each question")
        law.add_argument(
            "--with-unrelated-law", metavar="CORPUS", help="control: show the judge unrelated passages of it"
        )
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        items = [item_read(row) for row in rows_read(options["items"], needed=("id", "question"))]
        organization = organization_get(slug=options["organization"])
        corpus, name = options["with_law"] or options["with_unrelated_law"], options["judge"]
        corpus_id = None
        if corpus:
            name += "+law" if options["with_law"] else "+unrelated"
            with organization_scope(organization, user=None):
                corpus_id = corpus_by_name(organization=organization, name=corpus).pk
        judge = judge_make(organization=organization, name=name, corpus_id=corpus_id, subject="judge:command")
        judgments: list[tuple[str, Judgment]] = []
        for place, item in enumerate(items, start=1):
            judgments += [(item.id, judgment) for judgment in judge.judge(item)]
            self.progress(f"{place} of {len(items)}")
        document = {
            "judge": {"name": judge.name, "version": judge.version, "measures": list(judge.measures)},
            "judgments": [judgment_document(item_id, judgment) for item_id, judgment in judgments],
            "counts": dict(Counter(judgment.status.value for _, judgment in judgments)),
            "cost": sum(judgment.cost for _, judgment in judgments),
        }
        self.emit(document, options, "\n".join(_line(item_id, judgment) for item_id, judgment in judgments))


def _line(item_id: str, judgment: Judgment) -> str:
    value = judgment.status.value if judgment.value is None else f"{judgment.value:.4g}"
    return f"{item_id}  {judgment.answer + 1}  {judgment.measure}  {value}  {judgment.warning or judgment.reason}"
