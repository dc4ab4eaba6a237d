"""How likely each token was to a model, as providers report it: tokens that it wrote, and those of the request."""

from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from legalqa.llm.types import Token


class Shape(BaseModel):
    """Part of a provider's reply: other fields are ignored, declared ones must have their type."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)


class _Odds(Shape):
    token: str
    logprob: float


class _Token(Shape):
    token: str
    top_logprobs: list[_Odds]


class _Tokens(Shape):
    content: list[_Token]


class _Scored(Shape):
    decoded_token: str
    logprob: float


def tops_of(logprobs: Any) -> tuple[Token, ...]:
    """The tokens with their alternatives; () if the provider gave none, or gave them in another shape."""
    try:
        tokens = _Tokens.model_validate(logprobs).content
    except ValidationError:
        return ()
    return tuple(Token(each.token, tuple((top.token, top.logprob) for top in each.top_logprobs)) for each in tokens)


def scored_of(logprobs: Any) -> tuple[tuple[str, float], ...]:
    """The tokens of the request after its first, each with its log-probability; () if the provider gave none."""
    try:
        places = TypeAdapter(list[dict[str, _Scored] | None]).validate_python(logprobs)
    except ValidationError:
        return ()
    tokens = (next(iter(place.values())) for place in places if place)
    return tuple((token.decoded_token, token.logprob) for token in tokens)
