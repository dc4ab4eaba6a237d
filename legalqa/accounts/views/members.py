"""The members of an organisation, their roles, and open invitations."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from legalqa.accounts import services
from legalqa.accounts.access import OWNERS, MemberRequest, member_page
from legalqa.accounts.forms.accounts import InvitationForm, RoleForm
from legalqa.accounts.mail import mail_send, name_in_mail
from legalqa.accounts.models import Role
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import invitation_list, member_list, renewal_list
from legalqa.common.page_errors import errors_in, errors_told


@member_page(roles=OWNERS, in_scope=False)
def member_list_page(request: MemberRequest) -> HttpResponse:
    return _members(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False, fresh="invite someone")
def member_invite(request: MemberRequest) -> HttpResponse:
    """No transaction is open while the mail is sent."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _members(request, form=form, status=422)
    email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
    with errors_in(form, "email"), organization_scope(request.organization, user=request.user):
        invitation, path = services.member_invite(
            organization=request.organization, actor=request.user, email=email, role=role
        )
    if form.errors:
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
        return _back(request)
    return _members(request, new_link=request.build_absolute_uri(path), new_link_kind="invitation")


@member_page(roles=OWNERS, methods=("POST",), fresh="change a member’s role")
def member_update(request: MemberRequest, membership_id: UUID) -> HttpResponse:
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the roles in the list.")
        return _back(request)
    with errors_told(request):
        membership = services.member_role_change(
            organization=request.organization,
            actor=request.user,
            membership_id=membership_id,
            role=Role(form.cleaned_data["role"]),
        )
        messages.success(request, f"{membership.user} is now: {membership.get_role_display()}.")
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), fresh="remove a member")
def member_remove(request: MemberRequest, membership_id: UUID) -> HttpResponse:
    with errors_told(request):
        person = services.member_remove(
            organization=request.organization, actor=request.user, membership_id=membership_id
        )
        messages.success(request, f"{person} is no longer a member.")
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False, fresh="create a sign-in link")
def member_sign_in_link(request: MemberRequest, membership_id: UUID) -> HttpResponse:
    with errors_told(request):
        _, path = services.sign_in_link_create_for_member(
            organization=request.organization, actor=request.user, membership_id=membership_id
        )
        return _members(request, new_link=request.build_absolute_uri(path), new_link_kind="sign_in")
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), fresh="decide who needs a second factor")
def second_factor_demand(request: MemberRequest) -> HttpResponse:
    is_needed = request.POST.get("is_needed") == "yes"
    message = "Everyone now needs a second factor." if is_needed else "The second factor is now optional."
    with errors_told(request):
        services.second_factor_demand(organization=request.organization, actor=request.user, is_needed=is_needed)
        messages.success(request, message)
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), fresh="withdraw an invitation")
def invitation_revoke(request: MemberRequest, invitation_id: UUID) -> HttpResponse:
    services.invitation_revoke(organization=request.organization, actor=request.user, invitation_id=invitation_id)
    messages.success(request, "The invitation was withdrawn.")
    return _back(request)


def _back(request: MemberRequest) -> HttpResponse:
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
