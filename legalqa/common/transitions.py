"""Which state may follow which: declared beside the states of a model, asked wherever a service writes one.

A model declares its transitions as a mapping from each state to those that may follow it; an end has none. A service
that changes rows by a conditional UPDATE filters by `sources`; one that changes a row it holds locked asks `moved`.
"""

from collections.abc import Mapping
from typing import TypeVar

from django.db.models import TextChoices

State = TypeVar("State", bound=TextChoices)
Transitions = Mapping[State, frozenset[State]]


class TransitionRefused(Exception):
    """A service wanted to write a state that may not follow: a fault of ours, whatever a person did."""


def sources(transitions: Transitions[State], target: State) -> list[State]:
    """The states that the target may follow.

    Raises:
        TransitionRefused: it follows none.
    """
    states = [state for state, followers in transitions.items() if target in followers]
    if not states:
        raise TransitionRefused(f"No {type(target).__name__} leads to {target.value!r}.")
    return states


def moved(transitions: Transitions[State], current: str, target: State) -> State:
    """The target, where it may follow the current state, which rows hold as plain text.

    Raises:
        TransitionRefused: it may not.
    """
    if target not in transitions[type(target)(current)]:
        raise TransitionRefused(f"{type(target).__name__} {target.value!r} may not follow {current!r}.")
    return target
