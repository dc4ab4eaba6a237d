"""Groups of processes, what a killed run leaves, and the lock of a data folder."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.processes import MARK, Child, backoff_s, end_leftovers, log_tail
from legalqa.jobs.run_lock import Running, run_lock, run_note, run_state, wait_until_free
from legalqa.jobs.supervisor import Address

SLEEPS = "import time; time.sleep(60)"


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def sleeper(**environment: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", SLEEPS], env=os.environ | environment)


def test_leftovers_are_known_by_their_mark_and_strangers_are_spared(tmp_path: Path) -> None:
    left, of_another, unmarked = sleeper(**{MARK: str(tmp_path)}), sleeper(**{MARK: "/elsewhere"}), sleeper()
    try:
        wait_until(lambda: psutil.Process(left.pid).environ().get(MARK) == str(tmp_path))
        assert end_leftovers(str(tmp_path)) == 1
        assert not psutil.pid_exists(left.pid)
        assert (of_another.poll(), unmarked.poll()) == (None, None)
    finally:
        left.wait()
        for process in (of_another, unmarked):
            process.kill()
            process.wait()


def test_a_child_that_dies_is_noticed_and_may_start_again(tmp_path: Path) -> None:
    child = Child("nothing", "no-such-command", mark=str(tmp_path), environment={})
    assert child.is_due()
    child.start()
    assert not child.is_due()
    wait_until(child.has_died)
    assert (child.is_running, child.deaths, child.is_due()) == (False, 1, True)


def test_a_child_that_keeps_dying_starts_ever_later() -> None:
    assert [backoff_s(n) for n in range(1, 9)] == [0, 1, 2, 4, 8, 16, 30, 30]


def test_killing_a_child_kills_what_it_has_started(tmp_path: Path) -> None:
    file = tmp_path / "grandchild"
    program = (
        f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {SLEEPS!r}]); "
        f"open({str(file)!r}, 'w').write(str(p.pid)); p.wait()"
    )
    child = Child("shell", "shell", "-c", program, mark=str(tmp_path), environment={})
    child.start()
    wait_until(lambda: file.exists() and file.read_text() != "")
    grandchild = psutil.Process(int(file.read_text()))
    child.kill()
    assert not child.is_running
    psutil.wait_procs([grandchild], timeout=10)
    assert not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE


def test_a_data_folder_is_locked_by_one_process(tmp_path: Path) -> None:
    assert run_state(tmp_path) is None
    with run_lock(tmp_path):
        assert run_state(tmp_path) == Running(os.getpid(), "")
        run_note(tmp_path, url="http://localhost:8123")
        with pytest.raises(Conflict, match=r"already uses .* at http://localhost:8123"), run_lock(tmp_path):
            pytest.fail("locked twice")
        assert not wait_until_free(tmp_path, wait_s=0.1)
    assert run_state(tmp_path) is None
    assert wait_until_free(tmp_path, wait_s=0.1)


def test_a_port_in_use_is_named_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ApplicationError, match=f"Port {port} on 127.0.0.1 is in use") as error:
            Address("127.0.0.1", port).bound()
        assert error.value.code == "port_in_use"


def test_a_host_that_is_not_this_machine_is_refused() -> None:
    with pytest.raises(ApplicationError, match="cannot be used"):
        Address("203.0.113.1", 8000).bound()


def test_nobody_answers_where_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert not Address("127.0.0.1", taken.getsockname()[1]).answers()


def test_the_tail_of_a_log_is_its_last_lines(tmp_path: Path) -> None:
    file = tmp_path / "log"
    assert log_tail(file) == ""
    file.write_text("\n".join(str(n) for n in range(100)))
    assert log_tail(file, n_lines=2) == "98\n99"
