"""The encoder process's own code behind a socket, as a thread of the test's process."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_django import Settings

from legalqa.encoder.server import PriorityLock, answer


@contextmanager
def serving(folder: Path, settings: Settings) -> Iterator[None]:
    """The encoder process answers on a socket in `folder`."""
    settings.ENCODER_SOCKET = str(folder / "encoder.sock")
    listener, lock = socket.socket(socket.AF_UNIX), PriorityLock()

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            answer(connection, lock)

    listener.bind(settings.ENCODER_SOCKET)
    listener.listen()
    threading.Thread(target=accept, daemon=True).start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
