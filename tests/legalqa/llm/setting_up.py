"""A firm with models at scripted providers, and requests to ask of them."""

from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict

from legalqa.accounts.scoping import organization_scope
from legalqa.llm.gateway import complete
from legalqa.llm.keys import key_seal
from legalqa.llm.models import LLMCall, Provider, RoleModel
from legalqa.llm.types import LLMReply, LLMRequest, Message, Role
from tests.people import Firm

KEY = "sk-marker-aubergine-4711"


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sentence: str
    source: int


def set_up(
    firm: Firm,
    url: str,
    *,
    role: Role = Role.ANSWER,
    name: str = "First",
    model: str = "m-1",
    place: int = 0,
    price_in: int = 0,
    price_out: int = 1,
    context: int = 8192,
) -> RoleModel:
    """A model in a role, by default for 1 a million tokens out, so that a token costs a millionth."""
    organization = firm.organization
    with organization_scope(organization, user=firm.owner):
        provider, _ = Provider.objects.get_or_create(
            organization=organization,
            name=name,
            defaults={
                "base_url": url,
                "sealed_key": key_seal(organization_id=organization.pk, base_url=url, key=KEY),
                "key_last4": KEY[-4:],
            },
        )
        return RoleModel.objects.create(
            organization=organization,
            role=role.value,
            provider=provider,
            model=model,
            place=place,
            price_in=Decimal(price_in),
            price_out=Decimal(price_out),
            context_tokens=context,
        )


def request(text: str = "What rent is due?", **changes: Any) -> LLMRequest:
    values: dict[str, Any] = {
        "role": Role.ANSWER,
        "messages": (Message("system", "Answer from the blocks."), Message("user", text)),
        "prompt": "test@1",
        "prompt_hash": "a" * 64,
        "max_tokens": 50,
        "deadline_s": 30.0,
    }
    return LLMRequest(**values | changes)


def ask(firm: Firm, **changes: Any) -> LLMReply:
    """What the lawyer gets; streamed where `stream` is true."""
    pieces: list[str] = []
    heard = pieces.append if changes.pop("stream", False) else None
    on_delta, cancelled = changes.pop("on_delta", heard), changes.pop("cancelled", None)
    return complete(**firm.by_lawyer, request=request(**changes), on_delta=on_delta, cancelled=cancelled)


def calls(firm: Firm) -> list[LLMCall]:
    """The ledger, the oldest call first."""
    with organization_scope(firm.organization, user=firm.owner):
        return list(LLMCall.objects.order_by("started_at"))
