"""What happened to the documents that an answer cites; it keeps quoting the version that was read."""

from collections.abc import Collection
from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from corpora.in_force import versions_awaited, versions_in_force
from corpora.models import Position
from legalqa.answering.models import Answer, AnswerMode, Citation

_DOCUMENT = "paragraph__document__"
_IS_SOURCE = Q(rank=0) | Q(claim__answer__mode=AnswerMode.WRITTEN)
_IS_AS_OF = Q(claim__answer__asked__filters__as_of__isnull=False)


class Change(StrEnum):
    """What happened to a cited document since, the worst first."""

    REMOVED = "removed"
    CHANGED = "changed"
    NEWER = "newer_version"


WORDS = {
    Change.REMOVED: "The document has been removed since; quoted from version {number}.",
    Change.CHANGED: "The document has changed since, and this passage with it; quoted from version {number}.",
    Change.NEWER: "The document has changed since, this passage has not; quoted from version {number}.",
}


def changes_by_citation(*, answer_ids: Collection[UUID]) -> dict[int, Change]:
    """The citations of shown claims whose document is no longer what was read, by primary key.

    An answer as of a day is outdated where another version is in force on that day now, not by what came after it. Any
    other answer holds while its version is in force, even if the current one has been uploaded, to take effect later.
    """
    shown = Citation.objects.filter(claim__answer__in=answer_ids, claim__is_shown=True)
    until = _searched_until(document__in=shown.values("paragraph__document"))
    rows = shown.filter(_is_replaced(until.values()) | _IS_AS_OF)
    columns = ("pk", "paragraph_id", "version_id", f"{_DOCUMENT}id", f"{_DOCUMENT}removed_at", f"{_DOCUMENT}current_id")
    citations = list(
        rows.values_list(*columns, KeyTextTransform("as_of", KeyTransform("filters", "claim__answer__asked")))
    )
    in_force: dict[str, dict[UUID, UUID]] = {}
    for day in {row[-1] for row in citations if row[-1]}:
        documents = {row[3] for row in citations if row[-1] == day}
        in_force[day] = versions_in_force(day=date.fromisoformat(day), document__in=documents)
    removed, now = set(), {}
    for pk, paragraph_id, version_id, document_id, removed_at, current_id, day in citations:
        standing = in_force[day].get(document_id) if day else until.get(document_id, current_id)
        if removed_at:
            removed.add(pk)
        elif standing != version_id:
            now[pk] = (paragraph_id, standing)
    positions = Position.objects.filter(
        paragraph_id__in={paragraph for paragraph, _ in now.values()}, version_id__in={v for _, v in now.values()}
    )
    places = set(positions.values_list("paragraph_id", "version_id"))
    changes = {pk: Change.NEWER if place in places else Change.CHANGED for pk, place in now.items()}
    return changes | dict.fromkeys(removed, Change.REMOVED)


def outdated_answers(*, answer_ids: Collection[UUID]) -> set[UUID]:
    """The answers with a source that has changed since it was read; places with the same words do not count."""
    changes = changes_by_citation(answer_ids=answer_ids)
    sources = Citation.objects.filter(_IS_SOURCE, pk__in=changes)
    return set(sources.values_list("claim__answer_id", flat=True))


def answer_list_outdated(*, answers: QuerySet[Answer]) -> QuerySet[Answer]:
    """The answers with a source that has changed since it was read; like `outdated_answers`, in the database."""
    is_as_of = Q(asked__filters__as_of__isnull=False)
    is_replaced = _is_replaced(_searched_until().values())
    past = answers.filter(is_as_of).order_by().values_list("pk", flat=True)
    replaced = Citation.objects.filter(is_replaced, _IS_SOURCE, claim__answer=OuterRef("pk"), claim__is_shown=True)
    is_outdated_now = Q(Exists(replaced)) & ~Q(pk__in=past)
    return answers.filter(is_outdated_now | Q(pk__in=outdated_answers(answer_ids=list(past))))


def _searched_until(**where: Any) -> dict[UUID, UUID]:
    """The version that is searched until the current one takes effect, by document, where there is one."""
    return {document_id: awaited.until_id for document_id, awaited in versions_awaited(**where).items()}


def _is_replaced(until: Collection[UUID]) -> Q:
    """Whether a citation's document was removed, or is no longer searched in the version that was read."""
    is_read = Q(version=F(f"{_DOCUMENT}current")) | Q(version__in=until)
    return Q(**{f"{_DOCUMENT}removed_at__isnull": False}) | ~is_read


def change_words(change: Change | None, *, number: int) -> str:
    """What to say beside a citation; empty where nothing changed."""
    return "" if change is None else WORDS[change].format(number=number)
