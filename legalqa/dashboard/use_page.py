"""What an organisation uses of what it may use, as rows for people."""

from dataclasses import dataclass

from legalqa.jobs.use import MEBIBYTE, Use

NONE = "no limit"


@dataclass(frozen=True, slots=True)
class UseRow:
    """One limit: what it is about, how much is used, and what happens at its end; `percent` is None without a limit."""

    name: str
    note: str
    used: str
    limit: str
    percent: int | None


def use_rows(use: Use) -> list[UseRow]:
    """Every limit that is counted for the whole organisation."""
    minutes = use.processor_s_today / 60
    return [
        UseRow(
            "Open background work",
            "At the limit, uploads are rejected until some jobs finish. Archives wait automatically.",
            f"{use.open_jobs:,}",
            _limit(use.open_jobs_limit, f"{use.open_jobs_limit:,} jobs"),
            _percent(use.open_jobs, use.open_jobs_limit),
        ),
        UseRow(
            "Uploaded today",
            "Uploads, watched folders and the files in archives. At the limit, more are rejected until tomorrow.",
            f"{use.bytes_today / MEBIBYTE:,.1f} MB",
            _limit(use.bytes_today_limit, f"{use.bytes_today_limit // MEBIBYTE:,} MB a day"),
            _percent(use.bytes_today, use.bytes_today_limit),
        ),
        UseRow(
            "Processor time today",
            "Reading, indexing and training. At the limit, this work is paused until tomorrow; questions and searches "
            "are not affected.",
            f"{minutes:,.1f} min",
            _limit(use.processor_s_today_limit, f"{use.processor_s_today_limit / 60:,.0f} min a day"),
            _percent(use.processor_s_today, use.processor_s_today_limit),
        ),
    ]


def _limit(number: int, text: str) -> str:
    return text if number else NONE


def _percent(used: float, limit: int) -> int | None:
    return min(100, int(100 * used / limit)) if limit else None
