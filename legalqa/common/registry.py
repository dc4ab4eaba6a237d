"""Versioned names for interchangeable components."""

import re
from typing import Generic, TypeVar

T = TypeVar("T")

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\.v[1-9][0-9]*")
_FIRST = ".v1"


def registered_name(name: str) -> str:
    """The registered name for a name in a setting, where a first version has no number."""
    return name if "." in name else f"{name}{_FIRST}"


def setting_name(name: str) -> str:
    """How settings, and the rows that keep them, write a registered name: "rules" is "rules.v1"."""
    return name.removesuffix(_FIRST)


class Registry(Generic[T]):
    """Components of one family by their versioned name, such as `sentence.v1`."""

    def __init__(self, family: str) -> None:
        self.family = family
        self._entries: dict[str, T] = {}

    def register(self, name: str, component: T) -> T:
        """Add a component under a name of the form `word.v1` and return it.

        Raises:
            ValueError: the name has another form or is taken.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"{self.family} name {name!r} has no version; write it like 'sentence.v1'.")
        if name in self._entries:
            raise ValueError(f"{self.family} {name!r} is registered twice; a changed component needs a new version.")
        self._entries[name] = component
        return component

    def get(self, name: str) -> T:
        """Return the component of that name.

        Raises:
            LookupError: nothing has that name; the message lists what exists.
        """
        if name not in self._entries:
            names = ", ".join(self.names()) or "none"
            raise LookupError(f"No {self.family} is called {name!r}; choose one of: {names}.")
        return self._entries[name]

    def names(self) -> tuple[str, ...]:
        """Return every registered name, sorted."""
        return tuple(sorted(self._entries))
