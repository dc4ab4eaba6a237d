"""Addresses of webhooks: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.webhooks import api, views

WEBHOOK = "webhooks/<uuid:webhook_id>/"
DELIVERY = f"{WEBHOOK}deliveries/<uuid:delivery_id>/"

urlpatterns = [
    path("webhooks/", views.webhook_list_page, name="webhook_list"),
    path("webhooks/new/", views.webhook_create, name="webhook_create"),
    path(WEBHOOK, views.webhook_detail, name="webhook_detail"),
    path(f"{WEBHOOK}test/", views.webhook_test, name="webhook_test"),
    path(f"{WEBHOOK}switch/", views.webhook_switch, name="webhook_switch"),
    path(f"{WEBHOOK}secret/", views.webhook_rotate, name="webhook_rotate"),
    path(f"{WEBHOOK}remove/", views.webhook_delete, name="webhook_delete"),
    path(f"{DELIVERY}again/", views.webhook_redeliver, name="webhook_redeliver"),
]

api_urlpatterns = [
    path("webhooks/", api.WebhookListApi.as_view(), name="api_webhook_list"),
    path(WEBHOOK, api.WebhookDetailApi.as_view(), name="api_webhook_detail"),
    path(f"{WEBHOOK}test/", api.WebhookTestApi.as_view(), name="api_webhook_test"),
    path(f"{WEBHOOK}deliveries/", api.DeliveryListApi.as_view(), name="api_delivery_list"),
    path(f"{DELIVERY}again/", api.DeliveryAgainApi.as_view(), name="api_delivery_again"),
]
