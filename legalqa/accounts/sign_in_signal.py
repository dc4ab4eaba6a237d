"""What is noted in every session, however the person signed in."""

from typing import Any

from django.http import HttpRequest

from legalqa.accounts.models import User
from legalqa.accounts.services import session_note


def on_signed_in(sender: type[User], request: HttpRequest, **kwargs: Any) -> None:  # noqa: ARG001 - Django's signature
    session_note(request=request)
