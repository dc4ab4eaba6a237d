"""`experiment run | list`: compare configurations on a gold set, and what was compared."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from corpora.selectors import corpus_by_name
from judging.experiments.pages import left_out_words
from judging.experiments.report import table_text
from judging.experiments.services import EXPERIMENTS, experiment_start
from judging.experiments.settings import ExperimentError, experiment_settings
from judging.gold.services.sets import gold_set_by_name
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.queries import settings_read
from legalqa.jobs.waiting import JobCommand


class Command(JobCommand):
    help = "Compare presets on a gold set: the table with intervals and differences. Runs here to its end."
    acts = {
        "run": (
            "gold_set", "presets", "grid", "generators", "judges", "measures", "repeats", "baseline", "budget", "name",
        ),
        "list": (),
    }  # fmt: skip

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("gold_set", nargs="?", help="run: name or id of the gold set")
        parser.add_argument("--corpus", help="slug, name or id, if several corpora have a gold set of that name")
        parser.add_argument("--presets", default="", metavar="A,B,…", help='each may carry changes: "naive k=3"')
        parser.add_argument("--grid", nargs="+", default=[], metavar="KEY=V1,V2", help="every combination is compared")
        parser.add_argument("--generators", default="quoted", metavar="G", help="quoted, written, written:MODEL")
        parser.add_argument("--judges", default="", metavar="A,B,…")
        parser.add_argument("--measures", "--metrics", default="", metavar="A,B,…", help="default: all")
        parser.add_argument("--repeats", type=int, default=1, help="how often a model is asked each question")
        parser.add_argument("--baseline", default="", help="what the others are compared with; default: the first")
        parser.add_argument("--budget", help="maximum cost of the models")
        parser.add_argument("--name", default="")
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        {"run": self._run, "list": self._list}[options["action"]](organization, options)

    def _run(self, organization: Organization, options: dict[str, Any]) -> None:
        settings = experiment_settings(
            presets=_several(options["presets"]),
            grid={name: _several(values) for name, values in settings_read(options["grid"]).items()},
            generators=_several(options["generators"]),
            measures=_several(options["measures"]),
            judges=_several(options["judges"]),
            repeats=options["repeats"],
            baseline=options["baseline"],
            budget=_money(options["budget"]),
        )
        with organization_scope(organization, user=None):
            gold_set = _gold_set(organization, options)
            experiment = experiment_start(
                organization=organization,
                user=None,
                gold_set_id=gold_set.pk,
                settings=settings,
                name=options["name"],
                is_enqueued=False,
            )
            _, job = EXPERIMENTS.get(organization=organization, run_id=experiment.pk)
        if n_left_out := experiment.provenance["left_out"]:
            self.note(left_out_words(n_left_out))
        if own_judging := experiment.provenance["own_judging"]:
            self.note(own_judging)
        assert job is not None  # made with it
        self.wait(job)
        with organization_scope(organization, user=None):
            experiment.refresh_from_db()
        document = {"id": experiment.pk, "name": experiment.name, "gold_set": gold_set.name}
        document |= {"provenance": experiment.provenance, **experiment.report}
        self.emit(document, options, table_text(experiment.report))

    def _list(self, organization: Organization, options: dict[str, Any]) -> None:
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"] or "")
            rows = [
                {
                    "id": one.pk,
                    "name": one.name,
                    "gold_set": one.gold_set.name,
                    "is_done": bool(one.report),
                    "created_at": one.created_at,
                }
                for one in EXPERIMENTS.of_corpus(corpus)
            ]
        lines = [f"{row['created_at']:%Y-%m-%d %H:%M}  {row['name']} on {row['gold_set']}" for row in rows]
        self.emit({"experiments": rows}, options, "\n".join(lines) or "No experiment yet.")


def _several(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _money(text: str | None) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        raise ExperimentError(f"The budget {text!r} is not a number.") from None


def _gold_set(organization: Organization, options: dict[str, Any]) -> GoldSet:
    """The gold set of that name, of the corpus where one is named.

    Raises:
        ApplicationError: there is none, or several corpora have one.
    """
    name = options["gold_set"] or ""
    if options["corpus"]:
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        return gold_set_by_name(organization=organization, corpus=corpus, name=name)
    sets = list(GoldSet.objects.filter(organization=organization).select_related("corpus").order_by("name"))
    matches = [one for one in sets if name in (one.name, str(one.pk))]
    if len(matches) == 1:
        return matches[0]
    if matches:
        corpora = ", ".join(one.corpus.slug for one in matches)
        raise ExperimentError(f"Several corpora have a gold set {name!r}: name one with --corpus ({corpora}).")
    names = ", ".join(f"{one.name} ({one.corpus.slug})" for one in sets) or "none yet"
    raise ExperimentError(f"There is no gold set {name!r}. This organisation has: {names}.")
