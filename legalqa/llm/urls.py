"""Addresses of language models: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.llm import views
from legalqa.llm.api import calls as api_calls
from legalqa.llm.api import providers as api

urlpatterns = [
    path("llm/", views.llm_page, name="llm_page"),
    path("llm/allow/", views.llm_allow, name="llm_allow"),
    path("llm/providers/new/", views.llm_provider_create, name="llm_provider_create"),
    path("llm/providers/<uuid:provider_id>/", views.llm_provider_update, name="llm_provider_update"),
    path("llm/providers/<uuid:provider_id>/remove/", views.llm_provider_remove, name="llm_provider_remove"),
    path("llm/models/new/", views.llm_model_create, name="llm_model_create"),
    path("llm/models/<uuid:role_model_id>/", views.llm_model_update, name="llm_model_update"),
    path("llm/models/<uuid:role_model_id>/first/", views.llm_model_first, name="llm_model_first"),
    path("llm/models/<uuid:role_model_id>/remove/", views.llm_model_remove, name="llm_model_remove"),
    path("llm/models/<uuid:role_model_id>/test/", views.llm_model_test, name="llm_model_test"),
    path("llm/test/", views.llm_test, name="llm_test"),
    path("llm/costs/", views.llm_costs, name="llm_costs"),
    path("llm/budget/", views.llm_budget, name="llm_budget"),
]

api_urlpatterns = [
    path("llm/providers/", api.ProviderListApi.as_view(), name="api_llm_provider_list"),
    path("llm/providers/<uuid:provider_id>/", api.ProviderDetailApi.as_view(), name="api_llm_provider_detail"),
    path("llm/models/", api.RoleModelListApi.as_view(), name="api_llm_model_list"),
    path("llm/models/<uuid:role_model_id>/", api.RoleModelDetailApi.as_view(), name="api_llm_model_detail"),
    path("llm/models/<uuid:role_model_id>/first/", api.RoleModelFirstApi.as_view(), name="api_llm_model_first"),
    path("llm/models/<uuid:role_model_id>/test/", api.RoleModelTestApi.as_view(), name="api_llm_model_test"),
    path("llm/settings/", api.GatewaySettingsApi.as_view(), name="api_llm_settings"),
    path("llm/test/", api.ConnectionTestApi.as_view(), name="api_llm_test"),
    path("llm/calls/", api_calls.CallListApi.as_view(), name="api_llm_call_list"),
    path("llm/costs/", api_calls.CostListApi.as_view(), name="api_llm_cost_list"),
]
