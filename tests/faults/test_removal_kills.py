"""The removal of a corpus killed with -9 at each step: the next worker goes on, and nothing is left."""

import pytest

from tests.crash_points import REMOVAL_CRASH_POINTS
from tests.faults.environment import WORK_S, Installation

KILLED = -9
NOTE = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\n## Late\n\nLate rent bears interest.\n"

pytestmark = pytest.mark.usefixtures("encoder")


@pytest.mark.parametrize("step", REMOVAL_CRASH_POINTS)
def test_a_worker_killed_at_a_step_leaves_nothing_in_the_end(step: str, installation: Installation) -> None:
    order, case = installation.driver.order, installation.driver.case(step.replace(".", "-").replace("_", "-"))
    path, marker = installation.var / "lease.md", installation.var / f"killed-{step}"
    path.write_text(NOTE)
    order("upload", organization=case.organization, corpus=case.corpus, path=str(path))
    order("work", organization=case.organization, seconds=WORK_S)
    assert order("left_over", organization=case.organization)["rows"]["corpora.Position"] == 4

    order("corpus_remove", organization=case.organization, corpus=case.corpus)
    order("work", organization=case.organization, seconds=WORK_S, crash=f"{step}:{marker}", expect=KILLED)
    order("work", organization=case.organization, seconds=WORK_S)

    assert marker.exists()
    left = order("left_over", organization=case.organization)
    assert left == {"rows": {}, "n_files": 0, "audit": ["corpus.removal_begun", "corpus.removed"]}
    assert {job["state"] for job in order("jobs", organization=case.organization)} == {"done"}
