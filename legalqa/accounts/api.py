"""The base of every endpoint, and who the bearer of a token is."""

from functools import partial
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from legalqa.accounts.access import EVERYONE, role_check
from legalqa.accounts.models import ApiToken, Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope


class MemberRequest(Request):
    """A request that a token has let in."""

    user: User
    auth: ApiToken
    organization: Organization
    membership: Membership


class MemberApi(APIView):
    """Runs its handlers inside the organisation of the token, for the roles that each method names.

    roles: By lower-case method; a method that is not named is open to every member.
    in_scope: False where the service opens its own short transactions, because a database transaction must
        not stay open while a model computes.
    """

    roles: ClassVar[dict[str, tuple[Role, ...]]] = {}
    in_scope: ClassVar[bool] = True
    request: MemberRequest

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        method = (request.method or "").lower()
        handler = getattr(self, method, None)
        role_check(membership=self.request.membership, roles=self.roles.get(method, EVERYONE))
        if self.in_scope and handler is not None:
            # The view object lives for one request; its class, which the schema is made from, is not touched.
            setattr(self, method, partial(self._run_in_scope, handler))

    def _run_in_scope(self, handler: Any, request: MemberRequest, *args: Any, **kwargs: Any) -> Response:
        with organization_scope(request.organization, user=request.user):
            response: Response = handler(request, *args, **kwargs)
            return response


class MeSerializer(serializers.Serializer[Membership]):
    id = serializers.UUIDField(source="user.id")
    email = serializers.EmailField(source="user.email")
    name = serializers.CharField(source="user.name")
    organization = serializers.SlugField(source="organization.slug")
    organization_name = serializers.CharField(source="organization.name")
    role = serializers.ChoiceField(choices=Role.choices)


class MeApi(MemberApi):
    serializer_class = MeSerializer

    def get(self, request: MemberRequest) -> Response:
        """Who the token acts as, and in which organisation."""
        return Response(MeSerializer(request.membership).data)
