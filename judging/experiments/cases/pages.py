"""Evaluations of a case base in words, charts and tables; the same for programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import numpy as np

from corpora.selectors import corpus_get
from judging.experiments.cases.measure import PAPER, FoundBy, Significance, f1_document, heat_map_of, tests_of
from judging.experiments.cases.services import CASE_EVALUATIONS
from judging.experiments.cases.work import found_of
from judging.measures.values import Undefined, Value
from judging.models import CaseEvaluation
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job
from legalqa.jobs.pages import work_shown, work_state
from legalqa.jobs.selectors import with_jobs
from legalqa.llm.types import Role
from retrieval.cases.asking import CaseModel
from retrieval.cases.selectors import cases_usable
from retrieval.cases.similarity import KS
from retrieval.models import CaseEntry

K = 3  # cases per question in the tests, unless another is chosen: as many as a search uses
SHOWN = 50  # evaluations of a list
STAGES = {"writing": "Writing", "measuring": "Measuring", "answering": "Answering", "comparing": "Comparing"}


@dataclass(frozen=True, slots=True)
class Setting:
    """A cell of the heat map: the questions that it counts are listed."""

    encoder: str
    weighting: str
    k: int


def evaluations_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The evaluations of a corpus, newest first, and what a new one can be made from."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    evaluations = CASE_EVALUATIONS.of_corpus(corpus)[:SHOWN]
    return {
        "corpus": corpus,
        "rows": [
            {"evaluation": one, "state": evaluation_state(one, job), "best": _best(found_of(one))}
            for one, job in with_jobs(organization=organization, rows=evaluations)
        ],
        "n_cases": cases_usable(corpus=corpus).count(),
        "has_model": CaseModel(organization).is_there(Role.REWRITE),
    }


def evaluation_page(*, evaluation: CaseEvaluation, job: Job | None, query: Mapping[str, str]) -> dict[str, Any]:
    """An evaluation: how far it is, its figures, and its questions; those of one cell where `query` names one."""
    result = found_of(evaluation)
    setting, answers = _setting(result, query), evaluation.report.get("answers")
    k = setting.k if setting else K
    context: dict[str, Any] = {
        "evaluation": evaluation,
        "corpus": evaluation.corpus,
        **work_shown(job, stages=STAGES),
        "state": evaluation_state(evaluation, job),
        "has_model": CaseModel(evaluation.organization).is_there(Role.ANSWER),
        "setting": setting,
        "asked_answers": query.get("answers", "") if answers and query.get("answers") in answers["cosine"] else "",
        "k": k,
    }
    if result:
        means = f1_document(result)
        context["chart"] = heat_map_of(result, href=_cell_address)
        context["tests"] = [_tests_row(name, _tests(result, name, k=k)) for name in means]
        context["mean"] = means[setting.encoder][setting.weighting][str(k)] if setting else None
    if answers:
        context["answers"] = answers
        context["answer_rows"] = _answer_rows(answers)
    return context | {"questions": _questions(evaluation, result, setting, context["asked_answers"])}


def evaluation_state(evaluation: CaseEvaluation, job: Job | None) -> str:
    """A code of `components/state.html`; "unmeasured" where a person is to choose the questions."""
    if job is not None and job.state != "done":
        return work_state(job)
    return "done" if evaluation.report else "unmeasured"


def evaluation_document(*, evaluation: CaseEvaluation, job: Job | None) -> dict[str, Any]:
    """An evaluation for programs."""
    result = found_of(evaluation)
    return vars(evaluation) | {
        "state": evaluation_state(evaluation, job),
        "job_id": None if job is None else job.pk,
        "questions": [
            {**question, "number": place, "is_chosen": place in evaluation.chosen}
            for place, question in enumerate(evaluation.questions)
        ],
        "cases": evaluation.report.get("cases"),
        "f1": f1_document(result),
        "tests": {name: {"k": K, **_tests(result, name, k=K).document()} for name in f1_document(result)},
        "answers": evaluation.report.get("answers"),
    }


def _tests(by_setting: FoundBy, name: str, *, k: int) -> Significance:
    return tests_of({weighting: by_setting[name, weighting].f1(k=k) for weighting in PAPER}, best="hybrid")


def _best(by_setting: FoundBy) -> dict[str, Any] | None:
    """The setting with the highest mean F1@K."""
    means = {key: float(np.mean(one.f1(k=K))) for key, one in by_setting.items()}
    if not means:
        return None
    name, weighting = max(means, key=lambda key: means[key])
    return {"encoder": name, "weighting": weighting, "f1": means[name, weighting], "k": K}


def _cell_address(name: str, weighting: str, k: int) -> str:
    return f"?{urlencode({'encoder': name, 'weighting': weighting, 'k': k})}#questions"


def _setting(by_setting: FoundBy, query: Mapping[str, str]) -> Setting | None:
    name, weighting, k = (query.get(key, "") for key in ("encoder", "weighting", "k"))
    if (name, weighting) not in by_setting or k not in map(str, KS):
        return None
    return Setting(name, weighting, int(k))


def _tests_row(name: str, tests: Significance) -> dict[str, Any]:
    """The tests of one encoder, each with what it says at the levels of the paper."""
    rows = [{"name": f"hybrid against {other}", **_said(p)} for other, p in tests.greater.items()]
    return {"encoder": name, "rows": [{"name": "any difference (analysis of variance)", **_said(tests.anova)}, *rows]}


def _said(p: Value | None) -> dict[str, Any]:
    if p is None or isinstance(p, Undefined):
        return {"p": None, "said": f"no test: {p.reason}" if p is not None else "no test"}
    return {"p": p, "said": "at 95 %" if p < 0.05 else "at 90 %, not at 95 %" if p < 0.10 else "no"}


def _answer_rows(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The settings of the answers, the most similar to the references first, each with the test of the best over it."""
    means = sorted(answers["cosine"].items(), key=lambda item: -item[1])
    return [
        {"name": name, "cosine": mean, "address": f"?{urlencode({'answers': name})}#questions"}
        | ({"p": None, "said": "best"} if name == answers["best"] else _said(answers["paired_t_p"][name]))
        for name, mean in means
    ]


def _questions(
    evaluation: CaseEvaluation, by_setting: FoundBy, setting: Setting | None, answers: str
) -> list[dict[str, Any]]:
    """The test questions with their cases; of a cell, those that it counts, with ranks and F1, the worst first."""
    ids = {case for question in evaluation.questions for case in question["cases"]}
    cases = {str(pk): case for pk, case in CaseEntry.objects.in_bulk(ids).items()}
    rows = [
        {**question, "number": place, "cases": [cases.get(case) for case in question["cases"]]}
        for place, question in enumerate(evaluation.questions)
    ]
    if setting is None and not answers:
        return [row | {"is_chosen": row["number"] in evaluation.chosen or not evaluation.chosen} for row in rows]
    test_rows = [rows[number] for number in evaluation.chosen]
    if answers:
        return [row | {"reply": reply.get(answers)} for row, reply in zip(test_rows, evaluation.replies, strict=True)]
    assert setting is not None
    one = by_setting[setting.encoder, setting.weighting]
    found = zip(test_rows, one.f1(k=setting.k), one.ranks, strict=True)
    return sorted((row | {"f1": f1, "ranks": ranks} for row, f1, ranks in found), key=lambda row: row["f1"])
