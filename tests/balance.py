"""How the two processes of `make test` share the tests: by file, by folder where one set-up serves all of it."""

from pathlib import PurePath
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

# One installation, browser or pair of organisations for all files of the folder: made once, not once in each process.
FOLDERS = ("tests/functional", "tests/faults", "tests/isolation")
# Files of those folders that bring their own: any process may take them.
ALONE = {"tests/faults/test_first_runs.py", "tests/faults/test_full_disk.py", "tests/isolation/test_catalogue.py"}
# The longest come first, so that the processes end together.
LONG = (
    *FOLDERS,
    "tests/soak/test_schema.py",
    "tests/legalqa/answering/test_ll144.py",
    "tests/legalqa/operations/test_external_database.py",
    "tests/corpora/parsers/test_awkward.py",
)

ENOUGH = 2  # tests that a process has left when it is given more


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
    """By unit, in the order of the collection.

    xdist's own loses tests, runs the one that killed its process again, or waits for ever where a process dies.
    """

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def _reschedule(self, node: Any) -> None:
        """Give the process units until it has enough to do; it starts a test only when it knows the next one."""
        if node.shutting_down or node not in self.registered_collections:
            return
        while self.workqueue and self._pending_of(self.assigned_work[node]) <= ENOUGH:
            self._assign_work_unit(node)
        if not self.workqueue:
            node.shutdown()

    def remove_node(self, node: Any) -> str | None:
        """The test that killed the process, if one did; what else the process had left goes to the others."""
        units = self.assigned_work.pop(node)
        left = [(unit, test) for unit, tests in units.items() for test, is_done in tests.items() if not is_done]
        if not left:
            return None
        unit, killer = left[0]
        name = str(killer)
        units[unit][killer] = True
        self.workqueue.update({unit: units[unit] for unit, _ in left})
        for other in self.assigned_work:
            self._reschedule(other)
        return name
