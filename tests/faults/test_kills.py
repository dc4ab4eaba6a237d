"""Ingestion killed with -9 at each of its steps: nothing lost, nothing doubled."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.crash_points import CRASH_POINTS
from tests.faults.environment import DOCUMENT, WORK_S, Case, Installation

UPLOAD_POINTS = [point for point in CRASH_POINTS if point.startswith("upload.")]
STEPS = [point for point in CRASH_POINTS if point not in UPLOAD_POINTS]
KILLED = -9

pytestmark = pytest.mark.usefixtures("encoder")


def upload(installation: Installation, case: Case, *, crash: str = "", expect: int = 0) -> None:
    installation.driver.order(
        "upload", organization=case.organization, corpus=case.corpus, path=str(DOCUMENT), crash=crash, expect=expect
    )


def work(installation: Installation, case: Case, *, crash: str = "", expect: int = 0) -> None:
    installation.driver.order("work", organization=case.organization, seconds=WORK_S, crash=crash, expect=expect)


def snapshot(installation: Installation, case: Case) -> dict[str, Any]:
    stored: dict[str, Any] = installation.driver.order("snapshot", organization=case.organization)
    return stored


def test_there_are_at_least_twelve_steps_at_which_the_worker_is_killed() -> None:
    assert len(STEPS) >= 12


def test_the_undisturbed_document_passes_through_every_step(undisturbed: dict[str, Any]) -> None:
    [(_, state, _, n_pages, n_chunks)] = undisturbed["versions"]
    assert (state, n_pages) == ("ready", 10)
    assert n_chunks > 64, "several batches of embeddings"
    assert {e[0] for e in undisturbed["embeddings"]} == set(range(n_chunks)), "a vector for each chunk"
    assert undisturbed["corpus_versions"] == [1], "published once"


@pytest.mark.parametrize("step", STEPS)
def test_a_worker_killed_at_a_step_leaves_nothing_lost_and_nothing_doubled(
    step: str, installation: Installation, undisturbed: dict[str, Any]
) -> None:
    case = installation.driver.case(f"step-{step.replace('.', '-')}")
    upload(installation, case)
    marker = installation.var / f"killed-{step}"
    work(installation, case, crash=f"{step}:{marker}", expect=KILLED)
    assert marker.exists()
    work(installation, case)
    assert snapshot(installation, case) == undisturbed
    assert [job["state"] for job in installation.driver.order("jobs", organization=case.organization)] == ["done"]


@pytest.mark.parametrize("point", UPLOAD_POINTS)
def test_an_upload_killed_midway_is_whole_or_can_be_repeated(
    point: str, installation: Installation, undisturbed: dict[str, Any]
) -> None:
    case = installation.driver.case(point.replace(".", "-"))
    upload(installation, case, crash=f"{point}:{installation.var / point}", expect=KILLED)
    if point == "upload.recorded":
        work(installation, case)
    else:
        assert snapshot(installation, case)["versions"] == []
        upload(installation, case)
        work(installation, case)
        orphan = first_of_two_files_aged(installation, case)
        assert installation.driver.order("sweep_files") == 1
        assert not orphan.exists()
    assert snapshot(installation, case) == undisturbed
    assert installation.driver.order("sweep_files") == 0, "the file of a recorded document stays"


def first_of_two_files_aged(installation: Installation, case: Case) -> Path:
    """Make both files of the organisation two hours old; returns the one that was stored first."""
    files = sorted((installation.files / case.organization).iterdir(), key=lambda file: file.stat().st_mtime)
    for file in files:
        os.utime(file, (time.time() - 7200, time.time() - 7200))
    assert len(files) == 2
    return files[0]


# The first death at a later step comes after progress in the same run, which clears the attempts.
@pytest.mark.parametrize(("step", "n_deaths"), [("parse.after", 3), ("embed.encoded", 4)])
def test_a_document_that_kills_every_worker_at_the_same_step_is_given_up(
    step: str, n_deaths: int, installation: Installation
) -> None:
    case = installation.driver.case(f"poison-{step.replace('.', '-')}")
    upload(installation, case)
    for attempt in range(n_deaths):
        work(installation, case, crash=f"{step}:{installation.var / f'poison-{step}-{attempt}'}", expect=KILLED)
    work(installation, case)
    [job] = installation.driver.order("jobs", organization=case.organization)
    assert (job["state"], job["reason"]) == ("failed", "crashed")


def test_a_job_that_kills_every_worker_is_given_up_and_harms_no_other(
    installation: Installation, undisturbed: dict[str, Any]
) -> None:
    driver, case = installation.driver, installation.driver.case("poison")
    driver.order("poison", organization=case.organization)
    upload(installation, case)
    for _ in range(3):
        work(installation, case, expect=KILLED)
    work(installation, case)
    poisoned, other = driver.order("jobs", organization=case.organization)
    assert (poisoned["state"], poisoned["reason"], poisoned["attempts"]) == ("failed", "crashed", 3)
    assert other["state"] == "done"
    assert snapshot(installation, case) == undisturbed
