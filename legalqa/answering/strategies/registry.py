"""The strategies by the name that settings give them (`answer.mode`), and the one that answers a question."""

from typing import TYPE_CHECKING

from legalqa.answering.modes import AUTO, MODES

if TYPE_CHECKING:
    from legalqa.accounts.models import Organization
    from legalqa.answering.strategies.base import Strategy

STRATEGIES: dict[str, "Strategy"] = {}  # filled when Django starts (`legalqa.answering.apps`)
BASELINES: dict[str, "Strategy"] = {}  # of experiments only: nobody is shown their answers, which may be unchecked


def strategy_register(strategy: "Strategy", *, is_baseline: bool = False) -> None:
    """Add a way to answer: pages, the API and commands offer it from then on; a baseline is for experiments only.

    Raises:
        ValueError: its name is taken.
    """
    if strategy.name in (AUTO, *STRATEGIES, *BASELINES):
        raise ValueError(f"Strategy {strategy.name!r} is registered twice.")
    if is_baseline:
        BASELINES[strategy.name] = strategy
    else:
        STRATEGIES[strategy.name] = strategy
        MODES.append(strategy.name)


def strategy_for(mode: str, *, organization: "Organization", is_experiment: bool = False) -> "Strategy":
    """The strategy of a mode; quotations where the organisation lacks what it needs, or it is there no more.

    Only an experiment is answered by a baseline.
    """
    strategies = STRATEGIES | BASELINES if is_experiment else STRATEGIES
    strategy = strategies.get("written" if mode == AUTO else mode)
    return strategy if strategy and strategy.is_possible(organization=organization) else STRATEGIES["quoted"]


def strategy_choices(*, organization: "Organization") -> list[tuple[str, str]]:
    """Names and labels of the strategies that the organisation has all for."""
    possible = (one for one in STRATEGIES.values() if one.is_possible(organization=organization))
    return [(strategy.name, strategy.label) for strategy in possible]
