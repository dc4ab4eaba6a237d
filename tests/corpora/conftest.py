"""A lease in its second version, which several tests read."""

import pytest

from corpora.models import Corpus
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm

OLD = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\nThe landlord repairs the roof.\n"
NEW = OLD.replace("900", "950") + "\nPets are allowed.\n"


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm)


@pytest.fixture
def lease(firm: Firm, corpus: Corpus) -> Ingested:
    """One paragraph was changed and one added since the first version."""
    ingest(firm, corpus, "lease.md", OLD)
    return ingest(firm, corpus, "lease.md", NEW)
