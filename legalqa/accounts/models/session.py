"""Browsers' sessions, and who is signed in to them."""

import uuid
from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class Session(AbstractBaseSession):
    """A browser's session; columns that are not Django's are copied from its data when it is saved.

    session_key: The digest of the cookie's value, so that nobody can sign in with a row of the table.
    Rows without a user belong to visitors who have not signed in: the sign-in form keeps its token there.
    """

    session_key = models.CharField("digest of the session key", max_length=64, primary_key=True)
    public_id = models.UUIDField(default=uuid.uuid4)  # the id by which pages name the session
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    address = models.CharField(max_length=45, default="")
    agent = models.CharField(max_length=300, default="")
    signed_in_at = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
