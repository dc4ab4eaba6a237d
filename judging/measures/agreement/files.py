"""Ratings as JSONL or CSV: one line per rating (`item`, `rater`, `value`), or one per item (`human`, `judge`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from judging.measures.agreement.ratings import HUMAN, JUDGE, About, Rating
from judging.measures.agreement.report import Agreement, agreement
from judging.measures.agreement.statistics import TOO_MUCH
from judging.measures.texts import bleu, length, rouge_l
from judging.measures.values import Undefined
from legalqa.common.csv_files import csv_lines
from legalqa.common.json_lines import LineError, json_lines
from legalqa.common.work import Work

MAX_RATERS = 20  # ours: 190 pairs, which all statistics are computed of
OF_ROW = 100  # steps of `statistics.steps_of` that reading a line takes
CELLS = 5_000  # pairs of characters whose words are compared in one of them
LONG, WIDE = ("item", "rater", "value"), (HUMAN, JUDGE)
NUMBERS = ("value", "score", *WIDE)
FORMS = "Give every line `item`, `rater` and `value`, or every line `human` and `judge`."


class RatingsError(LineError, ValueError):
    """A line of ratings that cannot be read."""

    kind = "unreadable_ratings"


def ratings_read(text: str, *, work: Work | None = None) -> tuple[list[Rating], dict[str, About]]:
    """The ratings of a JSONL file, or of a CSV file with the same names in its heading, and what is said of each item.

    `score` is read as `value`. A value is a number, true or false, a name, or null. A line may also have `question`
    (drawn together; its id or text), `question_type` and `component`; with `answer` and `reference_answer`, length,
    BLEU and ROUGE-L become baselines.

    Args:
        text: The file.
        work: Steps that reading it, and comparing answers with their references, may take; None for any number.

    Raises:
        ValueError: a line that cannot be read, with its number, or there is too much to compare.
    """
    ratings: list[Rating] = []
    about: dict[str, About] = {}
    is_long: bool | None = None
    for number, row in _rows(text.removeprefix("\ufeff")):
        if work is not None and not work.take(OF_ROW):
            raise ValueError(TOO_MUCH)
        if "score" in row:
            row.setdefault("value", row["score"])
        if is_long is None:
            is_long = set(LONG) <= row.keys()
        columns = LONG if is_long else WIDE
        if missing := [name for name in columns if name not in row]:
            raise ValueError(f"Line {number} has no `{missing[0]}`. {FORMS}")
        item = str(row["item"]) if is_long else str(number)
        raters = {str(row["rater"]): row["value"]} if is_long else {name: row[name] for name in WIDE}
        ratings += [Rating(item, rater, _value(value, number)) for rater, value in raters.items()]
        about[item] = _about(row, number, work)
    if not ratings:
        raise ValueError(f"The file contains no rating. {FORMS}")
    return ratings, about


def ratings_agreement(text: str, *, judge: str = JUDGE, work: Work | None = None, **options: Any) -> Agreement:
    """How far the ratings of a file agree; takes what `agreement` takes. For the command, the page and the endpoint.

    Raises:
        ValueError: as `ratings_read` and `agreement`, a judge who rated nothing, or more than MAX_RATERS without one.
    """
    ratings, about = ratings_read(text, work=work)
    raters = {rating.rater for rating in ratings}
    if judge not in ("", JUDGE, *raters):
        names = ", ".join(sorted(raters)[:MAX_RATERS])
        raise ValueError(f"No rater of the file is called {judge[:40]!r}. It has: {names}.")
    if len(raters) > MAX_RATERS and judge not in raters:
        raise ValueError(
            f"The file has {len(raters):,} raters, and at most {MAX_RATERS} are compared each with each other. "
            "Leave some out, or name the one among them that is the judge."
        )
    return agreement(ratings, about=about, judge=judge, work=work, **options)


def _rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with the number of its line."""
    if text.lstrip()[:1] in ("", "{", "["):
        yield from json_lines(text, refused=RatingsError)
        return
    for number, cells in csv_lines(text, refused=RatingsError):
        row = {name: (cell or "").strip() for name, cell in cells.items()}
        yield number, row | {name: _number(row[name]) for name in NUMBERS if name in row}


def _number(cell: str) -> float | str | None:
    """What a cell says: a number, a name, or None where it is empty."""
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell


def _value(value: object, number: int) -> float | str | None:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError(
        f"The value on line {number} is a list or an object; give a number, true or false, a name or null."
    )


def _about(row: Mapping[str, Any], number: int, work: Work | None) -> About:
    answer, reference = row.get("answer"), row.get("reference_answer")
    baselines: dict[str, float] = {"length": length(answer)} if isinstance(answer, str) else {}
    if isinstance(answer, str) and isinstance(reference, str):
        if work is not None and not work.take(len(answer) * len(reference) // CELLS):
            raise ValueError(
                f"Line {number}: comparing answers with their references takes more computing than one request may. "
                "Leave `reference_answer` out, or measure the file with the command `manage.py agreement`."
            )
        scores = {"bleu": bleu(answer, reference), "rouge_l": rouge_l(answer, reference)}
        baselines |= {name: score for name, score in scores.items() if not isinstance(score, Undefined)}
    parts = [str(row.get(name) or "") for name in ("question", "question_type", "component")]
    return About(parts[0], parts[1], parts[2], baselines)
