"""An experiment, killed with -9 half way: another worker ends it, and computes nothing twice."""

import pytest

from tests.crash_points import EXPERIMENT_CRASH_POINTS
from tests.faults.environment import Installation
from tests.faults.experimenting import PRESETS, QUESTIONS

pytestmark = pytest.mark.usefixtures("encoder")

KILLED = -9
WORK_S = 120


def test_an_experiment_that_is_killed_ends_as_one_that_was_not_with_every_answer_once(
    installation: Installation,
) -> None:
    order, found = installation.driver.order, []
    for point in ("", *EXPERIMENT_CRASH_POINTS):
        case = installation.driver.case(f"experiment-{point or 'whole'}".replace(".", "-"))
        note = installation.var / "garden.txt"
        note.write_text("The tenant pays 900 euros.\n\nThe tenant waters the garden every third day.\n")
        order("upload", organization=case.organization, corpus=case.corpus, path=str(note))
        order("work", organization=case.organization, seconds=WORK_S)
        experiment = order("experiment_begin", organization=case.organization, corpus=case.corpus)
        if point:
            marker = installation.var / f"killed-{point}"
            crash = f"{point}:{marker}"
            order("work", organization=case.organization, seconds=WORK_S, crash=crash, expect=KILLED)
            assert marker.exists()
        order("work", organization=case.organization, seconds=WORK_S)
        found.append(order("experiment_stored", organization=case.organization, experiment=experiment))

    n = len(QUESTIONS) * len(PRESETS)
    assert found[0] == found[1] == found[2]
    assert found[0]["times"] == [1] * n
    assert (found[0]["failed"], found[0]["linked"], found[0]["answers"]) == (0, n, n)
