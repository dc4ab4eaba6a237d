from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "legalqa.webhooks"
    label = "webhooks"
    verbose_name = "Webhooks"

    def ready(self) -> None:
        from legalqa.accounts.signals import membership_changed
        from legalqa.webhooks.services import webhooks_end

        membership_changed.connect(webhooks_end, dispatch_uid="webhooks of former members")
