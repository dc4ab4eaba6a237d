"""The two processes of `make test` share the tests by file, and some folders as a whole."""

from pathlib import Path
from types import SimpleNamespace

from tests.balance import ALONE, LONG, Sharing, unit_of

ROOT = Path(__file__).resolve().parent.parent
TESTS = ["tests/a.py::1", "tests/a.py::2", "tests/a.py::3", "tests/b.py::1", "tests/b.py::2", "tests/b.py::3"]


class Process:
    """Runs what it is sent as a process of xdist does: a test starts when the next is known, or that none follows."""

    def __init__(self, sharing: Sharing) -> None:
        self.gateway = SimpleNamespace(id=f"process {len(sharing.nodes)}")
        self.sharing, self.queue, self.ran, self.shutting_down = sharing, list[int](), list[str](), False
        sharing.add_node(self)

    def collect(self) -> None:
        self.sharing.add_node_collection(self, TESTS)

    def send_runtest_some(self, indices: list[int]) -> None:
        self.queue += indices

    def shutdown(self) -> None:
        self.shutting_down = True

    def run(self) -> None:
        while len(self.queue) > (0 if self.shutting_down else 1):
            index = self.queue.pop(0)
            self.ran.append(TESTS[index])
            self.sharing.mark_test_complete(self, index)


def two_processes() -> tuple[Sharing, Process, Process]:
    option = SimpleNamespace(loadscopereorder=False)
    sharing = Sharing(SimpleNamespace(getvalue=lambda _: ["2*popen"], option=option))
    processes = Process(sharing), Process(sharing)
    for process in processes:
        process.collect()
    sharing.schedule()
    return sharing, *processes


def test_two_processes_run_every_test_once() -> None:
    _, first, second = two_processes()
    first.run()
    second.run()

    assert (first.ran, second.ran) == (TESTS[:3], TESTS[3:])


def test_a_test_that_kills_its_process_is_not_run_again_and_the_rest_of_its_file_is() -> None:
    sharing, first, second = two_processes()
    assert sharing.remove_node(first) == TESTS[0]
    third = Process(sharing)
    third.collect()
    sharing.schedule()
    second.run()
    third.run()

    assert sorted(second.ran + third.ran) == TESTS[1:]
    assert not sharing.has_pending


def test_a_process_that_dies_while_another_starts_loses_no_test() -> None:
    sharing, first, second = two_processes()
    sharing.remove_node(first)
    third = Process(sharing)
    assert sharing.remove_node(second) == TESTS[3]
    third.collect()
    sharing.schedule()
    third.run()

    assert sorted(third.ran) == [*TESTS[1:3], *TESTS[4:]]
    assert not sharing.has_pending


def test_a_single_test_that_a_dead_process_left_is_run() -> None:
    sharing, first, second = two_processes()
    second.run()
    first.queue.remove(0)
    sharing.mark_test_complete(first, 0)
    assert sharing.remove_node(first) == TESTS[1]
    third = Process(sharing)
    third.collect()
    sharing.schedule()
    third.run()

    assert third.ran == [TESTS[2]]


def test_a_folder_with_one_set_up_goes_as_a_whole_and_all_else_by_file() -> None:
    nodes = ("tests/functional/test_jobs.py::test_a[x::y]", "tests/faults/test_full_disk.py::test_b", "tests/a.py::t")

    assert [unit_of(node) for node in nodes] == ["tests/functional", "tests/faults/test_full_disk.py", "tests/a.py"]


def test_every_file_and_folder_that_is_named_is_there() -> None:
    assert [name for name in (*ALONE, *LONG) if not (ROOT / name).exists()] == []
