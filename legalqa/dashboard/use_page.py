"""The dashboard as its page shows it: questions, what waits for a person, and usage with its limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from corpora.models import Corpus
from judging.gold.feedback.selectors import WAITING
from legalqa.answering.models import Answer, AnswerGrade, Grade, ReviewState
from legalqa.answering.pages.history import GRADED
from legalqa.dashboard.selectors.answers import KINDS, WEEK, Counts
from legalqa.dashboard.selectors.overview import PERIODS, Overview, Waiting
from legalqa.jobs.use import MEBIBYTE, Use
from legalqa.llm.pricing import amount_text

NONE = "no limit"
WAITING_KINDS = (
    "Answers not graded",
    "Feedback to review",
    "Contradictions to review",
    "Documents that need attention",
    "Experiments under way",
)


@dataclass(frozen=True, slots=True)
class UseRow:
    """One limit: its name, how much is used, and what happens when it is reached; `percent` is None without a limit."""

    name: str
    note: str
    used: str
    limit: str
    percent: int | None


def use_rows(use: Use) -> list[UseRow]:
    """Every limit that is counted for the whole organisation."""
    minutes = use.processor_s_today / 60
    return [
        UseRow(
            "Open background work",
            "At the limit, uploads are rejected until some jobs finish. Archives wait automatically.",
            f"{use.open_jobs:,}",
            _limit(use.open_jobs_limit, f"{use.open_jobs_limit:,} jobs"),
            _percent(use.open_jobs, use.open_jobs_limit),
        ),
        UseRow(
            "Uploaded today",
            "Uploads, watched folders and the files in archives. At the limit, more are rejected until tomorrow.",
            f"{use.bytes_today / MEBIBYTE:,.1f} MB",
            _limit(use.bytes_today_limit, f"{use.bytes_today_limit // MEBIBYTE:,} MB a day"),
            _percent(use.bytes_today, use.bytes_today_limit),
        ),
        UseRow(
            "Processor time today",
            "Reading, indexing and training. At the limit, this work is paused until tomorrow; questions and searches "
            "are not affected.",
            f"{minutes:,.1f} min",
            _limit(use.processor_s_today_limit, f"{use.processor_s_today_limit / 60:,.0f} min a day"),
            _percent(use.processor_s_today, use.processor_s_today_limit),
        ),
    ]


def _limit(number: int, text: str) -> str:
    return text if number else NONE


def _percent(amount: float, limit: int) -> int | None:
    return min(100, int(100 * amount / limit)) if limit else None


def overview_page(*, overview: Overview, corpora: Sequence[Corpus], slug: str) -> dict[str, Any]:
    """The dashboard with links: every number opens the list that it counts.

    Args:
        corpora: From which one can be chosen.
        slug: Of the organisation.
    """
    n_weeks, most = len(overview.weeks), max([1, *(row.counts["asked"] for row in overview.weeks)])
    questions = reverse("dashboard_questions", args=[slug])
    filters = {"corpus": str(overview.corpus_id)} if overview.corpus_id else {}
    since = {"since": overview.since.isoformat()}
    return {
        "overview": overview,
        "kinds": [(name, kind.label) for name, kind in KINDS.items()],
        "weeks": [
            {
                "week": row.week,
                "percent": round(100 * row.counts["asked"] / most),
                "cells": _cells(row.counts, questions, {**filters, "week": row.week.isoformat()}),
                "cost": overview.costs and _cost(overview.costs[row.week], row.week, slug),
            }
            for row in reversed(overview.weeks)
        ],
        "corpora": [
            {"corpus": row.corpus, "cells": _cells(row.counts, questions, {"corpus": row.corpus.pk, **since})}
            for row in overview.corpora
        ],
        "total": _cells(overview.total, questions, {**filters, **since}),
        "total_cost": overview.costs and amount_text(sum(overview.costs.values())),
        "waiting": [
            {"corpus": row.corpus, "cells": _waiting_cells(row, slug, since)}
            for row in overview.waiting
            if row.total or row.experiments
        ],
        "waiting_kinds": WAITING_KINDS,
        "since": overview.since,
        "periods": [
            {"url": f"?{urlencode({**filters, 'weeks': str(n)})}", "label": f"{n} weeks", "is_active": n == n_weeks}
            for n in PERIODS
        ],
        "choices": [
            {"url": f"?{urlencode({'weeks': str(n_weeks)} | query)}", "label": label, "is_active": query == filters}
            for label, query in [
                ("All corpora", dict[str, str]()),
                *((one.name, {"corpus": str(one.pk)}) for one in corpora),
            ]
        ],
    }


def _cells(counts: Counts, address: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    """The number of each of KINDS with the list that it opens; `share` is its percentage of another number."""
    of = {"answered": "asked", "silent": "asked", "right": "graded"}
    return [
        {
            "label": kind.label,
            "n": counts[name],
            "url": f"{address}?{urlencode({'kind': name, **query})}",
            "share": _percent_of(counts[name], counts[of[name]]) if name in of else None,
        }
        for name, kind in KINDS.items()
    ]


def _waiting_cells(row: Waiting, slug: str, since: dict[str, str]) -> list[dict[str, Any]]:
    """What waits in a corpus, in the order of WAITING_KINDS: each number with the list that it opens."""
    query = urlencode({"kind": "ungraded", "corpus": str(row.corpus.pk), **since})
    ns = (row.ungraded, row.feedback, row.contradictions, row.documents, row.experiments)
    urls = (
        f"{reverse('dashboard_questions', args=[slug])}?{query}",
        f"{reverse('feedback_list', args=[slug, row.corpus.pk])}?state={WAITING}",
        f"{reverse('contradiction_list', args=[slug, row.corpus.pk])}?state={ReviewState.OPEN.value}",
        f"{reverse('corpus_detail', args=[slug, row.corpus.pk])}?state=attention",
        reverse("experiment_list", args=[slug, row.corpus.pk]),
    )
    return [
        {"label": label, "n": n, "url": url, "share": None}
        for label, n, url in zip(WAITING_KINDS, ns, urls, strict=True)
    ]


def _percent_of(part: int, whole: int) -> int | None:
    return round(100 * part / whole) if whole else None


def _cost(millionths: int, week: Any, slug: str) -> dict[str, str]:
    last = week + WEEK - WEEK / 7
    return {"text": amount_text(millionths), "url": f"{reverse('llm_costs', args=[slug])}?since={week}&until={last}"}


def question_rows(*, answers: Sequence[Answer], user_id: Any) -> list[dict[str, Any]]:
    """Rows of the list that a number opens.

    A question belongs to its asker: others can read its words only once it is graded, as the page of the answer says.
    """
    grades: dict[Any, list[str]] = {}
    grade_rows = AnswerGrade.objects.filter(answer__in=[answer.pk for answer in answers]).order_by("created_at")
    for answer_id, grade in grade_rows.values_list("answer_id", "grade"):
        grades.setdefault(answer_id, []).append(GRADED[Grade(grade)])
    return [
        {
            "answer_id": answer.pk if answer.question.asker_id == user_id else None,
            "text": answer.question.text if answer.pk in grades or answer.question.asker_id == user_id else "",
            "state": answer.state,
            "corpus_name": answer.question.corpus.name,
            "created_at": answer.created_at,
            "grades": grades.get(answer.pk, []),
        }
        for answer in answers
    ]
