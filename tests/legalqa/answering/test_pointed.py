"""An answer that only points to an annex for what is asked brings the annex."""

import pytest

from corpora.models import Corpus, Position
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.services import question_ask
from legalqa.answering.strategies.pointed import annex_named
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from retrieval.types import Filters
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

pytestmark = pytest.mark.django_db
# Written for this test in the words of product law.
LAW = """# Tools Regulation

## Article 7 Registration

1. Makers shall register each tool. The maker shall submit the information listed in Section B of Annex II.

2. A register is kept by the Agency.

## Annex II

### Section A Information on the maker of imported parts

1. The customs code;

### Section B Information on tools

1. The trade name;

2. The serial number.
"""
ASKED = "What information must the maker submit when registering a tool?"


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Laws")
    ingest(firm, corpus, "tools.md", LAW)
    return corpus


def asked(firm: Firm, corpus: Corpus, filters: Filters) -> tuple[str, list[str]]:
    """The text of the answer and its parts."""
    preset = preset_get("cited-or-silent", {"answer.mode": "quoted"})
    question = Question(firm.organization, firm.lawyer, corpus.pk, ASKED, preset, filters=filters)
    answer = question_ask(question=question)
    with organization_scope(firm.organization, user=firm.lawyer):
        text = str(answer_document(answer=answer)["text"])
    return text, [part["text"] for part in answer.composition.get("parts", [])]


def test_the_part_of_the_annex_that_is_pointed_to_is_shown_behind_the_rule(firm: Firm, corpus: Corpus) -> None:
    text, parts = asked(firm, corpus, Filters())

    assert text.index("listed in Section B of Annex II") < text.index("The trade name") < text.index("serial number")
    assert "customs code" not in text
    assert parts == [ASKED, "What does Section B of Annex II say?"]


@pytest.mark.parametrize(
    ("points", "annex"),
    [
        ("the elements set out in Annex XII;", ("Annex", "XII", "")),
        ("the information listed in Section C of Annex VIII", ("Annex", "VIII", "Section C")),
        ("the data set out in Annex I to Regulation (EU) 2019/1020", None),  # of another act
        ("the data set out in Annex IV and Annex V", None),  # of two
        ("the details specified in the Schedule a week before", None),
    ],
)
def test_a_text_points_to_one_annex_of_its_own(points: str, annex: tuple[str, str, str] | None) -> None:
    assert annex_named(points) == annex


def test_an_annex_that_the_search_may_not_read_is_not_opened(firm: Firm, corpus: Corpus) -> None:
    with organization_scope(firm.organization, user=firm.lawyer):
        annex = Position.objects.filter(paragraph__text__regex="trade name|serial number|customs")
        excluded = tuple(annex.values_list("paragraph__public_id", flat=True))

    text, parts = asked(firm, corpus, Filters(excluded_paragraph_ids=excluded))

    assert "Annex II" in text
    assert "trade name" not in text
    assert not parts
