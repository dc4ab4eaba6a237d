"""Who may open a page: one decorator that finds the membership, checks the role and enters the organisation."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed

from legalqa.accounts.models import Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_get
from legalqa.common.errors import Forbidden
from legalqa.common.htmx import HtmxHttpRequest

EVERYONE = tuple(Role)
MANAGERS = (Role.OWNER, Role.CORPUS_MANAGER)
OWNERS = (Role.OWNER,)

_P = ParamSpec("_P")


class MemberRequest(HtmxHttpRequest):
    """A request that `member_page` has let in."""

    organization: Organization
    membership: Membership
    user: User


def role_check(*, membership: Membership, roles: tuple[Role, ...]) -> None:
    """Raise Forbidden, in words, where the membership has none of the roles."""
    if membership.role not in roles:
        role = membership.get_role_display()
        raise Forbidden(f"Your role ({role}) may not do this. Ask an owner of {membership.organization}.")


def member_page(
    *, roles: tuple[Role, ...] = EVERYONE, methods: tuple[str, ...] = ("GET",), in_scope: bool = True
) -> Callable[[Callable[Concatenate[MemberRequest, _P], HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Let members of the organisation in the URL in, in one of `roles`; everyone else sees a 404.

    Args:
        roles: Other roles get a 403 that says so.
        methods: Others get a 405.
        in_scope: False for views whose service opens its own short transactions, because a database transaction must
            not stay open while a model computes.
    """

    def decorate(
        view: Callable[Concatenate[MemberRequest, _P], HttpResponseBase],
    ) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, slug: str, **kwargs: Any) -> HttpResponseBase:
            if request.method not in (*methods, *(("HEAD",) if "GET" in methods else ())):
                return HttpResponseNotAllowed(methods)
            membership = membership_get(user=request.user, slug=slug)  # type: ignore[arg-type]  # closed to anonymous
            role_check(membership=membership, roles=roles)
            request.organization, request.membership = membership.organization, membership  # type: ignore[attr-defined]
            if not in_scope:
                return view(request, *args, **kwargs)  # type: ignore[arg-type]
            with organization_scope(membership.organization, user=membership.user):
                return view(request, *args, **kwargs)  # type: ignore[arg-type]

        return wrapped

    return decorate
