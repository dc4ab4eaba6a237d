"""What other apps are told about the ledger."""

from django.dispatch import Signal

# Sent with `job` in the transaction that closes a job whose tries were used up; nobody works on it any more.
job_failed = Signal()
