"""The work of an evaluation of a case base: questions written, cases found, answers compared; in slices.

What has been done is in the evaluation's row, so that the work can be resumed. Its report has `cases` (how many),
`found` (ranks by encoder and weighting), `near` (the ids of the nearest cases by encoder and question), and `answers`
(`judging.experiments.cases.answers`; {} where no question had a reply in every setting).
"""

from typing import Any

from judging.experiments.cases.answers import answers_compared, nearest, replies_to
from judging.experiments.cases.measure import CaseRanks, FoundBy, found_by
from judging.experiments.cases.pairs import PairQuestion
from judging.experiments.cases.services import case_base_compared
from judging.models import CaseEvaluation
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.encoder.client import WeightsMissing
from legalqa.jobs.services import JobRefused, Lease
from retrieval.cases.asking import CaseModel
from retrieval.cases.selectors import case_as_text
from retrieval.cases.similarity import WEIGHTINGS
from retrieval.models import CaseEntry


def case_evaluation_slice(*, lease: Lease) -> bool:
    """Do some more of an evaluation; True once all is done that was asked for.

    Raises:
        JobRefused: it was removed, a case that a question needs is not in use any more, or no model replied.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            of = CaseEvaluation.objects.select_related("organization", "corpus").filter(pk=lease.subject_id)
            evaluation = of.first()
        if evaluation is None:
            raise JobRefused("case_evaluation_gone")
        if evaluation.n_done < len(evaluation.pairs):
            _write(lease, evaluation)
        elif evaluation.chosen and not evaluation.report:
            _measure(lease, evaluation)
        elif evaluation.with_answers and len(evaluation.replies) < len(evaluation.chosen):
            _answer(lease, evaluation)
        elif evaluation.with_answers and "answers" not in evaluation.report:
            _compare(lease, evaluation)
        else:
            return True
        if lease.is_over:
            return False


def chosen_questions(evaluation: CaseEvaluation) -> list[PairQuestion]:
    """The questions that are measured with."""
    rows = (evaluation.questions[number] for number in evaluation.chosen)
    return [PairQuestion(**{**row, "cases": tuple(row["cases"])}) for row in rows]


def found_of(evaluation: CaseEvaluation) -> FoundBy:
    """What was measured, as it was stored; empty before."""
    n_cases = evaluation.report.get("cases", 0)
    return {
        (name, weighting): CaseRanks(tuple(map(tuple, weightings[weighting])), n_cases)
        for name, weightings in evaluation.report.get("found", {}).items()
        for weighting in WEIGHTINGS  # in their order, which the database does not keep
        if weighting in weightings
    }


def _write(lease: Lease, evaluation: CaseEvaluation) -> None:
    """A question on the next pair; none where the model gave no usable reply or a case was removed."""
    one, other, act = evaluation.pairs[evaluation.n_done]
    with organization_scope(lease.organization_id, user=None):
        cases = CaseEntry.objects.in_bulk([one, other])
    reply = None
    if len(cases) == 2:
        connection_give_back()
        first, second = cases.values()
        reply = CaseModel(evaluation.organization).question_of_pair(first.support, second.support)
    if reply is not None:
        entry = {"question": reply.question, "answer": reply.answer, "cases": [one, other], "act": act}
        evaluation.questions.append(entry)
    evaluation.n_done += 1
    total = len(evaluation.pairs)
    if evaluation.n_done == total and not evaluation.questions:
        raise JobRefused("model_silent")
    _store(lease, evaluation, "questions", "n_done", stage="writing", cursor=evaluation.n_done, total=total)


def _measure(lease: Lease, evaluation: CaseEvaluation) -> None:
    try:
        base = case_base_compared(corpus=evaluation.corpus, questions=chosen_questions(evaluation))
    except ApplicationError:
        raise JobRefused("case_not_used") from None
    except WeightsMissing:
        raise JobRefused("encoder_gone") from None
    ranks: dict[str, Any] = {}
    for (name, weighting), one in found_by(base.by_encoder).items():
        ranks.setdefault(name, {})[weighting] = one.ranks
    near = {
        name: [[base.cases[place].key for place in places] for places in ranked]
        for name, ranked in nearest(base.by_encoder).items()
    }
    evaluation.report = {"cases": len(base.cases), "found": ranks, "near": near}
    _store(lease, evaluation, "report", stage="measuring", cursor=0, total=len(evaluation.chosen))


def _answer(lease: Lease, evaluation: CaseEvaluation) -> None:
    """What the model says to the next question; cases that were removed since are not shown to it."""
    at = len(evaluation.replies)
    ids = {name: places[at] for name, places in evaluation.report["near"].items()}
    with organization_scope(lease.organization_id, user=None):
        cases = CaseEntry.objects.in_bulk([case for some in ids.values() for case in some])
    texts = {str(pk): case_as_text(case=case) for pk, case in cases.items()}
    connection_give_back()
    near = {name: [texts[case] for case in some if case in texts] for name, some in ids.items()}
    question = chosen_questions(evaluation)[at].question
    replies = replies_to(question, near, model=CaseModel(evaluation.organization))
    evaluation.replies.append(replies)
    _store(lease, evaluation, "replies", stage="answering", cursor=at + 1, total=len(evaluation.chosen))


def _compare(lease: Lease, evaluation: CaseEvaluation) -> None:
    references = [question.answer for question in chosen_questions(evaluation)]
    table = answers_compared(references, evaluation.replies)
    evaluation.report["answers"] = {} if table is None else table.document()
    total = len(evaluation.chosen)
    _store(lease, evaluation, "report", stage="comparing", cursor=total, total=total)


def _store(lease: Lease, evaluation: CaseEvaluation, *fields: str, stage: str, cursor: int, total: int) -> None:
    with organization_scope(lease.organization_id, user=None):
        evaluation.save(update_fields=fields)
        lease.advance(stage=stage, cursor=cursor, total=total)
