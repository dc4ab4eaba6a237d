"""The strategies by the name that settings give them (`answer.mode`), and the one that answers a question."""

from typing import TYPE_CHECKING

from legalqa.answering.modes import AUTO, MODES
from legalqa.common.registry import Registry, registered_name, setting_name

if TYPE_CHECKING:
    from legalqa.accounts.models import Organization
    from legalqa.answering.strategies.base import Strategy

STRATEGIES: Registry["Strategy"] = Registry("strategy")  # filled when Django starts (`legalqa.answering.apps`)


def strategy_register(strategy: "Strategy", *, is_baseline: bool = False) -> None:
    """Add a way to answer: pages, the API and commands offer it from then on.

    A baseline is for experiments only: nobody is shown its answers, which may be unchecked.

    Raises:
        ValueError: its name has no version or is taken.
    """
    STRATEGIES.register(strategy.name, strategy)
    if not is_baseline:
        MODES.append(setting_name(strategy.name))


def strategy_named(name: str) -> "Strategy | None":
    """The strategy that a setting or an answer names; None if there is none, or not any more."""
    registered = registered_name(name)
    return STRATEGIES.get(registered) if registered in STRATEGIES.names() else None


def strategy_for(mode: str, *, organization: "Organization", is_experiment: bool = False) -> "Strategy":
    """The strategy of a mode; quotations if the strategy is gone or the organisation lacks what it needs.

    Only an experiment is answered by a baseline.
    """
    name = "written" if mode == AUTO else mode
    strategy = strategy_named(name) if is_experiment or name in MODES else None
    return strategy if strategy and strategy.is_possible(organization=organization) else STRATEGIES.get("quoted.v1")


def strategy_choices(*, organization: "Organization") -> list[tuple[str, str]]:
    """Names and labels of the strategies that the organisation has everything for."""
    offered = ((mode, STRATEGIES.get(registered_name(mode))) for mode in MODES)
    return [(mode, strategy.label) for mode, strategy in offered if strategy.is_possible(organization=organization)]
