"""Background entry points: ids in, nothing out."""

from legalqa.llm.services import ledger


def calls_sweep() -> None:
    ledger.calls_sweep()
