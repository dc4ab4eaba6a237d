"""The encoder process: loads the model once and serves everyone who may open its socket, questions before batches."""

import logging
import os
import socket
import threading
from pathlib import Path

from django.conf import settings

from legalqa.encoder.client import (
    NAME,
    READER,
    FloatMatrix,
    encoded_here,
    reader_is_on,
    receive_request,
    send_matrix,
    send_missing,
)
from legalqa.encoder.weights import WeightsMissing, WeightsWrong

logger = logging.getLogger(__name__)


class PriorityLock:
    """A lock that urgent callers get before the others."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._is_held = False
        self._urgent_waiting = 0

    def acquire(self, *, is_urgent: bool) -> None:
        with self._condition:
            self._urgent_waiting += is_urgent
            self._condition.wait_for(lambda: not self._is_held and (is_urgent or not self._urgent_waiting))
            self._urgent_waiting -= is_urgent
            self._is_held = True

    def release(self) -> None:
        with self._condition:
            self._is_held = False
            self._condition.notify_all()


def serve() -> None:
    """Listen on ENCODER_SOCKET until the process ends; the folder's mode 0700 is the lock."""
    path = Path(settings.ENCODER_SOCKET)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    lock = PriorityLock()
    encoded_here(["warm up"], name=NAME)
    if reader_is_on():
        try:
            encoded_here(["Is it warm?"], name=READER, seconds=["It is warm."])
        except WeightsWrong as error:  # searches work without it; callers of the reader get the same reply
            logger.error("reader: %s", error)
    with socket.socket(socket.AF_UNIX) as listener:
        # Bound under another name first: a client that finds the socket finds a model behind it.
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.unlink(missing_ok=True)
        listener.bind(str(fresh))
        listener.listen(64)
        fresh.replace(path)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=answer, args=(connection, lock), daemon=True).start()


def answer(connection: socket.socket, lock: PriorityLock) -> None:
    """Serve the one request of a connection, and close it."""
    with connection:
        try:
            request = receive_request(connection)
        except ConnectionError:
            return  # somebody only checked whether we are there
        lock.acquire(is_urgent=request.is_urgent)
        reply: FloatMatrix | Exception
        try:
            reply = encoded_here(request.texts, name=request.encoder, seconds=request.seconds)
        except (WeightsMissing, WeightsWrong) as error:  # what was asked for cannot be loaded
            reply = error
        finally:
            lock.release()
        try:
            if isinstance(reply, Exception):
                send_missing(connection, reply)
                return
            send_matrix(connection, reply)
        except OSError:
            logger.warning("encoder: a client left before its answer to %d texts", len(request.texts))
