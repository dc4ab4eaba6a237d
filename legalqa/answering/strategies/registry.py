"""The strategies by the name that settings give them (`answer.mode`), and the one that answers a question."""

from typing import TYPE_CHECKING

from legalqa.common.errors import ApplicationError

if TYPE_CHECKING:
    from legalqa.accounts.models import Organization
    from legalqa.answering.strategies.base import Strategy

AUTO = "auto"  # written where the organisation has a model for it, else quoted
STRATEGIES: dict[str, "Strategy"] = {}  # filled when Django starts (`legalqa.answering.apps`)


def strategy_register(strategy: "Strategy") -> None:
    """Add a way to answer: pages, the API and commands offer it from then on.

    Raises:
        ValueError: its name is taken.
    """
    if strategy.name in (AUTO, *STRATEGIES):
        raise ValueError(f"Strategy {strategy.name!r} is registered twice.")
    STRATEGIES[strategy.name] = strategy


def mode_check(mode: str) -> str:
    """The mode, if it is AUTO or names a strategy.

    Raises:
        ApplicationError: there is no such strategy.
    """
    if mode not in (AUTO, *STRATEGIES):
        known = ", ".join((AUTO, *STRATEGIES))
        raise ApplicationError(f"Setting 'answer.mode' is {mode!r}; give one of: {known}.", code="unknown_setting")
    return mode


def strategy_for(mode: str, *, organization: "Organization") -> "Strategy":
    """The strategy of a mode; quotations where the organisation lacks what it needs.

    Raises:
        ApplicationError: there is no such strategy.
    """
    strategy = STRATEGIES["written" if mode_check(mode) == AUTO else mode]
    return strategy if strategy.is_possible(organization=organization) else STRATEGIES["quoted"]


def strategy_choices(*, organization: "Organization") -> list[tuple[str, str]]:
    """Names and labels of the strategies that the organisation has all for."""
    possible = (one for one in STRATEGIES.values() if one.is_possible(organization=organization))
    return [(strategy.name, strategy.label) for strategy in possible]
