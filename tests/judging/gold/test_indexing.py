"""Gold sets as real questions of the question index, and judges that read the law to which it leads."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from judging.gold.services.indexing import gold_set_index
from judging.gold.services.sets import gold_set_import
from judging.judges.asking import Law, ModelSettings
from judging.judges.law import CorpusLaw
from legalqa.common.errors import ApplicationError
from retrieval.indexes.cache import CorpusCache
from retrieval.questions import matching
from tests.committed import committed_fixture
from tests.ingestion import make_corpus
from tests.judging.gold.reading import gold_rows_read
from tests.judging.judges.items import item
from tests.retrieval.questions.library import (
    KEEPING,
    Library,
    acting,
    build_again,
    make_library,
    one,
    questions,
    search,
)

REAL = "Do I have to leave our results page up after we stop using the tool?"


committed_library = committed_fixture(make_library)


@pytest.fixture
def library(committed_library: Library, db: None, monkeypatch: pytest.MonkeyPatch) -> Library:
    """What a test does is rolled back, and its numbers given again: nothing of it may stay in memory."""
    monkeypatch.setattr(matching, "_matrices", CorpusCache(matching.MAX_BYTES))  # the process keeps its own
    return committed_library


def imported(library: Library) -> Any:
    """A gold set of a question on the paragraph about keeping, a draft and one of the test split."""
    paragraph = one(library, KEEPING).paragraph.public_id
    lines = [
        {"question": REAL, "reference_paragraph_ids": [paragraph]},
        {"question": "What of a question that measures?", "reference_paragraph_ids": [paragraph], "split": "test"},
        {"question": "What of a draft of somebody?", "reference_paragraph_ids": [paragraph], "review": "draft"},
    ]
    rows = gold_rows_read("\n".join(map(json.dumps, lines)))
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager}
    with acting(library):
        gold_set = gold_set_import(**who, corpus_id=library.corpus.pk, name="Asked", rows=rows)
        return gold_set_index(**who, gold_set_id=gold_set.pk)


def test_questions_of_a_gold_set_are_matched_without_drafts_and_the_test_split(library: Library) -> None:
    made = imported(library)
    build_again(library)

    assert made.n_added == 1
    assert [(q.text, q.author) for q in questions(library, source="pair")] == [(REAL, "gold set Asked")]
    assert search(library, REAL).passages[0].question == REAL


def test_a_judge_reads_the_passage_to_which_the_nearest_question_leads(library: Library) -> None:
    settings = ModelSettings(law=Law.QUESTIONS)
    who: Any = {"organization": library.firm.organization, "user": library.firm.manager, "settings": settings}

    shown = CorpusLaw(**who, corpus_id=library.corpus.pk)(item("Six months.", question=KEEPING))

    assert shown.ids == (one(library, KEEPING).paragraph_id,)
    empty = make_corpus(library.firm, "Without an index")
    with pytest.raises(ApplicationError, match="Build its question index"):
        CorpusLaw(**who, corpus_id=empty.pk)(item("Six months.", question=KEEPING))


def test_the_page_lists_finds_edits_and_rejects_questions(library: Library, client: Client) -> None:
    client.force_login(library.firm.manager, backend="django.contrib.auth.backends.ModelBackend")
    slug, corpus = library.firm.organization.slug, library.corpus.pk
    address = reverse("question_index", args=(slug, corpus))

    page = client.get(address, {"words": "retention policy"}).content.decode()

    assert "Within what period of a written request must an employer provide the retention policy?" in page
    assert KEEPING not in page
    question = one(library, KEEPING)
    client.post(reverse("indexed_question_state", args=(slug, question.pk)), {"state": "rejected"})
    assert one(library, KEEPING).state == "rejected"
    short = client.post(reverse("indexed_question_edit", args=(slug, question.pk)), {"text": "Why?"})
    assert (short.status_code, "8 to 2,000 characters" in short.content.decode()) == (422, True)
    client.post(reverse("indexed_question_edit", args=(slug, question.pk)), {"text": "How long is it kept online?"})
    edited = one(library, "How long is it kept online?")
    assert (edited.state, edited.is_edited, edited.made_text) == ("indexed", True, KEEPING)
    empty = make_corpus(library.firm, "Nothing yet")
    assert "No question yet" in client.get(reverse("question_index", args=(slug, empty.pk))).content.decode()
