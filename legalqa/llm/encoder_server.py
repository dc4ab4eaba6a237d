"""The encoder process: loads the model once and serves whoever may open its socket, questions before batches."""

import logging
import os
import socket
import threading
from pathlib import Path

from django.conf import settings

from legalqa.llm.encoder import LocalEncoder, receive_request, send_matrix

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
    model, lock = LocalEncoder(), PriorityLock()
    model.encode(["warm up"])
    with socket.socket(socket.AF_UNIX) as listener:
        # Bound under another name first: a client that finds the socket finds a model behind it.
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.unlink(missing_ok=True)
        listener.bind(str(fresh))
        listener.listen(64)
        fresh.replace(path)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_answer, args=(connection, model, lock), daemon=True).start()


def _answer(connection: socket.socket, model: LocalEncoder, lock: PriorityLock) -> None:
    with connection:
        try:
            request = receive_request(connection)
        except ConnectionError:
            return  # somebody only looked whether we are there
        lock.acquire(is_urgent=request.is_urgent)
        try:
            found = model.encode_tokens(request.texts) if request.tokens else [model.encode(request.texts)]
        finally:
            lock.release()
        try:
            for matrix in found:
                send_matrix(connection, matrix)
        except OSError:
            logger.warning("encoder: a client left before its answer to %d texts", len(request.texts))
