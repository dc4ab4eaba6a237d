"""A build of a question index, killed with -9 half way: another worker ends it, and asks nothing twice."""

import pytest

from tests.crash_points import QUESTIONS_CRASH_POINT
from tests.faults.environment import WORK_S, Installation

KILLED = -9
NOTES = (
    "An employer must keep the summary of results posted for at least 6 months.\n",
    "The tenant must water the garden within 3 days of a notice by the landlord.\n",
)

pytestmark = pytest.mark.usefixtures("encoder")


def test_a_build_that_is_killed_ends_as_one_that_was_not(installation: Installation) -> None:
    order, stored = installation.driver.order, []
    for crash in ("", QUESTIONS_CRASH_POINT):
        case = installation.driver.case(f"questions-{'killed' if crash else 'whole'}")
        for number, note in enumerate(NOTES):
            path = installation.var / f"note-{number}.txt"
            path.write_text(note)
            order("upload", organization=case.organization, corpus=case.corpus, path=str(path))
        order("work", organization=case.organization, seconds=WORK_S)
        order("questions_begin", organization=case.organization, corpus=case.corpus)
        if crash:
            marker = installation.var / "killed-questions"
            order("work", organization=case.organization, seconds=WORK_S, crash=f"{crash}:{marker}", expect=KILLED)
            assert marker.exists()
            assert order("questions_stored", organization=case.organization)["asked"] == 1
        order("work", organization=case.organization, seconds=WORK_S)
        stored.append(order("questions_stored", organization=case.organization))

    assert stored[0] == stored[1]
    assert (stored[0]["is_whole"], stored[0]["asked"], stored[0]["built"]) == (True, 2, 1)
    assert len(stored[0]["questions"]) >= 2
