"""Tokens and money: estimates of how long a text is for a model, and what tokens cost in millionths."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal

from legalqa.encoder.client import count_tokens

MARGIN = 1.1  # the provider's tokenizer is not ours
BYTES_A_TOKEN = 6  # ours: at least one token for this many bytes, even if our tokenizer counts fewer in foreign scripts
MESSAGE_TOKENS = 4  # for the marks around each turn
MILLION = 1_000_000


def tokens_estimate(texts: Sequence[str]) -> list[int]:
    """Tokens of each text by the local tokenizer with a margin of a tenth, never too few for foreign scripts."""
    counts = count_tokens(texts)
    return [
        int(max(n * MARGIN, len(text.encode()) / BYTES_A_TOKEN)) + bool(text)
        for n, text in zip(counts, texts, strict=True)
    ]


def cost_of(tokens_in: int, tokens_out: int, *, price_in: Decimal, price_out: Decimal) -> int:
    """The cost in millionths, rounded up; prices are per million tokens."""
    return int((tokens_in * price_in + tokens_out * price_out).to_integral_value(ROUND_CEILING))


def money(millionths: int) -> Decimal:
    """Millionths as an amount of the currency."""
    return Decimal(millionths) / MILLION


def amount_text(millionths: int) -> str:
    """An amount for people: two decimals, or more if an amount below 1 needs them."""
    amount = money(millionths)
    return f"{amount:,.2f}" if amount == round(amount, 2) or amount >= 1 else f"{amount.normalize():f}"


def millionths(amount: Decimal | None) -> int | None:
    """An amount of the currency as millionths; None stays None."""
    return None if amount is None else int((amount * MILLION).to_integral_value())
