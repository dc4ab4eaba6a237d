"""The provision that an answer names: one, or why there is none; two that fit are no guess."""

import pytest

from corpora.models import Corpus, Paragraph
from legalqa.accounts.scoping import organization_scope
from retrieval.questions.laws import Place, Provisions, Unresolved
from tests.ingestion import ingest, make_corpus
from tests.people import Firm, make_firm

pytestmark = pytest.mark.django_db
ACTS = {"Rent Act": "A tenant pays on the first day of the month.", "Water Act": "A well is dug with a permit only."}


@pytest.fixture
def acts() -> tuple[Firm, Corpus]:
    """Two acts that both have an Article 3."""
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Acts")
    for title, text in ACTS.items():
        ingest(firm, corpus, f"{title.lower().replace(' ', '-')}.md", f"# {title}\n\nArticle 3. {text}\n")
    return firm, corpus


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("See Article 3.", Unresolved.AMBIGUOUS),
        ("Article 3 of the Act says so.", Unresolved.AMBIGUOUS),
        ("Article 3 of the Penal Code threatens prison.", Unresolved.ELSEWHERE),
        ("As Article 9 says.", Unresolved.NAMELESS),
        ("Recital 3 of the Water Act explains it.", Unresolved.NAMELESS),
        ("Article 3 of the Water Act asks for a permit.", "Water Act"),
    ],
)
def test_a_provision_that_two_laws_have_is_ambiguous_until_one_of_them_is_named(
    acts: tuple[Firm, Corpus], answer: str, found: Unresolved | str
) -> None:
    firm, corpus = acts
    with organization_scope(firm.organization, user=firm.manager):
        place = Provisions(corpus).by_answer(answer)
    assert (place.title if isinstance(place, Place) else place) == found


# From the General Data Protection Regulation.
GDPR = """# General Data Protection Regulation

Whereas:

(47) The legitimate interests of a controller may provide a legal basis for processing.

(48) Controllers that are part of a group of undertakings may transmit personal data within the group.

HAVE ADOPTED THIS REGULATION:

## Article 47 Binding corporate rules

The competent supervisory authority shall approve binding corporate rules.

## Annex 48

Model clauses are listed here.
"""


@pytest.mark.parametrize(
    ("answer", "begins"),
    [
        ("See Recital 47.", "(47) The legitimate interests"),
        ("See Article 47.", "The competent supervisory authority"),
        ("See Annex 48.", "Model clauses"),
        ("See Annex 47.", ""),
        ("See Article 48.", ""),
        ("See Section 47.", ""),
    ],
)
def test_a_recital_an_article_and_an_annex_of_one_number_are_three_provisions(
    firm: Firm, answer: str, begins: str
) -> None:
    corpus = make_corpus(firm, "Data protection")
    ingest(firm, corpus, "gdpr.md", GDPR)
    with organization_scope(firm.organization, user=firm.manager):
        place = Provisions(corpus).by_answer(answer)
        text = Paragraph.objects.get(pk=place.paragraph_id).text if isinstance(place, Place) else ""
    assert (text[: len(begins)], bool(text)) == (begins, bool(begins))
