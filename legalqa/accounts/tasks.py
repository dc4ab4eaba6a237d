"""Background entry points: nothing in, nothing out."""

from legalqa.accounts import services


def sessions_clear() -> None:
    services.sessions_clear()
