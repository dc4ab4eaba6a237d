"""The queue's table as a doorbell: a delivery whose task is not on our list is discarded before it is looked up.

The application's role can write these rows, and the worker runs as the user of the machine. So a row counts only if we
signed it and it names one of `settings.TASKS`; it is not unpickled before its signature has been checked.
"""

import logging

from django.conf import settings
from django_q.brokers.orm import ORM
from django_q.signing import BadSignature, SignedPackage

logger = logging.getLogger(__name__)


class Doorbell(ORM):  # type: ignore[misc]  # the library has no types
    def dequeue(self) -> list[tuple[int, str]]:
        """The next deliveries that are ours; the others are removed."""
        deliveries: list[tuple[int, str]] = super().dequeue() or []
        return [delivery for delivery in deliveries if self._is_ours(*delivery)]

    def _is_ours(self, delivery_id: int, package: str) -> bool:
        try:
            is_ours = SignedPackage.loads(package)["func"] in settings.TASKS
        except BadSignature:
            is_ours = False
        if not is_ours:
            logger.error("delivery %d is unsigned or names no known task; it was discarded", delivery_id)
            self.delete(delivery_id)
        return is_ours
