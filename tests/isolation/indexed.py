"""The question index of a house: a real question that bears the marker, and a build that waits."""

from typing import Any

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from retrieval.models import AskedParagraph, IndexedQuestion
from retrieval.questions.files import Pair
from retrieval.questions.services import pairs_add
from tests.ingestion import Ingested, positions
from tests.people import Firm


def indexed_question(firm: Firm, corpus: Corpus, document: Ingested, marker: str) -> IndexedQuestion:
    """A question of the index, with a row of each of its tables."""
    paragraph = positions(firm, document.version)[1].paragraph
    pair = Pair(f"Who may sit in the {marker} garden?", paragraph.pk, 0, len(paragraph.text), f"file of {marker}")
    acting: Any = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.owner):
        pairs_add(**acting, pairs=[pair], left_out=())
        AskedParagraph.objects.create(
            organization=firm.organization, corpus=corpus, paragraph=paragraph, basis="0" * 64
        )
        return IndexedQuestion.objects.select_related("paragraph").get(corpus=corpus)
