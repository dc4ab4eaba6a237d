"""Whose session or token a request carries, looked up by the web server before any of the body is read."""

from collections.abc import Hashable

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, parse_cookie

from legalqa.accounts.authentication import KEYWORD
from legalqa.accounts.secrets import digest_of
from legalqa.accounts.selectors import membership_of_token, token_find
from legalqa.accounts.session_store import SIGNED_IN, SessionStore, is_over
from legalqa.common.database.refusals import refusal_of
from legalqa.common.refusing import Scope


async def caller_find(scope: Scope) -> Hashable | None:
    """The person whose token (API) or session (pages) the request carries; None if it has none, or an ended one.

    Raises:
        Unavailable: the database does not answer.
    """
    headers = {name.lower().decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    is_api = scope["path"].startswith("/api/")
    return await sync_to_async(_look, thread_sensitive=False)(headers, is_api=is_api)


def _look(headers: dict[str, str], *, is_api: bool) -> Hashable | None:
    try:
        return _of_token(headers.get("authorization", "")) if is_api else _of_session(headers.get("cookie", ""))
    except DatabaseError as error:
        raise (refusal_of(error) or error) from None
    finally:
        connection.close()


def _of_token(authorization: str) -> Hashable | None:
    keyword, _, secret = authorization.partition(" ")
    token = token_find(digest=digest_of(secret.strip())) if keyword.lower() == KEYWORD else None
    membership = membership_of_token(token=token) if token else None
    return membership.user_id if membership else None


def _of_session(cookie: str) -> Hashable | None:
    request = HttpRequest()
    request.session = SessionStore(parse_cookie(cookie).get(settings.SESSION_COOKIE_NAME))
    note = request.session.get(SIGNED_IN)
    if note is None or is_over(note):
        return None
    user = get_user(request)
    return user.pk if user.is_authenticated else None
