"""Django's PostgreSQL backend, which starts or joins the embedded server before its first connection."""

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base, features, operations
from psycopg import OperationalError

from legalqa.common.database.embedded import embedded_home, ensure, revive
from legalqa.common.database.slow import slow_query_note


class DatabaseFeatures(features.DatabaseFeatures):
    # Grouping by a model's `id` does not imply its other columns: the key in the database is (organization_id, id).
    allows_group_by_selected_pks = False


class DatabaseOperations(operations.DatabaseOperations):
    compiler_module = "legalqa.common.database.compilers"


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
    ops_class = DatabaseOperations

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(slow_query_note)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not settings.EMBEDDED_POSTGRES:
            return super().get_new_connection(conn_params)
        home = embedded_home(settings.VAR)
        try:
            ensure(home)
            try:
                return super().get_new_connection(conn_params)
            except OperationalError:
                revive(home)  # the server ended while we used it; only its clients look after it
                return super().get_new_connection(conn_params)
        except (RuntimeError, OSError) as error:  # it does not start; to who wanted to connect, it does not answer
            raise OperationalError(str(error)) from error
