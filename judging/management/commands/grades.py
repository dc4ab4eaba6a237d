"""`grades CORPUS answers | pairs | reader`: what people said of answers, as JSONL to train on."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.selectors import corpus_by_name
from judging.gold.lines import KINDS, training_lines
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.commands import LegalQACommand


class Command(LegalQACommand):
    help = "Write graded answers of a corpus as JSONL: verified answers, pairs of right and wrong, rows for the reader."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("--file", type=Path, required=True, help="the JSONL to write")
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            lines = training_lines(organization=organization, user=None, corpus_id=corpus.pk, kind=options["kind"])
        file: Path = options["file"]
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        document = {"corpus": corpus.slug, "kind": options["kind"], "lines": len(lines), "file": str(file)}
        self.emit(document, options, f"{len(lines)} lines written to {file}.")
