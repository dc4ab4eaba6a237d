"""How many requests a token may send, for the API framework; `services/rates.py` counts them."""

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from legalqa.accounts.models import ApiToken, User
from legalqa.accounts.services import buckets_of, request_count
from legalqa.accounts.services.rates import Standing

if TYPE_CHECKING:
    from rest_framework.views import APIView

SENTENCES = {
    "token": "This token sends too many requests. Wait for {} seconds, then continue more slowly.",
    "organization": "Your organisation's tokens together send too many requests. Wait for {} seconds.",
}


class ApiThrottle(BaseThrottle):
    """Counts a request for its token and for the organisation, by the kind that the endpoint names."""

    standing: Standing

    def allow_request(self, request: Request, view: "APIView") -> bool:
        token, user = request.auth, request.user
        assert isinstance(token, ApiToken)  # permissions are checked before throttles
        assert isinstance(user, User)
        kind = getattr(view, "rates", {}).get((request.method or "").lower(), "any")
        buckets = buckets_of(token=token, kind=kind)
        self.standing = request_count(organization_id=token.organization_id, user=user, buckets=buckets)
        request._request.api_standing = self.standing  # type: ignore[attr-defined]  # MemberApi puts it into headers
        return self.standing.wait_s == 0

    def wait(self) -> float:
        return self.standing.wait_s


def throttled_sentence(standing: Standing) -> str:
    return SENTENCES[standing.whose].format(standing.wait_s)
