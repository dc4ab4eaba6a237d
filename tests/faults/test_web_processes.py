"""Two web processes serve one address: one that is killed is missed by nobody, and all end together."""

import http.client
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.faults.environment import Installation, wait_until
from tests.faults.running import Running


@pytest.fixture(scope="module")
def running(installation: Installation) -> Iterator[Running]:
    installation.environment["LEGALQA_WEB_PROCESSES"] = "2"
    try:
        yield Running(installation)
    finally:
        installation.manage("down", "--now")
        del installation.environment["LEGALQA_WEB_PROCESSES"]


def test_a_killed_web_process_is_replaced_while_the_other_one_serves(running: Running) -> None:
    wait_until(lambda: len(serving(running)) == 2, "two web processes that take in connections")
    first, second = serving(running)

    first.kill()

    assert [status(running) for _ in range(20)] == [200] * 20
    wait_until(lambda: len(serving(running)) == 2, "two web processes again")
    assert second in serving(running)


def test_killed_together_they_keep_nobody_out_who_waits(running: Running) -> None:
    wait_until(lambda: len(serving(running)) == 2, "two web processes that take in connections")

    for process in serving(running):
        process.kill()

    assert status(running) == 200, "the socket is the supervisor's: who knocks meanwhile is let in later"


def test_they_end_with_a_killed_supervisor_and_leave_the_port_free(running: Running) -> None:
    wait_until(lambda: len(serving(running)) == 2, "two web processes that take in connections")
    webs = web_processes(running)

    running.supervisor.kill()

    assert not psutil.wait_procs(webs, timeout=10)[1]
    running.start()
    assert status(running) == 200


def web_processes(running: Running) -> list[psutil.Process]:
    return [child for child in running.supervisor.children() if is_web(child)]


def is_web(process: psutil.Process) -> bool:
    try:
        return "serve_web" in process.cmdline()
    except psutil.Error:  # it has just ended
        return False


def serving(running: Running) -> list[psutil.Process]:
    """Those whose loop waits for connections: each has an epoll of its own."""
    return [web for web in web_processes(running) if any("eventpoll" in name for name in open_names(web))]


def open_names(process: psutil.Process) -> list[str]:
    try:
        return [str(file.readlink()) for file in Path(f"/proc/{process.pid}/fd").iterdir()]
    except OSError:  # it has ended, or a file was closed meanwhile
        return []


def status(running: Running) -> int:
    line = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
    try:
        line.request("GET", "/sign-in/")
        return line.getresponse().status
    finally:
        line.close()
