"""Solved cases like the question, given to a model that writes: as context that it may not cite.

Source: CBR-RAG, equations 4a and 4b and the prompts of table 3. Differs: the passages that the cases rest on are the
evidence, and every statement is checked against them; a case shows how such a question was answered before.
"""

from dataclasses import replace
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.types import Evidence, GivenCases, Question
from retrieval.cases.merging import merged
from retrieval.cases.selectors import case_as_text, cases_usable
from retrieval.retrievers import Cases

SUPPORT_CHARS = 2000  # ours: characters of each case's support


def cases_given(question: Question, evidence: Evidence) -> GivenCases | None:
    """The cases that the search found beside the evidence and that are still in use; None where there are none.

    The search's setting `cases.context` says which parts of each are given: "none" keeps them from the model.
    """
    search = next((stage for stage in evidence.preset.pipeline.walk() if isinstance(stage, Cases)), None)
    rows = evidence.index.get("cases")
    if search is None or search.context == "none" or not isinstance(rows, list):
        return None
    ids = [UUID(row["case_id"]) for row in rows]
    with question.scope():
        corpus = Corpus.objects.get(pk=question.corpus_id)
        cases = cases_usable(corpus=corpus).in_bulk(ids)
    connection_give_back()
    texts = [case_as_text(case=cases[case_id]) for case_id in ids if case_id in cases]
    if not texts:
        return None
    short = [replace(text, support=text.support[:SUPPORT_CHARS]) for text in texts]
    whole = merged(short, context=search.context, language=corpus.language)
    return GivenCases(whole.text, search.context, len(texts))
