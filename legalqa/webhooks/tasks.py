"""Background entry points: ids in, nothing out."""

from uuid import UUID

from legalqa.webhooks import services


def delivery_send(job_id: str) -> None:
    services.delivery_send(job_id=UUID(job_id))


def deliveries_clear() -> None:
    services.deliveries_clear()
