"""Choosing how documents are cut: seen on a document first, changed only when asked to."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from corpora.configs import CHUNKER_KINDS
from corpora.forms.chunking import ChunkingForm
from corpora.models import Chunk, ChunkSet, Corpus
from corpora.selectors import document_names
from corpora.services import chunking_preview, corpus_reindex, delimiters_suggested, reindex_work
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from legalqa.jobs.models import Job
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

RULES = (
    "Article 1. The tenant pays the rent on the first day of each month. Late rent bears interest.\n\n"
    "Article 2. The landlord repairs the roof and the walls. The tenant keeps the garden.\n\n"
    "Article 3. Either party may end the lease. The notice is three months long.\n"
)
SMALL = {"kind": "sentence.v1", "size_tokens": "16", "overlap_tokens": "0"}

ClientOf = Callable[[User], Client]


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, files={"rules.txt": RULES})


@pytest.fixture
def address(corpus: Corpus) -> str:
    return reverse("corpus_chunking", args=["harding", corpus.pk])


def test_the_page_shows_the_pieces_of_a_document_and_changes_nothing(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    page = client_of(firm.manager).get(address, SMALL)

    preview = page.context["preview"]
    assert preview["n_chunks"] > preview["all"].n_live == 2
    assert preview["chunks"][0].text.startswith("Article 1.")
    assert all(chunk.n_tokens <= 16 for chunk in preview["chunks"])
    with organization_scope(firm.organization, user=None):
        assert (ChunkSet.objects.count(), Chunk.objects.count()) == (1, 2)


def test_the_corpus_s_own_choice_must_encode_nothing(firm: Firm, corpus: Corpus) -> None:
    preview = chunking_preview(**firm.by_manager, corpus_id=corpus.pk)

    assert preview is not None
    assert (len(preview.chunks), preview.n_known) == (preview.n_live, preview.n_vectors)
    assert preview.median_tokens == preview.live_median_tokens


def test_headings_that_now_come_before_the_text_must_be_encoded(firm: Firm, client_of: ClientOf) -> None:
    corpus = make_corpus(firm, "House", files={"house.md": "# House Rules\n\n## Animals\n\nA dog is allowed.\n"})
    address, browser = reverse("corpus_chunking", args=["harding", corpus.pk]), client_of(firm.manager)
    own = {"kind": "sentence.v1", "context": "heading"}

    assert "nothing to embed" in browser.get(address, own).content.decode()
    path = browser.get(address, own | {"context": "path"})
    assert "1 to embed" in path.content.decode() and path.context["preview"]["all"].n_known == 0
    with organization_scope(firm.organization, user=firm.manager):
        job = corpus_reindex(**firm.by_manager, corpus_id=corpus.pk, context="path")
    reindex_work(job_id=job.pk)
    assert "nothing to embed" in browser.get(address).content.decode()
    assert "1 to embed" in browser.get(address, own).content.decode()


@pytest.mark.parametrize("asked", [{"kind": "sentence.v1", "context": "summary"}, {"kind": "lumber.v1"}])
def test_what_a_model_will_say_is_not_known_to_be_embedded(
    asked: dict[str, str], firm: Firm, address: str, client_of: ClientOf
) -> None:
    page = client_of(firm.manager).get(address, asked)

    assert page.context["preview"]["all"].n_known is None
    assert "Not known" in page.content.decode() and "nothing to embed" not in page.content.decode()


@pytest.mark.parametrize("kind", ["semantic.v1", "margin.v1", "perplexity.v1"])
def test_a_threshold_is_told_with_the_range_that_its_chunker_takes(kind: str) -> None:
    form = ChunkingForm({"kind": kind})
    threshold = CHUNKER_KINDS[kind].model_fields["threshold"]
    least, most = (next(getattr(one, end) for one in threshold.metadata if hasattr(one, end)) for end in ("ge", "le"))

    assert re.search(rf"(?:F|f)rom {least} .*to {most}\b", str(form.fields["threshold"].help_text))
    assert ("sentences" in str(form.fields["threshold"].label)) == (kind == "semantic.v1")


def test_usual_delimiters_are_found_in_the_corpus_with_their_counts(firm: Firm, corpus: Corpus) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        first, *_ = delimiters_suggested(organization=firm.organization, corpus_id=corpus.pk)

    assert (first.name, first.count, first.n_documents) == ("Articles", 3, 1)
    assert first.example == "Article 1. The tenant pays the rent on the first day of …"


def test_a_suggested_delimiter_cuts_where_it_is(firm: Firm, corpus: Corpus, address: str, client_of: ClientOf) -> None:
    page = client_of(firm.manager).get(address, {"kind": "pattern.v1"})
    suggested = page.context["suggestions"][0]["url"]
    pieces = client_of(firm.manager).get(suggested).context["preview"]["chunks"]

    assert [piece.text[:10] for piece in pieces] == ["Article 1.", "Article 2.", "Article 3."]


@pytest.mark.parametrize(
    ("asked", "field", "words"),
    [
        ({"kind": "pattern.v1", "pattern": "("}, "pattern", "Close all brackets"),
        ({"kind": "semantic.v1", "threshold": "far"}, "threshold", "is wrong"),
        ({"kind": "sentence.v1", "size_tokens": "10", "overlap_tokens": "20"}, "__all__", "must be smaller"),
    ],
)
def test_a_wrong_setting_is_said_beside_its_field(
    asked: dict[str, str], field: str, words: str, firm: Firm, address: str, client_of: ClientOf
) -> None:
    page = client_of(firm.manager).get(address, asked)

    assert page.status_code == 200
    assert words in " ".join(page.context["form"].errors[field])
    assert page.context["preview"] is None


def test_starting_makes_a_job_and_the_page_says_how_far_it_is(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    client = client_of(firm.manager)
    assert client.post(address, SMALL).status_code == 302
    with organization_scope(firm.organization, user=None):
        building = ChunkSet.objects.get(is_live=False)
    assert Job.objects.get(subject_id=building.pk).state == "queued"
    assert building.chunker["size_tokens"] == 16

    page = client.get(address)
    assert (page.context["state"].is_working, page.context["form"].chosen) == (True, "sentence.v1")
    assert client.post(address, SMALL).status_code == 409
    assert client.get(reverse("corpus_index_state", args=["harding", corpus.pk])).status_code == 200


def test_a_corpus_without_documents_says_what_to_do(firm: Firm, client_of: ClientOf) -> None:
    empty = make_corpus(firm, "Empty")
    page = client_of(firm.manager).get(reverse("corpus_chunking", args=["harding", empty.pk]))

    assert page.context["preview"] is None
    assert "No document is ready yet" in page.content.decode()


def test_two_documents_of_one_title_are_told_apart_by_the_names_of_their_files(firm: Firm) -> None:
    corpus = make_corpus(firm, "Twins")
    for name, text in (("a.md", "# Lease\n\nOne year."), ("b.md", "# Lease\n\nTwo years."), ("c.md", "# Will\n\nAll.")):
        ingest(firm, corpus, name, text)

    with organization_scope(firm.organization, user=firm.manager):
        titles = [title for _, title in document_names(corpus=corpus)]
    assert titles == ["Lease (a.md)", "Lease (b.md)", "Will"]


def test_a_document_of_another_corpus_is_not_shown(firm: Firm, rivals: Firm, corpus: Corpus) -> None:
    theirs = ingest(rivals, make_corpus(rivals), "theirs.txt", RULES)
    ours = ingest(firm, make_corpus(firm, "Other"), "other.txt", RULES)

    for document in (theirs.document, ours.document):
        with pytest.raises(NotFound):
            chunking_preview(**firm.by_manager, corpus_id=corpus.pk, document_id=document.pk)
