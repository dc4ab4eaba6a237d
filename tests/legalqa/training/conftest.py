"""The library that trained versions learn from, with a place for what their training keeps."""

from pathlib import Path
from typing import Any

import pytest

from tests.committed import committed_fixture
from tests.legalqa.training.library import Library, make_library

committed_library = committed_fixture(make_library)


@pytest.fixture
def library(committed_library: Library, db: None, settings: Any, tmp_path: Path) -> Library:
    settings.VAR = tmp_path
    return committed_library
