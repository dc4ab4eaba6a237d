"""Functions of apps above that run in the same transaction as an event below; the settings name them (FOLLOWERS)."""

from django.conf import settings
from django.utils.module_loading import import_string


def followers_call(event: str, **facts: object) -> None:
    """Call, inside the transaction of an event, every function that follows it, with what happened."""
    for dotted in settings.FOLLOWERS.get(event, ()):
        import_string(dotted)(**facts)
