"""A lease in its second version, which several tests read, and a place for folders that are watched."""

from pathlib import Path
from typing import Any

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


@pytest.fixture
def home(tmp_path: Path, settings: Any) -> Path:
    """The folder below which managers of the firm may have folders watched; it has one for leases."""
    settings.WATCH_ROOT = str(tmp_path)
    made = tmp_path / "harding"
    (made / "leases").mkdir(parents=True)
    return made
