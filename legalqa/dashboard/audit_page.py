"""The audit log as its readers see it: filtered, with the names that the reader may know."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from corpora.models import Corpus, Document, DocumentVersion
from legalqa.accounts.models import AuditEvent, Organization, User
from legalqa.accounts.selectors import audit_list, people_by_id
from legalqa.answering.models import Question
from legalqa.common.dates import day_begins, day_ends
from legalqa.dashboard.audit_sentences import GROUPS, sentence

NOT_FOR_YOU = "something you may not see, or that no longer exists"
CSV_HEADER = ("Row", "When (UTC)", "Who", "What", "From where", "Action", "Subject", "Digest")
_SOURCES = {"page": "browser", "api": "program", "machine": "server", "": "not recorded"}
_ROWS_A_STEP = 500


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One act, in words."""

    sequence: int
    at: datetime
    who: str
    text: str
    where: str
    action: str
    subject_id: UUID | None
    digest: str

    def cells(self) -> tuple[object, ...]:
        at = self.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
        subject = self.subject_id or ""
        return (self.sequence, at, self.who, self.text, self.where, self.action, subject, self.digest)


def audit_events(*, organization: Organization, filters: dict[str, Any]) -> QuerySet[AuditEvent]:
    """The rows that match the cleaned filters of `AuditFilterForm`, newest first."""
    since, until = filters.get("since"), filters.get("until")
    events = audit_list(
        organization=organization,
        person_id=UUID(filters["person"]) if filters.get("person") else None,
        since=day_begins(since) if since else None,
        until=day_ends(until) if until else None,
    )
    if beginnings := GROUPS.get(filters.get("group") or "", ()):
        events = events.filter(Q(*[("action__startswith", one) for one in beginnings], _connector=Q.OR))
    return events


def audit_rows(events: Iterable[AuditEvent]) -> list[AuditRow]:
    """The rows in words. Names are looked up as the reader: what is behind a wall has no name for people outside it."""
    events = list(events)
    names = _Names(events)
    return [
        AuditRow(
            event.sequence,
            event.at,
            names.who(event),
            sentence(
                action=event.action,
                who=names.who(event),
                what=names.what(event),
                member=names.person(event.details.get("member")),
                details=event.details,
            ),
            " ".join(filter(None, (_SOURCES.get(event.source, event.source), event.address))),
            event.action,
            event.subject_id,
            event.digest,
        )
        for event in events
    ]


def audit_cells(events: QuerySet[AuditEvent]) -> Iterator[tuple[object, ...]]:
    """All rows as cells of a table, read in batches."""
    remaining = events.iterator(chunk_size=_ROWS_A_STEP)
    while step := list(islice(remaining, _ROWS_A_STEP)):
        yield from (row.cells() for row in audit_rows(step))


class _Names:
    """Names of people and things in some rows: one query for each kind."""

    def __init__(self, events: list[AuditEvent]) -> None:
        subjects = {event.subject_id for event in events if event.subject_id}
        members = {member for event in events if (member := _uuid(event.details.get("member")))}
        actors = {event.actor_id for event in events if event.actor_id}
        self._people: dict[UUID, User] = people_by_id(ids=actors | subjects | members)
        self._things: dict[UUID, str] = {
            pk: f"the corpus “{name}”" for pk, name in Corpus.objects.filter(pk__in=subjects).values_list("pk", "name")
        }
        documents = Document.objects.filter(pk__in=subjects).values_list("pk", "title")
        versions = DocumentVersion.objects.filter(pk__in=subjects).values_list("pk", "document__title")
        questions = Question.objects.filter(pk__in=subjects).values_list("pk", "corpus__name")
        self._things |= {pk: f"“{title}”" for pk, title in [*documents, *versions]}
        self._things |= {pk: f"the corpus “{name}”" for pk, name in questions}

    def who(self, event: AuditEvent) -> str:
        if event.actor_id is None:
            return "The server" if event.source == "machine" else "Somebody"
        return self.person(event.actor_id)

    def what(self, event: AuditEvent) -> str:
        if event.subject_id in self._things:
            return self._things[event.subject_id]
        return self.person(event.subject_id) if event.subject_id in self._people else NOT_FOR_YOU

    def person(self, value: object) -> str:
        person = self._people.get(_uuid(value) or UUID(int=0))
        return str(person) if person else "a former user"


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(str(value)) if value else None
    except ValueError:
        return None
