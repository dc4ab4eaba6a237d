"""`reader train | evaluate | passages`: the model that reads a question and a passage, or a claim and its evidence.

`passages` trains the encoder that finds the passages worth reading. `train --corpus` trains a corpus's own reader on
its gold sets and graded answers; `manage.py trained reader` chooses which one its answers use.
"""

import hashlib
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from pydantic import ValidationError

from legalqa.common.errors import ApplicationError
from legalqa.encoder.client import reader_file
from legalqa.encoder.weights import WeightsWrong
from legalqa.training.choices import settings_checked
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.reader.finetuning import ReaderTraining, TaughtTraining
from legalqa.training.reader.making import Made, evaluated, reader_made, reader_trained
from legalqa.training.reader.passages import passages_trained
from legalqa.training.reader.rows import rows_read
from legalqa.training.reader.services import READER, OwnReaderTraining, ReaderChoices
from legalqa.training.versions.commands import (
    TrainingCommand,
    corpus_named,
    gold_sets_named,
    settings_add,
    settings_given,
)

OF_PASSAGES = ("epochs", "batch", "max_tokens", "seed", "learning_rate")
PARAMETERS = ("epochs", "steps", "batch", "max_tokens", "seed", "learning_rate", "head_rate", "sampled", "dropout")


class Command(TrainingCommand):
    help = "Train the reader on rows of questions and claims, or the encoder that finds what is read; measure a reader."
    acts = {
        "train": (
            "data", "dev", "start", "teacher", "teacher_rate", "out", "corpus", "gold_set", "grades", "wait",
            *PARAMETERS,
        ),
        "evaluate": ("data", "reader"),
        "passages": ("data", "dev", "start", "out", *OF_PASSAGES),
    }  # fmt: skip

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument(
            "--data", nargs="+", type=Path, default=[], metavar="FILE.jsonl[.gz]",
            help="rows of question, passage, answerable, answers, or of claim, evidence, label",
        )  # fmt: skip
        parser.add_argument(
            "--dev", nargs="+", type=Path, default=[], metavar="FILE.jsonl[.gz]",
            help="train: held-out rows, for probabilities, threshold and figures",
        )  # fmt: skip
        parser.add_argument(
            "--start", type=Path, metavar="FILE",
            help="train: start from this reader, passages: from this encoder, not from the packaged encoder",
        )  # fmt: skip
        parser.add_argument(
            "--teacher", type=Path, metavar="FOLDER",
            help="train: learn from this larger encoder, too, which is trained on the same rows first: a folder with "
            "config.json, model.safetensors and tokenizer.json",
        )  # fmt: skip
        parser.add_argument("--teacher-rate", type=float, help="train --teacher: its learning rate, 5e-5 if not named")
        parser.add_argument(
            "--out", type=Path, help="train: the reader's file; its manifest is written beside it as .json"
        )
        parser.add_argument(
            "--reader", type=Path, metavar="FILE", help="evaluate: this reader instead of the configured one"
        )
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--corpus", help="train: a reader of this corpus's own")
        parser.add_argument("--gold-set", nargs="+", default=[], metavar="NAME", help="train --corpus: its gold sets")
        parser.add_argument("--grades", action="store_true", help="train --corpus: its graded answers, too")
        parser.add_argument("--wait", action="store_true", help="train --corpus: run here and return when done")
        settings_add(parser, ReaderTraining, PARAMETERS, help="train")

    def run(self, options: dict[str, Any]) -> None:
        _teacher_checked(options)
        if options["corpus"]:
            self._train_own(options)
            return
        if not options["data"]:
            raise ApplicationError("Name rows with --data, or with train a corpus with --corpus.", code="bad_arguments")
        try:
            getattr(self, f"_{options['action']}")(options)
        except WeightsWrong as error:
            raise ApplicationError(str(error), code="bad_reader") from error

    def _train(self, options: dict[str, Any]) -> None:
        out, start = _out(options), _start(options)
        for file in options["dev"]:
            rows_read(file)  # a wrong line is said now, not after hours
        tensors, about = reader_trained(
            options["data"],
            _training(options),
            work=Path(settings.VAR) / "reader",
            start=start,
            teacher=options["teacher"],
            note=self.note,
        )
        reader = reader_made(tensors, about, options["dev"], note=self.progress)
        self._written(out, reader, options)

    def _train_own(self, options: dict[str, Any]) -> None:
        organization, corpus = corpus_named(options)
        gold_sets = gold_sets_named(organization, corpus, options["gold_set"])
        training = settings_checked(OwnReaderTraining, settings_given(options, PARAMETERS))
        choices = ReaderChoices(gold_sets, options["grades"], training)
        version, job, words = self.started(READER, organization, corpus, choices, is_awaited=options["wait"])
        document: dict[str, Any] = {"id": version.pk, "number": version.number, "job": job.pk, **version.report}
        self.emit(document, options, json.dumps(version.report, indent=2) if options["wait"] else words)

    def _passages(self, options: dict[str, Any]) -> None:
        given = {"dropout": 0.0, "max_tokens": 128} | settings_given(options, OF_PASSAGES)
        training = settings_checked(EncoderTraining, given)
        out, work = _out(options), Path(settings.VAR) / "reader"
        work.mkdir(parents=True, exist_ok=True)
        reader = passages_trained(
            options["data"], options["dev"], training, work=work, start=_start(options), note=self.note
        )
        self._written(out, reader, options)

    def _written(self, out: Path, reader: Made, options: dict[str, Any]) -> None:
        out.write_bytes(reader.artefact)
        document = {
            **reader.manifest,
            "bytes": len(reader.artefact),
            "sha256": hashlib.sha256(reader.artefact).hexdigest(),
        }
        out.with_suffix(".json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        self.emit({"file": str(out), **document}, options, f"Written to {out}, its manifest beside it.")

    def _evaluate(self, options: dict[str, Any]) -> None:
        file = options["reader"] or reader_file()
        if not file.is_file():
            raise ApplicationError(f"There is no reader at {file}. Name one with --reader.", code="no_reader")
        rows = [row for one in options["data"] for row in rows_read(one)]
        document = evaluated(file.read_bytes(), rows, note=self.progress)
        self.emit(document, options, _table(document))


def _teacher_checked(options: dict[str, Any]) -> None:
    """Refuse a teacher, or its rate, where it would change nothing."""
    if options["teacher"] and options["corpus"]:
        raise ApplicationError(
            "--teacher goes with `reader train --data`, not with --corpus. Leave it out.", code="bad_arguments"
        )
    if options["teacher_rate"] is not None and not options["teacher"]:
        raise ApplicationError(
            "--teacher-rate goes with --teacher. Name the teacher's folder, or leave the rate out.",
            code="bad_arguments",
        )


def _out(options: dict[str, Any]) -> Path:
    out: Path | None = options["out"]
    if out is None or not out.parent.is_dir():
        raise ApplicationError("Name the reader's file with --out, in a folder that is there.", code="bad_arguments")
    return out


def _start(options: dict[str, Any]) -> bytes | None:
    file: Path | None = options["start"]
    if file is not None and not file.is_file():
        raise ApplicationError(f"There is no file {file}. Name one with --start.", code="no_start")
    return file.read_bytes() if file else None


def _training(options: dict[str, Any]) -> ReaderTraining:
    kind = TaughtTraining if options["teacher"] else ReaderTraining
    try:
        return kind(**settings_given(options, (*PARAMETERS, "teacher_rate")))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).replace("_", "-")
        raise ApplicationError(f"--{name}: {first['msg']}.", code="bad_arguments") from error


def _table(document: dict[str, Any]) -> str:
    """The figures for people: a block for all rows, and one for each source."""
    lines = []
    for figures in (document, *document["by_source"]):
        lines.append(f"{figures.get('source', 'all rows')}: n = {figures['n']}")
        for name, value in figures.items():
            if isinstance(value, float) and name != "seconds":
                interval = figures.get(f"{name}_interval")
                lines.append(f"  {name:<24}{value:.3f}" + (f"  {_interval(interval)}" if interval else ""))
        for name, beside in figures["beside"].items():
            parts = [f"{key} {value:.3f}" for key, value in beside.items() if isinstance(value, float)]
            more = [
                f"{key.removesuffix('_difference')} {value['value']:+.3f} {_interval(value)}"
                for key, value in beside.items()
                if key.endswith("_difference") and value["value"] is not None
            ]
            lines.append(f"  {name}: {', '.join(parts)}; the reader has {', '.join(more)}")
    return "\n".join([*lines, f"{document['seconds']} s"])


def _interval(interval: dict[str, Any]) -> str:
    return "" if interval["value"] is None else f"[{interval['low']:.3f}, {interval['high']:.3f}]"
