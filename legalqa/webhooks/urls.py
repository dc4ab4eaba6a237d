"""Addresses of webhooks: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.webhooks import api, views

urlpatterns = [
    path("webhooks/", views.webhook_list_page, name="webhook_list"),
    path("webhooks/new/", views.webhook_create, name="webhook_create"),
    path("webhooks/<uuid:webhook_id>/", views.webhook_detail, name="webhook_detail"),
    path("webhooks/<uuid:webhook_id>/test/", views.webhook_test, name="webhook_test"),
    path("webhooks/<uuid:webhook_id>/switch/", views.webhook_switch, name="webhook_switch"),
    path("webhooks/<uuid:webhook_id>/secret/", views.webhook_rotate, name="webhook_rotate"),
    path("webhooks/<uuid:webhook_id>/remove/", views.webhook_delete, name="webhook_delete"),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again/",
        views.webhook_redeliver,
        name="webhook_redeliver",
    ),
]

api_urlpatterns = [
    path("webhooks/", api.WebhookListApi.as_view(), name="api_webhook_list"),
    path("webhooks/<uuid:webhook_id>/", api.WebhookDetailApi.as_view(), name="api_webhook_detail"),
    path("webhooks/<uuid:webhook_id>/test/", api.WebhookTestApi.as_view(), name="api_webhook_test"),
    path("webhooks/<uuid:webhook_id>/deliveries/", api.DeliveryListApi.as_view(), name="api_delivery_list"),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again/",
        api.DeliveryAgainApi.as_view(),
        name="api_delivery_again",
    ),
]
