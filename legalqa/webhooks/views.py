"""Pages of webhooks, for owners and corpus managers."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.common.page_errors import errors_in, errors_told
from legalqa.webhooks import services
from legalqa.webhooks.forms import WebhookForm
from legalqa.webhooks.models import EventKind
from legalqa.webhooks.selectors import LOG_ROWS, delivery_list, webhook_get, webhook_list


@member_page(roles=MANAGERS, in_scope=False)
def webhook_list_page(request: MemberRequest) -> HttpResponse:
    return _list(request)


@member_page(roles=MANAGERS, methods=("POST",), in_scope=False, fresh="add the webhook")
def webhook_create(request: MemberRequest) -> HttpResponse:
    """No transaction is open while the name in the address is looked up."""
    form = WebhookForm(request.POST)
    if form.is_valid():
        with errors_in(form, "url"):
            webhook, secret = services.webhook_create(**request.acting, **form.cleaned_data)
            return _detail(request, webhook.pk, new_secret=secret)
    return _list(request, form=form, status=422)


@member_page(roles=MANAGERS, in_scope=False)
def webhook_detail(request: MemberRequest, webhook_id: UUID) -> HttpResponse:
    return _detail(request, webhook_id)


@member_page(roles=MANAGERS, methods=("POST",))
def webhook_test(request: MemberRequest, webhook_id: UUID) -> HttpResponse:
    return _act(request, services.webhook_test, "A test event was sent.", webhook_id=webhook_id)


@member_page(roles=MANAGERS, methods=("POST",))
def webhook_switch(request: MemberRequest, webhook_id: UUID) -> HttpResponse:
    is_on = request.POST.get("is_on") == "yes"
    message = "The webhook is on again." if is_on else "The webhook is off. Events from now on are not delivered later."
    return _act(request, services.webhook_switch, message, webhook_id=webhook_id, is_on=is_on)


@member_page(roles=MANAGERS, methods=("POST",), in_scope=False, fresh="create a new secret for the webhook")
def webhook_rotate(request: MemberRequest, webhook_id: UUID) -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        _, secret = services.webhook_rotate(**request.acting, webhook_id=webhook_id)
    return _detail(request, webhook_id, new_secret=secret)


@member_page(roles=MANAGERS, methods=("POST",))
def webhook_delete(request: MemberRequest, webhook_id: UUID) -> HttpResponse:
    services.webhook_delete(**request.acting, webhook_id=webhook_id)
    messages.success(request, "The webhook was removed.")
    return redirect("webhook_list", slug=request.organization.slug)


@member_page(roles=MANAGERS, methods=("POST",))
def webhook_redeliver(request: MemberRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    message = "The event is being sent again, with the same id."
    return _act(request, services.delivery_again, message, webhook_id=webhook_id, delivery_id=delivery_id)


def _act(request: MemberRequest, act: Callable[..., object], message: str, **arguments: Any) -> HttpResponse:
    """Do it and say so, or say why not; a refusal comes before anything is written."""
    with errors_told(request):
        act(**request.acting, **arguments)
        messages.success(request, message)
    return redirect("webhook_detail", slug=request.organization.slug, webhook_id=arguments["webhook_id"])


def _list(request: MemberRequest, *, form: WebhookForm | None = None, status: int = 200) -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        webhooks = list(webhook_list(organization=request.organization))
    labels = dict(EventKind.choices)
    rows = [(webhook, [labels[kind] for kind in webhook.events]) for webhook in webhooks]
    context = {"rows": rows, "form": form or WebhookForm()}
    return render(request, "webhooks/webhook_list.html", context, status=status)


def _detail(request: MemberRequest, webhook_id: UUID, *, new_secret: str = "") -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        webhook = webhook_get(organization=request.organization, webhook_id=webhook_id)
        deliveries = list(delivery_list(webhook=webhook)[:LOG_ROWS])
    labels = dict(EventKind.choices)
    context = {
        "webhook": webhook,
        "events": [labels[kind] for kind in webhook.events],
        "deliveries": deliveries,
        "new_secret": new_secret,
    }
    return render(request, "webhooks/webhook_detail.html", context)
