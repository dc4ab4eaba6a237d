"""Sessions that are over."""

from django.core.management import call_command


def sessions_clear() -> None:
    """Remove the sessions that have expired: nothing else does, and each one names the person it belonged to."""
    call_command("clearsessions")
