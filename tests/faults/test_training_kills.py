"""A fine-tuning, killed with -9 between two of its checkpoints: another worker ends it as if nothing had happened."""

from legalqa.common.faults import TRAINING_CRASH_POINTS
from tests.faults.environment import Installation

KILLED = -9


def test_a_training_that_is_killed_ends_as_one_that_was_not(installation: Installation) -> None:
    order = installation.driver.order
    case = installation.driver.case("training-killed")
    encoder = str(installation.var / "small-encoder")
    begun = order("trainings_begin", organization=case.organization, corpus=case.corpus, encoder=encoder)
    assert (begun["half"]["state"], begun["half"]["has_checkpoint"]) == ("building", True)

    [point] = TRAINING_CRASH_POINTS
    marker = installation.var / f"killed-{point}"
    training = {
        "organization": case.organization,
        "version": begun["version"],
        "job": begun["job"],
        "encoder": encoder,
    }
    order("training_go_on", **training, crash=f"{point}:{marker}", expect=KILLED)
    assert marker.exists()

    ended = order("training_go_on", **training)
    assert ended == begun["whole"]
    assert (ended["job"], ended["state"], ended["has_checkpoint"]) == ("done", "ready", False)
