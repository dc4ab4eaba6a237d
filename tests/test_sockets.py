"""No test reaches beyond this machine: what is called in one must run in it."""

import socket

import pytest

OUTSIDE = "192.0.2.1"  # kept for documentation (RFC 5737): it would be no harm if the door stood open


def test_a_machine_elsewhere_cannot_be_called() -> None:
    with socket.socket() as caller, pytest.raises((RuntimeError, UserWarning), match=OUTSIDE):
        caller.connect((OUTSIDE, 443))


def test_this_machine_can_be_called() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), 5) as caller:
        assert caller.getpeername() == server.getsockname()
