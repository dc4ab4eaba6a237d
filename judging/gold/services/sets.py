"""Gold sets of a corpus: brought as a file, or made of the passages that were marked in the search lab."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from corpora.models import Corpus, Paragraph
from corpora.selectors import corpus_get
from judging.gold.files import GoldFileError, GoldRow, GoldSpan
from judging.gold.grades import graded_rows
from judging.models import Experiment, GoldQuestion, GoldReference, GoldSet, Review, Split
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit, reply_note
from legalqa.common.errors import ApplicationError, Conflict, existing
from retrieval.models import RelevantPassage

MAX_SETS = 50  # ours, a corpus: a list that a person can still read
MAX_NAME = 80
BATCH = 1000


@dataclass(frozen=True, slots=True)
class GoldSetCounts:
    """A gold set with how many questions it has.

    Attributes:
        n_answerable: Those whose passages are known.
        n_unknown: Those that the corpus answers, but nobody has said where.
    """

    gold_set: GoldSet
    n_questions: int
    n_answerable: int
    n_unknown: int

    @property
    def words(self) -> str:
        """The counts as choices, lists and commands name them."""
        left_out = f", {self.n_unknown} with unknown evidence" if self.n_unknown else ""
        return f"{self.n_answerable} answerable{left_out}"


def gold_set_list(*, organization: Organization, corpus_id: UUID) -> list[GoldSetCounts]:
    """The gold sets of a corpus, by name.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return _counted(list(_sets(organization).filter(corpus=corpus).order_by("name")))


def gold_sets_elsewhere(*, organization: Organization, corpus_id: UUID) -> list[GoldSetCounts]:
    """The gold sets of other corpora that the active person may see, by corpus and name."""
    others = _sets(organization).exclude(corpus=corpus_id).select_related("corpus")
    return _counted(list(others.order_by("corpus__name", "name")))


def gold_set_counted(*, gold_set: GoldSet) -> GoldSetCounts:
    """A gold set with its counts."""
    (counts,) = _counted([gold_set])
    return counts


def gold_set_get(*, organization: Organization, gold_set_id: UUID, corpus_id: UUID | None = None) -> GoldSet:
    """A gold set with its corpus, of any or of this one.

    Raises:
        NotFound: there is none, or you have no access to its corpus.
    """
    of_corpus = {} if corpus_id is None else {"corpus": corpus_id}
    sets = _sets(organization).filter(pk=gold_set_id, **of_corpus)
    return existing(sets.select_related("corpus").first(), "gold set")


def gold_set_by_name(*, organization: Organization, corpus: Corpus, name: str) -> GoldSet:
    """The gold set of a corpus that a command means, by name or id.

    Raises:
        ApplicationError: there is none; the message lists what exists.
    """
    sets = list(_sets(organization).filter(corpus=corpus).order_by("name"))
    gold_set = next((s for s in sets if name in (s.name, str(s.pk))), None)
    if gold_set is None:
        names = ", ".join(s.name for s in sets) or "none yet"
        raise ApplicationError(f"The corpus has no gold set {name!r}. It has: {names}.", code="unknown_gold_set")
    return gold_set


def gold_questions(*, gold_set: GoldSet) -> QuerySet[GoldQuestion]:
    """The questions of a set in their order."""
    return GoldQuestion.objects.filter(gold_set=gold_set).order_by("ordinal")


def gold_questions_with_evidence(*, gold_set: GoldSet) -> QuerySet[GoldQuestion]:
    """The answerable questions that may be learned from and whose passages are known, in their order."""
    references = GoldReference.objects.filter(question=OuterRef("pk"))
    return gold_questions_learned(gold_sets=[gold_set]).filter(Exists(references), is_answerable=True)


def gold_questions_learned(*, gold_sets: Sequence[GoldSet]) -> QuerySet[GoldQuestion]:
    """The questions of sets that may be learned from, in their order: approved ones outside the test split."""
    questions = GoldQuestion.objects.filter(gold_set__in=gold_sets, review=Review.APPROVED)
    return questions.exclude(split=Split.TEST).order_by("gold_set", "ordinal")


def gold_questions_approved(*, gold_set: GoldSet) -> QuerySet[GoldQuestion]:
    """The questions of a set that are measured on: no drafts, none that was rejected."""
    return gold_questions(gold_set=gold_set).filter(review=Review.APPROVED)


def gold_references(*, questions: Iterable[GoldQuestion]) -> dict[UUID, list[GoldReference]]:
    """The references of each question with their paragraphs and documents, in the order of the file."""
    ids = [question.pk for question in questions]
    references: dict[UUID, list[GoldReference]] = defaultdict(list)
    rows = GoldReference.objects.filter(question__in=ids).select_related("paragraph__document").order_by("pk")
    for reference in rows:
        references[reference.question_id].append(reference)
    return references


def gold_set_import(
    *, organization: Organization, user: User | None, corpus_id: UUID, name: str, rows: Sequence[GoldRow]
) -> GoldSet:
    """Store a gold set whose references are paragraphs of the corpus: all of its questions or none.

    Raises:
        NotFound: no such corpus.
        GoldFileError: a reference that is not a paragraph of the corpus, or a span that ends after its paragraph.
        ApplicationError: the name does not fit.
        Conflict: the name is taken, or the corpus has MAX_SETS already.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    paragraphs = referenced_paragraphs(organization=organization, corpus=corpus, rows=rows)
    gold_set = gold_set_create(organization=organization, user=user, corpus=corpus, name=name)
    questions = gold_questions_add(gold_set=gold_set, rows=rows, paragraphs=paragraphs)
    reply_note(subject_id=gold_set.pk)
    audit(
        organization=organization,
        actor=user,
        action="gold_set.imported",
        subject_id=corpus.pk,
        questions=len(questions),
    )
    return gold_set


def referenced_paragraphs(
    *, organization: Organization, corpus: Corpus, rows: Sequence[GoldRow]
) -> dict[str, Paragraph]:
    """The paragraphs of the corpus that the questions refer to, by the ids that they use.

    Raises:
        GoldFileError: a reference that is not a paragraph of the corpus, or a span that ends after its paragraph.
    """
    ids = {span.paragraph_id for row in rows for span in row.references}
    paragraphs = _paragraphs(organization, corpus, ids)
    for row in rows:
        for span in row.references:
            _span_check(row, span, paragraphs)
    return paragraphs


def gold_questions_add(
    *, gold_set: GoldSet, rows: Sequence[GoldRow], paragraphs: Mapping[str, Paragraph]
) -> list[GoldQuestion]:
    """Store questions with their references, after those that the set has."""
    of = {"organization_id": gold_set.organization_id}
    last = gold_questions(gold_set=gold_set).last()
    first = 0 if last is None else last.ordinal + 1
    questions = [
        GoldQuestion(**of, gold_set=gold_set, ordinal=ordinal, external_id=row.id, **question_columns(row=row))
        for ordinal, row in enumerate(rows, start=first)
    ]
    GoldQuestion.objects.bulk_create(questions, batch_size=BATCH)
    references = [
        GoldReference(**of, question=question, paragraph=paragraphs[span.paragraph_id], start=span.start, end=span.end)
        for question, row in zip(questions, rows, strict=True)
        for span in row.references
    ]
    # The id of a passages file and the public id may name one paragraph twice: once is enough.
    GoldReference.objects.bulk_create(references, batch_size=BATCH, ignore_conflicts=True)
    return questions


def question_columns(*, row: GoldRow) -> dict[str, Any]:
    """The columns of a question that a line of a file fills, its id and its place aside."""
    return {
        "text": row.question,
        "reference_answer": row.reference_answer,
        "question_type": row.question_type,
        "is_answerable": row.is_answerable,
        "history": list(row.history),
        "split": row.split,
        "review": row.review,
        "topic": row.topic,
        "written_by": row.written_by,
    }


def gold_set_of_marks(*, organization: Organization, user: User, corpus_id: UUID, name: str) -> GoldSet:
    """Make a gold set of the passages that people marked as right in the search lab, a question for each query.

    Raises:
        NotFound: no such corpus.
        ApplicationError: nothing is marked yet, or the name does not fit.
        Conflict: as `gold_set_import`.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    marks = RelevantPassage.objects.filter(organization=organization, corpus=corpus).order_by("pk")
    by_query: dict[str, tuple[str, list[GoldSpan]]] = {}
    for mark in marks.select_related("paragraph"):
        by_query.setdefault(mark.query_hash, (mark.query, []))[1].append(GoldSpan(mark.paragraph.public_id))
    if not by_query:
        raise ApplicationError(
            "No passage of this corpus is marked yet. Search in the search lab and mark the passages that answer.",
            code="nothing_marked",
        )
    rows = [
        GoldRow(line, "", query, "", tuple(spans), "", is_answerable=True, history=())
        for line, (query, spans) in enumerate(by_query.values(), start=1)
    ]
    return gold_set_import(organization=organization, user=user, corpus_id=corpus_id, name=name, rows=rows)


def gold_set_of_grades(*, organization: Organization, user: User | None, corpus_id: UUID, name: str) -> GoldSet:
    """Make a gold set of graded answers; `judging.gold.grades.graded_rows` says how grades are weighed.

    Raises:
        NotFound: no such corpus.
        ApplicationError: no grade makes a question, or the name does not fit.
        Conflict: as `gold_set_import`.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    rows = graded_rows(organization=organization, corpus=corpus)
    if not rows:
        raise ApplicationError(
            "No grade in this corpus gives a gold question yet. Grade answers as right, mark the passages that "
            "support them, or mark a declined answer as correct.",
            code="nothing_graded",
        )
    return gold_set_import(organization=organization, user=user, corpus_id=corpus_id, name=name, rows=rows)


def marks_count(*, organization: Organization, corpus_id: UUID) -> int:
    """How many queries of a corpus have a passage marked in the search lab."""
    marks = RelevantPassage.objects.filter(organization=organization, corpus_id=corpus_id)
    return marks.values("query_hash").distinct().count()


def gold_set_remove(*, organization: Organization, user: User, gold_set_id: UUID) -> Corpus:
    """Remove a gold set with what was tuned on it; mappings that came of it stay. Returns its corpus.

    Raises:
        NotFound: no such gold set, or its corpus is walled off.
        Conflict: experiments use it, and would be lost with it.
    """
    gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id)
    if n_used := Experiment.objects.filter(gold_set=gold_set).count():
        used = "1 experiment uses" if n_used == 1 else f"{n_used} experiments use"
        first = "Remove that experiment first" if n_used == 1 else "Remove these experiments first"
        raise Conflict(
            f"{used} this gold set and would be lost with it. {first}, on the page of the corpus's experiments.",
            code="gold_set_used",
        )
    corpus: Corpus = gold_set.corpus
    gold_set.delete()
    audit(organization=organization, actor=user, action="gold_set.removed", subject_id=corpus.pk)
    return corpus


def gold_set_rows(*, gold_set: GoldSet) -> list[GoldRow]:
    """The questions as they are written to a file."""
    return question_rows_of(questions=list(gold_questions(gold_set=gold_set)))


def question_rows_of(*, questions: Sequence[GoldQuestion]) -> list[GoldRow]:
    """Questions as they are written to a file."""
    references = gold_references(questions=questions)
    return [
        GoldRow(
            question.ordinal + 1,
            question.external_id,
            question.text,
            question.reference_answer,
            tuple(GoldSpan(r.paragraph.shown_id, r.start, r.end) for r in references.get(question.pk, ())),
            question.question_type,
            question.is_answerable,
            tuple(question.history),
            question.split,
            question.review,
            question.topic,
            question.written_by,
        )
        for question in questions
    ]


def _counted(sets: Sequence[GoldSet]) -> list[GoldSetCounts]:
    references = Exists(GoldReference.objects.filter(question=OuterRef("pk")))
    questions = GoldQuestion.objects.filter(gold_set__in=sets).order_by().annotate(is_known=references)
    by_set = questions.values("gold_set_id").annotate(
        n=Count("pk"),
        n_good=Count("pk", filter=Q(is_answerable=True, is_known=True)),
        n_unknown=Count("pk", filter=Q(is_answerable=True, is_known=False)),
    )
    counts = {row["gold_set_id"]: (row["n"], row["n_good"], row["n_unknown"]) for row in by_set}
    return [GoldSetCounts(gold_set, *counts.get(gold_set.pk, (0, 0, 0))) for gold_set in sets]


def _sets(organization: Organization) -> QuerySet[GoldSet]:
    return GoldSet.objects.filter(organization=organization)


def _paragraphs(organization: Organization, corpus: Corpus, ids: set[str]) -> dict[str, Paragraph]:
    """Paragraphs of the corpus by the ids, of either kind, that name them; our own id comes before a file's."""
    mine = Paragraph.objects.filter(organization=organization, document__corpus=corpus)
    paragraphs: dict[str, Paragraph] = {}
    for paragraph in mine.filter(external_id__in=ids - {""}):
        paragraphs[paragraph.external_id] = paragraph
    for paragraph in mine.filter(public_id__in=ids):
        paragraphs[paragraph.public_id] = paragraph
    return paragraphs


def _span_check(row: GoldRow, span: GoldSpan, paragraphs: dict[str, Paragraph]) -> None:
    paragraph = paragraphs.get(span.paragraph_id)
    if paragraph is None:
        raise GoldFileError(
            row.line,
            f"the corpus has no paragraph {span.paragraph_id[:60]!r}. "
            "Use the id shown by the reader, the API or a search.",
        )
    if span.end is not None and span.end > len(paragraph.text):
        raise GoldFileError(
            row.line, f"the span ends at {span.end}, and its paragraph has {len(paragraph.text)} characters."
        )


def gold_set_create(*, organization: Organization, user: User | None, corpus: Corpus, name: str) -> GoldSet:
    """An empty gold set.

    Raises:
        ApplicationError: the name does not fit.
        Conflict: the name is taken, or the corpus has MAX_SETS already.
    """
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or "\x00" in name:
        raise ApplicationError(f"Give the gold set a name of 1 to {MAX_NAME} characters.", code="bad_name")
    if _sets(organization).filter(corpus=corpus).count() >= MAX_SETS:
        raise Conflict(
            f"The corpus has {MAX_SETS} gold sets, which is the limit. Remove one first.", code="too_many_gold_sets"
        )
    try:
        with transaction.atomic():
            return GoldSet.objects.create(organization=organization, corpus=corpus, name=name, created_by=user)
    except IntegrityError:
        raise Conflict(
            f"The corpus already has a gold set called {name!r}. Choose another name.", code="name_taken"
        ) from None
