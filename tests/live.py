"""The product's own ASGI application behind a real server, in a thread of the test process."""

import time
from threading import Thread

import uvicorn

from legalqa.asgi import application
from legalqa.common.web_door import server_settings


class LiveServer:
    """Listens on a free port of loopback until it is closed."""

    def __init__(self) -> None:
        config = uvicorn.Config(application, **server_settings(host="127.0.0.1", port=0) | {"log_level": "critical"})
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, name="live server", daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)

    @property
    def url(self) -> str:
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(30)
