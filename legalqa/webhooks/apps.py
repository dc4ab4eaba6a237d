from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "legalqa.webhooks"
    label = "webhooks"
    verbose_name = "Webhooks"
