"""What people said of answers, as lines that language models and encoders are trained on; no names, no notes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any
from uuid import UUID

from corpora.models import Document
from corpora.selectors import corpus_get
from judging.gold.grades import GradedQuestion, graded_questions, paragraphs_live
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.models import Answer, Citation, ClaimPart
from legalqa.answering.selectors import ClaimView, claim_list
from legalqa.answering.types import SILENT
from legalqa.common.errors import ApplicationError

ANSWERS, PAIRS, READER = "answers", "pairs", "reader"
KINDS = {
    ANSWERS: "Verified answers with their citations",
    PAIRS: "Pairs of a right and a wrong answer (prompt, chosen, rejected)",
    READER: "Rows to train the reader (question, passage, answerable)",
}
PASSAGES_OF_SILENCE = 5  # ours: the passages that were nearest, and do not answer


def training_lines(
    *, organization: Organization, user: User | None, corpus_id: UUID, kind: str
) -> list[dict[str, Any]]:
    """The lines of one kind.

    `answers`: answers that more people call right than wrong, silences too, with the passages that were read for them
    and the quotes that they cite. `pairs`: of one question an answer that is right and one that is wrong, or a passage
    that answers it and one that does not, as prompt, chosen and rejected; a corrected answer is right. `reader`: as
    `manage.py reader train --data` takes them, a question and a passage, whether it answers, and where. What is no
    longer searched is in none.

    Raises:
        NotFound: no such corpus.
        ApplicationError: an unknown kind, or no grade makes a line.
    """
    if kind not in KINDS:
        raise ApplicationError(
            f"There is no kind {kind[:20]!r} of lines; choose one of: {', '.join(KINDS)}.", code="unknown_kind"
        )
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    questions = graded_questions(organization=organization, corpus=corpus)
    makers = {
        ANSWERS: lambda: _answers(organization, questions),
        PAIRS: lambda: _pairs(questions),
        READER: lambda: _reader_rows(organization, questions),
    }
    lines = list(makers[kind]())
    if not lines:
        raise ApplicationError(
            f"No grade in this corpus gives a line of {kind} yet. Grade answers as right; for pairs, also grade other "
            f"answers to the same question as wrong, or mark single passages.",
            code="nothing_graded",
        )
    audit(organization=organization, actor=user, action="grades.exported", subject_id=corpus.pk, rows=len(lines))
    return lines


def _asked(question: GradedQuestion) -> dict[str, Any]:
    return {"question": " ".join(question.text.split()), "history": list(question.history)}


def _answers(organization: Organization, questions: Sequence[GradedQuestion]) -> Iterator[dict[str, Any]]:
    for question in questions:
        for words in question.words(are_right=True):
            answer = Answer.objects.get(organization=organization, pk=question.answers[words])
            claims = [view for view in claim_list(answer=answer) if view.claim.is_shown]
            cited = {c.paragraph_id for view in claims for c in view.sources}
            if cited <= paragraphs_live(cited).keys():
                yield _asked(question) | _answered(answer, words, claims)


def _answered(answer: Answer, words: str, claims: Sequence[ClaimView]) -> dict[str, Any]:
    documents = {row["document_id"] for row in answer.evidence}
    rows = Document.objects.filter(pk__in=documents, removed_at=None).values_list("pk", flat=True)
    searched = {str(document_id) for document_id in rows}
    return {
        "answer": words or SILENT,
        "mode": answer.mode,
        "claims": [
            {
                "text": view.claim.text,
                "citations": [{"paragraph_id": c.paragraph.shown_id, "quote": c.quote} for c in view.sources],
            }
            for view in claims
        ],
        "passages": [
            {"paragraph_id": row["paragraph_id"], "document": row["document"], "text": row["text"]}
            for row in answer.evidence
            if row["document_id"] in searched
        ],
    }


def _pairs(questions: Sequence[GradedQuestion]) -> Iterator[dict[str, Any]]:
    live = paragraphs_live({paragraph for question in questions for paragraph in question.votes})
    for question in questions:
        right, wrong = (question.words(are_right=are_right) for are_right in (True, False))
        right += [words for words in dict.fromkeys(question.corrected.values()) if words and words not in right]
        for chosen, rejected in product(right, wrong):
            pair = {"chosen": chosen or SILENT, "rejected": rejected or SILENT}
            yield {"kind": "answer"} | _prompted(question) | pair
        for relevant, refuted in product(question.relevant(), question.refuted()):
            if relevant in live and refuted in live:
                pair = {"chosen": live[relevant].text.strip(), "rejected": live[refuted].text.strip()}
                yield {"kind": "passage"} | _prompted(question) | pair


def _prompted(question: GradedQuestion) -> dict[str, Any]:
    """A question with the prompt of trainers for preferences (TRL): the questions before it, then this one."""
    fields = _asked(question)
    return {"prompt": "\n".join([*fields["history"], fields["question"]])} | fields


def _reader_rows(organization: Organization, questions: Sequence[GradedQuestion]) -> Iterator[dict[str, Any]]:
    live = paragraphs_live({paragraph for question in questions for paragraph in question.votes})
    for question in questions:
        spans = _spans(question.answers[words] for words in question.words(are_right=True))
        judged = [(one, True) for one in question.relevant()] + [(one, False) for one in question.refuted()]
        for paragraph, is_answerable in judged:
            if paragraph in live:
                answers = spans.get(paragraph, []) if is_answerable else []
                yield _reader_row(question, live[paragraph].text, is_answerable=is_answerable) | {"answers": answers}
        if question.is_silence() and "" in question.answers:
            answer = Answer.objects.get(organization=organization, pk=question.answers[""])
            for row in answer.evidence[:PASSAGES_OF_SILENCE]:
                yield _reader_row(question, row["text"], is_answerable=False) | {"answers": []}


def _reader_row(question: GradedQuestion, passage: str, *, is_answerable: bool) -> dict[str, Any]:
    fields = _asked(question)
    words = "\n".join([*fields["history"], fields["question"]])
    return {"question": words, "passage": passage, "answerable": is_answerable, "source": "grades"}


def _spans(answer_ids: Iterable[UUID]) -> dict[int, list[dict[str, int]]]:
    """By paragraph, where the sentences that answer are in it."""
    citations = Citation.objects.filter(
        claim__answer__in=list(answer_ids), claim__is_shown=True, claim__part=ClaimPart.ANSWER
    ).order_by("pk")
    spans: dict[int, list[dict[str, int]]] = {}
    for paragraph, start, end in citations.values_list("paragraph_id", "start", "end"):
        span = {"start": start, "end": end}
        if span not in spans.setdefault(paragraph, []):
            spans[paragraph].append(span)
    return spans
