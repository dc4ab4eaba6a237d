"""What references and merged sections bring from a corpus that is laid out as rules are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

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

# Of Regulation (EU) 2024/1689, the Administrative Code of New York City, a lease numbered throughout, and an NDA.
LIABILITY = "5. This Regulation shall not affect the provisions on the liability of providers of intermediary services."
SYSTEMS = "2. For AI systems classified as high-risk in accordance with Article 6(1), only Article 112 applies."
PROHIBITED = "1. The following AI practices shall be prohibited:"
CONDITIONS = "1. An AI system shall be considered to be high-risk where both of the following conditions are fulfilled."
LISTED = "2. In addition, AI systems referred to in Annex III shall be considered to be high-risk."
DEROGATION = "3. By derogation from paragraph 2 of this Article, an AI system shall not be considered to be high-risk."
FINES = "3. Non-compliance with the prohibition referred to in Article 5 shall be subject to administrative fines."
TURNOVER = "5 percent of turnover is the most for other infringements, and Section 5 of this Chapter is not affected."
AREAS = "High-risk AI systems are the AI systems listed in any of the following areas."
AUDIT = "(a) It shall be unlawful for an employer to use a tool that has not been the subject of a bias audit."
NOTICE = "(b) Notices required. An employer that uses a tool shall notify each candidate."
MANIPULATION = "(a) the use of an AI system that deploys purposefully manipulative techniques;"
LAWFUL = "4. Point (a) of Article 5(1) does not affect lawful practices in the context of medical treatment."
ENTRY = "6. The Tenant shall carry the insurance required by paragraph 25 before it enters."
INSURANCE = "25. The Tenant shall carry commercial general liability insurance of at least $2 million."
PENALTY = "(a) Any person that violates § 20-871(b) is liable for a civil penalty."
END = "This Agreement ends two years after its date, or earlier upon thirty days' written notice."
GIVEN_BACK = "Upon an end of this Agreement under clause 5, the Receiving Party shall:"
COPIES = "5. destroy all copies of Confidential Information."
ACT = {
    "Article 2 Scope": (SYSTEMS, LIABILITY),
    "Article 5 Prohibited AI practices": (PROHIBITED, MANIPULATION),
    "Article 6 Classification rules": (CONDITIONS, LISTED, DEROGATION),
    "Article 99 Penalties": (FINES, LAWFUL, TURNOVER),
    "Annex III High-risk AI systems": (AREAS,),
    "§ 20-871 Requirements for automated employment decision tools": (AUDIT, NOTICE),
    "§ 20-872 Penalties": (PENALTY,),
    "Section B Term and delivery": (ENTRY,),
    "Section E Insurance and damage": (INSURANCE,),
    "Clause 5 Term": (END,),
    "Clause 7 Return": (GIVEN_BACK, COPIES),
}


def make_library() -> Library:
    """The rules twice, in two documents, a chunk to each paragraph."""
    firm = make_firm("expanders", "Expand & Sons")
    chunker: dict[str, object] = {"kind": "hierarchical.v1", "child_tokens": 64, "min_tokens": 0}
    corpus = make_corpus(firm, "Rules", chunker=chunker)
    rules = ingest(firm, corpus, "rules.md", RULES)
    ingest(firm, corpus, "old-rules.md", RULES.replace("thirty", "sixty"))
    return firm, corpus, rules


def make_acts() -> Library:
    """Two laws in one document, a chunk to each paragraph."""
    firm = make_firm("acts", "Acts & Sons")
    corpus = make_corpus(firm, "Acts", chunker={"kind": "hierarchical.v1", "child_tokens": 64, "min_tokens": 0})
    parts = ("\n\n".join((f"## {heading}", *paragraphs)) for heading, paragraphs in ACT.items())
    return firm, corpus, ingest(firm, corpus, "acts.md", "\n\n".join(("# Acts", *parts)))


library = committed_fixture(make_library)
acts = committed_fixture(make_acts)


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

    @pytest.mark.parametrize(
        ("found", "referred"),
        [
            (FINES, [PROHIBITED]),  # and no "5." of Article 2
            (DEROGATION, [LISTED]),  # and no "2." of Article 2
            (SYSTEMS, [CONDITIONS]),
            (LISTED, [AREAS]),
            (PENALTY, [NOTICE]),
            (LAWFUL, [MANIPULATION]),
            (ENTRY, [INSURANCE]),
            (TURNOVER, []),
            (GIVEN_BACK, [END]),  # and no "5." of its own clause
        ],
    )
    def test_a_provision_leads_to_the_one_that_its_words_name_by_unit_number_and_paragraph(
        self, acts: Library, found: str, referred: list[str]
    ) -> None:
        assert texts_after(References(behind=0), acts, found) == [found, *referred]

    def test_the_paragraphs_of_a_version_are_read_once_for_all_searches(self, acts: Library) -> None:
        texts_after(References(), acts, FINES)
        with CaptureQueriesContext(connection) as queries:
            assert texts_after(References(behind=0), acts, DEROGATION) == [DEROGATION, LISTED]

        assert not [query for query in queries.captured_queries if "heading_path" in query["sql"]]

    def test_a_section_of_which_most_was_found_is_completed(self, library: Library) -> None:
        assert texts_after(AutoMerge(), library, RETURN, DEPOSIT) == [RETURN, INTEREST, DEPOSIT]

    def test_a_section_of_which_too_little_was_found_stays_as_it_is(self, library: Library) -> None:
        assert texts_after(AutoMerge(), library, RETURN) == [RETURN]
