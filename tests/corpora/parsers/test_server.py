"""One server reads all files of a worker, each in a process of its own that dies with the worker."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from corpora.parsers import client
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import RETRYABLE, FileRefused
from corpora.parsers.sandbox import parse_file
from legalqa.common.processor import processor_s
from tests.corpora.parsers.processes import assert_without_rights, children, is_gone

ROOT = Path(__file__).parents[3]
LIMITS = ("pages", "characters", "page_characters", "unzipped_bytes", "zip_ratio")


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("Fees are due.")
    return path


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A text that takes a second to read."""
    path = tmp_path / "long.txt"
    path.write_bytes(b"Some words of the law.\n\n" * 30_000)
    return path


def text(path: Path, **more: Any) -> str:
    return parse_file(path, name=path.name, **more).text


def server() -> client.Server:
    return client._server()  # which process reads is what these tests are about


def reader_seen(seen: list[int]) -> Callable[[], bool]:
    """Notes which process reads, and stops nothing."""

    def look() -> bool:
        seen.extend(children(server().process.pid))
        return False

    return look


def test_files_come_from_one_server_each_by_a_process_of_its_own(note: Path, long: Path) -> None:
    text(note)
    pid, seen = server().process.pid, list[int]()
    for _ in range(2):
        text(long, should_stop=reader_seen(seen))
    assert server().process.pid == pid
    assert len(set(seen)) == 2
    assert all(is_gone(one) for one in seen)


def test_a_file_that_is_stopped_leaves_a_server_that_reads_the_next_one(note: Path, long: Path) -> None:
    text(note)
    pid = server().process.pid
    for more, code in (({"should_stop": lambda: True}, "cancelled"), ({"limits": Limits(wall_seconds=0.1)}, "timeout")):
        with pytest.raises(FileRefused) as caught:
            text(long, **more)
        assert caught.value.code == code
        assert text(note) == "Fees are due."
    assert server().process.pid == pid
    assert children(pid) == []


def test_a_server_that_dies_over_a_file_is_replaced_and_the_file_worth_another_try(note: Path, long: Path) -> None:
    text(note)
    killed, seen = server().process.pid, list[int]()

    def kill() -> bool:
        seen.extend(children(killed))
        if seen:
            os.kill(killed, signal.SIGKILL)
        return False

    with pytest.raises(FileRefused) as caught:
        text(long, should_stop=kill)
    assert caught.value.code in RETRYABLE
    assert is_gone(seen[0]), "the process that read dies with its server"
    assert text(note) == "Fees are due."
    assert server().process.pid != killed


def test_work_that_is_broken_off_while_a_file_is_read_leaves_nothing_to_the_next_file(note: Path, long: Path) -> None:
    def lose() -> bool:
        raise RuntimeError("the job has gone to another worker")

    text(note)
    left = server().process.pid
    with pytest.raises(RuntimeError):
        text(long, should_stop=lose)
    assert is_gone(left)
    assert text(note) == "Fees are due."


@pytest.mark.parametrize("fault", [signal.SIGSEGV, signal.SIGABRT])
def test_a_file_that_crashes_its_reader_learns_nothing_of_the_memory_of_the_next_one(
    note: Path, long: Path, fault: signal.Signals
) -> None:
    text(note)
    left, seen = server().process.pid, list[int]()

    def crash() -> bool:
        if not seen and (reader := children(left)):
            seen.extend(reader)
            os.kill(reader[0], fault)
        return False

    with pytest.raises(FileRefused) as caught:
        text(long, should_stop=crash)
    assert caught.value.code == "crashed"
    assert is_gone(left)
    assert text(note) == "Fees are due."


def test_a_server_that_does_not_stop_when_told_is_ended(
    note: Path, long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "GRACE_S", 0.3)  # twice five seconds of a test
    text(note)
    left = server().process.pid

    def freeze() -> bool:
        os.kill(left, signal.SIGSTOP)
        return True

    with pytest.raises(FileRefused) as caught:
        text(long, should_stop=freeze)
    assert caught.value.code == "cancelled"
    assert is_gone(left)
    assert text(note) == "Fees are due."


def test_threads_and_forks_have_servers_of_their_own(note: Path) -> None:
    text(note)
    with ThreadPoolExecutor(2) as pool:
        texts = list(pool.map(lambda _: text(note), range(4)))
    fork = multiprocessing.get_context("fork").Pool
    with fork(1) as processes:
        texts += processes.map(text, [note, note])
    assert texts == ["Fees are due."] * 6


def test_time_in_which_files_are_read_counts_as_the_workers(long: Path) -> None:
    before = processor_s()
    text(long)
    assert processor_s() - before > 0.3


def test_time_is_counted_once_also_of_a_server_that_has_ended(note: Path, long: Path) -> None:
    before = processor_s()
    text(long)
    read = processor_s() - before
    server().end()
    text(note)
    assert processor_s() - before == pytest.approx(read, abs=read / 2 + 0.8), "and what the server itself took"
    assert processor_s() - before > read


def test_time_of_a_file_that_was_broken_off_is_counted(note: Path, long: Path) -> None:
    def lose() -> bool:
        if time.monotonic() < soon:
            return False
        raise RuntimeError("the job has gone to another worker")

    text(note)
    before, soon = processor_s(), time.monotonic() + 0.2
    with pytest.raises(RuntimeError):
        text(long, should_stop=lose)
    assert processor_s() - before > 0.1


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """A worker, and the process that reads a file for it, while the worker does not take its answer."""
    source, pid = tmp_path / "source.txt", tmp_path / "pid"
    source.write_bytes(b"Some words of the law.\n\n" * 20_000)
    order = {"name": "a.txt", "recognised": []} | {name: getattr(Limits(), name) for name in LIMITS}
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from corpora.parsers import client\n"
        "from corpora.parsers.limits import Limits\n"
        "out, answer = os.pipe()\n"
        f"open({str(pid)!r}, 'w').write(str(client._server().process.pid))\n"
        f"source = os.open({str(source)!r}, os.O_RDONLY)\n"
        f"client.run_forked({json.dumps(order).encode()!r}, Limits(), source=source, answer=answer)"
    )
    worker = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    try:
        while not (pid.exists() and pid.read_text() and children(int(pid.read_text()))):
            assert worker.poll() is None
            time.sleep(0.02)
        time.sleep(1.0)  # until the pipe is full
        yield worker.pid, children(int(pid.read_text()))[0]
    finally:
        worker.kill()
        worker.wait()


def test_the_process_that_reads_has_given_up_its_rights(answering: tuple[int, int]) -> None:
    assert_without_rights(answering[1])


def test_server_and_reader_die_with_the_worker(answering: tuple[int, int]) -> None:
    worker, reader = answering
    reading_server = int(Path(f"/proc/{reader}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(worker, signal.SIGKILL)
    assert is_gone(reader)
    assert is_gone(reading_server)
