"""The landing page of judging: its parts, what each contains, and what waits there."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.urls import reverse

from corpora.selectors import corpus_get
from judging.campaigns.services.campaigns import campaign_list
from judging.experiments.cases.services import CASE_EVALUATIONS
from judging.experiments.pages import experiments_page
from judging.experiments.services import MAX_EXPERIMENTS
from judging.gold.feedback.selectors import ALL, WAITING, feedback_counts
from judging.gold.services.sets import gold_set_list
from judging.judges.registry import BUILT_IN
from judging.judges.services import saved_list
from legalqa.accounts.models import Organization


@dataclass(frozen=True, slots=True)
class Room:
    """A part of judging: what it is for, what it contains, what waits, and what to do if it is empty.

    Attributes:
        shortcut: The words of a link straight to what people most often come for, and `shortcut_address`, where it
            leads.
    """

    title: str
    words: str
    address: str
    counts: str = ""
    waits: str = ""
    first: str = ""
    shortcut: str = ""
    shortcut_address: str = ""


def home_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The rooms of judging of a corpus.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    place = [organization.slug, corpus_id]
    trust = Room(
        "Trust in the judge",
        "How far a judge agrees with people, beside how far people agree with each other.",
        reverse("trust_page", args=place),
        first="Have people grade answers that a judge has graded.",
    )
    makers = (_gold, _experiments, _judges, _campaigns, _cases)
    rooms = [make(organization, corpus_id, place) for make in makers]
    return {"corpus": corpus, "rooms": [*rooms, trust, _feedback(organization, corpus_id, place)]}


def _gold(organization: Organization, corpus_id: UUID, place: list[Any]) -> Room:
    sets = gold_set_list(organization=organization, corpus_id=corpus_id)
    n_questions = sum(row.n_questions for row in sets)
    n_unknown = sum(row.n_unknown for row in sets)
    return Room(
        "Gold sets",
        "Questions with the passages that answer them. Everything is measured on these.",
        reverse("gold_set_list", args=place),
        _counted(len(sets), "gold set") + f", {_counted(n_questions, 'question')}" if sets else "",
        f"{_counted(n_unknown, 'question')} without a passage" if n_unknown else "",
        "Start here: add twenty questions.",
        "Generate questions",
        reverse("generation_start", args=place),
    )


def _cases(_organization: Organization, corpus_id: UUID, place: list[Any]) -> Room:
    n_measured = CASE_EVALUATIONS.of_corpus(corpus_id).exclude(report={}).count()
    return Room(
        "Solved cases",
        "Whether searches find the solved cases that a question needs.",
        reverse("case_evaluation_list", args=place),
        _counted(n_measured, "evaluation") if n_measured else "",
        first="For corpora with solved cases that name legal acts.",
    )


def _experiments(organization: Organization, corpus_id: UUID, place: list[Any]) -> Room:
    rows = experiments_page(organization=organization, corpus_id=corpus_id, a_page=MAX_EXPERIMENTS)["rows"]
    n_ended = sum(row["is_ended"] for row in rows)
    n_worse = sum(row["is_regression"] for row in rows[:1])
    waits = ["the latest is worse than the previous one"] if n_worse else []
    n_open = sum(row["state"] in ("working", "running", "queued") for row in rows)
    waits += [f"{n_open} at work"] if n_open else []
    latest = next((row["experiment"] for row in rows if row["is_ended"]), None)
    return Room(
        "Experiments",
        "Settings compared on a gold set: what each answers, cites, costs, and whether the difference is chance.",
        reverse("experiment_list", args=place),
        f"{_counted(len(rows), 'experiment')}, {n_ended} with results" if rows else "",
        "; ".join(waits),
        "Compare two presets: it takes a minute.",
        "Latest charts" if latest else "New experiment",
        reverse("experiment_results", args=[organization.slug, latest.pk])
        if latest
        else reverse("experiment_start", args=place),
    )


def _judges(organization: Organization, _corpus_id: UUID, place: list[Any]) -> Room:
    n_own = len(saved_list(organization=organization))
    return Room(
        "Judges",
        "Models and rules that grade in people's place, with their prompts. All corpora share them.",
        reverse("judge_list", args=place[:1]),
        f"{len(BUILT_IN)} built in" + (f", {n_own} of your own" if n_own else ""),
    )


def _campaigns(organization: Organization, corpus_id: UUID, place: list[Any]) -> Room:
    campaigns = campaign_list(organization=organization, corpus_id=corpus_id).order_by()
    counts = campaigns.aggregate(all=Count("pk"), open=Count("pk", filter=Q(closed_at=None)))
    return Room(
        "Grading campaigns",
        "Experts grade answers blind, side by side or alone.",
        reverse("campaign_list", args=place),
        _counted(counts["all"], "campaign") if counts["all"] else "",
        f"{counts['open']} under way" if counts["open"] else "",
        "Have people grade answers.",
    )


def _feedback(organization: Organization, corpus_id: UUID, place: list[Any]) -> Room:
    counts = feedback_counts(organization=organization, corpus_id=corpus_id)
    return Room(
        "Feedback",
        "What people corrected or found wrong, until it is dealt with.",
        reverse("feedback_list", args=place),
        _counted(counts[ALL], "grade") if counts[ALL] else "",
        f"{_counted(counts[WAITING], 'grade')} to review" if counts[WAITING] else "",
        "Graded answers appear here automatically.",
    )


def _counted(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"
