"""The two processes of `make test` share the tests by file, and some folders as a whole."""

from pathlib import Path

from tests.balance import ALONE, LONG, unit_of

ROOT = Path(__file__).resolve().parent.parent


def test_a_folder_with_one_set_up_goes_as_a_whole_and_all_else_by_file() -> None:
    nodes = ("tests/functional/test_jobs.py::test_a[x::y]", "tests/faults/test_full_disk.py::test_b", "tests/a.py::t")

    assert [unit_of(node) for node in nodes] == ["tests/functional", "tests/faults/test_full_disk.py", "tests/a.py"]


def test_every_file_and_folder_that_is_named_is_there() -> None:
    assert [name for name in (*ALONE, *LONG) if not (ROOT / name).exists()] == []
