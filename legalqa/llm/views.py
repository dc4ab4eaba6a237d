"""Pages on language models, for owners: providers and models, permissions, budgets, and the calls."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import model_to_dict
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode

from legalqa.accounts.access import OWNERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import audit_people
from legalqa.common.errors import ApplicationError
from legalqa.common.page_errors import errors_told
from legalqa.llm import connection, selectors
from legalqa.llm.forms import (
    AllowForm,
    BudgetForm,
    CostFilterForm,
    ModelPricesForm,
    ProviderForm,
    RoleModelForm,
    TestForm,
)
from legalqa.llm.pages import calls_shown, roles_shown
from legalqa.llm.services import budgets, providers
from legalqa.llm.types import Role

CALLS_A_PAGE = 50


@member_page(roles=OWNERS, in_scope=False)
def llm_page(request: MemberRequest) -> HttpResponse:
    return _page(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False, fresh="add the provider")
def llm_provider_create(request: MemberRequest) -> HttpResponse:
    """No transaction is open while the name in a typed address is looked up."""
    form = ProviderForm(request.POST)
    if form.is_valid() and _did(form, request, providers.provider_create, "Provider added. Now add a model."):
        return _back(request)
    return _page(request, provider_form=form, status=422)


@member_page(roles=OWNERS, methods=("GET", "POST"), in_scope=False, fresh="change the provider")
def llm_provider_update(request: MemberRequest, provider_id: UUID) -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        provider = selectors.provider_get(organization=request.organization, provider_id=provider_id)
    initial = {"name": provider.name, "base_url": provider.base_url, "is_local": provider.is_local}
    form = ProviderForm(request.POST or None, initial=initial, is_new=False)
    if form.is_valid():
        form.cleaned_data.pop("model")  # of this page only for Test
    saved = "The provider was changed."
    if form.is_valid() and _did(form, request, providers.provider_update, saved, provider_id=provider_id):
        return _back(request)
    status = 422 if form.errors else 200
    return render(request, "llm/provider.html", {"provider": provider, "form": form}, status=status)


@member_page(roles=OWNERS, methods=("POST",), fresh="remove the provider and its key")
def llm_provider_remove(request: MemberRequest, provider_id: UUID) -> HttpResponse:
    providers.provider_delete(**request.acting, provider_id=provider_id)
    messages.success(request, "Provider removed, with its key and its models.")
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False)
def llm_model_create(request: MemberRequest) -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        form = RoleModelForm(request.POST, providers=selectors.provider_list(organization=request.organization))
        if form.is_valid():
            form.cleaned_data["role"] = Role(form.cleaned_data["role"])
            if _did(form, request, providers.role_model_create, "The model was added."):
                return _back(request)
    return _page(request, model_form=form, status=422)


@member_page(roles=OWNERS, methods=("GET", "POST"))
def llm_model_update(request: MemberRequest, role_model_id: UUID) -> HttpResponse:
    row = selectors.role_model_get(organization=request.organization, role_model_id=role_model_id)
    form = ModelPricesForm(request.POST or None, initial=model_to_dict(row))
    if form.is_valid() and _did(
        form, request, providers.role_model_update, "The model was changed.", role_model_id=role_model_id
    ):
        return _back(request)
    return render(request, "llm/model.html", {"row": row, "form": form}, status=422 if form.errors else 200)


@member_page(roles=OWNERS, methods=("POST",))
def llm_model_first(request: MemberRequest, role_model_id: UUID) -> HttpResponse:
    providers.role_model_first(**request.acting, role_model_id=role_model_id)
    messages.success(request, "This model is now called first.")
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",))
def llm_model_remove(request: MemberRequest, role_model_id: UUID) -> HttpResponse:
    providers.role_model_delete(**request.acting, role_model_id=role_model_id)
    messages.success(request, "The model was removed.")
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False)
def llm_model_test(request: MemberRequest, role_model_id: UUID) -> HttpResponse:
    with errors_told(request):
        outcome = connection.role_model_test(**request.acting, role_model_id=role_model_id)
        (messages.success if outcome.works else messages.error)(request, outcome.message)
    return _back(request)


@member_page(roles=OWNERS, methods=("POST",), in_scope=False)
def llm_test(request: MemberRequest) -> HttpResponse:
    """Test what is typed into a form without saving it; the result appears in the form, or on a page of its own."""
    form = TestForm(request.POST)
    try:
        if not form.is_valid():
            raise ApplicationError(str(next(iter(form.errors.values()))[0]), code="invalid")
        outcome = connection.connection_test(**request.acting, **form.values())
    except ApplicationError as error:
        outcome = connection.Tested(works=False, message=error.message)
    page = "llm/tested.html#tested" if request.htmx else "llm/tested.html"
    return render(request, page, {"tested": outcome})


@member_page(roles=OWNERS, methods=("POST",))
def llm_allow(request: MemberRequest) -> HttpResponse:
    form = AllowForm(request.POST)
    form.full_clean()
    budgets.settings_save(**request.acting, **form.cleaned_data)
    messages.success(request, "Saved.")
    return _back(request)


@member_page(roles=OWNERS)
def llm_costs(request: MemberRequest) -> HttpResponse:
    return _costs(request)


@member_page(roles=OWNERS, methods=("POST",))
def llm_budget(request: MemberRequest) -> HttpResponse:
    form = BudgetForm(request.POST)
    if not form.is_valid():
        return _costs(request, budget_form=form, status=422)
    budgets.settings_save(**request.acting, **form.cleaned_data)
    messages.success(request, "The budget was saved.")
    return redirect("llm_costs", slug=request.organization.slug)


def _did(form: Any, request: MemberRequest, act: Callable[..., object], message: str, **more: Any) -> bool:
    """Do it and say so, or show the refusal in the form."""
    try:
        act(**request.acting, **form.cleaned_data, **more)
    except ApplicationError as error:
        form.add_error(None, error.message)
        return False
    messages.success(request, message)
    return True


def _back(request: MemberRequest) -> HttpResponse:
    return redirect("llm_page", slug=request.organization.slug)


def _page(
    request: MemberRequest,
    *,
    provider_form: ProviderForm | None = None,
    model_form: RoleModelForm | None = None,
    status: int = 200,
) -> HttpResponse:
    organization = request.organization
    with organization_scope(organization, user=request.user):
        own = list(selectors.provider_list(organization=organization))
        context = {
            "providers": own,
            "roles": roles_shown(selectors.role_model_list(organization=organization)),
            "operator": selectors.operator_candidate(organization=organization),
            "reranker": selectors.operator_reranker(),
            "allow_form": AllowForm(initial=model_to_dict(selectors.settings_get(organization=organization))),
            "provider_form": provider_form or ProviderForm(),
            "model_form": model_form or RoleModelForm(providers=own),
            "budgets": [b for b in selectors.budget_list(organization=organization) if b.is_nearly_used],
        }
    return render(request, "llm/language_models.html", context, status=status)


def _costs(request: MemberRequest, *, budget_form: BudgetForm | None = None, status: int = 200) -> HttpResponse:
    organization = request.organization
    form = CostFilterForm(request.GET, people=audit_people(organization=organization))
    filters = form.cleaned_data if form.is_valid() else {}
    by = filters.get("by") or "day"
    calls = selectors.call_list(organization=organization, filters=filters)
    page = Paginator(calls, CALLS_A_PAGE).get_page(request.GET.get("page"))
    used = {name: value for name, value in request.GET.items() if value and name not in ("page", "by")}
    context = {
        "form": form,
        "rows": [
            (row, urlencode(used | ({"since": row.key, "until": row.key} if by == "day" else {by: row.key})))
            for row in selectors.cost_list(organization=organization, filters=filters, by=by)
        ],
        "by": dict(CostFilterForm.base_fields["by"].choices)[by],  # type: ignore[attr-defined]  # a ChoiceField's
        "calls": calls_shown(page.object_list),
        "page_obj": page,
        "is_filtered": bool(used),
        "budgets": selectors.budget_list(organization=organization),
        "budget_form": budget_form
        or BudgetForm(initial=model_to_dict(selectors.settings_get(organization=organization))),
    }
    return render(request, "llm/costs.html", context, status=status if form.is_valid() else 422)
