"""The corpus that most campaigns of these tests are about."""

import pytest

from corpora.models import Corpus
from tests.ingestion import make_corpus
from tests.people import Firm


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Leases")
