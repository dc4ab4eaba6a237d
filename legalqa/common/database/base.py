"""Django's PostgreSQL backend, which starts or joins the embedded server before its first connection."""

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base

from legalqa.common.database.embedded import embedded_home, ensure


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if settings.EMBEDDED_POSTGRES:
            ensure(embedded_home(settings.VAR))
        return super().get_new_connection(conn_params)
