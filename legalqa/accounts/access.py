"""Who may open a page: decorators that look up the membership, check the role and enter the organisation."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypedDict

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from legalqa.accounts.kept_forms import form_keep
from legalqa.accounts.models import Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_get
from legalqa.accounts.services import session_has_factor, session_is_fresh
from legalqa.common.errors import Forbidden
from legalqa.common.htmx import HtmxHttpRequest

EVERYONE = tuple(Role)
MANAGERS = (Role.OWNER, Role.CORPUS_MANAGER)
REVIEWERS = (*MANAGERS, Role.LAWYER)
OWNERS = (Role.OWNER,)

_P = ParamSpec("_P")


class Acting(TypedDict):
    """Who acts, and for which organisation: the first arguments of most services."""

    organization: Organization
    user: User


class MemberRequest(HtmxHttpRequest):
    """A request that `member_page` has let in."""

    organization: Organization
    membership: Membership
    user: User
    acting: Acting


def role_check(*, membership: Membership, roles: tuple[Role, ...]) -> None:
    """Raise Forbidden, with the reason, if the membership has none of the roles."""
    if membership.role not in roles:
        role = membership.get_role_display()
        raise Forbidden(f"Your role ({role}) does not allow this. Ask an owner of {membership.organization}.")


def member_page(
    *, roles: tuple[Role, ...] = EVERYONE, methods: tuple[str, ...] = ("GET",), in_scope: bool = True, fresh: str = ""
) -> Callable[[Callable[Concatenate[MemberRequest, _P], HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Admit members of the organisation in the URL who have one of `roles`; people from outside see a 404.

    Args:
        roles: Other roles get a 403 that says so.
        methods: Others get a 405.
        in_scope: False for views whose service opens its own short transactions, because a database transaction must
            not stay open while a model computes.
        fresh: For acts that an unattended browser must not allow: what the person wants to do ("invite somebody").
            Anyone who has not entered their password within the last quarter of an hour is asked for it first.
    """

    def decorate(view: Callable[Concatenate[MemberRequest, _P], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, slug: str, **kwargs: Any) -> HttpResponseBase:
            if not _is_allowed(request, methods):
                return HttpResponseNotAllowed(methods)
            membership = membership_get(user=request.user, slug=slug)  # type: ignore[arg-type]  # closed to anonymous
            role_check(membership=membership, roles=roles)
            if membership.organization.needs_second_factor and not session_has_factor(request=request):
                return _to_second_factor(request, membership.organization)
            if fresh and not session_is_fresh(request=request):
                return prove_again(request, act=fresh)
            request.organization = membership.organization  # type: ignore[attr-defined]  # MemberRequest has it
            request.membership = membership  # type: ignore[attr-defined]  # likewise
            request.acting = {"organization": membership.organization, "user": request.user}  # type: ignore[attr-defined]  # likewise
            if not in_scope:
                return view(request, *args, **kwargs)  # type: ignore[arg-type]  # it has become a MemberRequest
            with organization_scope(membership.organization, user=membership.user):
                return view(request, *args, **kwargs)  # type: ignore[arg-type]  # it has become a MemberRequest

        return wrapped

    return decorate


class PersonRequest(HttpRequest):
    """A request that `person_page` has let in."""

    user: User


def person_page(
    *, methods: tuple[str, ...] = ("GET",), fresh: str = ""
) -> Callable[[Callable[Concatenate[PersonRequest, _P], HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Admit anyone who is signed in, member or not: pages about the person themselves. Arguments as above."""

    def decorate(view: Callable[Concatenate[PersonRequest, _P], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not _is_allowed(request, methods):
                return HttpResponseNotAllowed(methods)
            if fresh and not session_is_fresh(request=request):
                return prove_again(request, act=fresh)
            return view(request, *args, **kwargs)  # type: ignore[arg-type]  # closed to the anonymous

        return wrapped

    return decorate


def _is_allowed(request: HttpRequest, methods: tuple[str, ...]) -> bool:
    return request.method in (*methods, *(("HEAD",) if "GET" in methods else ()))


def prove_again(request: HttpRequest, *, act: str) -> HttpResponse:
    """Ask for the password, then return to this page or carry out the form that was sent.

    Args:
        act: What the person wants to do; completes "to …".
    """
    is_page = request.method in ("GET", "HEAD")
    back = request.get_full_path() if is_page else request.headers.get("Referer", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=settings.HTTPS):
        back = "/"
    query = {"next": back}
    if not is_page and (form_id := form_keep(request, act=act)):
        query["kept"] = form_id
    elif not is_page:
        messages.info(request, "Nothing has changed yet. Confirm it is you, then try again.")
    return _leave_for(request, f"{reverse('reauthenticate')}?{urlencode(query)}")


def _to_second_factor(request: HttpRequest, organization: Organization) -> HttpResponse:
    messages.warning(request, f"{organization} requires a second factor for everyone. Set yours up to continue.")
    return _leave_for(request, reverse("security"))


def _leave_for(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect; for htmx by a header, because it would put the new page into the middle of the current one."""
    if request.headers.get("HX-Request") != "true":
        return redirect(address)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = address
    return response
