"""What the pages of gold sets show."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet
from django.urls import reverse

from corpora.models import Corpus, Paragraph, Position
from corpora.selectors import corpus_get
from judging.gold.files import GoldRow
from judging.gold.formats import WRITERS
from judging.gold.grades import graded_counts, graded_rows
from judging.gold.services.doubles import splits_shared
from judging.gold.services.kinds import kinds_all
from judging.gold.services.reviewing import edits_of, reports_of, reviews_of
from judging.gold.services.sets import gold_questions, gold_references, gold_set_list, marks_count
from judging.gold.taxonomy import CRITERIA, kind_of
from judging.models import GoldQuestion, GoldReference, GoldReport, GoldSet, ReportState, Review
from legalqa.accounts.models import Organization


def gold_set_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The gold sets of a corpus, and what new ones could be made of."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return {
        "corpus": corpus,
        "sets": gold_set_list(organization=organization, corpus_id=corpus_id),
        "n_marked": marks_count(organization=organization, corpus_id=corpus_id),
        "graded": graded_counts(organization=organization, corpus=corpus),
    }


def question_rows(*, questions: Sequence[GoldQuestion], slug: str) -> list[dict[str, Any]]:
    """Questions with their references as links into the reader."""
    references = gold_references(questions=questions)
    places = _places(r.paragraph_id for group in references.values() for r in group)
    rows = []
    for question in questions:
        passages = [_passage(reference, places, slug) for reference in references.get(question.pk, ())]
        is_unknown = question.is_answerable and not passages
        rows.append({"question": question, "passages": passages, "is_unknown": is_unknown, "is_gold": True})
    return rows


FILTERS = {  # filters of a set's questions: parameter to the column it compares
    "type": "question_type",
    "split": "split",
    "review": "review",
}
NO_SPLIT = "none"


def questions_chosen(*, gold_set: GoldSet, query: Mapping[str, Any]) -> QuerySet[GoldQuestion]:
    """The questions of a set that fit the filters of a page or an endpoint; `doubles` is one, too."""
    questions = gold_questions(gold_set=gold_set)
    for parameter, column in FILTERS.items():
        if value := query.get(parameter, "").replace("\x00", ""):
            questions = questions.filter(Q((column, "" if (parameter, value) == ("split", NO_SPLIT) else value)))
    return questions.filter(double_of__isnull=False) if query.get("doubles") else questions


def gold_set_shown(*, organization: Organization, gold_set: GoldSet, query: Mapping[str, Any]) -> dict[str, Any]:
    """What a gold set covers, and the links that filter its questions."""
    questions = gold_questions(gold_set=gold_set)
    filters: dict[str, Any] = {key: query.get(key, "") for key in (*FILTERS, "doubles")}
    splits = _counts(questions, "split")
    chips = [
        *_chips("review", _counts(questions, "review"), filters),
        *_chips("split", {name or NO_SPLIT: n for name, n in splits.items()} if set(splits) - {""} else {}, filters),
        *_chips("doubles", {"yes": n} if (n := questions.filter(double_of__isnull=False).count()) else {}, filters),
    ]
    reports = GoldReport.objects.filter(question__gold_set=gold_set, state=ReportState.OPEN)
    return {
        "gold_set": gold_set,
        "corpus": gold_set.corpus,
        "chips": chips,
        "is_filtered": any(filters.values()),
        "types": _type_rows(organization, questions, filters),
        "documents": documents_covered(gold_set=gold_set),
        "shared": splits_shared(gold_set=gold_set),
        "reports": reports.select_related("question").order_by("reported_at")[:20],
        "shapes": tuple(WRITERS),
    }


def _counts(questions: QuerySet[GoldQuestion], column: str) -> dict[str, int]:
    rows = questions.order_by(column).values(column).annotate(n=Count("pk"))
    return {row[column]: row["n"] for row in rows}


def _chips(parameter: str, counts: Mapping[str, int], filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    words = {"none": "no split", "yes": "duplicates"}
    return [
        {
            "label": words.get(value, value),
            "count": count,
            "is_active": filters[parameter] == value,
            "url": _query({**filters, parameter: "" if filters[parameter] == value else value}),
        }
        for value, count in counts.items()
    ]


def _query(parameters: Mapping[str, Any]) -> str:
    return "?" + urlencode({key: value for key, value in parameters.items() if value})


def _type_rows(
    organization: Organization, questions: QuerySet[GoldQuestion], filters: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Every type that has questions, with its targets and how many are approved; then those that have none."""
    kinds = kinds_all(organization=organization)
    by_type = questions.order_by("question_type").values("question_type")
    rows: list[dict[str, Any]] = []
    for row in by_type.annotate(n=Count("pk"), n_approved=Count("pk", filter=Q(review=Review.APPROVED))):
        name = row["question_type"]
        url = _query({**filters, "type": name})
        rows.append({"name": name or "no type", "kind": kind_of(name, kinds), "url": url if name else "", **row})
    names = {row["kind"].name for row in rows if row["kind"] is not None}
    missing = [{"name": kind.name, "kind": kind, "n": 0} for kind in kinds if kind.name not in names]
    return rows + missing


def documents_covered(*, gold_set: GoldSet) -> list[dict[str, Any]]:
    """The documents that questions of a set refer to, with how many; the rest of the corpus is their complement."""
    references = GoldReference.objects.filter(question__gold_set=gold_set).order_by()
    by_document = references.values("paragraph__document", "paragraph__document__title")
    rows = by_document.annotate(n=Count("question", distinct=True)).order_by("-n", "paragraph__document__title")
    return [
        {"id": row["paragraph__document"], "title": row["paragraph__document__title"], "n": row["n"]} for row in rows
    ]


def gold_question_page(*, organization: Organization, question: GoldQuestion, slug: str) -> dict[str, Any]:
    """A question with its passages, its reviews, reports and earlier versions."""
    (row,) = question_rows(questions=[question], slug=slug)
    double = GoldQuestion.objects.filter(pk=question.double_of).first() if question.double_of else None
    names = {criterion.name: criterion.label for criterion in CRITERIA}
    reviews = [
        {"review": review, "grades": [(names[key], grade) for key, grade in review.grades.items() if key in names]}
        for review in reviews_of(question=question)
    ]
    return {
        "row": row,
        "question": question,
        "gold_set": question.gold_set,
        "corpus": question.gold_set.corpus,
        "double": double,
        "kind": kind_of(question.question_type, kinds_all(organization=organization)),
        "reviews": reviews,
        "reports": reports_of(questions=[question]),
        "edits": edits_of(question=question),
    }


def graded_page(*, organization: Organization, corpus: Corpus, kind: str) -> dict[str, Any]:
    """The questions that grades make, all or of one kind, with links that show each kind with its count."""
    rows = graded_rows(organization=organization, corpus=corpus)
    kinds = {
        "": ("All", rows),
        "answerable": ("With passages", [row for row in rows if row.is_answerable]),
        "silent": ("Correctly declined", [row for row in rows if not row.is_answerable]),
    }
    active = kind if kind in kinds else ""
    return {
        "corpus": corpus,
        "questions": kinds[active][1],
        "filters": [
            {"url": f"?kind={key}" if key else "?", "label": label, "count": len(group), "is_active": key == active}
            for key, (label, group) in kinds.items()
        ],
    }


def graded_question_rows(*, questions: Sequence[GoldRow], slug: str) -> list[dict[str, Any]]:
    """Questions that grades make, with their passages as links into the reader."""
    ids = {span.paragraph_id for row in questions for span in row.references}
    paragraphs = Paragraph.objects.filter(public_id__in=ids).select_related("document")
    by_id = {paragraph.public_id: paragraph for paragraph in paragraphs}
    places = _places(paragraph.pk for paragraph in by_id.values())
    return [
        {
            "question": {
                "text": row.question,
                "reference_answer": row.reference_answer,
                "is_answerable": row.is_answerable,
            },
            "passages": [
                _passage(GoldReference(paragraph=by_id[span.paragraph_id]), places, slug) for span in row.references
            ],
        }
        for row in questions
    ]


def _places(paragraphs: Iterable[int]) -> dict[int, int]:
    """Where paragraphs are in the current versions of their documents."""
    live = Position.objects.filter(paragraph__in=list(paragraphs), version=F("paragraph__document__current"))
    return dict(live.values_list("paragraph_id", "ordinal"))


def _passage(reference: GoldReference, places: dict[int, int], slug: str) -> dict[str, Any]:
    paragraph = reference.paragraph
    return {
        "text": paragraph.text[slice(reference.start, reference.end)].strip(),
        "document": paragraph.document.title,
        "is_gone": paragraph.document.removed_at is not None or paragraph.pk not in places,
        "url": _reader_url(reference, places, slug),
    }


def _reader_url(reference: GoldReference, places: dict[int, int], slug: str) -> str:
    """The reader, open at the passage in the version that is searched now."""
    paragraph = reference.paragraph
    url = reverse("document_detail", args=[slug, paragraph.document_id])
    end = reference.end or len(paragraph.text)
    return f"{url}?at={places.get(paragraph.pk, 0)}:{reference.start or 0}-{end}"
