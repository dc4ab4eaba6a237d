"""The facts of stored answers that rules and judges read, in a fixed number of queries for any number of answers."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from judging.experiments.baselines import UNCHECKED
from judging.experiments.rules import AnswerFacts, SaidClaim
from judging.gold.services.sets import gold_references
from judging.models import ExperimentAnswer, GoldReference
from legalqa.answering.models import Answer, AnswerMode, AnswerState, Citation, Claim
from legalqa.encoder.client import count_tokens

SAID = (AnswerState.ANSWERED, AnswerState.PARTIAL)


def facts_of(rows: Sequence[ExperimentAnswer]) -> dict[UUID, AnswerFacts]:
    """The facts of each answer that did not fail, by the id of its row; questions and answers are loaded with it."""
    pairs = [(row, row.answer) for row in rows if row.answer is not None]
    references = gold_references(questions={row.question for row, _ in pairs})
    by_answer = _said([answer for _, answer in pairs])
    cited = _cited(by_answer)
    return {row.pk: _facts(row, answer, references.get(row.question_id, []), by_answer, cited) for row, answer in pairs}


def _said(answers: Sequence[Answer]) -> dict[UUID, list[Claim]]:
    """The claims that an answer makes: the shown ones, or all claims of an unchecked baseline."""
    by_id = {answer.pk: answer for answer in answers if answer.state in SAID}
    by_answer: dict[UUID, list[Claim]] = defaultdict(list)
    for claim in Claim.objects.filter(answer__in=list(by_id)).order_by("answer_id", "ordinal"):
        if claim.is_shown or by_id[claim.answer_id].strategy in UNCHECKED:
            claim.answer = by_id[claim.answer_id]
            by_answer[claim.answer_id].append(claim)
    return by_answer


def _cited(by_answer: dict[UUID, list[Claim]]) -> dict[UUID, list[str]]:
    """The paragraphs that the claims of each answer cite: of a quotation the first place, of a written one all."""
    claims = {claim.pk: claim for claims in by_answer.values() for claim in claims}
    cited: dict[UUID, list[str]] = defaultdict(list)
    rows = Citation.objects.filter(claim__in=list(claims)).select_related("paragraph").order_by("claim_id", "rank")
    for citation in rows:
        answer = claims[citation.claim_id].answer
        if citation.rank == 0 or answer.mode == AnswerMode.WRITTEN:
            cited[answer.pk].append(citation.paragraph.shown_id)
    return cited


def _facts(
    row: ExperimentAnswer,
    answer: Answer,
    references: Sequence[GoldReference],
    by_answer: dict[UUID, list[Claim]],
    cited: dict[UUID, list[str]],
) -> AnswerFacts:
    gold = {r.paragraph.shown_id: r.paragraph.text for r in references}
    ordered = {passage["paragraph_id"]: passage for passage in sorted(answer.evidence, key=lambda p: -p["rank"])}
    ranked = [passage for _, passage in sorted(ordered.items(), key=lambda item: item[1]["rank"])]
    return AnswerFacts(
        is_answerable=row.question.is_answerable,
        reference_answer=row.question.reference_answer,
        gold=tuple(gold),
        gold_texts=tuple(gold.values()),
        is_answered=answer.state in SAID,
        ranked=tuple(passage["paragraph_id"] for passage in ranked),
        ranked_tokens=tuple(count_tokens([passage["text"] for passage in ranked])),
        cited=tuple(dict.fromkeys(cited.get(answer.pk, ()))),
        claims=tuple(SaidClaim(claim.text, claim.verdict) for claim in by_answer.get(answer.pk, ())),
        seconds=row.seconds,
        tokens=row.tokens,
        cost=float(row.cost),
    )
