"""Background entry points: nothing in, nothing out."""

from legalqa.accounts import services


def sessions_clear() -> None:
    services.sessions_clear()


def sign_in_failures_record() -> None:
    services.sign_in_failures_record()


def api_rows_clear() -> None:
    services.api_rows_clear()
