"""What an excluded paragraph leaves of a chunk: its neighbours count by their own words."""

from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import SearchResult, corpus_search
from retrieval.types import Filters
from tests.ingestion import make_corpus
from tests.people import Firm

DEADLINE = "The tenant gives notice of the end of the lease three months before the lease ends, in writing."
KEYS = "Keys are handed over to the caretaker on the last day of the tenancy."
LETTER = "A notice that is not in writing does not end the lease."
QUESTION = "How long before the end of the lease does the tenant give notice in writing?"
FILES = {
    "lease.md": f"# Lease\n\n{DEADLINE}\n\n{KEYS}\n",
    "letter.md": f"# Letters\n\n{LETTER}\n",
    "garden.md": "# Garden\n\nThe garden is watered by the caretaker in the evening.\n",
}


def test_a_chunk_that_an_excluded_paragraph_brought_gives_its_place_to_one_that_answers_itself(firm: Firm) -> None:
    corpus = make_corpus(firm, files=FILES)

    def found(excluded: tuple[str, ...] = (), **settings: str) -> SearchResult:
        preset, filters = preset_get("fixed-3", settings), Filters(excluded_paragraph_ids=excluded)
        request = SearchRequest(**firm.by_lawyer, corpus_id=corpus.pk, text=QUESTION, preset=preset, filters=filters)
        return corpus_search(request=request)

    deadline, keys = found(k="1").passages
    assert (deadline.text, keys.text, keys.chunk_id) == (DEADLINE, KEYS, deadline.chunk_id)
    without = (deadline.paragraph_id,)
    assert [passage.text for passage in found(without, k="1").passages] == [LETTER]
    assert [passage.text for passage in found(without, k="2").passages][:2] == [LETTER, KEYS]
    assert [passage.text for passage in found((keys.paragraph_id,), k="1").passages] == [DEADLINE]
