"""The base of every endpoint, and the endpoint that says for whom a token acts."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NoReturn
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from rest_framework import exceptions, serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from legalqa.accounts.access import EVERYONE, MANAGERS, REVIEWERS, Acting, role_check
from legalqa.accounts.declared import declared_check
from legalqa.accounts.models import ApiToken, KeptReply, Membership, Organization, Role, User
from legalqa.accounts.scopes import ANY_TOKEN, TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import reply_claim, reply_claimed, reply_drop, reply_keep
from legalqa.accounts.throttling import throttled_sentence
from legalqa.common.errors import Forbidden, TooMany

KEY_HEADER = "Idempotency-Key"
CHANGING = ("post", "put", "patch", "delete")
METHODS = ("get", *CHANGING)
Handler = Callable[..., Response]


class MemberRequest(Request):
    """A request that a token has let in."""

    user: User
    auth: ApiToken
    organization: Organization
    membership: Membership
    acting: Acting


class MemberApi(APIView):
    """Runs its handlers inside the organisation of the token, for the roles and scopes that each method names.

    scopes: By lower-case method, the scope that the token needs; ANY_TOKEN if every token will do. A method that is
        not named answers nobody.
    usual_scopes: Of a base class: the scopes for endpoints under it that name none, for the methods that they have.
    roles: By lower-case method; a method that is not named is open to every member.
    rates: By lower-case method, the kind of request that it counts as (a key of API_RATES) besides `any`.
    idempotent: Methods that take an Idempotency-Key; the service notes what it creates (`reply_note`), and
        `idempotent_reply` answers from that.
    in_scope: False if the service opens its own short transactions, because a database transaction must not stay open
        while a model computes.
    """

    scopes: ClassVar[dict[str, str]] = {}
    usual_scopes: ClassVar[dict[str, str]] = {}
    roles: ClassVar[dict[str, tuple[Role, ...]]] = {}
    rates: ClassVar[dict[str, str]] = {}
    idempotent: ClassVar[tuple[str, ...]] = ()
    in_scope: ClassVar[bool] = True
    http_method_names = (*METHODS, "head")
    request: MemberRequest

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.usual_scopes and "scopes" not in vars(cls):
            cls.scopes = {method: scope for method, scope in cls.usual_scopes.items() if hasattr(cls, method)}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        verb = (request.method or "").lower()
        handler = getattr(self, verb, None) if verb in self.http_method_names else None
        if handler is None:  # the framework answers 405
            return
        method = "get" if verb == "head" else verb  # HEAD is answered like GET; the server drops the body
        scope_check(token=self.request.auth, scope=self.scopes[method])
        role_check(membership=self.request.membership, roles=self.roles.get(method, EVERYONE))
        declared_check(view=self, request=request, handler=handler)
        # Set on the view object, which lives for one request, not on its class, from which the schema is made.
        if self.in_scope:
            handler = partial(self._run_in_scope, handler)
        if method in self.idempotent and KEY_HEADER in request.headers:
            handler = partial(self._run_once, handler)
        setattr(self, verb, handler)

    def idempotent_reply(self, request: MemberRequest, subject_id: UUID) -> Response:
        """The reply to a request that already created this object; raises NotFound if it may no longer be seen."""
        raise TypeError(
            f"{type(self).__name__} accepts idempotency keys but has no reply for {subject_id} of {request.path}."
        )

    def throttled(self, request: Request, wait: float) -> NoReturn:
        standing = request._request.api_standing  # type: ignore[attr-defined]  # set by ApiThrottle
        extra = {"retry_after": int(wait), "limit": standing.limit, "of": standing.whose}
        raise TooMany(throttled_sentence(standing), code="throttled", extra=extra)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        standing = getattr(getattr(request, "_request", request), "api_standing", None)
        if standing is not None:
            response["X-RateLimit-Limit"] = str(standing.limit)
            response["X-RateLimit-Remaining"] = str(standing.remaining)
        return response

    def _run_in_scope(self, handler: Handler, request: MemberRequest, *args: Any, **kwargs: Any) -> Response:
        with organization_scope(request.organization, user=request.user):
            return handler(request, *args, **kwargs)

    def _run_once(self, handler: Handler, request: MemberRequest, *args: Any, **kwargs: Any) -> Response:
        """Act under the request's key, or repeat the reply to the earlier request with it."""
        organization, user = request.organization, request.user
        reply = reply_claim(
            organization=organization,
            user=user,
            endpoint=f"{request.method} {request.path}",
            key=request.headers[KEY_HEADER],
            digest=_content_digest(request),
        )
        if reply.subject_id is not None:
            return self._reply_again(request, reply, reply.subject_id)
        try:
            with reply_claimed(reply=reply):
                response = handler(request, *args, **kwargs)
            body = JSONRenderer().render(response.data).decode()
        except BaseException:
            reply_drop(organization=organization, user=user, reply=reply)
            raise
        reply_keep(organization=organization, user=user, reply=reply, status=response.status_code, body=body)
        return response

    def _reply_again(self, request: MemberRequest, reply: KeptReply, subject_id: UUID) -> Response:
        with organization_scope(request.organization, user=request.user):
            made_again = self.idempotent_reply(request, subject_id)  # raises if it may no longer be seen
        if reply.status is None:  # the process was killed before the reply was stored
            reply.status, reply.body = made_again.status_code, JSONRenderer().render(made_again.data).decode()
            reply_keep(**request.acting, reply=reply, status=reply.status, body=reply.body)
        return Response(json.loads(reply.body), status=reply.status, headers={"Idempotent-Replayed": "true"})


def scopes_of(*, reads: TokenScope, writes: TokenScope) -> dict[str, str]:
    """One scope for reading, another for changes."""
    return {"get": reads, **dict.fromkeys(CHANGING, writes)}


class CorpusApi(MemberApi):
    """Endpoints on what belongs to a corpus, for every member."""

    usual_scopes = scopes_of(reads=TokenScope.CORPORA_READ, writes=TokenScope.CORPORA_WRITE)


class DocumentApi(MemberApi):
    """Endpoints on what belongs to a document, for every member."""

    usual_scopes = scopes_of(reads=TokenScope.DOCUMENTS_READ, writes=TokenScope.DOCUMENTS_WRITE)


class ManagersApi(CorpusApi):
    """The same for managers only."""

    roles = dict.fromkeys(METHODS, MANAGERS)


class ReviewersApi(CorpusApi):
    """The same for those who review."""

    roles = dict.fromkeys(METHODS, REVIEWERS)


def scope_check(*, token: ApiToken, scope: str) -> None:
    """Raise Forbidden, naming the scope, if the token lacks it."""
    if scope != ANY_TOKEN and scope not in token.scopes:
        label = TokenScope(scope).label
        raise Forbidden(
            f"This token lacks the scope {scope} ({label}). Create a token with that scope on your account page."
        )


def _content_digest(request: Request) -> str:
    """SHA-256 of the content: the values of JSON, or the fields and files of a form, whose boundaries always differ."""
    digest, data = hashlib.sha256(), request.data
    if not isinstance(data, QueryDict):
        try:
            digest.update(json.dumps(data, sort_keys=True).encode())
        except RecursionError:
            raise exceptions.ParseError("The JSON is nested too deeply. Send a flat object.") from None
        return digest.hexdigest()
    for name in sorted(data):
        for value in data.getlist(name):
            digest.update(json.dumps([name, value.name if isinstance(value, UploadedFile) else value]).encode())
            if isinstance(value, UploadedFile):
                for part in value.chunks():
                    digest.update(hashlib.sha256(part).digest())
                value.seek(0)
    return digest.hexdigest()


class MeSerializer(serializers.Serializer[Membership]):
    id = serializers.UUIDField(source="user.id")
    email = serializers.EmailField(source="user.email")
    name = serializers.CharField(source="user.name")
    organization = serializers.SlugField(source="organization.slug")
    organization_name = serializers.CharField(source="organization.name")
    role = serializers.ChoiceField(choices=Role.choices)


class MeApi(MemberApi):
    scopes = {"get": ANY_TOKEN}
    serializer_class = MeSerializer

    def get(self, request: MemberRequest) -> Response:
        """For whom the token acts, and in which organisation."""
        return Response(MeSerializer(request.membership).data)
