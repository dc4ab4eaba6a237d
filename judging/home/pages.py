"""What the landing page of judging shows: the rooms, what each holds, and what waits there."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import NoReverseMatch, reverse

from corpora.selectors import corpus_get
from judging.experiments.pages import experiments_page
from judging.gold.services import gold_set_list
from legalqa.accounts.models import Organization


@dataclass(frozen=True, slots=True)
class Room:
    """A part of judging: what it is for, what it holds, what waits, and what to do where it holds nothing."""

    title: str
    words: str
    address: str
    counts: str = ""
    waits: str = ""
    first: str = ""


OTHERS = (  # address, title, what for
    ("campaign_list", "Annotation", "Experts grade answers blind, side by side or alone."),
    ("judge_list", "Judges", "Models and rules that grade in people's place, with their prompts."),
    ("trust_page", "Trust in the judge", "How far a judge agrees with people, beside how far people do."),
    ("feedback_list", "Corrections", "What people corrected, until it is dealt with."),
)


def home_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The rooms of judging of a corpus.

    Raises:
        NotFound: no such corpus, or you are outside its wall.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    own = [_gold(organization, corpus_id), _experiments(organization, corpus_id)]
    others = [
        Room(title, words, address)
        for name, title, words in OTHERS
        if (address := _address(organization, corpus_id, name))
    ]
    return {"corpus": corpus, "rooms": [*own, *others]}


def _gold(organization: Organization, corpus_id: UUID) -> Room:
    sets = gold_set_list(organization=organization, corpus_id=corpus_id)
    n_questions = sum(row.n_questions for row in sets)
    n_unknown = sum(row.n_unknown for row in sets)
    return Room(
        "Gold sets",
        "Questions with the passages that answer them. Everything is measured on these.",
        _address(organization, corpus_id, "gold_set_list"),
        _counted(len(sets), "gold set") + f", {_counted(n_questions, 'question')}" if sets else "",
        f"{_counted(n_unknown, 'question')} without a passage" if n_unknown else "",
        "Start here: add twenty questions.",
    )


def _experiments(organization: Organization, corpus_id: UUID) -> Room:
    rows = experiments_page(organization=organization, corpus_id=corpus_id)["rows"]
    n_ended = sum(row["is_ended"] for row in rows)
    n_worse = sum(row["is_regression"] for row in rows[:1])
    waits = ["the latest is worse than the one before"] if n_worse else []
    n_open = sum(row["state"] in ("working", "running", "queued") for row in rows)
    waits += [f"{n_open} at work"] if n_open else []
    return Room(
        "Experiments",
        "Settings compared on a gold set: what each answers, cites, costs, and whether the difference is chance.",
        _address(organization, corpus_id, "experiment_list"),
        f"{_counted(len(rows), 'experiment')}, {n_ended} with results" if rows else "",
        "; ".join(waits),
        "Compare two presets: it takes a minute.",
    )


def _address(organization: Organization, corpus_id: UUID, name: str) -> str:
    """The address of a room, the corpus's or the organisation's; "" where this installation does not have it."""
    for where in ([organization.slug, corpus_id], [organization.slug]):
        with suppress(NoReverseMatch):
            return reverse(name, args=where)
    return ""


def _counted(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"
