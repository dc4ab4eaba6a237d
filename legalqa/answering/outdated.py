"""What became of the documents that an answer cites: it quotes the version that was read, whatever came after."""

from collections.abc import Collection
from enum import StrEnum
from uuid import UUID

from django.db.models import F, Q

from corpora.models import Position
from legalqa.answering.models import AnswerMode, Citation


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
    """The citations of shown claims whose document is no longer what was read, by primary key."""
    document = "paragraph__document__"
    is_stale = Q(**{f"{document}removed_at__isnull": False}) | ~Q(version=F(f"{document}current"))
    rows = Citation.objects.filter(is_stale, claim__answer__in=answer_ids, claim__is_shown=True)
    stale = list(rows.values_list("pk", "paragraph_id", f"{document}removed_at"))
    live = Position.objects.filter(
        paragraph_id__in={paragraph for _, paragraph, _ in stale}, version=F(f"{document}current")
    )
    kept = set(live.values_list("paragraph_id", flat=True))
    return {
        pk: Change.REMOVED if removed_at else Change.NEWER if paragraph in kept else Change.CHANGED
        for pk, paragraph, removed_at in stale
    }


def outdated_answers(*, answer_ids: Collection[UUID]) -> set[UUID]:
    """Those of the answers of which a source, not only a place with the same words, is no longer what was read."""
    is_source = Q(rank=0) | Q(claim__answer__mode=AnswerMode.WRITTEN)
    changed = changes_by_citation(answer_ids=answer_ids)
    sources = Citation.objects.filter(is_source, pk__in=changed)
    return set(sources.values_list("claim__answer_id", flat=True))


def change_words(change: Change | None, *, number: int) -> str:
    """What to say beside a citation; empty where nothing changed."""
    return "" if change is None else WORDS[change].format(number=number)
