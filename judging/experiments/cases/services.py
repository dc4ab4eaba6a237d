"""A case base measured by test questions: which cases are found, and how good answers from them are.

Test questions are brought in a file, taken from a gold set, or written by a model on pairs of cases that name the same
legal act; a person chooses the good ones, and what is measured runs in the background
(`judging.experiments.cases.work`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from uuid import UUID

import numpy as np

from corpora.models import Corpus
from corpora.runs.services import Runs
from corpora.selectors import corpus_get
from corpora.services.encoding import question_encoder
from judging.experiments.cases.from_gold import questions_of_gold_set
from judging.experiments.cases.measure import CaseQuestion, Compared, Floats, part_vectors
from judging.experiments.cases.pairs import N_PAIRS, SEED, PairQuestion, pairs_by_act
from judging.gold.services.sets import gold_set_get
from judging.models import CaseEvaluation
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import Job
from legalqa.llm.models import ROLE_CHOICES
from legalqa.llm.types import Role
from retrieval.cases.asking import CaseModel
from retrieval.cases.merging import CaseText
from retrieval.cases.selectors import case_as_text, cases_usable
from retrieval.models import CaseEntry, CaseIndex

MAX_QUESTIONS = 500  # ours: questions of one evaluation


class CaseEvaluations(Runs[CaseEvaluation]):
    """Evaluations of case bases, several at a time."""

    name = "case evaluation"
    model = CaseEvaluation
    task = "judging.tasks.case_evaluation_work"


CASE_EVALUATIONS = CaseEvaluations()


@dataclass(frozen=True, slots=True)
class CaseBase:
    """The cases in use of a corpus with how alike they and test questions are, by the name of each encoder."""

    cases: tuple[CaseText, ...]
    by_encoder: dict[str, Compared]


def case_base_compared(*, corpus: Corpus, questions: Sequence[PairQuestion]) -> CaseBase:
    """Compare test questions with the cases in use of a corpus by every encoder that they are compared by.

    Call it outside any organisation scope: an encoder may be over the network.

    Raises:
        ApplicationError: there are no such cases, or a question names one that is not among them.
    """
    with organization_scope(corpus.organization_id, user=None):
        cases = _cases(corpus)
        indexes = list(CaseIndex.objects.filter(corpus=corpus).order_by("created_at"))
        vectors = [part_vectors(index, [case.pk for case in cases]) for index in indexes]
    connection_give_back()
    places = _places(cases)
    case_questions = tuple(_asked(number, question, places) for number, question in enumerate(questions, start=1))
    by_encoder = {
        index.encoder: _compared(index, of, case_questions) for index, of in zip(indexes, vectors, strict=True)
    }
    return CaseBase(tuple(case_as_text(case=case) for case in cases), by_encoder)


def case_model(*, organization: Organization, role: Role) -> CaseModel:
    """The model of a role.

    Raises:
        ApplicationError: none is set up.
    """
    model = CaseModel(organization)
    if not model.is_there(role):
        label = dict(ROLE_CHOICES)[role]
        raise ApplicationError(f"No language model is set up for “{label}”. Set one up first.", code="no_model")
    return model


def case_evaluation_start(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    questions: Sequence[PairQuestion] = (),
    gold_set_id: UUID | None = None,
    number: int = N_PAIRS,
    seed: int = SEED,
) -> CaseEvaluation:
    """Begin an evaluation with questions, with those of a gold set, or let a model write them in the background.

    Args:
        questions: With the ids of their cases, or those that they were imported with; () for others.
        gold_set_id: Of the corpus, whose questions on several cases are used; None for a model's, without `questions`.
        number: Pairs of cases that a model is asked about, at most.
        seed: Of the choice of pairs.

    Raises:
        NotFound: no such corpus or gold set, or you have no access to it.
        ApplicationError: no case is in use, a question does not fit, or no model, pair or question is there.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    cases = _cases(corpus)
    if gold_set_id is not None:
        if questions:
            raise ApplicationError("Give either a file of test questions or a gold set, not both.", code="two_sources")
        gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id, corpus_id=corpus.pk)
        questions = questions_of_gold_set(gold_set=gold_set, cases=cases, number=MAX_QUESTIONS, seed=seed)
    pairs: list[list[str]] = []
    if not questions:
        case_model(organization=organization, role=Role.REWRITE)
        pairs = [[str(a.pk), str(b.pk), act] for a, b, act in pairs_by_act(cases, number=number, seed=seed)]
    evaluation = CaseEvaluation(
        organization=organization,
        corpus=corpus,
        created_by=user,
        pairs=pairs,
        questions=[asdict(question) for question in _named_by_id(questions, cases)],
    )
    CASE_EVALUATIONS.add(evaluation, "case_evaluation.started")
    if pairs:
        CASE_EVALUATIONS.work(evaluation, user=user, total=len(pairs))
    return evaluation


def case_evaluation_measure(
    *,
    organization: Organization,
    user: User | None,
    evaluation_id: UUID,
    chosen: Sequence[int],
    with_answers: bool = False,
) -> CaseEvaluation:
    """Measure the case base with the questions that a person has found good, in the background.

    Args:
        chosen: Their numbers, from 0.
        with_answers: Whether a model answers each from no, one and three cases, beside its reference answer.

    Raises:
        NotFound: no such evaluation, or you have no access to its corpus.
        Conflict: it is at work.
        ApplicationError: none is chosen, a number is unknown, or no model writes answers.
    """
    evaluation, job = CASE_EVALUATIONS.get(organization=organization, run_id=evaluation_id)
    _closed_check(job)
    numbers = sorted(set(chosen))
    if not numbers or not 0 <= numbers[0] <= numbers[-1] < len(evaluation.questions):
        raise ApplicationError("Choose at least one of the test questions.", code="no_question_chosen")
    if with_answers:
        case_model(organization=organization, role=Role.ANSWER)
    evaluation.chosen, evaluation.with_answers = numbers, with_answers
    evaluation.replies, evaluation.report = [], {}
    evaluation.save(update_fields=["chosen", "with_answers", "replies", "report"])
    audit(organization=organization, actor=user, action="case_evaluation.measured", subject_id=evaluation.corpus_id)
    CASE_EVALUATIONS.work(evaluation, user=user, total=len(numbers))
    return evaluation


def case_evaluation_remove(*, organization: Organization, user: User | None, evaluation_id: UUID) -> Corpus:
    """Remove an evaluation with its test questions; returns its corpus. Raises NotFound; Conflict while it works."""
    evaluation, job = CASE_EVALUATIONS.get(organization=organization, run_id=evaluation_id)
    _closed_check(job)
    corpus = evaluation.corpus
    evaluation.delete()
    audit(organization=organization, actor=user, action="case_evaluation.removed", subject_id=corpus.pk)
    return corpus


def _closed_check(job: Job | None) -> None:
    if job is not None and job.is_open:
        raise Conflict("The evaluation is running. Wait, or cancel it first.", code="case_evaluation_open")


def _named_by_id(questions: Sequence[PairQuestion], cases: Sequence[CaseEntry]) -> list[PairQuestion]:
    """The questions with the ids of their cases; none may be a case itself, or it would find its own answer."""
    if len(questions) > MAX_QUESTIONS:
        raise ApplicationError(
            f"An evaluation has at most {MAX_QUESTIONS} test questions; these are {len(questions)}. Leave some out.",
            code="too_many_questions",
        )
    places, known = _places(cases), {case.question.casefold() for case in cases}
    named = []
    for number, question in enumerate(questions, start=1):
        if question.question.casefold() in known:
            words = f"Question {number} is itself a case. Remove the line: a test question must not be in the base."
            raise ApplicationError(words, code="question_is_a_case")
        ids = sorted(str(cases[place].pk) for place in _asked(number, question, places).gold)
        if len(ids) < 2:
            raise ApplicationError(f"Question {number} names one case twice. It must need two.", code="bad_row")
        named.append(replace(question, cases=tuple(ids)))
    return named


def _cases(corpus: Corpus) -> list[CaseEntry]:
    cases = list(cases_usable(corpus=corpus).order_by("pk"))
    if not cases:
        raise ApplicationError("The corpus has no approved cases. Import some and approve them.", code="no_cases")
    return cases


def _places(cases: Sequence[CaseEntry]) -> dict[str, int]:
    places = {case.external_id: place for place, case in enumerate(cases) if case.external_id}
    return places | {str(case.pk): place for place, case in enumerate(cases)}


def _asked(number: int, question: PairQuestion, places: dict[str, int]) -> CaseQuestion:
    if unknown := [case for case in question.cases if case not in places]:
        words = f"Question {number} names the case {unknown[0][:60]!r}, which is not among the approved ones."
        raise ApplicationError(f"{words} Remove the line, or approve the case.", code="unknown_case")
    return CaseQuestion(question.question, frozenset(places[case] for case in question.cases), str(number))


def _compared(
    index: CaseIndex, vectors: tuple[Floats, Floats, Floats], questions: tuple[CaseQuestion, ...]
) -> Compared:
    encoder = question_encoder(organization_id=index.organization_id, corpus_id=index.corpus_id, name=index.encoder)
    question, support, entities = vectors
    same = np.asarray(encoder.encode([one.text for one in questions]), np.float32)
    other = np.asarray(encoder.encode([index.cue + one.text for one in questions]), np.float32) if index.cue else same
    return Compared(questions, (same @ question.T, other @ support.T, other @ entities.T))
