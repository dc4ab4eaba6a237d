"""The operators' admin: works in one organisation at a time, entered with a reason for its audit log."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, TypeVar, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.response import SimpleTemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import urlencode

from legalqa.accounts.access import prove_again
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import (
    operator_enter,
    operator_leave,
    password_changed,
    session_has_factor,
    session_is_fresh,
)
from legalqa.common.admin import ReadOnlyAdmin
from legalqa.common.forms import Form

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])

MINUTES = 60  # minutes that an operator may stay in an organisation
ENTERED = "operator_entered"  # key of the session: the organisation's id, and until when

# django-q2 shows, and takes, unsigned pickles; groups mean nothing here; sign-in attempts stay private.
HIDDEN_APPS = frozenset({"auth", "axes", "django_q"})


class EnterForm(Form):
    organization = forms.ModelChoiceField(Organization.objects.order_by("name"), label="Organisation")
    reason = forms.CharField(
        min_length=10,
        max_length=300,
        help_text="At least ten characters. Written to the organisation's audit log, where its owners read it.",
    )


class OperatorSite(AdminSite):
    site_header = "LegalQA operators"
    site_title = "LegalQA operators"
    index_title = "Operations"
    enable_nav_sidebar = False

    def register(self, model_or_iterable: Any, *args: Any, **options: Any) -> None:
        models = model_or_iterable if isinstance(model_or_iterable, (list, tuple)) else [model_or_iterable]
        shown = [model for model in models if model._meta.app_label not in HIDDEN_APPS]
        super().register(shown, *args, **options)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own: list[URLPattern | URLResolver] = [
            path("enter/", self.admin_view(self.enter), name="enter"),
            path("leave/", self.admin_view(self.leave), name="leave"),
        ]
        return own + super().get_urls()

    def admin_view(self, view: _View, cacheable: bool = False) -> _View:  # noqa: FBT001, FBT002 - as inherited
        page_of = getattr(view, "__self__", None)
        if isinstance(page_of, ReadOnlyAdmin):
            if page_of.needs_organization:
                view = cast(_View, _inside(view))
            view = cast(_View, _proved(view, act=f"change {page_of.opts.verbose_name_plural} as an operator"))
        return super().admin_view(view, cacheable)

    def has_permission(self, request: HttpRequest) -> bool:
        is_proved = not settings.OPERATORS_SECOND_FACTOR or session_has_factor(request=request)
        return super().has_permission(request) and is_proved

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # noqa: ARG002 - as inherited
        """One door for everybody: the same throttle, the same second step."""
        if self.has_permission(request):
            return redirect("admin:index")
        if not super().has_permission(request):
            next_url = request.GET.get("next") or reverse("admin:index")
            return redirect(f"{reverse('login')}?{urlencode({'next': next_url})}")
        messages.warning(request, "Operators need a second factor here. Set yours up to continue.")
        return redirect("security")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"entered": entered(request), "minutes": MINUTES}

    def enter(self, request: HttpRequest) -> HttpResponse:
        form = EnterForm(request.POST or None)
        if request.method != "POST" or not form.is_valid():
            context = {**self.each_context(request), "title": "Enter an organisation", "form": form}
            return render(request, "admin/enter.html", context)
        _leave(request)
        organization = form.cleaned_data["organization"]
        operator_enter(organization=organization, operator=operator_of(request), reason=form.cleaned_data["reason"])
        until = timezone.now() + timedelta(minutes=MINUTES)
        request.session[ENTERED] = [str(organization.pk), until.isoformat()]
        messages.success(request, f"You are in {organization} for {MINUTES} minutes.")
        return redirect("admin:index")

    def leave(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST":
            _leave(request)
        return redirect("admin:index")

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        if request.method == "POST":
            _leave(request)
        response = super().logout(request, extra_context)
        response["Clear-Site-Data"] = '"cache"'
        return response

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        response = super().password_change(request, extra_context)
        if response.status_code == 302:
            password_changed(user=operator_of(request), session_key=request.session.session_key)
        return response


def entered(request: HttpRequest) -> Organization | None:
    """The organisation that the operator is in; their time there ends by itself."""
    organization_id, until = request.session.get(ENTERED) or (None, "")
    if organization_id is None:
        return None
    if datetime.fromisoformat(until) <= timezone.now():
        _leave(request)
        return None
    return Organization.objects.filter(pk=organization_id).first()


def _leave(request: HttpRequest) -> None:
    organization_id, _ = request.session.pop(ENTERED, None) or ("", "")
    if organization_id and (organization := Organization.objects.filter(pk=organization_id).first()):
        operator_leave(organization=organization, operator=operator_of(request))


def operator_of(request: HttpRequest) -> User:
    """Who works on these pages."""
    return cast(User, request.user)  # the site lets nobody else in


def _proved(view: Callable[..., HttpResponseBase], *, act: str) -> Callable[..., HttpResponseBase]:
    """Ask for the password, unless it was shown a short while ago, before anything is done on a page."""

    @wraps(view)
    def proved(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not session_is_fresh(request=request):
            return prove_again(request, act=act)
        return view(request, *args, **kwargs)

    return proved


def _inside(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Run a page in the organisation that the operator has entered; ask for one first."""

    @wraps(view)
    def inside(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        organization = entered(request)
        if organization is None:
            messages.info(request, "These rows belong to an organisation. Enter one to see its own.")
            return redirect("admin:enter")
        with organization_scope(organization, user=None):
            response = view(request, *args, **kwargs)
            if isinstance(response, SimpleTemplateResponse):
                response.render()  # the rows are read while the template runs
            return response

    return inside
