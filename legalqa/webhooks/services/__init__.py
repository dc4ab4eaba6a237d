"""Webhooks: managing addresses, recording events, delivering them."""

from legalqa.webhooks.services.delivering import deliveries_clear, delivery_again, delivery_send
from legalqa.webhooks.services.endpoints import (
    webhook_create,
    webhook_delete,
    webhook_rotate,
    webhook_switch,
    webhooks_end,
)
from legalqa.webhooks.services.events import event_emit, webhook_test
