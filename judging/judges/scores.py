"""Reading scores from a judge's reply: every shape that plainly means one number, and nothing else.

LlamaIndex reads what is before the first line break, FairEval the last two lines, so that one line too many loses a
score; others look for "yes" anywhere and find it in "Yesterday". Here a reply is JSON, or "Score: x" on a line of its
own, or begins with the number; a number off the scale, a scale of another length ("8/10" on a scale to 5) and two
scores that differ are refused.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from judging.judges.types import Status
from legalqa.llm.types import Token

REASON_CHARS = 300
T = TypeVar("T", bound=BaseModel)
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_OF = rf"(?P<value>{_NUMBER})(?:\s*(?:/|out of)\s*(?P<of>{_NUMBER}))?"
_LABELLED = re.compile(
    rf"^\W*(?:(?:the|your|my|final|overall)\s+)*(?:score|rating|grade)(?:\s+(?:is|of))?\s*[:=]?\W*?{_OF}\s*\W*$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"^[\s*_`#]*{_OF}[\s*_`.]*$", re.IGNORECASE)
_LEADING = re.compile(rf"^[\s*_`#]*{_OF}\s*(?:[-–—:,;]|\.\s)\s*(?=[^\s\d])", re.IGNORECASE)
_PLACED = re.compile(
    rf"^\W*(?:the\s+)?(?:score\s+(?:of|for)\s+)?(?:the\s+)?assistant\s*(?P<place>[12])(?:'s)?(?:\s+score)?"
    rf"\s*(?:is|[:=])\W*?{_OF}\s*\W*$",
    re.IGNORECASE,
)
_PAIR = re.compile(rf"^\s*({_NUMBER})[\s,]+({_NUMBER})\s*$")
_REFUSAL = re.compile(
    r"^\W*(?:i(?:['’]m| am) (?:sorry|unable)|sorry,|i (?:cannot|can['’]t|can not|won['’]t|will not|must decline)"
    r"|as an? (?:ai|large) )",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"^\W*(?:(?:verdict|answer|score)\s*[:=]\s*\W*)?(?P<word>yes|no|true|false|1|0)\b(?!\s*[./]\s*\d)", re.IGNORECASE
)
_YES = frozenset({"yes", "true", "1"})


class Unreadable(Exception):
    """The reply contains no plain score; `status` is REFUSED if the judge declined."""

    def __init__(self, why: str, status: Status = Status.UNREADABLE) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores in a reply, by the place of what they grade, and the words beside them."""

    values: tuple[float, ...]
    reason: str = ""


def parse_scores(text: str, *, low: float, high: float, n: int = 1) -> Scores:
    """The score that a judge gave to one thing, or to each of two.

    Args:
        text: The whole reply.
        low, high: The ends of the scale; half points and the like are allowed.
        n: 1, or 2 for "Assistant 1" and "Assistant 2", in whatever order they come.

    Raises:
        Unreadable: there is no score, not one for each, two that differ, or one off the scale.
    """
    lines = [line for line in text.strip().splitlines() if line.strip()]
    scores = _from_json(text, n) or (_one(lines, high) if n == 1 else _two(lines, high))
    if scores is None:
        raise _unreadable(text, "it holds no score" if n == 1 else "it does not hold a score for each answer")
    for value in scores.values:
        if not low <= value <= high:
            raise Unreadable(f"{value:g} is not on the scale from {low:g} to {high:g}")
    return scores


def parse_verdict(text: str) -> Scores:
    """1 or 0, from JSON, or from yes, no, true, false, 1 or 0 as the first word.

    Raises:
        Unreadable: it is neither.
    """
    if (document := _object(text)) is not None:
        verdict = _first(document, ("score", "verdict", "value", "answer"))
        word = str(verdict).strip().lower().removesuffix(".0")
    else:
        match = _VERDICT.match(text)
        word = match["word"].lower() if match else ""
    if word not in _YES | {"no", "false", "0"}:
        raise _unreadable(text, "it is neither 1 nor 0")
    return Scores((float(word in _YES),), _reason(document) if document is not None else _rest(text.splitlines()[1:]))


def parse_object(text: str, shape: type[T]) -> T:
    """The one JSON object in a reply, in a fence or between words.

    Raises:
        Unreadable: there is none, or it has another shape.
    """
    document = _object(text)
    if document is None:
        raise _unreadable(text, "it holds no JSON object")
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        places = sorted({".".join(str(part) for part in each["loc"]) for each in error.errors()[:5]})
        raise Unreadable(f"its {', '.join(places)} is missing or of another kind") from None


def weighted_score(tokens: Sequence[Token], reply_score: float, *, low: int, high: int) -> float | None:
    """The mean of the scale's whole numbers, each by its probability where the score was written.

    Args:
        tokens: The reply's tokens with their likeliest alternatives.
        reply_score: The score that was read from the reply.

    Returns:
        None where the provider gave no alternatives for the score's token.

    Source: Liu et al. 2023, G-Eval, section 2. Differs: over the alternatives that the provider gives, with their
    probabilities scaled to 1.
    """
    for token in tokens:
        if token.text.strip() != f"{reply_score:g}" or not token.likeliest:
            continue
        odds = [(int(text.strip()), exp(odds)) for text, odds in token.likeliest if text.strip().isdecimal()]
        on_scale = [(score, chance) for score, chance in odds if low <= score <= high]
        total = sum(chance for _, chance in on_scale)
        return sum(score * chance for score, chance in on_scale) / total if total else None
    return None


def _unreadable(text: str, why: str) -> Unreadable:
    return Unreadable(why, Status.REFUSED if _REFUSAL.match(text) else Status.UNREADABLE)


def _from_json(text: str, n: int) -> Scores | None:
    document = _object(text)
    if document is None:
        return None
    if n == 1:
        values = [_first(document, ("score", "rating", "grade"))]
    else:
        listed = document.get("scores")
        values = listed if isinstance(listed, list) else [_of_place(document, place) for place in (1, 2)]
    numbers = [_number(value) for value in values]
    if len(numbers) != n or None in numbers:
        return None
    return Scores(tuple(number for number in numbers if number is not None), _reason(document))


def _of_place(document: Mapping[str, Any], place: int) -> Any:
    keys = (f"assistant_{place}", f"assistant{place}", f"score_{place}", f"score{place}", f"answer_{place}")
    return _first({key.lower().replace(" ", "_"): value for key, value in document.items()}, keys)


def _one(lines: Sequence[str], high: float) -> Scores | None:
    labelled = [match for line in lines if (match := _LABELLED.match(line))]
    first = _ALONE.match(lines[0]) or _LEADING.match(lines[0]) if lines else None
    values = {_value(match, high) for match in (labelled or ([first] if first else []))}
    if len(values) > 1:
        raise Unreadable("it gives two scores that differ")
    if not values:
        return None
    rest = [line for line in lines if not _LABELLED.match(line)]
    return Scores(tuple(values), _rest(rest if labelled else lines[1:] or [_LEADING.sub("", lines[0])]))


def _two(lines: Sequence[str], high: float) -> Scores | None:
    placed: dict[str, set[float]] = {"1": set(), "2": set()}
    for line in lines:
        if match := _PLACED.match(line):
            placed[match["place"]].add(_value(match, high))
    if any(len(values) > 1 for values in placed.values()):
        raise Unreadable("it gives two scores that differ for one answer")
    if all(placed.values()):
        return Scores((placed["1"].pop(), placed["2"].pop()), _rest(line for line in lines if not _PLACED.match(line)))
    if any(placed.values()) or not lines:
        return None
    pair = _PAIR.match(lines[0])  # as MT-bench has it: "8 7" on the first line
    return Scores((float(pair[1]), float(pair[2])), _rest(lines[1:])) if pair else None


def _value(match: re.Match[str], high: float) -> float:
    if match["of"] is not None and float(match["of"]) != high:
        raise Unreadable(f"it is on a scale to {match['of']}, not to {high:g}")
    return float(match["value"])


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    return float(value) if isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()) else None


def _first(document: Mapping[str, Any], keys: Iterable[str]) -> Any:
    return next((document[key] for key in keys if key in document), None)


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object between the first and the last brace; NaN and infinity are not numbers."""
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end:
        return None
    try:
        document = json.loads(text[start : end + 1], parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _reason(document: Mapping[str, Any]) -> str:
    return _rest([str(_first(document, ("reason", "reasoning", "explanation", "evidence")) or "")])


def _rest(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())[:REASON_CHARS]
