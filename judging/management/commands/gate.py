"""`gate fit`: train the abstention gate on public collections that the reported figures do not come from."""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from judging.gate_training import COLLECTIONS, gate_fit
from legalqa.answering.gate import WEIGHTS_FILE
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError


class Command(LegalQACommand):
    help = "Train the abstention gate and write its weights."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["fit"])
        parser.add_argument("--data", default=os.environ.get("LEGALQA_DATA", ""), help="folder of the data sets")
        parser.add_argument("--answer-rate", type=float, default=0.95, help="share of answerable questions to answer")

    def run(self, options: dict[str, Any]) -> None:
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        examples = []
        for name, read in COLLECTIONS.items():
            self.note(f"{name} …")
            examples += list(read(Path(options["data"])))
        fit = gate_fit(examples, answer_rate=options["answer_rate"])
        WEIGHTS_FILE.write_text(json.dumps(fit.weights, indent=2) + "\n")
        document = {"weights": fit.weights, "left_out": fit.left_out}
        self.emit(document, options, json.dumps(document, indent=2))
