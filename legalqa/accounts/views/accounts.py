"""The list of a person's organisations, and their own account in one."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from legalqa.accounts import services
from legalqa.accounts.access import MemberRequest, member_page
from legalqa.accounts.models import User
from legalqa.accounts.selectors import membership_list_of_user
from legalqa.accounts.views.security import MAY_SET_PASSWORD, session_keep


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    memberships = membership_list_of_user(user=cast(User, request.user))
    if len(memberships) == 1:
        return redirect("question_ask", slug=memberships[0].organization.slug)
    return organization_choose(request)


@require_GET
def organization_choose(request: HttpRequest) -> HttpResponse:
    memberships = membership_list_of_user(user=cast(User, request.user))
    template = "organization_choose" if memberships else "no_organization"
    return render(request, f"accounts/{template}.html", {"memberships": memberships})


@member_page(methods=("GET", "POST"), in_scope=False)
def account(request: MemberRequest) -> HttpResponse:
    if request.method != "POST":
        return _account(request)
    form = _password_form(request, request.POST)
    if not form.is_valid():
        return _account(request, password_form=form, status=422)
    services.password_set(user=request.user, password=form.cleaned_data["new_password1"])
    session_keep(request, request.user)
    services.password_changed(user=request.user, session_key=request.session.session_key)
    messages.success(request, "Password changed. You were signed out everywhere else.")
    return redirect("account", slug=request.organization.slug)


def _password_form(request: MemberRequest, data: Any = None) -> "SetPasswordForm[User]":
    """People who came by a sign-in link have forgotten the old password, so it is not asked for."""
    form_class = SetPasswordForm if request.session.get(MAY_SET_PASSWORD) else PasswordChangeForm
    return form_class(request.user, data)


def _account(request: MemberRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    context = {"password_form": _password_form(request), **context}
    return render(request, "accounts/account.html", context, status=status)
