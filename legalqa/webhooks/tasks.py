"""Background entry points, under the names that the queue and the ledger know."""

from legalqa.webhooks import services

delivery_send = services.delivery_send
deliveries_clear = services.deliveries_clear
