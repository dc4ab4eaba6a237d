"""API tokens: a program sends `Authorization: Bearer lqa_…` and acts as one person in one organisation."""

from datetime import timedelta
from ipaddress import ip_address, ip_network

from django.db.models import Q
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from legalqa.accounts.models import ApiToken, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.secrets import digest_of
from legalqa.accounts.selectors import membership_of_token, token_find
from legalqa.common.errors import Forbidden
from legalqa.common.origin import origin_of

KEYWORD = "bearer"
REFUSAL = "The API token is not valid: it is unknown, expired or revoked. Create a new one on your account page."


class ApiTokenAuthentication(BaseAuthentication):
    """Looks the token up by its digest, so that secrets are never compared here.

    Sets `organization`, `membership` and `acting` on the request besides `user` and `auth`; all refusals read the same.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        keyword, _, secret = request.headers.get("Authorization", "").partition(" ")
        if keyword.lower() != KEYWORD:
            return None
        token = token_find(digest=digest_of(secret.strip()))
        membership = membership_of_token(token=token) if token else None
        if token is None or membership is None:
            raise AuthenticationFailed(REFUSAL)
        _address_check(token, origin_of(request._request).address)
        _note_use(token)
        request._request.organization = membership.organization  # type: ignore[attr-defined]  # read by MemberApi
        request._request.membership = membership  # type: ignore[attr-defined]  # likewise
        request._request.acting = {"organization": membership.organization, "user": membership.user}  # type: ignore[attr-defined]  # likewise
        return membership.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the framework's signature
        return "Bearer"


def _address_check(token: ApiToken, address: str) -> None:
    """Raise Forbidden if the token may not be used from this address; a caller with the secret may know that."""
    if not token.addresses:
        return
    try:
        here = ip_address(address)
    except ValueError:  # a socket without an address
        here = None
    if here is None or not any(here in ip_network(network) for network in token.addresses):
        raise Forbidden(
            f"This token may not be used from {address or 'here'}. Use it from one of its addresses, or create another."
        )


def _note_use(token: ApiToken) -> None:
    """Keep `last_used_at` accurate to the minute without a write for each request."""
    now = timezone.now()
    if token.last_used_at is not None and token.last_used_at >= now - timedelta(minutes=1):
        return  # by the row as it was read; the condition below keeps two simultaneous requests from both writing
    is_stale = Q(last_used_at=None) | Q(last_used_at__lt=now - timedelta(minutes=1))
    ApiToken.objects.filter(is_stale, pk=token.pk).update(last_used_at=now)


class ApiTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library's registry
    """How the token appears in the OpenAPI schema."""

    target_class = ApiTokenAuthentication
    name = "ApiToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002 - the library's signature
        scopes = "\n".join(f"- `{scope.value}`: {scope.label}" for scope in TokenScope)
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "lqa_…",
            "description": f"A token from your account page. Its scopes are some of these:\n\n{scopes}",
        }
