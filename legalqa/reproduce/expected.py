"""The bars as they are in `expected.yaml`."""

from functools import cache
from pathlib import Path

import yaml

from legalqa.reproduce.types import Expected

FILE = Path(__file__).with_name("expected.yaml")


@cache
def expected_load() -> Expected:
    """The rows with their bars, in the order of the file."""
    return Expected.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))
