"""Background entry points, under the names that the queue and the ledger know."""

from legalqa.llm.services import ledger

calls_sweep = ledger.calls_sweep
