"""How the two processes of `make test` share the tests: by file, by folder where one set-up serves all of it."""

from pathlib import PurePath

import pytest
from xdist.scheduler import LoadScopeScheduling

# One installation, browser or pair of organisations for all files of the folder: made once, not once in each process.
FOLDERS = ("tests/functional", "tests/faults", "tests/isolation")
# Files of those folders that bring their own: any process may take them.
ALONE = {
    "tests/faults/test_first_runs.py",
    "tests/faults/test_full_disk.py",
    "tests/isolation/test_catalogue.py",
}
# The longest come first, so that the processes end together.
LONG = (
    *FOLDERS,
    "tests/soak/test_schema.py",
    "tests/legalqa/answering/test_ll144.py",
    "tests/legalqa/operations/test_external_database.py",
    "tests/corpora/parsers/test_awkward.py",
)


def unit_of(nodeid: str) -> str:
    """The file of a test, or the folder that goes as a whole.

    >>> unit_of("tests/faults/test_up.py::test_a"), unit_of("tests/faults/test_full_disk.py::test_a")
    ('tests/faults', 'tests/faults/test_full_disk.py')
    """
    file = nodeid.partition("::")[0]
    folder = str(PurePath(file).parent)
    return folder if folder in FOLDERS and file not in ALONE else file


def longest_first(items: list[pytest.Item]) -> None:
    """Order the tests in place; those of one unit keep theirs."""
    places = {unit: place for place, unit in enumerate(LONG)}

    def place(item: pytest.Item) -> int:
        unit = unit_of(item.nodeid)
        return places.get(unit, places.get(str(PurePath(unit).parent), len(places)))

    items.sort(key=place)


class Sharing(LoadScopeScheduling):  # type: ignore[misc]  # xdist's classes have no types that mypy reads
    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)
