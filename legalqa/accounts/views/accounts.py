"""Pages around people: signing in, choosing an organisation, members, the own account."""

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordResetConfirmView, PasswordResetView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from legalqa.accounts import services
from legalqa.accounts.access import OWNERS, MemberRequest, member_page
from legalqa.accounts.forms.accounts import (
    InvitationForm,
    NewMemberForm,
    NewPasswordForm,
    ResetForm,
    RoleForm,
    SignInForm,
)
from legalqa.accounts.mail import mail_is_configured, mail_send, name_in_mail
from legalqa.accounts.models import Invitation, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import (
    invitation_list,
    member_list,
    membership_list_of_user,
    renewal_list,
    user_find,
)
from legalqa.accounts.views.security import MAY_SET_PASSWORD, session_keep, sign_in_or_ask
from legalqa.common.errors import Conflict
from legalqa.common.origin import origin_of


class SignInView(LoginView):
    template_name = "accounts/login.html"
    authentication_form = SignInForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        return sign_in_or_ask(self.request, form.get_user(), how="password", next_url=self.get_success_url())


class SignOutView(LogoutView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            services.session_left(user=request.user)
        response = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache"'
        return response


class ResetView(PasswordResetView):
    template_name = "accounts/password_reset.html"
    form_class = ResetForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, mail_is_configured=mail_is_configured())

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        form = cast(ResetForm, form)
        address = origin_of(self.request).address
        try:
            is_wanted = services.reset_count(email=form.cleaned_data["email"], address=address)
        except services.TooManyResets as error:
            form.add_error(None, error.message)
            return self.render_to_response(self.get_context_data(form=form), status=error.status)
        form.mail(is_wanted=is_wanted)
        return redirect(self.get_success_url())


class ResetConfirmView(PasswordResetConfirmView):
    template_name = "accounts/password_reset_confirm.html"

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        response = super().form_valid(form)
        services.password_reset(user=form.user)
        return response


# -- Which organisation ----------------------------------------------------------------------------


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


# -- Links that open a door ------------------------------------------------------------------------


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_accept(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invitation = services.invitation_open(token=token)
        if person := user_find(email=invitation.email):
            return _accept_as(request, person, invitation, token)
        return _accept_as_new(request, invitation, token)
    except (services.LinkInvalid, services.LinkOver) as error:
        context = {"invitation": None, "message": error.message}
        return render(request, "accounts/invitation_accept.html", context, status=error.status)


def _accept_as(request: HttpRequest, person: User, invitation: Invitation, token: str) -> HttpResponse:
    needs_sign_in = request.user != person
    form = None if needs_sign_in or person.address_proved_at else _new_password_form(request, person)
    if needs_sign_in or request.method != "POST" or (form and not form.is_valid()):
        context = {"invitation": invitation, "form": form, "needs_sign_in": needs_sign_in}
        status = 422 if form and form.is_bound else 200
        return render(request, "accounts/invitation_accept.html", context, status=status)
    password = form.cleaned_data["new_password1"] if form else ""
    key = request.session.session_key
    services.invitation_accept(token=token, user=person, password=password, session_key=key)
    if password:
        session_keep(request, person)
    return redirect("question_ask", slug=invitation.organization.slug)


def _accept_as_new(request: HttpRequest, invitation: Invitation, token: str) -> HttpResponse:
    form = NewMemberForm(request.POST or None, email=invitation.email, house=invitation.organization.name)
    if not form.is_valid():
        context = {"invitation": invitation, "form": form, "needs_sign_in": False}
        return render(request, "accounts/invitation_accept.html", context, status=422 if form.is_bound else 200)
    name, password = form.cleaned_data["name"], form.cleaned_data["password1"]
    membership = services.invitation_accept_as_new(token=token, name=name, password=password)
    services.session_begin(request=request, user=membership.user, how="invitation")
    return redirect("question_ask", slug=invitation.organization.slug)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """A page with a button: programs that look into mails open links, but press no buttons."""
    try:
        link = services.sign_in_link_open(token=token)
        form = _new_password_form(request, link.user) if link.asks_for_password else None
        if request.method != "POST" or (form and not form.is_valid()):
            status = 422 if form and form.is_bound else 200
            return render(request, "accounts/sign_in_link.html", {"link": link, "form": form}, status=status)
        password = form.cleaned_data["new_password1"] if form else ""
        user = services.sign_in_link_use(token=token, password=password)
    except (services.LinkInvalid, services.LinkOver) as error:
        context = {"link": None, "message": error.message}
        return render(request, "accounts/sign_in_link.html", context, status=error.status)
    return sign_in_or_ask(request, user, how="link", next_url=reverse("home"), may_set_password=not password)


def _new_password_form(request: HttpRequest, person: User) -> NewPasswordForm:
    return NewPasswordForm(person, request.POST if request.method == "POST" else None)


# -- Members ---------------------------------------------------------------------------------------


@member_page(roles=OWNERS, in_scope=False)
def member_list_page(request: MemberRequest) -> HttpResponse:
    return _members(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False, fresh="invite someone")
def member_invite(request: MemberRequest) -> HttpResponse:
    """No transaction is open while the mail server is spoken to."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _members(request, form=form, status=422)
    email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
    try:
        with organization_scope(request.organization, user=request.user):
            invitation, path = services.member_invite(
                organization=request.organization, actor=request.user, email=email, role=role
            )
    except Conflict as error:
        form.add_error("email", error.message)
        return _members(request, form=form, status=422)
    mail = {
        "invitation": invitation,
        "inviter": name_in_mail(request.user),
        "house": name_in_mail(request.organization),
        "link": settings.BASE_URL + path,
    }
    if mail_send(name="invitation", to=email, context=mail):
        services.invitation_mailed(invitation=invitation)
        messages.success(request, f"The invitation was sent to {email}.")
        return redirect("member_list", slug=request.organization.slug)
    return _members(request, new_link=request.build_absolute_uri(path), new_link_kind="invitation")


@member_page(roles=OWNERS, methods=("POST",), fresh="change a member’s role")
def member_update(request: MemberRequest, membership_id: UUID) -> HttpResponse:
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the roles in the list.")
        return redirect("member_list", slug=request.organization.slug)
    role = Role(form.cleaned_data["role"])

    def act() -> str:
        membership = services.member_role_change(
            organization=request.organization, actor=request.user, membership_id=membership_id, role=role
        )
        return f"{membership.user} is now: {membership.get_role_display()}."

    return _said(request, act)


@member_page(roles=OWNERS, methods=("POST",), fresh="remove a member")
def member_remove(request: MemberRequest, membership_id: UUID) -> HttpResponse:
    def act() -> str:
        person = services.member_remove(
            organization=request.organization, actor=request.user, membership_id=membership_id
        )
        return f"{person} is no longer a member."

    return _said(request, act)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False, fresh="create a sign-in link")
def member_sign_in_link(request: MemberRequest, membership_id: UUID) -> HttpResponse:
    try:
        _, path = services.sign_in_link_create_for_member(
            organization=request.organization, actor=request.user, membership_id=membership_id
        )
    except Conflict as error:
        messages.error(request, error.message)
        return redirect("member_list", slug=request.organization.slug)
    return _members(request, new_link=request.build_absolute_uri(path), new_link_kind="sign_in")


@member_page(roles=OWNERS, methods=("POST",), fresh="decide who needs a second factor")
def second_factor_demand(request: MemberRequest) -> HttpResponse:
    is_needed = request.POST.get("is_needed") == "yes"

    def act() -> str:
        services.second_factor_demand(organization=request.organization, actor=request.user, is_needed=is_needed)
        return "Everyone now needs a second factor." if is_needed else "The second factor is now optional."

    return _said(request, act)


@member_page(roles=OWNERS, methods=("POST",), fresh="withdraw an invitation")
def invitation_revoke(request: MemberRequest, invitation_id: UUID) -> HttpResponse:
    services.invitation_revoke(organization=request.organization, actor=request.user, invitation_id=invitation_id)
    messages.success(request, "The invitation was withdrawn.")
    return redirect("member_list", slug=request.organization.slug)


def _said(request: MemberRequest, act: Callable[[], str]) -> HttpResponse:
    """Do it and say so, or say why not; a refusal comes before anything is written."""
    try:
        messages.success(request, act())
    except Conflict as error:
        messages.error(request, error.message)
    return redirect("member_list", slug=request.organization.slug)


def _members(request: MemberRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    organization = request.organization
    with organization_scope(organization, user=request.user):
        context = {
            "form": InvitationForm(),
            "memberships": list(member_list(organization=organization)),
            "invitations": list(invitation_list(organization=organization)),
            "renewals": renewal_list(organization=organization),
            "role_choices": Role.choices,
            **context,
        }
    return render(request, "accounts/members.html", context, status=status)


# -- The own account -------------------------------------------------------------------------------


@member_page(methods=("GET", "POST"), in_scope=False)
def account(request: MemberRequest) -> HttpResponse:
    if request.method != "POST":
        return _account(request)
    form = _password_form(request, request.POST)
    if not form.is_valid():
        return _account(request, password_form=form, status=422)
    form.save()
    session_keep(request, request.user)
    services.password_changed(user=request.user, session_key=request.session.session_key)
    messages.success(request, "Password changed. You were signed out everywhere else.")
    return redirect("account", slug=request.organization.slug)


def _password_form(request: MemberRequest, data: Any = None) -> "SetPasswordForm[User]":
    """Who came by a sign-in link has forgotten the old password, so it is not asked for."""
    form_class = SetPasswordForm if request.session.get(MAY_SET_PASSWORD) else PasswordChangeForm
    return form_class(request.user, data)


def _account(request: MemberRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    context = {
        "password_form": _password_form(request),
        **context,
    }
    return render(request, "accounts/account.html", context, status=status)
