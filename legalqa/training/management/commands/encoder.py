"""`encoder train | compare`: an encoder trained on gold sets of a corpus, or on a collection."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from corpora.models import Corpus
from corpora.selectors import corpus_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.training.choices import settings_checked
from legalqa.training.collections.questions import QUESTION_SETS
from legalqa.training.encoder.evaluation import MEASURES
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.public import public_report
from legalqa.training.encoder.services import ENCODER, EncoderChoices
from legalqa.training.ranker.evaluation import left_out_ranker, question_sets
from legalqa.training.versions.commands import (
    TrainingCommand,
    corpus_named,
    gold_sets_named,
    settings_add,
    settings_given,
)

PARAMETERS = (  # settings of the training that are options
    "epochs", "learning_rate", "batch", "negatives", "max_tokens", "mixing", "seed", "unlabelled", "angle",
)  # fmt: skip


class Command(TrainingCommand):
    help = "Train an encoder on gold sets in the background, and compare it with the one in use."
    acts = {
        "train": ("gold_set", "elsewhere", "share", "wait", *PARAMETERS),
        "compare": ("number", "collection", "data", "dense", "elsewhere", "share", *PARAMETERS),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", nargs="?", help="slug, name or id of the corpus")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--gold-set", nargs="+", default=[], metavar="NAME", help="train: gold sets of the corpus")
        parser.add_argument(
            "--elsewhere",
            nargs="+",
            default=[],
            metavar="NAME",
            help="train: gold sets of other corpora, as CORPUS/NAME; compare: other collections",
        )
        parser.add_argument("--share", type=float, help="share of the questions to train on (default .6)")
        settings_add(parser, EncoderTraining, PARAMETERS)
        parser.add_argument("--number", type=int, help="compare: which encoder of the corpus")
        parser.add_argument("--wait", action="store_true", help="train: run here and return when done")
        parser.add_argument("--collection", choices=list(QUESTION_SETS), help="compare: train on a public collection")
        parser.add_argument("--data", default=settings.DATA, help="folder of the data sets")
        parser.add_argument("--dense", action="store_true", help="compare --collection: dense retrieval only")

    def run(self, options: dict[str, Any]) -> None:
        if options["collection"]:
            self._collection(options)
            return
        if not options["corpus"]:
            raise ApplicationError("Name the corpus.", code="bad_arguments")
        organization, corpus = corpus_named(options)
        act = self._train if options["action"] == "train" else self._compare
        act(organization, corpus, options)

    def _train(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        gold_sets, elsewhere = gold_sets_named(organization, corpus, options["gold_set"]), list[UUID]()
        for corpus_name, _, name in (name.rpartition("/") for name in options["elsewhere"]):
            with organization_scope(organization, user=None):
                other = corpus_by_name(organization=organization, name=corpus_name)
            elsewhere += gold_sets_named(organization, other, [name])
        choices = EncoderChoices(gold_sets, settings_checked(EncoderTraining, _settings(options)), elsewhere)
        version, job, words = self.started(ENCODER, organization, corpus, choices, is_awaited=options["wait"])
        if options["wait"]:
            self._compare(organization, corpus, {**options, "number": version.number})
            return
        self.emit({"id": version.pk, "number": version.number, "job": job.pk}, options, words)

    def _compare(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        with organization_scope(organization, user=None):
            version = self.version_numbered(ENCODER, corpus, options["number"])
        document = {"corpus": corpus.slug, "number": version.number, "encoder": version.name, **version.report}
        self.emit(document, options, report_text(version.report))

    def _collection(self, options: dict[str, Any]) -> None:
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        data, name = Path(options["data"]), options["collection"]
        if unknown := sorted(set(options["elsewhere"]) - set(QUESTION_SETS)):
            names = ", ".join(QUESTION_SETS)
            raise ApplicationError(
                f"No collection is called {unknown[0]!r}; choose from: {names}.", code="unknown_collection"
            )
        settings = settings_checked(EncoderTraining, _settings(options))
        collections = dict.fromkeys((name, *options["elsewhere"]))
        sets = {one: QUESTION_SETS[one](data) for one in collections} if options["dense"] else question_sets(data)
        report = public_report(
            sets,
            collection=name,
            elsewhere=options["elsewhere"],
            settings=settings,
            ranker=None if options["dense"] else left_out_ranker(data, name),
            note=self.note,
        )
        self.emit({"collection": name, **report}, options, report_text(report))


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    given = settings_given(options, PARAMETERS)
    return given if options["share"] is None else given | {"held_out": round(1 - options["share"], 6)}


def report_text(report: dict[str, Any]) -> str:
    """Before and after as a table, for people."""
    questions = report["questions"]
    lines = [
        f"learned from {questions['learned']} questions, judged on {questions['held_out']} of other documents",
        f"{'':34} {'measure':>10} {'before':>7} {'after':>7} {'difference':>22}",
    ]
    for row in [*report["rows"], *report["elsewhere"]]:
        title = f"{row['corpus']}: {row['title']}" if "corpus" in row else row["title"]
        if row.get("skipped"):
            lines.append(f"{title[:34]:34} {row['skipped']}")
            continue
        for measure in MEASURES:
            lines.append(f"{title[:34]:34} {measure:>10} {_line(row, measure)}")
            title = ""
    return "\n".join(lines)


def _line(row: dict[str, Any], measure: str) -> str:
    interval = row["difference"][measure]
    if interval["value"] is None:
        return str(interval["undefined"])
    difference = f"{interval['value']:+.3f} [{interval['low']:+.3f}, {interval['high']:+.3f}]"
    return f"{row['before'][measure]:7.3f} {row['after'][measure]:7.3f} {difference:>22}"
