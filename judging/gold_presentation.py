"""What the pages of gold sets and tunings show."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F
from django.urls import reverse

from corpora.models import Position
from corpora.selectors import corpus_get
from judging.forms import TuningForm
from judging.gold_sets import gold_references, gold_set_list, marks_count
from judging.models import GoldQuestion, GoldReference, TuningRun
from judging.tuning import MIN_QUESTIONS
from judging.tunings import TuningOptions, mapping_of, tuning_list
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from retrieval.mapping_presentation import bands_words, class_titles, mapping_rows

RUNS_SHOWN = 10
LINES = {
    "tuned": ("Tuned", "the mapping found on the other documents"),
    "fixed": ("Best fixed k", "one k for every question, chosen on the other documents"),
    "hand-set": ("Set by hand", "the mapping of the paper, by the predicted class"),
    "oracle class": ("Tuned, class known", "as tuned, if the class were always right: the upper bound of a classifier"),
    "random class": ("Tuned, class drawn by lot", "as tuned, with classes drawn by lot: the lower bound"),
    "classes alone": ("Classes alone, predicted", "no bands: k by the predicted class"),
    "oracle class alone": ("Classes alone, known", "no bands: k by the true class"),
    "oracle k": ("Every question cut at its last right passage", "what nothing can pass"),
}
REASONS = {
    "gold_set_removed": "The gold set was removed.",
    "too_few_questions": "Too few of its questions are left.",
    "cancelled": "Somebody cancelled it. What was searched is kept.",
    "fault": "A fault in the system stopped it. Try again; if it stops again, tell an operator.",
    "crashed": "It stopped several times without getting further. Try again, or tell an operator.",
}


def gold_set_choices(*, organization: Organization, corpus_id: UUID) -> list[tuple[str, str]]:
    """The gold sets of a corpus for a form."""
    found = gold_set_list(organization=organization, corpus_id=corpus_id)
    return [(str(row.gold_set.pk), f"{row.gold_set.name} ({row.n_answerable} answerable)") for row in found]


def gold_set_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The gold sets of a corpus, the form to tune on one, and what was tuned."""
    found = gold_set_list(organization=organization, corpus_id=corpus_id)
    runs = list(tuning_list(organization=organization, corpus_id=corpus_id)[:RUNS_SHOWN])
    jobs = job_latest_by_subject(organization=organization, subject_ids=[run.pk for run in runs])
    choices = [(str(row.gold_set.pk), f"{row.gold_set.name} ({row.n_answerable} answerable)") for row in found]
    return {
        "corpus": corpus_get(organization=organization, corpus_id=corpus_id),
        "sets": found,
        "n_marked": marks_count(organization=organization, corpus_id=corpus_id),
        "tuning_form": TuningForm(gold_sets=choices),
        "min_questions": MIN_QUESTIONS,
        "runs": [{"run": run, "state": _state(jobs.get(run.pk)), "gain": _gain(run)} for run in runs],
    }


def question_rows(*, questions: Sequence[GoldQuestion], slug: str) -> list[dict[str, Any]]:
    """Questions with their references as links into the reader."""
    references = gold_references(questions=questions)
    paragraphs = [r.paragraph_id for held in references.values() for r in held]
    live = Position.objects.filter(paragraph_id__in=paragraphs, version=F("paragraph__document__current"))
    places = dict(live.values_list("paragraph_id", "ordinal"))
    rows = []
    for question in questions:
        passages = [
            {
                "text": r.paragraph.text[slice(r.start, r.end)].strip(),
                "document": r.paragraph.document.title,
                "is_gone": r.paragraph.document.removed_at is not None or r.paragraph_id not in places,
                "url": _reader_url(r, places, slug),
            }
            for r in references.get(question.pk, ())
        ]
        rows.append({"question": question, "passages": passages})
    return rows


def _reader_url(reference: GoldReference, places: dict[int, int], slug: str) -> str:
    """The reader, open at the passage in the version that is searched now."""
    paragraph = reference.paragraph
    url = reverse("document_detail", args=[slug, paragraph.document_id])
    end = reference.end or len(paragraph.text)
    return f"{url}?at={places.get(paragraph.pk, 0)}:{reference.start or 0}-{end}"


def tuning_page(*, run: TuningRun, job: Job | None) -> dict[str, Any]:
    """A tuning: how far it is, or what it came to."""
    options = TuningOptions.model_validate(run.options)
    context: dict[str, Any] = {
        "run": run,
        "job": job,
        "corpus": run.corpus,
        "options": options,
        "state": _state(job),
        "reason": REASONS.get(job.reason, "") if job is not None and not job.is_open else "",
    }
    if run.report:
        context["report"] = run.report
        context["lines"] = _lines(run.report)
        context["verdict"] = _verdict(run.report)
        context["mapping_rows"] = mapping_rows(mapping_of(run.report))
        context["titles"] = class_titles(options.n_classes)
        context["bands"] = bands_words(mapping_of(run.report))
    return context


def _state(job: Job | None) -> str:
    if job is None:
        return ""
    return "working" if job.is_open and job.stage else str(job.state)


def _gain(run: TuningRun) -> str:
    found = run.report.get("differences", {}).get("per_kilotoken", {})
    return "" if found.get("value") is None else _signed(found)


def _signed(found: dict[str, Any]) -> str:
    return f"{found['value']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]"


def _lines(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The settings as a table, with a bar as wide as their recall per 1,000 tokens; the last is not to scale."""
    widest = max(line["per_kilotoken"] for line in report["lines"] if line["name"] != "oracle k") or 1.0
    held = {line["name"]: line for line in report["lines"]}
    return [
        {
            "title": title,
            "help": words,
            "recall": held[name]["recall"],
            "tokens": round(1000 * held[name]["kilotokens"]),
            "per_kilotoken": held[name]["per_kilotoken"],
            "width": min(100, round(100 * held[name]["per_kilotoken"] / widest)),
            "is_tuned": name == "tuned",
        }
        for name, (title, words) in LINES.items()
        if name in held
    ]


def _verdict(report: dict[str, Any]) -> dict[str, Any]:
    """In words, whether the tuned mapping is better than the best fixed k."""
    gain, recall = report["differences"]["per_kilotoken"], report["differences"]["recall"]
    if gain["value"] is None:
        return {"tone": "withheld", "words": f"The difference is undefined: {gain['undefined']}.", "figures": ""}
    loses = recall["high"] is not None and recall["high"] < 0
    if gain["low"] > 0 and not loses:
        words = "Better than the best fixed k on questions it was not tuned on, with no loss of recall to be seen."
    elif gain["low"] > 0:
        words = "Fewer tokens for what it finds, but it finds less than the best fixed k. Weigh the two."
    else:
        words = "Not better than the best fixed k by more than chance. Nothing is gained by using it."
    figures = f"Recall per 1,000 tokens {_signed(gain)}; recall {_signed(recall)}."
    return {"tone": "ok" if gain["low"] > 0 and not loses else "partly", "words": words, "figures": figures}
