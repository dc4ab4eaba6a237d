"""Forms of the pages around people: signing in, inviting."""

import re
from typing import Any, cast

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.safestring import SafeString

from legalqa.accounts.mail import mail_send_later
from legalqa.accounts.models import Role, User
from legalqa.accounts.password_rules import GuessableValidator
from legalqa.accounts.selectors import user_find
from legalqa.common.forms import Form, NamesWhatIsMissing


def name_check(name: str) -> None:
    """Raise ValidationError for a web address in a name: names are shown in e-mails and lists."""
    if re.search(r"://|\bwww\.|@|\w\.[a-z]{2,}(/|\s|$)", name, re.IGNORECASE):
        raise forms.ValidationError(
            "A name cannot contain a web or e-mail address. Remove the address.", code="name_address"
        )


class SignInForm(NamesWhatIsMissing, AuthenticationForm):
    """By e-mail address, in upper or lower case: the throttle must not count each spelling separately."""

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).strip().lower()


class CodeForm(Form):
    code = forms.CharField(
        label="Code",
        max_length=40,
        widget=forms.TextInput(
            {"autocomplete": "one-time-code", "inputmode": "text", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )


class AppCodeForm(CodeForm):
    """While the app is being set up, only its own codes count."""

    code = forms.CharField(
        label="Code from the app",
        max_length=20,
        widget=forms.TextInput({"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class PasswordAgainForm(Form):
    """The password of the person who is signed in; tries count like sign-ins."""

    password = forms.CharField(
        label="Password", strip=False, widget=forms.PasswordInput({"autocomplete": "current-password"})
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        user = cast(User, self.request.user)
        if authenticate(self.request, username=user.email, password=password) != user:
            raise forms.ValidationError("This is not your password. Try again.", code="wrong_password")
        return password


class ResetForm(NamesWhatIsMissing, PasswordResetForm):
    def mail(self, *, is_wanted: bool) -> None:
        """Make the mail for known and unknown addresses alike, so that the time it takes does not tell them apart."""
        user = user_find(email=self.cleaned_data["email"])
        is_known = user is not None and user.is_active and user.has_usable_password()
        person = user or User(email=self.cleaned_data["email"])
        context = {
            "email": person.email,
            "uid": urlsafe_base64_encode(force_bytes(person.pk)),
            "token": default_token_generator.make_token(person),
        }
        mail_send_later(name="password_reset", to=person.email, context=context, is_wanted=is_known and is_wanted)


class NewPasswordForm(NamesWhatIsMissing, SetPasswordForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A new password for an account whose current one somebody else may know."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.user.check_password(cleaned.get("new_password1") or ""):
            self.add_error("new_password1", "This is the account's current password. Choose another one.")
        return cleaned


class InvitationForm(Form):
    email = forms.EmailField(label="E-mail address", max_length=254)
    role = forms.ChoiceField(choices=Role.choices, initial=Role.LAWYER)

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class RoleForm(Form):
    role = forms.ChoiceField(choices=Role.choices)


class NewMemberForm(Form):
    """What an invited person without an account chooses."""

    name = forms.CharField(
        label="Your name", max_length=80, validators=[name_check], widget=forms.TextInput({"autocomplete": "name"})
    )
    password1 = forms.CharField(
        label="Password",
        strip=False,
        help_text=SafeString(password_validators_help_text_html()),
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    password2 = forms.CharField(
        label="Repeat password", strip=False, widget=forms.PasswordInput({"autocomplete": "new-password"})
    )

    def __init__(self, *args: Any, email: str, house: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email, self.house = email, house

    def clean(self) -> dict[str, Any]:
        password = self.cleaned_data.get("password1", "")
        if password and password != self.cleaned_data.get("password2", password):
            self.add_error("password2", "The two passwords differ. Enter the same one twice.")
        if password:
            person = User(email=self.email, name=self.cleaned_data.get("name", ""))
            try:
                validate_password(password, person)
                GuessableValidator().validate(password, person, house=self.house)
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return self.cleaned_data
