"""`tune CORPUS GOLDSET`: the parameter mapping of a corpus, tuned on one of its gold sets."""

from argparse import ArgumentParser
from time import monotonic
from typing import Any

from judging.gold.services.sets import gold_set_by_name
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.training.tuning.pages import verdict
from legalqa.training.tuning.services import TUNINGS, tuning_options, tuning_start, tuning_use
from legalqa.training.versions.commands import TrainingCommand, corpus_named


class Command(TrainingCommand):
    help = "Tune the parameter mapping of a corpus on a gold set, and say what it is worth on held-out questions."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("goldset", help="name or id of the gold set")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--classes", type=int, default=3, help="2 to 5, as many as the classifier knows")
        parser.add_argument("--plain", action="store_true", help="the fusion without the learned ranker")
        parser.add_argument("--rewrites", default="", metavar="N,N", help="numbers of rewrites by rules to try")
        parser.add_argument("--price", type=float, default=0.05, help="recall that 1,000 tokens are worth")
        parser.add_argument("--use", action="store_true", help="use the mapping from now on")

    def run(self, options: dict[str, Any]) -> None:
        started = monotonic()
        organization, corpus = corpus_named(options)
        with organization_scope(organization, user=None):
            gold_set = gold_set_by_name(organization=organization, corpus=corpus, name=options["goldset"])
            run = tuning_start(
                organization=organization,
                user=None,
                gold_set_id=gold_set.pk,
                options=tuning_options(
                    n_classes=options["classes"],
                    is_reranked=not options["plain"],
                    rewrites=_numbers(options["rewrites"]),
                    price=options["price"],
                ),
            )
            _, job = TUNINGS.get(organization=organization, run_id=run.pk)
        assert job is not None  # made with the run
        self.wait(job)
        with organization_scope(organization, user=None):
            run, _ = TUNINGS.get(organization=organization, run_id=run.pk)
        number = 0
        if options["use"]:
            with organization_scope(organization, user=None):
                number = tuning_use(organization=organization, user=None, tuning_id=run.pk).number
        document = {
            "corpus": corpus.slug,
            "goldset": gold_set.name,
            "tuning": run.pk,
            **run.report,
            "version": number,
            "seconds": round(monotonic() - started, 2),
        }
        self.emit(document, options, _table(document))


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ApplicationError(f"--rewrites is {text!r}; give whole numbers such as 3,5.", code="bad_tuning") from None


def _table(document: dict[str, Any]) -> str:
    lines = [f"{'held out':20} {'recall':>8} {'tokens':>8} {'recall per 1,000':>17}"]
    lines += [
        f"{line['name']:20} {line['recall']:8.3f} {1000 * line['kilotokens']:8.0f} {line['per_kilotoken']:17.3f}"
        for line in document["lines"]
    ]
    gain = document["differences"]["per_kilotoken"]
    if gain["value"] is not None:
        lines.append(
            f"tuned less fixed-{document['fixed_k']}, recall per 1,000 tokens: {gain['value']:+.3f}"
            f" [{gain['low']:+.3f}, {gain['high']:+.3f}], {document['questions']} questions"
        )
        lines.append(verdict(document)["words"])
    if document["version"]:
        lines.append(f"The corpus uses it from now on, as version {document['version']}.")
    return "\n".join(lines)
