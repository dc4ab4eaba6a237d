"""Before and after in words: what the pages of trained encoders, rankers and readers share."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpora.models import Corpus
from legalqa.accounts.models import Organization

MEASURES = {
    "recall@10": ("Found among the first 10", "share of the right passages that are there"),
    "recall@5": ("Found among the first 5", "the same for the first five"),
    "recall@1": ("Found first", "the same for the first one alone"),
    "mrr": ("Rank of the first right one", "mean reciprocal rank: 1 if it is first, ½ if second, and so on"),
    "ndcg@10": ("Order of the first 10", "1 if every right passage is above every wrong one"),
}
MAIN = "recall@10"  # main measure of a report that names no other
BETTER, WORSE, LEVEL, UNKNOWN = "better", "worse", "level", "unknown"
VERDICTS = {
    BETTER: ("Better", "ok", "state-ok"),
    WORSE: ("Worse", "contra", "state-contradicted"),
    LEVEL: ("Not significant", "none", "state-partly"),
    UNKNOWN: ("Not measured", "withheld", "state-none"),
}
SAID = {
    BETTER: "Searches find more with this {what}, on questions about documents that it has not seen.",
    WORSE: "Searches find less with this {what}. Do not use it.",
    LEVEL: "No significant difference. Using this {what} gains nothing; more questions may help.",
    UNKNOWN: "Too few questions were left to compare before and after.",
}
WIDTH, HEIGHT = 600, 140  # of the curve, in units of its view box


def verdict(difference: Mapping[str, Any]) -> str:
    """Whether an interval of after less before lies above 0, below it, or around it."""
    if difference.get("value") is None or difference.get("low") is None:
        return UNKNOWN
    if difference["low"] > 0:
        return BETTER
    return WORSE if difference["high"] < 0 else LEVEL


def marked(difference: Mapping[str, Any]) -> dict[str, Any]:
    """A difference as a table shows it: word, tone, shape, figures."""
    word, tone, icon = VERDICTS[verdict(difference)]
    return {"word": word, "tone": tone, "icon": icon, "figures": figures(difference), "why": difference["undefined"]}


def figures(difference: Mapping[str, Any]) -> str:
    """A difference with its interval, signed; empty where there is none."""
    if verdict(difference) == UNKNOWN:
        return ""
    value, low, high = (f"{difference[name]:+.3f}".replace("-", "−") for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"


def main_row(report: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The row of a report for searches by the default preset: the last one."""
    rows: Sequence[Mapping[str, Any]] = report.get("rows", ())
    return rows[-1] if rows else None


def main_measure(report: Mapping[str, Any]) -> str:
    """The name of the measure by which a version is judged."""
    return str(report.get("main", MAIN))


def gain(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The gain of a version in its main measure, for the list; None while there is no report."""
    row = main_row(report)
    return None if row is None else marked(row["difference"][main_measure(report)])


def comparison_rows(
    report: Mapping[str, Any], *, measures: Mapping[str, tuple[str, str]] = MEASURES
) -> list[dict[str, Any]]:
    """Before and after as tables: one for each way of searching, the default preset first; a line for each measure."""
    main = main_measure(report)
    return [
        {
            "title": row["title"],
            "questions": row["questions"],
            "lines": [
                {"title": title, "help": words, "before": row["before"][name], "after": row["after"][name]}
                | {"difference": marked(row["difference"][name]), "is_main": name == main}
                for name, (title, words) in measures.items()
                if name in row["difference"]
            ],
        }
        for row in reversed(report.get("rows", ()))
    ]


def elsewhere_shown(*, organization: Organization, report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The lines of other corpora that the active person may see: others are walled off, names included."""
    rows: Sequence[Mapping[str, Any]] = report.get("elsewhere", ())
    slugs = {row["corpus"] for row in rows}
    seen = set(Corpus.objects.filter(organization=organization, slug__in=slugs).values_list("slug", flat=True))
    return [row for row in rows if row["corpus"] in seen]


def report_shown(*, organization: Organization, report: dict[str, Any]) -> dict[str, Any]:
    """A report as programs get it, without the lines of corpora that the active person may not see."""
    return report and report | {"elsewhere": elsewhere_shown(organization=organization, report=report)}


def elsewhere_rows(*, organization: Organization, report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Its effect on questions of other corpora, in MAIN."""
    return [
        {
            "name": row["name"],
            "corpus": row["corpus"],
            "questions": row.get("questions"),
            "before": row["before"][MAIN],
            "after": row["after"][MAIN],
            "difference": marked(row["difference"][MAIN]),
        }
        for row in elsewhere_shown(organization=organization, report=report)
    ]


def verdict_words(
    report: Mapping[str, Any], elsewhere: Sequence[Mapping[str, Any]], *, what: str, sentences: Mapping[str, str] = SAID
) -> dict[str, str]:
    """The first sentence of a report: whether to use it. `sentences` has the sentence of each verdict."""
    row, main = main_row(report), main_measure(report)
    outcome = UNKNOWN if row is None else verdict(row["difference"][main])
    words = sentences[outcome].format(what=what)
    losses = [line["name"] for line in elsewhere if line["difference"]["word"] == VERDICTS[WORSE][0]]
    if losses:
        words += f" It finds less on {', '.join(losses)}; that matters only if this corpus is asked such questions."
    tone = "partly" if outcome in (LEVEL, UNKNOWN) or (losses and outcome == BETTER) else VERDICTS[outcome][1]
    return {"words": words, "tone": tone, "figures": figures(row["difference"][main]) if row is not None else ""}


def loss_curve(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The losses of a training as points of an SVG and as a short table; None with fewer than two."""
    training = report.get("training", {})
    losses: Sequence[float] = training.get("losses", ())
    if len(losses) < 2:
        return None
    top, low = max(losses), min(losses)
    points = " ".join(
        f"{WIDTH * at / (len(losses) - 1):.1f},{HEIGHT - HEIGHT * (loss - low) / ((top - low) or 1):.1f}"
        for at, loss in enumerate(losses)
    )
    steps = training.get("steps", len(losses))
    every = max(1, -(-len(losses) // 12))
    table = [
        {"step": round(steps * (at + 1) / len(losses)), "loss": loss}
        for at, loss in enumerate(losses)
        if at % every == 0 or at == len(losses) - 1
    ]
    return {"points": points, "top": top, "low": low, "first": losses[0], "last": losses[-1], "table": table}
