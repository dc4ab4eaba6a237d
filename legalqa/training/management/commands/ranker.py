"""`ranker train | chains | calibrate | evaluate`: the evidence ranker and its probabilities, on public collections.

`ranker train --corpus` trains one of a corpus's own on its gold sets.
"""

import json
from argparse import ArgumentParser
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings

from legalqa.common.errors import ApplicationError
from legalqa.training.collections.questions import obliqa
from legalqa.training.encoder.evaluation import MEASURES
from legalqa.training.ranker.calibration import calibration_report, reliability_svg
from legalqa.training.ranker.chains import chains_train, questions_chosen
from legalqa.training.ranker.evaluation import REPORTED, figures, outcomes, training_data
from legalqa.training.ranker.services import RANKER, RankerChoices
from legalqa.training.ranker.training import SEED, examine, ranker_train
from legalqa.training.versions.commands import TrainingCommand, corpus_named, gold_sets_named
from retrieval.rerankers.chains import CHAIN_FILE
from retrieval.rerankers.model import MODEL_FILE, model_load


class Command(TrainingCommand):
    help = "Train the evidence ranker, look at its calibration, or evaluate it with each collection left out."
    acts = {
        "train": ("data", "leave_out", "out", "corpus", "gold_set", "wait"),
        "chains": ("data", "out"),
        "calibrate": ("data", "collection", "out"),
        "evaluate": ("data", "collection", "trained_on_it"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("--data", default=settings.DATA, help="folder of the data sets")
        parser.add_argument("--leave-out", metavar="NAME", help="train: a collection that the model must not see")
        parser.add_argument(
            "--collection", action="append", choices=REPORTED, help="calibrate, evaluate: only this one"
        )
        parser.add_argument("--trained-on-it", action="store_true", help="evaluate: cross-validate by document")
        parser.add_argument("--out", type=Path, help="train: the ranker's file; calibrate: a folder for the diagram")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--corpus", help="train: a corpus with a ranker of its own")
        parser.add_argument("--gold-set", nargs="+", default=[], metavar="NAME", help="train: gold sets of the corpus")
        parser.add_argument("--wait", action="store_true", help="train --corpus: run here and return when done")

    def run(self, options: dict[str, Any]) -> None:
        if options["corpus"]:
            self._own(options)
            return
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        data = Path(options["data"])
        actions = {"train": self._train, "chains": self._chains, "calibrate": self._calibrate}
        action = actions.get(options["action"], self._evaluate)
        document = action(data, options)
        self.emit(document, options, json.dumps(document, indent=2))

    def _own(self, options: dict[str, Any]) -> None:
        organization, corpus = corpus_named(options)
        choices = RankerChoices(gold_sets_named(organization, corpus, options["gold_set"]))
        version, job, words = self.started(RANKER, organization, corpus, choices, is_awaited=options["wait"])
        document: dict[str, Any] = {"id": version.pk, "number": version.number, "job": job.pk, **version.report}
        self.emit(document, options, _own_text(version.report) if options["wait"] else words)

    def _train(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        self.note("searching every collection …")
        training = training_data(data)
        if options["leave_out"]:
            if options["leave_out"] not in training.examined:
                names = ", ".join(sorted(training.examined))
                raise ApplicationError(
                    f"No collection is called {options['leave_out']!r}; choose one of: {names}.",
                    code="unknown_collection",
                )
            training = training.without(options["leave_out"])
        provenance = _provenance({name: len(rows) for name, rows in training.examined.items()})
        model = ranker_train(training, provenance=provenance)
        file = options["out"] or MODEL_FILE
        file.write_text(json.dumps(model.as_mapping(), indent=1) + "\n")
        return {"ranker": {"file": str(file), "bytes": file.stat().st_size}, **provenance}

    def _chains(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        self.note("searching ObliQA …")
        collection = obliqa(data)
        questions = questions_chosen(collection.questions)
        provenance = _provenance({collection.name: len(questions)})
        examined = examine(replace(collection, questions=questions))
        model = chains_train([(examined, collection.corpus)], model_load(), provenance=provenance)
        file = options["out"] or CHAIN_FILE
        file.write_text(json.dumps(model.as_mapping()) + "\n")
        return {"chains": {"file": str(file), "bytes": file.stat().st_size}, **provenance}

    def _calibrate(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        reports = {name: calibration_report(outcomes(name, data=data)) for name in options["collection"] or REPORTED}
        if folder := options["out"]:
            folder.mkdir(parents=True, exist_ok=True)
            for name, report in reports.items():
                (folder / f"reliability-{name}.svg").write_text(reliability_svg(report["bins"], title=name))
            (folder / "calibration.json").write_text(json.dumps(reports, indent=1) + "\n")
        return reports

    def _evaluate(self, data: Path, options: dict[str, Any]) -> dict[str, Any]:
        return {
            name: {
                k: round(v, 4)
                for k, v in figures(outcomes(name, data=data, trained_on_it=options["trained_on_it"])).items()
            }
            for name in options["collection"] or REPORTED
        }


def _provenance(collections: dict[str, int]) -> dict[str, Any]:
    """What a model learned from, by the questions of each collection."""
    today = date.today().isoformat()  # noqa: DTZ011 - the day on which somebody ran it, where they are
    return {"collections": collections, "date": today, "seed": SEED}


def _own_text(report: dict[str, Any]) -> str:
    """What a corpus's own ranker comes to on documents that it has not seen."""
    row = report["rows"][0]
    lines = [f"{'measure':>10} {'before':>7} {'after':>7}"]
    lines += [f"{name:>10} {row['before'][name] or 0:7.3f} {row['after'][name] or 0:7.3f}" for name in MEASURES]
    calibration = report["calibration"]
    lines.append(f"calibration error {calibration['before']} before, {calibration['after']} after")
    if n_learned := report["questions"]["encoder_learned"]:
        lines.append(f"the encoder itself has learned {n_learned} of these questions, which flatters before and after")
    return "\n".join(lines)
