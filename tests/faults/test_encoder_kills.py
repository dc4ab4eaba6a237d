"""A switch to another encoder, killed with -9 at each of its steps: every chunk found by one encoder, none twice."""

from typing import Any

import pytest

from legalqa.common.faults import ENCODER_CRASH_POINTS
from legalqa.llm.encoder import NAME
from tests.faults.environment import WORK_S, Case, Installation

KILLED = -9
TEXTS = {
    "lease.md": "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\n## Late\n\nLate rent bears interest.\n",
    "notice.md": "# Notice\n\nEither party may end the lease by a notice of three months.\n",
}

pytestmark = pytest.mark.usefixtures("encoder")


def upload(installation: Installation, case: Case, name: str, *, crash: str = "", expect: int = 0) -> None:
    path = installation.var / name
    path.write_text(TEXTS[name])
    order = installation.driver.order
    order("upload", organization=case.organization, corpus=case.corpus, path=str(path))
    order("work", organization=case.organization, seconds=WORK_S, crash=crash, expect=expect)


def searched(installation: Installation, case: Case) -> dict[str, Any]:
    found: dict[str, Any] = installation.driver.order("searched_by", organization=case.organization, corpus=case.corpus)
    assert found["with_vectors"] == found["chunks"]
    return found


@pytest.mark.parametrize("step", ENCODER_CRASH_POINTS)
def test_a_worker_killed_at_a_step_leaves_each_chunk_found_by_the_encoder_in_use(
    step: str, installation: Installation
) -> None:
    case = installation.driver.case(step.replace(".", "-").replace("_", "-"))
    upload(installation, case, "lease.md")
    name = installation.driver.order("encoder_switch", organization=case.organization, corpus=case.corpus)
    marker = installation.var / f"killed-{step}"
    upload(installation, case, "notice.md", crash=f"{step}:{marker}", expect=KILLED)
    assert searched(installation, case)["encoder"] == (name if step == "encoder.switched" else NAME)

    installation.driver.order("work", organization=case.organization, seconds=WORK_S)
    after = searched(installation, case)
    assert marker.exists()
    assert (after["encoder"], after["n_activations"], len(after["chunks"])) == (name, 1, 2)
    assert {job["state"] for job in installation.driver.order("jobs", organization=case.organization)} == {"done"}
