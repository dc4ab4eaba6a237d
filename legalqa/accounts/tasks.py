"""Background entry points, under the names that the queue and the ledger know."""

from legalqa.accounts import services

sessions_clear = services.sessions_clear
sign_in_failures_record = services.sign_in_failures_record
api_rows_clear = services.api_rows_clear
