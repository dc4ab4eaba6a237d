"""Signing in and out with a password, and replacing a forgotten one."""

from typing import Any, cast

from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordResetConfirmView, PasswordResetView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from legalqa.accounts import services
from legalqa.accounts.forms.accounts import ResetForm, SignInForm
from legalqa.accounts.mail import mail_is_configured
from legalqa.accounts.models import User
from legalqa.accounts.views.security import sign_in_or_ask
from legalqa.common.errors import TooMany
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
        except TooMany as error:
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
