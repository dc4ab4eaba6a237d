"""Background entry points: ids in, nothing out."""

from legalqa.webhooks import services

delivery_send = services.delivery_send


def deliveries_clear() -> None:
    services.deliveries_clear()
