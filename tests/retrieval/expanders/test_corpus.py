"""What references and merged sections bring from a corpus that is laid out as rules are."""

import pytest

from corpora.models import Chunk, Corpus
from legalqa.accounts.scoping import organization_scope
from retrieval.expanders import AutoMerge, Expander, References
from retrieval.stages import Resources
from retrieval.types import Query, Ranking
from tests.committed import committed_fixture
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm, make_firm

CONTENTS = "1.2 Interest on deposits"
DEPOSIT = "1.1 A tenant pays a deposit of two rents, subject to Rule 1.2, Rule 2 and section 2 of the Housing Act."
INTEREST = "1.2 The deposit earns interest, which belongs to the tenant."
RETURN = "1.3 The landlord returns the deposit within thirty days."
DAMAGE = "The landlord repairs what the tenant did not break."
RULES = f"# Rules\n\n{CONTENTS}\n\n## 1 Deposits\n\n{DEPOSIT}\n\n{INTEREST}\n\n{RETURN}\n\n## 2 Repairs\n\n{DAMAGE}\n"
Library = tuple[Firm, Corpus, Ingested]


def make_library() -> Library:
    """The rules twice, in two documents, a chunk to each paragraph."""
    firm = make_firm("expanders", "Expand & Sons")
    chunker: dict[str, object] = {"kind": "hierarchical.v1", "child_tokens": 64, "min_tokens": 0}
    corpus = make_corpus(firm, "Rules", chunker=chunker)
    rules = ingest(firm, corpus, "rules.md", RULES)
    ingest(firm, corpus, "old-rules.md", RULES.replace("thirty", "sixty"))
    return firm, corpus, rules


library = committed_fixture(make_library)


def texts_after(expander: Expander, library: Library, *found: str) -> list[str]:
    """The texts of the first document's chunks that were found, and of what the expander adds to them."""
    firm, corpus, rules = library
    with organization_scope(firm.organization, user=firm.lawyer):
        chunks = Chunk.objects.filter(corpus=corpus, is_live=True).order_by("pk")
        texts = dict(chunks.filter(document=rules.document).values_list("pk", "text"))
        ids = {text.strip(): pk for pk, text in texts.items()}
        before = Ranking.of("deposit", [(ids[text], -place) for place, text in enumerate(found)], stage="bm25")
        resources = Resources(Corpus.objects.get(pk=corpus.pk), None, None)
        after = expander.apply(Query("deposit"), before, resources)
        return [texts[hit.chunk_id].strip() for hit in after.hits]


@pytest.mark.usefixtures("db")
class TestOnACorpus:
    def test_a_rule_brings_those_that_it_refers_to_in_its_own_document_and_no_line_of_the_contents(
        self, library: Library
    ) -> None:
        assert texts_after(References(behind=0), library, DEPOSIT) == [DEPOSIT, INTEREST, DAMAGE]

    def test_a_section_of_which_most_was_found_is_completed(self, library: Library) -> None:
        assert texts_after(AutoMerge(), library, RETURN, DEPOSIT) == [RETURN, INTEREST, DEPOSIT]

    def test_a_section_of_which_too_little_was_found_stays_as_it_is(self, library: Library) -> None:
        assert texts_after(AutoMerge(), library, RETURN) == [RETURN]
