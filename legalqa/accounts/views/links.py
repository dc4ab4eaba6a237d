"""Pages of one-time links: invitations and sign-in links."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from legalqa.accounts import services
from legalqa.accounts.forms.accounts import NewMemberForm, NewPasswordForm
from legalqa.accounts.models import Invitation, User
from legalqa.accounts.selectors import user_find
from legalqa.accounts.views.security import session_keep, sign_in_or_ask


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
    """A page with a button: programs that scan mails open links, but do not press buttons."""
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
