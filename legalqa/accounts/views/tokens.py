"""The page of a person's API tokens in one organisation."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from legalqa.accounts import services
from legalqa.accounts.access import MemberRequest, member_page
from legalqa.accounts.forms.tokens import TokenForm
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.selectors import token_list


@member_page()
def token_list_page(request: MemberRequest) -> HttpResponse:
    return _tokens(request)


@member_page(methods=("POST",), fresh="create the API token")
def token_create(request: MemberRequest) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _tokens(request, form=form, status=422)
    _, secret = services.token_create(
        **request.acting,
        name=form.cleaned_data["name"],
        valid_days=form.days,
        scopes=[TokenScope(scope) for scope in form.cleaned_data["scopes"]],
        addresses=form.cleaned_data["addresses"],
    )
    return _tokens(request, new_token=secret)


@member_page(methods=("POST",))
def token_revoke(request: MemberRequest, token_id: UUID) -> HttpResponse:
    services.token_revoke(**request.acting, token_id=token_id)
    messages.success(request, "The token was revoked.")
    return redirect("token_list", slug=request.organization.slug)


def _tokens(request: MemberRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    tokens = token_list(**request.acting)
    labels = dict(TokenScope.choices)
    rows = [(token, [labels[scope] for scope in token.scopes if scope in labels]) for token in tokens]
    context = {"form": TokenForm(), "rows": rows, "n_scopes": len(labels), **context}
    return render(request, "accounts/tokens.html", context, status=status)
