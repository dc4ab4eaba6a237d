"""Gold questions from graded answers: what people say of answers, weighed by question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F

from corpora.models import Corpus, Paragraph, Position
from judging.gold.files import MAX_CHARS, MAX_QUESTIONS, MAX_REFERENCES, GoldRow, GoldSpan
from legalqa.accounts.models import Organization
from legalqa.answering.models import AnswerGrade, AnswerMode, Citation, Claim, Grade
from legalqa.answering.selectors import judgments_by_grade
from retrieval.services.lab import query_hash

IS_RIGHT = {Grade.RIGHT: True, Grade.PARTLY: None, Grade.WRONG: False, Grade.RIGHTLY_SILENT: True, Grade.MISSED: False}


@dataclass(frozen=True, slots=True)
class GradeCounts:
    """The gold questions that the grades of a corpus give: with passages that answer them, or rightly unanswered."""

    n_answerable: int
    n_unanswerable: int

    @property
    def n_questions(self) -> int:
        return self.n_answerable + self.n_unanswerable


@dataclass(slots=True)
class GradedQuestion:
    """The grades of one question, however often and by however many people it was asked.

    Attributes:
        text: As it was typed last.
        history: The questions before it, oldest first.
        votes: By paragraph and person, whether it answers the question; of each person the last word counts.
        silent: By person, whether the documents are silent in their eyes; None where they say neither.
        verdicts: By the words of an answer ("" for a silence) and person, whether these are right in their eyes; None
            where they are in part.
        answers: By the words of an answer, one that gave them.
        answer: The words of the last answer that was graded right.
        corrected: By person, the answer that they think right; "" where they wrote none.
    """

    text: str
    history: tuple[str, ...]
    votes: dict[int, dict[UUID, bool]] = field(default_factory=dict)
    silent: dict[UUID, bool | None] = field(default_factory=dict)
    verdicts: dict[str, dict[UUID, bool | None]] = field(default_factory=dict)
    answers: dict[str, UUID] = field(default_factory=dict)
    answer: str = ""
    corrected: dict[UUID, str] = field(default_factory=dict)

    def take(self, grade: AnswerGrade, votes: Mapping[int, bool], answer: str) -> None:
        """Count a grade; grades come oldest first."""
        person, verdict = grade.grader_id, Grade(grade.grade)
        self.text = grade.answer.question.text
        self.verdicts.setdefault(answer, {})[person] = IS_RIGHT[verdict]
        self.answers[answer] = grade.answer_id
        self.corrected[person] = grade.correction
        self.silent[person] = None if verdict == Grade.WRONG else verdict == Grade.RIGHTLY_SILENT
        if verdict == Grade.RIGHTLY_SILENT:  # this replaces what the person said earlier about passages
            for by_person in self.votes.values():
                by_person.pop(person, None)
            return
        for paragraph, vote in votes.items():
            self.votes.setdefault(paragraph, {})[person] = vote
        if verdict == Grade.RIGHT:
            self.answer = answer

    def relevant(self) -> list[int]:
        """Paragraphs that more people say answer the question than say they do not; "rightly silent" says no to all."""
        silent = sum(vote is True for vote in self.silent.values())
        return [
            paragraph
            for paragraph, by_person in self.votes.items()
            if 2 * sum(by_person.values()) > len(by_person) + silent
        ]

    def refuted(self) -> list[int]:
        """Paragraphs that more people say do not answer the question than say they do."""
        return [
            paragraph for paragraph, by_person in self.votes.items() if 2 * sum(by_person.values()) < len(by_person)
        ]

    def words(self, *, are_right: bool) -> list[str]:
        """The words of answers that more people call right than wrong, or the other way round; "" is a silence."""
        return [
            words
            for words, by_person in self.verdicts.items()
            if sum(1 if vote is are_right else -1 for vote in by_person.values() if vote is not None) > 0
        ]

    def is_silence(self) -> bool:
        """Whether more people say that the documents are silent than say that they answer."""
        votes = [word for word in self.silent.values() if word is not None]
        return 2 * sum(votes) > len(votes)


def graded_rows(*, organization: Organization, corpus: Corpus) -> list[GoldRow]:
    """The questions of a corpus that grades make gold of, in the order in which they were first graded.

    An answer graded right makes all its passages relevant, except those that the person says do not support it. One
    graded partly right, or a silence of which somebody says that the documents do answer, makes only those relevant
    that are said to. One graded wrong makes none relevant; a passage said not to support it counts as a negative.
    Places with the same words as a cited one go with it. A passage needs more yes than no; a declined answer needs more
    people who call it right than people who do not; only the last word of each person counts. Passages that are no
    longer searched are left out, and a question without any, if it is not a silence. At most MAX_QUESTIONS, as a gold
    set has.
    """
    questions = graded_questions(organization=organization, corpus=corpus)
    live = paragraphs_live({paragraph for question in questions for paragraph in question.votes})
    rows = (_row(line, question, live) for line, question in enumerate(questions, start=1))
    return [row for row in rows if row is not None][:MAX_QUESTIONS]


def graded_questions(*, organization: Organization, corpus: Corpus) -> list[GradedQuestion]:
    """The questions of a corpus that have a grade, with all that was said; in the order of their first grades."""
    grades = list(
        AnswerGrade.objects.filter(organization=organization, corpus=corpus)
        .select_related("answer__question")
        .defer("answer__evidence", "answer__pipeline", "answer__generation")
        .order_by("changed_at", "pk")
    )
    judged = judgments_by_grade(grades=grades)
    cited = _cited(grades)
    texts = answer_texts(grade.answer_id for grade in grades)
    questions: dict[tuple[str, tuple[str, ...]], GradedQuestion] = {}
    for grade in grades:
        text, history = grade.answer.question.text, tuple(reversed(grade.answer.asked.get("former", ())))
        question = questions.setdefault((query_hash(query=text), history), GradedQuestion(text, history))
        votes = _votes(grade, judged.get(grade.pk, {}), cited.get(grade.answer_id, {}))
        question.take(grade, votes, texts.get(grade.answer_id, ""))
    return list(questions.values())


def graded_counts(*, organization: Organization, corpus: Corpus) -> GradeCounts:
    """How many questions `graded_rows` gives."""
    rows = graded_rows(organization=organization, corpus=corpus)
    n_answerable = sum(row.is_answerable for row in rows)
    return GradeCounts(n_answerable, len(rows) - n_answerable)


def _row(line: int, question: GradedQuestion, live: Mapping[int, Paragraph]) -> GoldRow | None:
    paragraphs = [live[paragraph] for paragraph in question.relevant() if paragraph in live]
    spans = tuple(GoldSpan(paragraph.public_id) for paragraph in paragraphs[:MAX_REFERENCES])
    if not spans and not question.is_silence():
        return None
    answer = question.answer[:MAX_CHARS] if spans else ""
    text = " ".join(question.text.split())
    return GoldRow(line, "", text, answer, spans, "", is_answerable=bool(spans), history=question.history)


def _votes(grade: AnswerGrade, judged: Mapping[int, bool], cited: Mapping[int, Sequence[int]]) -> dict[int, bool]:
    """What one grade says of paragraphs."""
    votes = dict(judged)
    if grade.grade == Grade.RIGHT:
        votes = dict.fromkeys(cited, True) | votes
    if grade.grade == Grade.WRONG:
        votes = {paragraph: vote for paragraph, vote in votes.items() if not vote}
    elsewhere = {twin: vote for paragraph, vote in votes.items() for twin in cited.get(paragraph, ())}
    return elsewhere | votes


def _cited(grades: Iterable[AnswerGrade]) -> dict[UUID, dict[int, list[int]]]:
    """By answer the paragraphs that its shown claims cite, each with those that have the same words."""
    modes = {grade.answer_id: grade.answer.mode for grade in grades}
    rows: Any = Citation.objects.filter(claim__answer__in=modes, claim__is_shown=True).order_by("claim", "rank")
    by_answer: dict[UUID, dict[int, list[int]]] = {}
    source = 0
    for answer_id, rank, paragraph in rows.values_list("claim__answer_id", "rank", "paragraph_id"):
        by_paragraph = by_answer.setdefault(answer_id, {})
        if rank == 0 or modes[answer_id] == AnswerMode.WRITTEN:
            source = paragraph
            by_paragraph.setdefault(source, [])
        else:
            by_paragraph[source].append(paragraph)
    return by_answer


def answer_texts(answer_ids: Iterable[UUID]) -> dict[UUID, str]:
    """The shown words of answers."""
    claims = Claim.objects.filter(answer__in=list(answer_ids), is_shown=True).order_by("answer", "ordinal")
    texts: dict[UUID, list[str]] = {}
    for answer_id, text in claims.values_list("answer_id", "text"):
        texts.setdefault(answer_id, []).append(text)
    return {answer_id: " ".join(parts) for answer_id, parts in texts.items()}


def paragraphs_live(paragraphs: Iterable[int]) -> dict[int, Paragraph]:
    """Those of the paragraphs that are searched now, by their primary key."""
    positions = Position.objects.filter(
        paragraph__in=list(paragraphs),
        version=F("paragraph__document__current"),
        paragraph__document__removed_at__isnull=True,
    )
    return Paragraph.objects.in_bulk(positions.values_list("paragraph", flat=True))
