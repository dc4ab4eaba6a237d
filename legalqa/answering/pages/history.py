"""What the pages around an answer show: history, recent questions, silence, questions to try."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from django.db.models import Count, QuerySet

from corpora.in_force import corpus_as_of
from corpora.models import Corpus
from corpora.selectors import document_rows, section_titles
from legalqa.accounts.access import MANAGERS, MemberRequest
from legalqa.accounts.models import Organization, User
from legalqa.answering.examples import example_questions
from legalqa.answering.languages import languages_differ
from legalqa.answering.links import filter_link
from legalqa.answering.models import Answer, AnswerGrade, AnswerState, Grade
from legalqa.answering.outdated import answer_list_outdated, outdated_answers
from legalqa.answering.pages.missing import things_named
from legalqa.answering.places import heading_name, names_a_subject
from legalqa.answering.scope import scope_of
from legalqa.answering.selectors import (
    UNGRADED,
    answer_get,
    answer_list,
    answer_list_graded,
    conversations_of,
    first_questions,
    paragraphs_with_rules,
    reader_list,
)
from legalqa.common.errors import Conflict, NotFound
from retrieval.selectors import documents_searched_count
from retrieval.types import Filters

NEAREST_SHOWN = 5
EXAMPLES_SHOWN = 4  # example questions
PARAGRAPHS_READ = 300  # paragraphs that example questions are made from
_examples_kept: LRUCache[tuple[UUID, int], list[str]] = LRUCache(256)
MANAGERS_NAMED = 5
GRADED = {
    Grade.RIGHT: "Graded right",
    Grade.PARTLY: "Graded partly right",
    Grade.WRONG: "Graded wrong",
    Grade.RIGHTLY_SILENT: "Rightly silent",
    Grade.MISSED: "Wrongly silent",
}


def history_rows(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Rows of the history, of "recent questions", and of the API's list."""
    outdated = outdated_answers(answer_ids=[answer.pk for answer in answers])
    return [
        {
            "answer_id": answer.pk,
            "question_id": answer.question_id,
            "corpus_id": answer.question.corpus_id,
            "text": answer.question.text,
            "state": answer.state,
            "is_outdated": answer.pk in outdated,
            "created_at": answer.created_at,
            "corpus_name": answer.question.corpus.name,
        }
        for answer in answers
    ]


def conversation_rows(*, answers: QuerySet[Answer], latest: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the history, a conversation each: its latest answer with its grades, its name, its number of questions.

    Args:
        answers: Those that the list may show.
        latest: The conversations of a page (`selectors.conversations_of`).
    """
    ids = [row["question__conversation"] for row in latest]
    turns: dict[UUID, list[Answer]] = {}
    for answer in answers.filter(question__conversation__in=ids):
        turns.setdefault(answer.question.conversation, []).append(answer)
    firsts = first_questions(answers=[answers_of[0] for answers_of in turns.values()])
    rows = history_rows([turns[pk][0] for pk in ids])
    grades = AnswerGrade.objects.filter(answer__in=[row["answer_id"] for row in rows])
    pairs = set(grades.values_list("answer_id", "grade"))
    return [
        row
        | {
            "grades": [label for grade, label in GRADED.items() if (row["answer_id"], grade.value) in pairs],
            "text": firsts[pk].title or firsts[pk].text,
            "n_turns": len(turns[pk]),
            "asked_by": turns[pk][0].question.asker,
        }
        for pk, row in zip(ids, rows, strict=True)
    ]


def recent(*, organization: Organization, user: User) -> list[dict[str, Any]]:
    return history_rows(list(answer_list(organization=organization, user=user)[:12]))


def silence(*, organization: Organization, corpus: Corpus, answer: Answer) -> dict[str, Any]:
    """What the page of an unanswered question adds: what was searched, other words, what may be missing."""
    languages = languages_differ(answer)
    unknown = [] if languages else sorted({word for row in answer.evidence for word in row.get("unknown", ())})
    corrected = answer.composition["suggestion"] if answer.composition.get("silence") == "misspelling" else ""
    things = things_named(answer.question.text, unknown, corrected=corrected)
    missing = [f"A document that mentions “{word}”: none in this corpus does." for word in things[:3]]
    return {
        "searched": _searched(organization, corpus, Filters.parse(answer.asked.get("filters", {}))),
        "languages": languages,
        "suggestions": _suggestions(answer),
        "missing_documents": missing,
        "managers": _managers(corpus),
    }


def _searched(organization: Organization, corpus: Corpus, filters: Filters) -> dict[str, Any] | None:
    """How much was searched: of the whole corpus, or what the filters left; None where that is not known any more."""
    if filters == Filters():
        rows = document_rows(organization=organization, corpus=corpus)
        n_ready = sum(row.document.current_id is not None for row in rows)
        return {"n_documents": n_ready, "n_unread": len(rows) - n_ready, "is_part": False}
    with suppress(Conflict):
        of_day = corpus_as_of(corpus=corpus, day=filters.as_of)
        return {"n_documents": documents_searched_count(corpus=of_day, filters=filters), "n_unread": 0, "is_part": True}
    return None


def _managers(corpus: Corpus) -> str:
    """The names of those who may add documents to a corpus, for those who may not."""
    members = reader_list(corpus=corpus).filter(role__in=MANAGERS)
    return ", ".join(str(member.user) for member in members[:MANAGERS_NAMED])


def nearest(passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The few nearest passages of an unanswered question; the same words in another file are told as "also in"."""
    rows: dict[str, dict[str, Any]] = {}
    for passage in passages:
        words = "".join(c for c in passage["text"].lower() if c.isalnum())
        if words in rows:
            rows[words]["also_in"].append({key: passage[key] for key in ("document_title", "page_label", "url")})
        else:
            rows[words] = passage | {"also_in": []}
    return list(rows.values())[:NEAREST_SHOWN]


def _suggestions(answer: Answer) -> list[str]:
    """Questions after the headings of the nearest passages: words that the documents themselves use."""
    several = len({row["document_id"] for row in answer.evidence}) > 1
    places = []
    for row in answer.evidence:
        heading = heading_name(row["heading"].split(" › ")).strip(" .:")
        place = f"“{heading}” in “{row['document']}”" if several else f"“{heading}”"
        if names_a_subject(heading) and place not in places:
            places.append(place)
    return [f"What is said under {place}?" for place in places[:3]]


def history_filters(
    answers: QuerySet[Answer], *, active: str, is_graded: bool = False, words: str = ""
) -> list[dict[str, Any]]:
    """Links that show conversations with an answer in one state, each with its count; they keep the words searched."""
    conversations = Count("question__conversation", distinct=True)
    counts = dict(answers.order_by().values_list("state").annotate(n=conversations))
    if not counts:
        return []
    n_all = conversations_of(answers=answers).count()
    states = [(s.value, s.label, counts[s.value]) for s in AnswerState if s.value in counts]
    return [
        filter_link("All", n_all, is_active=not (active or is_graded), q=words),
        *(filter_link(label, n, is_active=active == value, state=value, q=words) for value, label, n in states),
    ]


def outdated_filter(answers: QuerySet[Answer], *, is_active: bool, words: str = "") -> list[dict[str, Any]]:
    """The link that shows the answers whose source has changed, with their count; none where there are none."""
    n = answer_list_outdated(answers=answers).count()
    return [filter_link("Source changed", n, is_active=is_active, outdated="true", q=words)] if n or is_active else []


def grade_filters(answers: QuerySet[Answer], *, active: str, words: str = "") -> list[dict[str, Any]]:
    """Links that show answers with one grade, or with none, each with its count; none before the first grade."""
    grades = AnswerGrade.objects.filter(answer__in=answers.order_by().values("pk"))
    counts = dict(
        grades.values_list("grade").annotate(n=Count("answer__question__conversation", distinct=True)).order_by()
    )
    if not counts:
        return []
    n_ungraded = conversations_of(answers=answer_list_graded(answers=answers, grade=UNGRADED)).count()
    graded = [(grade.value, label, counts.get(grade.value, 0)) for grade, label in GRADED.items()]
    return [
        filter_link(label, n, is_active=active == value, grade=value, q=words)
        for value, label, n in [*graded, (UNGRADED, "Not graded", n_ungraded)]
        if n
    ]


def examples(corpus: Corpus | None) -> list[dict[str, Any]]:
    """Questions to try that the corpus answers: from its rules, or where these yield none, from its headings."""
    return [{"corpus_id": corpus.pk, "text": text} for text in _examples(corpus)] if corpus else []


def _examples(corpus: Corpus) -> list[str]:
    """Kept while the corpus is what it was."""
    key = (corpus.pk, corpus.version)
    if key not in _examples_kept:
        questions = example_questions(paragraphs_with_rules(corpus=corpus, limit=PARAGRAPHS_READ), limit=EXAMPLES_SHOWN)
        titles = [] if questions else section_titles(corpus=corpus, limit=1)
        _examples_kept[key] = questions or [f"What is said about “{title}”?" for title in titles]
    return _examples_kept[key]


def scope_asked(request: MemberRequest) -> dict[str, Any]:
    """The filters of the answer that `like` names, so that the ticks of a conversation are remembered; else nothing."""
    with suppress(NotFound, ValueError):
        answer_id = UUID(request.GET.get("like", ""))
        answer = answer_get(**request.acting, answer_id=answer_id)
        return scope_of(Filters.parse(answer.asked.get("filters", {})))
    return {}


def corpus_asked_last(*, organization: Organization, user: User) -> str:
    """The id of the corpus that the person asked last; "" where there is none that they may still ask."""
    answers = answer_list(organization=organization, user=user)
    return str(answers.values_list("question__corpus_id", flat=True).first() or "")
