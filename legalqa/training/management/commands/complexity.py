"""`complexity train | evaluate | predict | generate | augment`: classifiers of how complex a question is."""

import json
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError

from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.config import bytes_fingerprint
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import rows_read, settings_read
from legalqa.training.choices import settings_checked
from legalqa.training.classifier.augmentation import Shares, augment
from legalqa.training.classifier.data import (
    COLLECTIONS,
    csv_read,
    csv_text_of,
    gold_set_rows,
    passages_by_document,
)
from legalqa.training.classifier.evaluation import held_out, table_document, table_text, tables
from legalqa.training.classifier.fitting import KINDS, TrainingSettings, rows_check
from legalqa.training.classifier.generation import has_model, questions_generate, rewritten
from legalqa.training.classifier.report import report_document
from legalqa.training.classifier.services import CLASSIFIER, ClassifierChoices
from legalqa.training.classifier.training import (
    classifier_train,
    provenance_of,
    steps_to_end,
    training_rows,
    with_provenance,
)
from legalqa.training.versions.commands import TrainingCommand, corpus_named, settings_add, settings_given
from retrieval.complexity.predicting import classifier_in_use
from retrieval.complexity.reading import classifier_read, packaged
from retrieval.complexity.types import Classifier, ClassifierError, LabelledText

PARAMETERS = (  # settings of the training that are options
    "seed", "learning_rate", "batch", "epochs", "weight_decay", "validation_share", "patience", "test_share",
    "max_tokens", "max_words",
)  # fmt: skip
OF_ROWS = ("data", "corpus", "gold_set")
OF_TRAINING = ("model", "classes", "unbalanced", "augment", "shares", *PARAMETERS)


class Command(TrainingCommand):
    help = "Train, test and use classifiers that say how many passages an answer to a question is likely to need."
    acts = {
        "train": (*OF_ROWS, *OF_TRAINING, "out"),
        "evaluate": (*OF_ROWS, *OF_TRAINING, "test", "folds"),
        "predict": ("text", "questions", "classifier", "classes", "corpus"),
        "generate": ("collection", "corpus", "gold_set", "llm", "seed", "out"),
        "augment": ("data", "shares", "seed", "rules", "replace", "out"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("text", nargs="?", help="predict: the question")
        parser.add_argument("--data", metavar="FILE.csv", help="questions with labels: columns question and label")
        parser.add_argument("--test", metavar="FILE.csv", help="evaluate: test on these instead of a share of the data")
        parser.add_argument("--model", choices=list(KINDS), help="train, evaluate: the kind (evaluate: default all)")
        parser.add_argument(
            "--classes", type=int, metavar="N", help="2 to 5; evaluate: default is 2, and 3 if the CSV has them"
        )
        parser.add_argument(
            "--folds", type=int, default=1, help="evaluate: number of folds; each question is tested once"
        )
        parser.add_argument("--unbalanced", action="store_true", help="do not weight classes by rarity")
        parser.add_argument("--augment", action="store_true", help="train, evaluate: learn from changed questions too")
        parser.add_argument(
            "--shares", nargs="+", default=[], metavar="CHANGE=SHARE", help="e.g. vague=0.1 verbose=0.3"
        )
        settings_add(parser, TrainingSettings, PARAMETERS)
        parser.add_argument("--out", type=Path, help="train: the classifier's file; generate, augment: the CSV")
        parser.add_argument("--classifier", metavar="FILE", help="predict: a classifier that train has written")
        parser.add_argument("--questions", metavar="FILE.jsonl", help="predict: objects with id and text")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--corpus", help="predict, generate: the corpus; train: make it a version of this corpus")
        parser.add_argument("--gold-set", metavar="NAME", help="train, generate: the corpus's gold set of this name")
        parser.add_argument(
            "--collection", action="append", choices=list(COLLECTIONS), help="generate: from a public collection"
        )
        parser.add_argument("--llm", type=int, metavar="N", help="generate: N questions by the language model")
        parser.add_argument("--rules", action="store_true", help="augment: by rules even if a model is set up")
        parser.add_argument(
            "--replace", action="store_true", help="augment: leave out the originals of changed questions"
        )

    def run(self, options: dict[str, Any]) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except ClassifierError as error:
            raise ApplicationError(str(error), code="classifier") from error

    # -- Training and testing -----------------------------------------------------------------------------------------

    def _train(self, options: dict[str, Any]) -> None:
        rows, source = self._rows(options)
        parameters = self._settings(options, kind=options["model"] or "svm", n_classes=options["classes"] or 3)
        rows_check(rows, parameters)
        if options["corpus"] and not options["out"]:
            organization, corpus = corpus_named(options)
            choices = ClassifierChoices(rows, source, parameters)
            version, job, _ = self.started(CLASSIFIER, organization, corpus, choices, is_awaited=False)
            words = f"Version {version.number} is trained in the background, by the workers of `up`."
            self.emit({"id": version.pk, "number": version.number, "job": job.pk}, options, words)
            return
        learned, tested = held_out(rows, parameters)
        self.note(f"learning from {len(learned)} questions …")
        steps = steps_to_end(_checkpoints(), self.progress)
        trained = classifier_train(learned, parameters, source=source, steps=steps)
        assert trained is not None  # all steps were done
        report = report_document(
            trained.classifier,
            learned=training_rows(learned, parameters),
            tested=tested,
            settings=parameters,
            seconds=trained.seconds,
            epochs=trained.epochs,
        )
        figures, interval = report.pop("figures"), report.pop("f1")
        del report["asked"]
        document = {"model": parameters.kind, "n_classes": parameters.n_classes, **figures, **report, "file": None}
        document |= {"f1_low": interval["low"], "f1_high": interval["high"]}
        if options["out"]:
            reached = {name: document[name] for name in ("precision", "recall", "f1", "n_train", "n_test")}
            provenance = provenance_of(training_rows(learned, parameters), parameters, source=source) | {
                "reached": reached
            }
            data = with_provenance(trained.classifier, provenance).as_bytes()
            options["out"].write_bytes(data)
            document |= {"file": str(options["out"]), "bytes": len(data), "fingerprint": bytes_fingerprint(data)}
        self.emit(document, options, _trained_text(document))

    def _evaluate(self, options: dict[str, Any]) -> None:
        rows, source = self._rows(options)
        test = csv_read(options["test"]) if options["test"] else None
        kinds = [options["model"]] if options["model"] else list(KINDS)
        documents = []
        n_labels = max((row.label for row in rows), default=0) + 1
        for n_classes in [options["classes"]] if options["classes"] else [3, 2] if n_labels > 2 else [2]:
            parameters = self._settings(options, kind="svm", n_classes=n_classes)
            rows_check(rows, parameters)
            table = tables(
                rows,
                parameters,
                kinds=kinds,
                n_folds=options["folds"],
                source=source,
                work=_checkpoints(),
                test=test,
                note=self.progress,
            )
            documents.append(table_document(table))
        only = documents[0]["rows"][0] if len(documents) == 1 and options["model"] else {}
        self.emit({**only, "tables": documents}, options, "\n\n".join(table_text(document) for document in documents))

    def _settings(self, options: dict[str, Any], **values: Any) -> TrainingSettings:
        shares = _shares(options) if options["augment"] or options["shares"] else None
        values |= {"balanced": not options["unbalanced"], "shares": shares.model_dump() if shares else None}
        return settings_checked(TrainingSettings, values | settings_given(options, PARAMETERS))

    def _rows(self, options: dict[str, Any]) -> tuple[list[LabelledText], str]:
        if options["data"]:
            return csv_read(options["data"]), Path(options["data"]).name
        if options["gold_set"]:
            return _gold_set(options), f"gold set {options['gold_set']}"
        raise ApplicationError("Give the questions with --data FILE.csv, or --corpus and --gold-set.", code="no_data")

    # -- Using --------------------------------------------------------------------------------------------------------

    def _predict(self, options: dict[str, Any]) -> None:
        if (options["text"] is None) == (options["questions"] is None):
            raise ApplicationError("Give one question, or --questions FILE.jsonl, not both.", code="bad_arguments")
        rows = [{"id": "1", "text": options["text"]}]
        if options["questions"]:
            rows = rows_read(options["questions"], needed=("id", "text"))
        classifier, version = _classifier(options)
        chances = classifier.probabilities([row["text"] for row in rows])
        predictions = [
            {
                "id": row["id"],
                "text": row["text"],
                "label": label,
                "probabilities": [round(float(value), 4) for value in values],
            }
            for row, label, values in zip(rows, classifier.decide(chances).tolist(), chances, strict=True)
        ]
        document = {
            "model": classifier.kind,
            "version": version,
            "classes": classifier.n_classes,
            "predictions": predictions,
        }
        lines = [f"{p['label']}  {p['probabilities'][p['label']]:.2f}  {p['text']}" for p in predictions]
        self.emit(document, options, "\n".join(lines))

    # -- Questions to train on ----------------------------------------------------------------------------------------

    def _generate(self, options: dict[str, Any]) -> None:
        if options["collection"]:
            folder = settings.DATA
            if not folder:
                raise ApplicationError("Name the folder of the data sets in LEGALQA_DATA.", code="no_data")
            rows = [row for name in options["collection"] for row in COLLECTIONS[name](Path(folder))]
        elif options["gold_set"]:
            rows = _gold_set(options)
        elif options["llm"]:
            rows = self._by_model(options)
        else:
            raise ApplicationError(
                "Say where the questions come from: --gold-set, --collection or --llm N.",
                code="bad_arguments",
            )
        self._write(rows, options, {})

    def _by_model(self, options: dict[str, Any]) -> list[LabelledText]:
        organization, corpus = corpus_named(options)
        with organization_scope(organization, user=None):
            texts = passages_by_document(corpus=corpus)
        each = -(-options["llm"] // max(1, len(texts)))
        rows: list[LabelledText] = []
        silent: ApplicationError | None = None
        for group, passages in texts.items():
            if len(rows) >= options["llm"]:
                break
            try:
                rows += questions_generate(
                    passages,
                    organization=organization,
                    n=min(each, options["llm"] - len(rows)),
                    seed=(options["seed"] or 5) + len(rows),
                    group=group,
                    note=self.progress,
                )
            except ApplicationError as error:  # questions of other documents are paid for, and kept
                silent = error
        if silent is not None and not rows:
            raise silent
        return rows

    def _augment(self, options: dict[str, Any]) -> None:
        rows, shares, seed = csv_read(options["data"] or ""), _shares(options), options["seed"] or 5
        plain = [row for row in rows if not row.change]
        organization = None if options["rules"] else _organization_with_model(options)
        by_model: dict[str, Any] = {}
        if organization is not None:
            by_model = {"rewrite": partial(rewritten, organization), "note": self.progress}
        try:
            augmented = augment(plain, shares=shares, seed=seed, **by_model)
        except ValueError as error:
            raise ApplicationError(str(error), code="bad_shares") from error
        originals = {row.original for row in augmented.rows} if options["replace"] else set()
        rest = [row for row in rows if row.text not in originals]
        how = {"changed": len(augmented.rows), "shares": augmented.shares, "total_share": augmented.total}
        self._write([*rest, *augmented.rows], options, how | {"by_model": organization is not None})

    def _write(self, rows: list[LabelledText], options: dict[str, Any], more: dict[str, Any]) -> None:
        if not rows:
            raise ApplicationError(
                "No question there has a class. Take another source, or one with marked passages.", code="nothing_found"
            )
        counts = {str(label): sum(row.label == label for row in rows) for label in sorted({r.label for r in rows})}
        document = {"questions": len(rows), "labels": counts, **more}
        if options["out"]:
            options["out"].write_text(csv_text_of(rows), encoding="utf-8")
            document["file"] = str(options["out"])
            self.emit(document, options, json.dumps(document, indent=2))
        elif options["json"]:
            document["rows"] = [row.as_mapping() for row in rows]
            self.emit(document, options, "")
        else:
            self.emit(document, options, csv_text_of(rows))


def _checkpoints() -> Path:
    """Where a fine-tuning at the command line keeps what it resumes from."""
    return Path(settings.VAR) / "complexity"


def _shares(options: dict[str, Any]) -> Shares:
    shares = {name.replace("-", "_"): value for name, value in settings_read(options["shares"]).items()}
    try:
        return Shares.model_validate(shares)
    except ValueError:
        names = ", ".join(name.replace("_", "-") for name in Shares.model_fields)
        raise ApplicationError(f"Give shares as CHANGE=NUMBER, with these: {names}.", code="bad_shares") from None


def _gold_set(options: dict[str, Any]) -> list[LabelledText]:
    organization, corpus = corpus_named(options)
    with organization_scope(organization, user=None):
        gold_set = GoldSet.objects.filter(corpus=corpus, name=options["gold_set"]).first()
        if gold_set is None:
            raise ApplicationError(
                f"The corpus has no gold set {options['gold_set']!r}. List them with `manage.py goldset list`.",
                code="unknown_gold_set",
            )
        return gold_set_rows(gold_set=gold_set)


def _classifier(options: dict[str, Any]) -> tuple[Classifier, str]:
    if options["classifier"]:
        file = Path(options["classifier"])
        if not file.is_file():
            raise ApplicationError(f"There is no file {file}. Name one with --classifier.", code="no_file")
        return classifier_read(file.read_bytes()), file.name
    n_classes = options["classes"] or 3
    if not options["corpus"]:
        return packaged(n_classes)[0], "packaged"
    _, corpus = corpus_named(options)
    classifier, version, _ = classifier_in_use(corpus=corpus, n_classes=n_classes)
    return classifier, version


def _organization_with_model(options: dict[str, Any]) -> Organization | None:
    """The organisation whose model writes; None where there is none, and nobody named one."""
    try:
        organization = organization_get(slug=options["organization"])
        return organization if has_model(organization=organization) else None
    except (ApplicationError, OperationalError):  # rules need neither an organisation nor a database
        if options["organization"]:
            raise
        return None


def _trained_text(document: dict[str, Any]) -> str:
    lines = [
        f"{document['model']}, learned from {document['n_train']}, asked about {document['n_test']}",
        f"macro precision {document['precision']:.2f}, recall {document['recall']:.2f}, F1 {document['f1']:.2f}"
        f" [{document['f1_low']:.2f}, {document['f1_high']:.2f}]; F1 of the classes "
        + ", ".join(f"{c['label']}: {c['f1']:.2f}" for c in document["classes"]),
    ]
    if document["file"]:
        lines.append(f"{document['file']}, {document['bytes']:,} bytes")
    return "\n".join(lines)
