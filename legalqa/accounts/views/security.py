"""Pages on a person's security: the second step of signing in, the second factor, sessions, the password again."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from legalqa.accounts import services, totp
from legalqa.accounts.access import PersonRequest, person_page
from legalqa.accounts.devices import device_name
from legalqa.accounts.forms.accounts import AppCodeForm, CodeForm, PasswordAgainForm
from legalqa.accounts.kept_forms import form_carry_out, form_kept
from legalqa.accounts.models import SecondFactor, User
from legalqa.accounts.selectors import (
    membership_list_of_user,
    recovery_codes_left,
    second_factor_get,
    second_factor_waiting,
    session_list,
)

MAY_SET_PASSWORD = "may_set_password"  # noqa: S105 - a key of the session, set by a one-time sign-in link
HALF_IN = "half_signed_in"  # key of the session: who has passed the first step, and when
HALF_IN_FOR = timedelta(minutes=5)
FEW_CODES = 3  # with so few recovery codes left, the page warns


def sign_in_or_ask(
    request: HttpRequest, user: User, *, how: str, next_url: str, may_set_password: bool = False
) -> HttpResponse:
    """Sign in people without a second factor and ask the others for it, in whatever way they came."""
    if second_factor_get(user=user) is None:
        return _in(request, user, how=how, next_url=next_url, may_set_password=may_set_password)
    request.session.cycle_key()
    request.session[HALF_IN] = {
        "user": str(user.pk),
        "password": user.get_session_auth_hash(),
        "at": timezone.now().isoformat(),
        "how": how,
        "next_url": next_url,
        "may_set_password": may_set_password,
    }
    return redirect("sign_in_code")


def _in(
    request: HttpRequest, user: User, *, how: str, next_url: str, may_set_password: bool, with_factor: bool = False
) -> HttpResponse:
    services.session_begin(request=request, user=user, how=how, with_factor=with_factor)
    if may_set_password:
        request.session[MAY_SET_PASSWORD] = True
    return redirect(next_url)


def session_keep(request: HttpRequest, user: User) -> None:
    """Continue this session under a new key, after the person has chosen a new password in it."""
    update_session_auth_hash(request, user)
    request.session.pop(MAY_SET_PASSWORD, None)
    services.session_proved(request=request)
    if second_factor_get(user=user) is None:
        services.session_factor_shown(request=request, shown=False)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The second step: a code from the app, or a recovery code."""
    half = request.session.get(HALF_IN)
    user = _half_in(half)
    if half is None or user is None:
        request.session.pop(HALF_IN, None)
        return redirect("login")
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            services.second_factor_show(user=user, code=form.cleaned_data["code"])
        except services.CodeRefused as error:
            form.add_error("code", error.message)
        else:
            del request.session[HALF_IN]
            return _in(
                request,
                user,
                how=half["how"],
                next_url=half["next_url"],
                may_set_password=half["may_set_password"],
                with_factor=True,
            )
    return render(request, "accounts/sign_in_code.html", {"form": form}, status=422 if form.is_bound else 200)


def _half_in(half: dict[str, Any] | None) -> User | None:
    if half is None or datetime.fromisoformat(half["at"]) + HALF_IN_FOR <= timezone.now():
        return None
    user = User.objects.filter(pk=half["user"], is_active=True).first()
    is_same = user is not None and constant_time_compare(half["password"], user.get_session_auth_hash())
    return user if is_same else None  # a new password ends a sign-in that was begun with the old one


@person_page(methods=("GET", "POST"))
def reauthenticate(request: PersonRequest) -> HttpResponseBase:
    """Ask for the password again before acts that an unattended browser must not allow; then carry out the form."""
    next_url = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(next_url, allowed_hosts={request.get_host()}, require_https=False):
        next_url = "/"
    form = PasswordAgainForm(request.POST if request.method == "POST" else None, request=request)
    form_id = request.POST.get("kept") or request.GET.get("kept", "")
    pending = form_kept(request, form_id=form_id)
    if form.is_valid():
        services.session_proved(request=request)
        if pending:
            return form_carry_out(request, pending)
        if form_id:
            messages.error(
                request, "Nothing was changed: only the last form is kept, for ten minutes. Please submit it again."
            )
        return redirect(next_url)
    context = {"form": form, "next": next_url, "kept": pending, "account": _account_address(request)}
    return render(request, "accounts/reauthenticate.html", context, status=422 if form.is_bound else 200)


def _account_address(request: PersonRequest) -> str:
    """The page where somebody who came by a sign-in link chooses a password; "" for everybody else."""
    memberships = membership_list_of_user(user=request.user)
    if not memberships or not request.session.get(MAY_SET_PASSWORD):
        return ""
    return reverse("account", args=[memberships[0].organization.slug])


# -- The security page -----------------------------------------------------------------------------


@person_page()
def security(request: PersonRequest) -> HttpResponse:
    memberships = membership_list_of_user(user=request.user)
    factor = second_factor_get(user=request.user)
    n_left = recovery_codes_left(user=request.user) if factor else 0
    context = {
        "factor": factor,
        "n_codes": n_left,
        "are_codes_few": n_left <= FEW_CODES,
        "demanded_by": [m.organization for m in memberships if m.organization.needs_second_factor],
        "sessions": [
            {
                "id": session.public_id,
                "device": device_name(session.agent),
                "address": session.address,
                "signed_in_at": session.signed_in_at,
                "last_seen_at": session.last_seen_at,
                "is_this": str(session.public_id) == services.session_id(request=request),
            }
            for session in session_list(user=request.user)
        ],
    }
    return render(request, "accounts/security.html", context)


@person_page(methods=("GET", "POST"), fresh="set up the second factor")
def second_factor(request: PersonRequest) -> HttpResponse:
    """A POST starts it; the page then shows the picture until a first code has confirmed it."""
    if request.method == "POST":
        services.second_factor_begin(user=request.user)
        return redirect("second_factor")
    waiting = second_factor_waiting(user=request.user)
    if waiting is None:
        return redirect("security")
    return _set_up(request, waiting, AppCodeForm())


def _set_up(request: PersonRequest, waiting: SecondFactor, form: AppCodeForm, status: int = 200) -> HttpResponse:
    uri = totp.provisioning_uri(secret=waiting.secret, account=request.user.email)
    secret = " ".join(waiting.secret[i : i + 4] for i in range(0, len(waiting.secret), 4))
    context = {"form": form, "qr": totp.qr_picture(uri), "secret": secret}
    return render(request, "accounts/second_factor.html", context, status=status)


@person_page(methods=("POST",), fresh="turn on the second factor")
def second_factor_confirm(request: PersonRequest) -> HttpResponse:
    form = AppCodeForm(request.POST)
    waiting = second_factor_waiting(user=request.user)
    if waiting is None:
        return redirect("security")
    if form.is_valid():
        try:
            codes = services.second_factor_confirm(
                user=request.user, code=form.cleaned_data["code"], session_key=request.session.session_key
            )
        except services.CodeRefused as error:
            form.add_error("code", error.message)
        else:
            services.session_factor_shown(request=request)
            return render(request, "accounts/recovery_codes.html", {"codes": codes, "is_new_factor": True})
    return _set_up(request, waiting, form, status=422)


@person_page(methods=("POST",), fresh="remove the second factor")
def second_factor_remove(request: PersonRequest) -> HttpResponse:
    services.second_factor_remove(user=request.user, actor=request.user, session_key=request.session.session_key)
    services.session_factor_shown(request=request, shown=False)
    messages.success(request, "The second factor was removed. You were signed out everywhere else.")
    return redirect("security")


@person_page(methods=("POST",), fresh="create new recovery codes")
def recovery_codes_renew(request: PersonRequest) -> HttpResponse:
    codes = services.recovery_codes_renew(user=request.user)
    return render(request, "accounts/recovery_codes.html", {"codes": codes})


@person_page(methods=("POST",))
def session_end(request: PersonRequest, session_id: UUID) -> HttpResponse:
    services.session_end(user=request.user, public_id=session_id)
    messages.success(request, "That browser was signed out.")
    return redirect("security")


@person_page(methods=("POST",))
def sessions_end_others(request: PersonRequest) -> HttpResponse:
    n_ended = services.sessions_end_others(user=request.user, session_key=request.session.session_key)
    messages.success(request, f"Other browsers signed out: {n_ended}.")
    return redirect("security")
