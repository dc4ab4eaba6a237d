"""Reads of the cases of a corpus, and which of them searches may use."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Value, When

from corpora.models import Corpus, Position
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization
from legalqa.common.errors import existing
from retrieval.cases.files import CaseRow
from retrieval.cases.merging import CaseText
from retrieval.models import CaseEntry, CaseOrigin, CaseState, CaseSupport


def case_list(*, organization: Organization, corpus_id: UUID) -> QuerySet[CaseEntry]:
    """The cases of a corpus, newest first, each with `is_expired`: the law that it cites has changed.

    And with `is_placed`: it rests on a paragraph; without one it cannot expire.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return _cases(organization).filter(corpus=corpus).order_by("-created_at", "pk")


def cases_usable(*, corpus: Corpus) -> QuerySet[CaseEntry]:
    """The cases that searches may use: approved, and none of their paragraphs changed since without a review."""
    approved = CaseEntry.objects.filter(corpus=corpus, state=CaseState.APPROVED)
    return approved.exclude(Exists(_supports_gone()))


def cases_expired(*, cases: QuerySet[CaseEntry]) -> QuerySet[CaseEntry]:
    """Those of the cases whose law has changed since, and that nobody has confirmed."""
    return cases.filter(Exists(_supports_gone()))


def case_get(*, organization: Organization, case_id: UUID) -> CaseEntry:
    """A case with its corpus, `is_expired` and `is_placed`.

    Raises:
        NotFound: there is none, or you have no access to its corpus.
    """
    cases = _cases(organization).filter(pk=case_id, corpus__removal_begun_at=None)
    return existing(cases.select_related("corpus").first(), "case")


def case_of_answer(*, organization: Organization, answer_id: UUID) -> CaseEntry | None:
    """The case that an answer was kept as, with `is_expired`; None where it was not, or where the case is gone."""
    return _cases(organization).filter(origin=CaseOrigin.ANSWER, origin_id=answer_id).first()


def case_same(*, corpus: Corpus, row: CaseRow) -> CaseEntry | None:
    """The case with the same question, support and answer, with `is_expired`; None where there is none."""
    return _cases(corpus.organization).filter(corpus=corpus, digest=row.digest).first()


def case_as_text(*, case: CaseEntry) -> CaseText:
    """A case as it is put together with others, or shown to a model."""
    return CaseText(str(case.pk), case.question, case.support, case.entities, case.answer)


def case_supports(*, cases: Iterable[CaseEntry]) -> QuerySet[CaseSupport]:
    """The passages that cases cite, each with `is_current`: the paragraph is in force as it was read."""
    supports = CaseSupport.objects.filter(case__in=list(cases)).select_related("paragraph__document")
    return supports.annotate(is_current=ExpressionWrapper(_is_current(), output_field=BooleanField())).order_by("pk")


def case_documents(*, cases: Iterable[CaseEntry]) -> list[dict[str, Any]]:
    """Cases as the lines of a file have them, which `case_rows_read` takes."""
    entries = list(cases)
    by_case: dict[UUID, list[str]] = {}
    for support in case_supports(cases=entries):
        paragraph_id = support.paragraph.shown_id
        by_case.setdefault(support.case_id, []).append(paragraph_id)
    return [
        {
            "id": case.external_id,
            "name": case.name,
            "question": case.question,
            "support": case.support,
            "answer": case.answer,
            "paragraph_ids": by_case.get(case.pk, []),
            "entities": case.entities,
        }
        for case in entries
    ]


def _cases(organization: Organization) -> QuerySet[CaseEntry]:
    expired = When(Exists(_supports_gone()), then=Value(value=True))
    is_expired = Case(expired, default=Value(value=False), output_field=BooleanField())
    is_placed = Exists(CaseSupport.objects.filter(case=OuterRef("pk")))
    return CaseEntry.objects.filter(organization=organization).annotate(is_expired=is_expired, is_placed=is_placed)


def _supports_gone() -> QuerySet[CaseSupport]:
    """The supports of a case, in a query of cases, that are no longer in force and that nobody has confirmed."""
    return CaseSupport.objects.filter(~_is_current(), case=OuterRef("pk"), is_confirmed=False)


def _is_current() -> Q:
    """Of a support: its document is there, and the current version still has the paragraph."""
    place = Position.objects.filter(paragraph=OuterRef("paragraph"), version=OuterRef("paragraph__document__current"))
    return Q(paragraph__document__removed_at=None) & Q(Exists(place))
