"""A fine-tuning, killed with -9 between two of its checkpoints: another worker ends it as if nothing had happened."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.crash_points import TRAINING_CRASH_POINTS
from tests.faults.environment import Driver, Installation

KILLED = -9
WORK_S = 120
LIBRARIES = ("transformers.models.bert.modeling_bert",)


@pytest.fixture(scope="module")
def driver(installation: Installation) -> Iterator[Driver]:
    """It has the libraries of training: each of its orders would take seconds to load them."""
    started = Driver(installation.environment | {"HF_HUB_OFFLINE": "1"}, *LIBRARIES)
    yield started
    started.close()


@pytest.mark.usefixtures("encoder")
def test_a_killed_training_gives_the_same_encoder_and_vectors(installation: Installation, driver: Driver) -> None:
    order, case = driver.order, driver.case("encoder-training-killed")
    where: dict[str, Any] = {"organization": case.organization, "corpus": case.corpus}
    for path in order("passages_write", folder=str(installation.var)):
        order("upload", path=path, **where)
    order("work", organization=case.organization, seconds=WORK_S)

    ended = []
    for point in ("encoder.filled", "training.stepped"):
        version = order("encoder_training_begin", **where)
        marker = installation.var / f"killed-training-{point}"
        crash = f"{point}:{marker}"
        order("work", organization=case.organization, seconds=WORK_S, crash=crash, expect=KILLED)
        order("work", organization=case.organization, seconds=WORK_S)
        assert marker.exists()
        ended.append(order("encoder_trained", organization=case.organization, version=version))

    assert ended[0] == ended[1]
    assert (ended[0]["state"], ended[0]["is_whole"], ended[0]["has_working_files"]) == ("ready", True, False)


def test_a_training_that_is_killed_ends_as_one_that_was_not(installation: Installation, driver: Driver) -> None:
    installation.encoder_end()  # its base is the packaged encoder, and the classifier's is a small one
    order, case = driver.order, driver.case("classifier-training-killed")
    encoder = str(installation.var / "small-encoder")
    begun = order("trainings_begin", organization=case.organization, corpus=case.corpus, encoder=encoder)
    assert (begun["half"]["state"], begun["half"]["has_checkpoint"]) == ("building", True)

    [point] = TRAINING_CRASH_POINTS
    marker = installation.var / f"killed-{point}"
    training = {"organization": case.organization, "version": begun["version"], "job": begun["job"], "encoder": encoder}
    order("training_go_on", **training, crash=f"{point}:{marker}", expect=KILLED)
    assert marker.exists()

    ended = order("training_go_on", **training)
    assert ended == begun["whole"]
    assert (ended["job"], ended["state"], ended["has_checkpoint"]) == ("done", "ready", False)
