"""The encoder process: who is served first, and what becomes of callers who leave or ask for what is not there."""

import json
import logging
import socket
import struct
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from legalqa.encoder.client import NAME, _receive_matrix, encoder_here
from legalqa.encoder.server import PriorityLock, answer
from legalqa.encoder.weights import WeightsMissing

HEADER = struct.Struct("!II")
SOON_S = 5.0


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < end, "It did not happen in time."
        time.sleep(0.002)


def served(request: dict[str, object], lock: PriorityLock | None = None) -> socket.socket:
    """The caller's end of a connection whose one request was answered."""
    ours, theirs = socket.socketpair()
    payload = json.dumps(request).encode()
    ours.sendall(HEADER.pack(len(payload), 0) + payload)
    answer(theirs, lock or PriorityLock())
    return ours


def test_urgent_texts_are_encoded_before_those_that_came_earlier() -> None:
    lock, order = PriorityLock(), list[str]()

    def wait(name: str, *, is_urgent: bool) -> None:
        lock.acquire(is_urgent=is_urgent)
        order.append(name)
        lock.release()

    lock.acquire(is_urgent=False)
    waiting = [threading.Thread(target=wait, args=(f"batch {n}",), kwargs={"is_urgent": False}) for n in range(3)]
    for thread in waiting:
        thread.start()
    urgent = threading.Thread(target=wait, args=("question",), kwargs={"is_urgent": True})
    urgent.start()
    until(lambda: lock._urgent_waiting == 1 and len(lock._condition._waiters) == 4)  # type: ignore[attr-defined]  # none is public
    assert order == []
    lock.release()
    for thread in (*waiting, urgent):
        thread.join(SOON_S)

    assert order[0] == "question"
    assert sorted(order[1:]) == ["batch 0", "batch 1", "batch 2"]


def test_the_lock_is_held_by_one_caller_at_a_time() -> None:
    lock, inside, most = PriorityLock(), list[int](), list[int]()

    def work(number: int) -> None:
        lock.acquire(is_urgent=number % 2 == 0)
        inside.append(number)
        most.append(len(inside))
        time.sleep(0.002)
        inside.remove(number)
        lock.release()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON_S)

    assert most == [1] * 8


def test_a_request_is_answered_with_the_vectors_of_this_process() -> None:
    texts = ["The rent is due.", "The roof leaks."]
    with served({"texts": texts, "urgent": True}) as ours:
        found = _receive_matrix(ours, (2, -1))

    assert found == pytest.approx(encoder_here().encode(texts), abs=1e-3)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1], abs=1e-3)


def test_an_encoder_whose_weights_are_not_there_is_told_to_the_caller_and_frees_the_lock() -> None:
    lock = PriorityLock()
    with (
        served({"texts": ["x"], "urgent": False, "encoder": f"{NAME}+{'0' * 16}"}, lock) as ours,
        pytest.raises(WeightsMissing, match="are not in"),
    ):
        _receive_matrix(ours, (1, -1))

    lock.acquire(is_urgent=False)
    assert lock._is_held


def test_somebody_who_only_looks_whether_the_process_is_there_takes_no_turn() -> None:
    lock = PriorityLock()
    lock.acquire(is_urgent=False)  # a turn would wait for ever
    ours, theirs = socket.socketpair()
    ours.close()
    answer(theirs, lock)

    assert theirs.fileno() == -1


def test_a_caller_who_left_before_the_answer_is_noted_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    ours, theirs = socket.socketpair()
    payload = json.dumps({"texts": ["The rent."] * 2, "urgent": False}).encode()
    ours.sendall(HEADER.pack(len(payload), 0) + payload)
    ours.close()
    lock = PriorityLock()
    with caplog.at_level(logging.WARNING, logger="legalqa.encoder.server"):
        answer(theirs, lock)

    assert "a client left before its answer to 2 texts" in caplog.text
    assert not lock._is_held
