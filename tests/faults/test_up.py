"""The running product with its processes killed: it comes back by itself, and no document is lost or doubled."""

from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from tests.faults.environment import Installation, wait_until
from tests.faults.running import Running, has_loaded


@pytest.fixture(scope="module")
def running(installation: Installation) -> Iterator[Running]:
    started = Running(installation)
    yield started
    installation.manage("down", "--now")


def test_only_the_encoder_process_loads_the_model_library(running: Running) -> None:
    running.queue_worker()
    loaded = {process.pid for process in running.processes() if has_loaded(process, "libtorch")}
    assert loaded == {running.leader("serve_encoder").pid}


def test_a_second_up_over_the_same_data_says_where_the_first_one_runs(
    running: Running, installation: Installation
) -> None:
    said = installation.manage("up", "--port", str(running.port), expect=2)
    assert "LegalQA already uses " in said
    assert f" at http://localhost:{running.port}. Stop it" in said


def test_a_worker_killed_at_work_is_replaced_and_the_document_becomes_ready(
    running: Running, undisturbed: dict[str, Any]
) -> None:
    case = running.installation.driver.case("worker-killed")
    with running.killed_at("embed.stored", "worker") as marker:
        assert running.upload(case) == 202
        wait_until(marker.exists, "the kill")
    assert running.wait_until_done(case) == undisturbed


def test_a_web_process_killed_during_an_upload_comes_back_and_takes_the_repeated_upload(
    running: Running, undisturbed: dict[str, Any]
) -> None:
    case = running.installation.driver.case("web-killed")
    assert running.upload(case, n_bytes=50_000) == 0, "the connection broke"
    wait_until(running.answers, "the pages")
    assert running.upload(case) == 202
    assert running.wait_until_done(case) == undisturbed


def test_a_database_killed_during_ingestion_comes_back_and_the_document_becomes_ready(
    running: Running, undisturbed: dict[str, Any]
) -> None:
    case = running.installation.driver.case("database-killed")
    with running.held_at("embed.stored", "database") as marker:
        assert running.upload(case) == 202
        wait_until(marker.exists, "the first vectors")
        kill(running.postgres())
    assert running.wait_until_done(case) == undisturbed
    assert running.answers()


def test_an_encoder_killed_during_ingestion_comes_back_and_nobody_else_loads_the_model(
    running: Running, undisturbed: dict[str, Any]
) -> None:
    case = running.installation.driver.case("encoder-killed")
    with running.held_at("embed.before", "encoder") as marker:
        assert running.upload(case) == 202
        wait_until(marker.exists, "the first texts to be encoded")
        running.leader("serve_encoder").kill()
    assert running.wait_until_done(case) == undisturbed
    loaded = [process.pid for process in running.processes() if has_loaded(process, "libtorch")]
    assert loaded == [running.leader("serve_encoder").pid]


def test_a_queue_frozen_by_the_death_of_an_idle_worker_is_restarted(
    running: Running, undisturbed: dict[str, Any]
) -> None:
    case = running.installation.driver.case("idle-worker-killed")
    frozen = running.leader("serve_worker")
    for process in running.queue_worker().parent().children():  # whichever of them waits for the next task
        process.kill()
    assert running.upload(case) == 202
    assert running.wait_until_done(case) == undisturbed
    assert running.leader("serve_worker") != frozen


def test_a_killed_supervisor_takes_its_processes_with_it(running: Running) -> None:
    processes = running.processes()
    assert len(processes) >= 7, "encoder, web, and the queue's five"
    running.supervisor.kill()
    _, alive = psutil.wait_procs(processes, timeout=30)
    assert alive == []
    running.start()


def test_everything_killed_at_once_comes_back_with_the_next_up(running: Running, undisturbed: dict[str, Any]) -> None:
    case = running.installation.driver.case("all-killed")
    with running.held_at("embed.stored", "all") as marker:
        assert running.upload(case) == 202
        wait_until(marker.exists, "the first vectors")
        kill([running.supervisor, *running.processes(), *running.postgres()])
    running.start()
    assert running.wait_until_done(case) == undisturbed


def test_down_ends_every_process_and_the_database(running: Running, installation: Installation) -> None:
    processes = [running.supervisor, *running.processes(), *running.postgres()]
    assert "has stopped" in installation.manage("down")
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert alive == []
    assert "Nothing is running" in installation.manage("down")


def kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
