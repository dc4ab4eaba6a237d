"""Similar solved questions beside an answer: what is alike, what differs; never part of what is cited."""

from typing import Any
from uuid import UUID

from legalqa.answering.models import Answer
from retrieval.cases.merging import likeness, merged
from retrieval.cases.selectors import case_as_text, cases_usable

PHRASES_SHOWN = 6


def similar_cases(answer: Answer) -> dict[str, Any] | None:
    """The solved cases that the search of an answer found and that are still in use; None where there are none."""
    scores = {UUID(row["case_id"]): float(row["score"]) for row in answer.made_from.get("cases", ())}
    corpus = answer.question.corpus
    by_id = cases_usable(corpus=corpus).in_bulk(list(scores)) if scores else {}
    cases = [by_id[case_id] for case_id in scores if case_id in by_id]
    if not cases:
        return None
    texts = [case_as_text(case=case) for case in cases]
    rows = []
    for case, text in zip(cases, texts, strict=True):
        alike = likeness(answer.question.text, text, language=corpus.language)
        rows.append(
            {
                "case": case,
                "score": scores[case.pk],
                "alike": alike.alike[:PHRASES_SHOWN],
                "only_question": alike.only_question[:PHRASES_SHOWN],
                "only_case": alike.only_case[:PHRASES_SHOWN],
            }
        )
    whole = merged(texts, context="full", language=corpus.language)
    return {"rows": rows, "agree": whole.agree[:PHRASES_SHOWN], "notes": (*whole.differ, *whole.repeat)}


def similar_document(answer: Answer) -> dict[str, Any] | None:
    """What `similar_cases` tells, as the API gives it."""
    similar = similar_cases(answer)
    if similar is None:
        return None
    cases = []
    for row in similar.pop("rows"):
        case = row.pop("case")
        cases.append({"case_id": str(case.pk), "question": case.question, "answer": case.answer, **row})
    return {"cases": cases, **similar}
