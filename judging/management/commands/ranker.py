"""`ranker train | calibrate | evaluate`: the evidence ranker and its probabilities, on public collections."""

import json
import os
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from judging.ranking.calibration import calibration_report, reliability_svg
from judging.ranking.evaluation import REPORTED, figures, gate_data, outcomes, training_data
from judging.ranking.gate import gate_train
from judging.ranking.training import SEED, ranker_train
from legalqa.answering.gate import MODEL_FILE as GATE_FILE
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from retrieval.rankers.model import MODEL_FILE


class Command(LegalQACommand):
    help = "Train the evidence ranker, look at its calibration, or evaluate it with each collection left out."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["train", "calibrate", "evaluate"])
        parser.add_argument("--data", default=os.environ.get("LEGALQA_DATA", ""), help="folder of the data sets")
        parser.add_argument("--leave-out", metavar="NAME", help="train: a collection that the model must not see")
        parser.add_argument(
            "--collection", action="append", choices=REPORTED, help="calibrate, evaluate: only this one"
        )
        parser.add_argument("--trained-on-it", action="store_true", help="evaluate: cross-validate by document")
        parser.add_argument("--out", type=Path, help="train: the ranker's file; calibrate: a folder for the diagram")
        parser.add_argument("--gate-out", type=Path, help="train: the gate's file")

    def run(self, options: dict[str, Any]) -> None:
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        data = Path(options["data"])
        action = {"train": self._train, "calibrate": self._calibrate, "evaluate": self._evaluate}[options["action"]]
        document = action(data, options)
        self.emit(document, options, json.dumps(document, indent=2))

    def _train(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        self.note("searching every collection …")
        found = training_data(data)
        if options["leave_out"]:
            if options["leave_out"] not in found.asked:
                known = ", ".join(sorted(found.asked))
                raise ApplicationError(
                    f"No collection is called {options['leave_out']!r}; choose one of: {known}.",
                    code="unknown_collection",
                )
            found = found.without(options["leave_out"])
        provenance = {
            "collections": {name: len(rows) for name, rows in found.asked.items()},
            "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
            "seed": SEED,
        }
        model = ranker_train(found, provenance=provenance)
        self.note("reading sentences for the gate …")
        rows = {name: seen for name, seen in gate_data(data).items() if name in found.asked}
        gate = gate_train(rows, provenance=provenance)
        files = {"ranker": options["out"] or MODEL_FILE, "gate": options["gate_out"] or GATE_FILE}
        for name, trained in (("ranker", model.as_mapping()), ("gate", gate.as_mapping())):
            files[name].write_text(json.dumps(trained, indent=1) + "\n")
        written = {name: {"file": str(file), "bytes": file.stat().st_size} for name, file in files.items()}
        return {**written, "threshold": gate.threshold, **provenance}

    def _calibrate(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        found = {name: calibration_report(outcomes(name, data=data)) for name in options["collection"] or REPORTED}
        if folder := options["out"]:
            folder.mkdir(parents=True, exist_ok=True)
            for name, report in found.items():
                (folder / f"reliability-{name}.svg").write_text(reliability_svg(report["bins"], title=name))
            (folder / "calibration.json").write_text(json.dumps(found, indent=1) + "\n")
        return found

    def _evaluate(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        return {
            name: {
                k: round(v, 4)
                for k, v in figures(outcomes(name, data=data, trained_on_it=options["trained_on_it"])).items()
            }
            for name in options["collection"] or REPORTED
        }
