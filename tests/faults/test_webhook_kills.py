"""A worker killed with -9 while it delivers: the receiver hears of the event at least once, under one id."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash_points import WEBHOOK_CRASH_POINTS
from tests.faults.environment import WORK_S, Driver, Installation
from tests.legalqa.webhooks.receiver import Receiver

KILLED = -9


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    open_one = Receiver()
    yield open_one
    open_one.close()


@pytest.fixture(scope="module")
def telling(installation: Installation, receiver: Receiver) -> Iterator[Driver]:
    """A driver whose processes may call the receiver on loopback."""
    made = Driver(installation.environment | {"LEGALQA_WEBHOOK_PRIVATE": receiver.origin})
    yield made
    made.close()


@pytest.mark.parametrize(("point", "n_heard"), [("webhook.counted", 1), ("webhook.sent", 2)])
def test_an_event_outlives_the_worker_that_delivers_it(
    point: str, n_heard: int, telling: Driver, receiver: Receiver, tmp_path: Path
) -> None:
    assert point in WEBHOOK_CRASH_POINTS
    receiver.received.clear()
    case, marker = telling.case(point.replace(".", "-")), tmp_path / "killed"
    telling.order("tell", organization=case.organization, url=f"{receiver.origin}/in")
    telling.order("work", organization=case.organization, seconds=WORK_S, crash=f"{point}:{marker}", expect=KILLED)
    assert marker.exists()
    telling.order("work", organization=case.organization, seconds=WORK_S)

    [delivery] = telling.order("deliveries", organization=case.organization)
    assert (delivery["state"], delivery["attempts"]) == ("delivered", 2)
    assert [received.event_id for received in receiver.received] == [delivery["event_id"]] * n_heard
    assert len({received.body for received in receiver.received}) == 1
