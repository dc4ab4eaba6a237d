"""The examples in docstrings are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for room in ("legalqa", "corpora", "retrieval", "judging")
    for file in sorted((ROOT / room).rglob("*.py"))
    if ">>> " in file.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    result = doctest.testmod(import_module(name))

    assert result.attempted and not result.failed
