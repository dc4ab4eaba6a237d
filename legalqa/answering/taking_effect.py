"""What an answer must say of versions that take effect on a later day: the cited ones and the awaited ones."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.utils import timezone

from corpora.in_force import versions_awaited, versions_in_force
from corpora.models import DocumentVersion
from legalqa.answering.models import Answer, Citation
from legalqa.common.dates import day_words


@dataclass(frozen=True, slots=True)
class TakingEffect:
    """A version of a cited document that was not in force on the day of which the question was asked.

    `until` is the number of the version in force until then, None where there is none. `is_cited` says that the answer
    quotes the version although it was not in force; otherwise the answer quotes the previous one.
    """

    document_id: UUID
    version: int
    effective: date
    until: int | None
    is_cited: bool
    words: str

    @property
    def is_better_asked_again(self) -> bool:
        """Whether the same question, asked today, would be answered from the version in force."""
        return self.is_cited and self.until is not None and self.effective > timezone.localdate()


def taking_effect(*, answer: Answer, citations: Collection[Citation]) -> list[TakingEffect]:
    """What is to be said beside an answer, one entry a version, by title.

    Args:
        answer: Whose shown claims these are.
        citations: Their sources, with version, paragraph and document.
    """
    day = date.fromisoformat(answer.as_of) if answer.as_of else timezone.localdate(answer.created_at)
    cited = {one.version_id: one for one in citations}
    early = [one for one in cited.values() if one.version.effective_date and one.version.effective_date > day]
    in_force = versions_in_force(day=day, document__in=[one.paragraph.document_id for one in early]) if early else {}
    numbers = dict(DocumentVersion.objects.filter(pk__in=in_force.values()).values_list("pk", "number"))
    found = {}
    for one in early:
        until = numbers[in_force[one.paragraph.document_id]] if one.paragraph.document_id in in_force else None
        found[one.paragraph.document.title, one.version.number] = _early(one, until)
    documents = {one.paragraph.document_id: one for one in cited.values()}
    awaited = versions_awaited(document__in=list(documents)) if documents else {}
    for document_id, coming in awaited.items():
        title = documents[document_id].paragraph.document.title
        if coming.until_id in cited and (title, coming.number) not in found:
            words = f"Version {coming.number} of “{title}” {coming.words}."
            found[title, coming.number] = TakingEffect(
                document_id, coming.number, coming.day, coming.until_number, is_cited=False, words=words
            )
    return [found[key] for key in sorted(found)]


def _early(citation: Citation, until: int | None) -> TakingEffect:
    """The sentence on a version that is cited although it was not in force."""
    effective, number, document = citation.version.effective_date, citation.version.number, citation.paragraph.document
    assert effective is not None
    if effective <= timezone.localdate():
        rest = f"took effect on {day_words(effective)}, after the day of the question"
    else:
        rest = f"takes effect on {day_words(effective)}"
    before = f"until then version {until} is in force" if until else "no earlier version is in force before that day"
    words = f"Version {number} of “{document.title}”, cited here, {rest}; {before}."
    return TakingEffect(document.pk, number, effective, until, is_cited=True, words=words)
