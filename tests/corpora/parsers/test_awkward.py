"""The collection of awkward PDF files behaves as its manifest expects."""

from pathlib import Path

import pytest

from tests.corpora.parsers.awkward import RULES, collection_judged
from tests.corpora.parsers.builders import PDFS
from tests.environment import DATA

WHOLE_COLLECTION = Path(DATA) / "pdfs"
"""All 22 files, where they lie beside the project; the 16 that may be passed on are ours."""


@pytest.mark.parametrize("folder", [WHOLE_COLLECTION if (WHOLE_COLLECTION / "manifest.jsonl").is_file() else PDFS])
def test_every_file_behaves_as_its_manifest_expects(folder: Path) -> None:
    outcomes = collection_judged(folder)

    assert len(outcomes) >= 16
    assert [(o.file, o.happened) for o in outcomes if not o.is_as_expected] == []


def test_every_file_of_ours_has_a_rule() -> None:
    assert {path.name for path in PDFS.glob("*.pdf")} <= RULES.keys()
