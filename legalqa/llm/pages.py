"""Models and calls as the pages show them."""

from collections.abc import Iterable
from dataclasses import dataclass

from legalqa.llm.models import ROLE_CHOICES, LLMCall, RoleModel
from legalqa.llm.pricing import amount_text
from legalqa.llm.types import ROLES_IN_USE


@dataclass(frozen=True, slots=True)
class RoleShown:
    """A role with its models, in the order in which they are asked."""

    key: str
    label: str
    models: list[RoleModel]


@dataclass(frozen=True, slots=True)
class CallShown:
    """A call with its cost in the currency."""

    call: LLMCall
    who: str
    cost: str


def roles_shown(rows: Iterable[RoleModel]) -> list[RoleShown]:
    """Every role in use, even without a model; other roles only if they have one."""
    models = list(rows)
    roles = [RoleShown(key, label, [row for row in models if row.role == key]) for key, label in ROLE_CHOICES]
    return [role for role in roles if role.models or role.key in ROLES_IN_USE]


def calls_shown(calls: Iterable[LLMCall]) -> list[CallShown]:
    return [
        CallShown(call, who=call.user.name if call.user else "Background work", cost=amount_text(call.cost))
        for call in calls
    ]
