"""Who does something with which answer, as the services of conversations want to know it."""

from typing import Any
from uuid import UUID

from legalqa.accounts import access, api


def acting(request: api.MemberRequest | access.MemberRequest, answer_id: UUID) -> dict[str, Any]:
    """Arguments for a service, from a request of a page or of the API."""
    return {"organization": request.organization, "user": request.user, "answer_id": answer_id}
