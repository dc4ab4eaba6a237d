"""What the pages of tunings show."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from corpora.selectors import corpus_get
from judging.gold.services.sets import GoldSetCounts, gold_set_list
from judging.models import TuningRun
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job
from legalqa.jobs.pages import work_shown, work_state
from legalqa.jobs.selectors import with_jobs
from legalqa.training.tuning.choosing import MIN_QUESTIONS
from legalqa.training.tuning.forms import TuningForm
from legalqa.training.tuning.services import TUNINGS, TuningOptions
from retrieval.graph.selectors import graph_of
from retrieval.pages.mappings import bands_words, class_titles, mapping_rows
from retrieval.services.mappings import mapping_read

RUNS_SHOWN = 10
STAGES = {"fitting": "Comparing mappings", "": "Searching for every question"}
LINES = {
    "tuned": ("Tuned", "the mapping found on the other documents"),
    "fixed": ("Best fixed k", "one k for every question, chosen on the other documents"),
    "hand-set": ("Set by hand", "the packaged mapping, by the predicted class"),
    "oracle class": ("Tuned, class known", "as tuned, if the class were always right: the upper bound of a classifier"),
    "random class": ("Tuned, random class", "as tuned, with random classes: the lower bound"),
    "classes alone": ("Classes alone, predicted", "no bands: k by the predicted class"),
    "oracle class alone": ("Classes alone, known", "no bands: k by the true class"),
    "oracle k": ("Every question cut at its last right passage", "what nothing can exceed"),
}


def tunings_page(*, organization: Organization, corpus_id: UUID, form: TuningForm) -> dict[str, Any]:
    """The form that starts a tuning, and what was tuned."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    runs = TUNINGS.of_corpus(corpus)[:RUNS_SHOWN]
    return {
        "corpus": corpus,
        "form": form,
        "min_questions": MIN_QUESTIONS,
        "lacking": _lacking(gold_set_list(organization=organization, corpus_id=corpus_id)),
        "runs": [
            {"run": run, "state": work_state(job, without=""), "gain": gain_words(run)}
            for run, job in with_jobs(organization=organization, rows=runs)
        ],
    }


def _lacking(gold_sets: Sequence[GoldSetCounts]) -> dict[str, str] | None:
    """What the corpus needs before its search can be tuned, which takes one gold set; None: nothing."""
    if not gold_sets:
        words = f"Tuning needs questions with the passages that answer them: {MIN_QUESTIONS} at least."
        return {"title": "No gold set yet", "words": words, "do": "Create a gold set"}
    largest = max(gold_sets, key=lambda row: row.n_answerable)
    if largest.n_answerable >= MIN_QUESTIONS:
        return None
    n = f"{largest.n_answerable} answerable question{'' if largest.n_answerable == 1 else 's'}"
    return {
        "title": f"{largest.n_answerable} of {MIN_QUESTIONS} questions",
        "words": f"The largest gold set of this corpus, {largest.gold_set.name}, has {n}. Tuning needs {MIN_QUESTIONS} "
        "in one gold set.",
        "do": "Add questions",
    }


def tuning_page(*, run: TuningRun, job: Job | None) -> dict[str, Any]:
    """A tuning: how far it is, or what it came to."""
    options = TuningOptions.model_validate(run.options)
    context: dict[str, Any] = {
        "run": run,
        "corpus": run.corpus,
        "options": options,
        **work_shown(job, stages=STAGES, without=""),
    }
    if run.report:
        mapping = mapping_read(data=run.report["mapping"])
        context["report"] = run.report
        context["lines"] = _lines(run.report)
        context["verdict"] = verdict(run.report)
        context["mapping_rows"] = mapping_rows(mapping, has_graph=graph_of(corpus=run.corpus) is not None)
        context["titles"] = class_titles(options.n_classes)
        context["bands"] = bands_words(mapping)
    return context


def gain_words(run: TuningRun) -> str:
    difference = run.report.get("differences", {}).get("per_kilotoken", {})
    return "" if difference.get("value") is None else _signed(difference)


def _signed(difference: dict[str, Any]) -> str:
    return f"{difference['value']:+.3f} [{difference['low']:+.3f}, {difference['high']:+.3f}]"


def _lines(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The settings as a table, with a bar as wide as their recall per 1,000 tokens; the last is not to scale."""
    widest = max(line["per_kilotoken"] for line in report["lines"] if line["name"] != "oracle k") or 1.0
    lines = {line["name"]: line for line in report["lines"]}
    return [
        {
            "title": title,
            "help": words,
            "recall": lines[name]["recall"],
            "tokens": round(1000 * lines[name]["kilotokens"]),
            "per_kilotoken": lines[name]["per_kilotoken"],
            "width": min(100, round(100 * lines[name]["per_kilotoken"] / widest)),
            "is_tuned": name == "tuned",
        }
        for name, (title, words) in LINES.items()
        if name in lines
    ]


def verdict(report: dict[str, Any]) -> dict[str, Any]:
    """In words, whether the tuned mapping is better than the best fixed k: what the intervals allow, and no more."""
    gain, recall = report["differences"]["per_kilotoken"], report["differences"]["recall"]
    if gain["value"] is None or recall["value"] is None:
        undefined = gain["undefined"] or recall["undefined"]
        return {"tone": "withheld", "words": f"The difference is undefined: {undefined}.", "figures": ""}
    is_ok = gain["low"] > 0 and recall["low"] >= 0
    if gain["low"] <= 0:
        words = "Not better than the best fixed k by more than chance. Nothing is gained by using it."
    elif recall["high"] < 0:
        words = "Fewer tokens for what it finds, but it finds less than the best fixed k. Weigh the two."
    elif recall["low"] < 0:
        words = (
            "Fewer tokens for what it finds than the best fixed k, but a loss of recall of up to "
            f"{-recall['low']:.3f} cannot be excluded. Weigh the two."
        )
    else:
        words = "Better than the best fixed k on questions it was not tuned on, without loss of recall."
    doubts = [*_doubts(report)] if gain["low"] > 0 else []
    figures = f"Recall per 1,000 tokens {_signed(gain)}; recall {_signed(recall)}."
    return {"tone": "ok" if is_ok and not doubts else "partly", "words": " ".join([words, *doubts]), "figures": figures}


def _doubts(report: dict[str, Any]) -> Iterator[str]:
    """What a gain is not shown to come from, or to hold for."""
    if _lot_does_as_well(report):
        yield "Random classes do as well, so the gain does not come from the class of the question."
    if report["documents"] < 2:
        yield "All questions are about connected documents, so the result says nothing about other documents."


def _lot_does_as_well(report: dict[str, Any]) -> bool:
    """Whether the tuned mapping is not shown to be better than itself with random classes."""
    over = report["differences"].get("over_chance")
    if over is not None and over["value"] is not None:
        return bool(over["low"] <= 0)
    lines = {line["name"]: line["per_kilotoken"] for line in report["lines"]}  # of a report without that interval
    return bool(lines.get("random class", 0.0) >= lines["tuned"])
