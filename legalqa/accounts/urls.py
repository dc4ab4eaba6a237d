"""Addresses of the pages about people: public ones, and those of an organisation."""

from django.contrib.auth.views import PasswordResetCompleteView, PasswordResetDoneView
from django.urls import URLPattern, URLResolver, path

from legalqa.accounts.api import MeApi
from legalqa.accounts.views import accounts as account_views
from legalqa.accounts.views import links as link_views
from legalqa.accounts.views import members as member_views
from legalqa.accounts.views import security as security_views
from legalqa.accounts.views import signing_in as sign_in_views
from legalqa.accounts.views import tokens as token_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", account_views.home, name="home"),
    path("organizations/", account_views.organization_choose, name="organization_choose"),
    path("sign-in/", sign_in_views.SignInView.as_view(), name="login"),
    path("sign-out/", sign_in_views.SignOutView.as_view(), name="logout"),
    path("sign-in/code/", security_views.sign_in_code, name="sign_in_code"),
    path("sign-in/again/", security_views.reauthenticate, name="reauthenticate"),
    path("sign-in/<str:token>/", link_views.sign_in_link, name="sign_in_link"),
    path("security/", security_views.security, name="security"),
    path("security/second-factor/", security_views.second_factor, name="second_factor"),
    path("security/second-factor/confirm/", security_views.second_factor_confirm, name="second_factor_confirm"),
    path("security/second-factor/remove/", security_views.second_factor_remove, name="second_factor_remove"),
    path("security/recovery-codes/", security_views.recovery_codes_renew, name="recovery_codes_renew"),
    path("security/sessions/end-others/", security_views.sessions_end_others, name="sessions_end_others"),
    path("security/sessions/<uuid:session_id>/end/", security_views.session_end, name="session_end"),
    path("invitation/<str:token>/", link_views.invitation_accept, name="invitation_accept"),
    path("password/reset/", sign_in_views.ResetView.as_view(), name="password_reset"),
    path(
        "password/reset/sent/",
        PasswordResetDoneView.as_view(template_name="accounts/password_reset_done.html"),
        name="password_reset_done",
    ),
    path("password/reset/<uidb64>/<token>/", sign_in_views.ResetConfirmView.as_view(), name="password_reset_confirm"),
    path(
        "password/reset/done/",
        PasswordResetCompleteView.as_view(template_name="accounts/password_reset_complete.html"),
        name="password_reset_complete",
    ),
]

organization_urlpatterns: list[URLPattern | URLResolver] = [
    path("members/", member_views.member_list_page, name="member_list"),
    path("members/invite/", member_views.member_invite, name="member_invite"),
    path("members/second-factor/", member_views.second_factor_demand, name="second_factor_demand"),
    path("members/<uuid:membership_id>/role/", member_views.member_update, name="member_update"),
    path("members/<uuid:membership_id>/remove/", member_views.member_remove, name="member_remove"),
    path("members/<uuid:membership_id>/sign-in-link/", member_views.member_sign_in_link, name="member_sign_in_link"),
    path("members/invitations/<uuid:invitation_id>/revoke/", member_views.invitation_revoke, name="invitation_revoke"),
    path("account/", account_views.account, name="account"),
    path("account/tokens/", token_views.token_list_page, name="token_list"),
    path("account/tokens/new/", token_views.token_create, name="token_create"),
    path("account/tokens/<uuid:token_id>/revoke/", token_views.token_revoke, name="token_revoke"),
]

api_urlpatterns: list[URLPattern | URLResolver] = [path("me/", MeApi.as_view(), name="api_me")]
