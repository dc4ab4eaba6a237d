"""The row of the clause library: contracts read for the 41 clauses, against verdicts that were judged by hand."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

from corpora.parsers.dispatch import bytes_parse
from corpora.parsers.limits import Limits
from legalqa.answering.clauses.library import examples, library, weights
from legalqa.answering.clauses.reading import Finding, Paragraph, clauses_find
from legalqa.encoder import client as encoder
from legalqa.reproduce.types import Context, Figure, NotRun
from legalqa.training.collections.corpus import rows

JUDGED = Path(__file__).parents[3] / "tests" / "data" / "clauses" / "verdicts.jsonl"
SOURCES = ("cuad", "contractnli")
N_MORE = 9  # contracts of ContractNLI beside the 11 of the first set


def clauses(context: Context) -> Mapping[str, Figure]:
    """20 contracts; no threshold was chosen on them."""
    if not JUDGED.is_file():
        raise NotRun("The verdicts that were judged by hand are not installed. Run it from the repository.")
    judged = list(rows(JUDGED.parent, JUDGED.name))
    seconds, findings = [], {}
    for name, text in contracts(context.data):
        started = process_time()
        for one, quote in contract_findings(text):
            findings[name, one.clause] = (one, quote)
        seconds.append(process_time() - started)
        context.note(f"{len(seconds)} contracts read")
    return verdict_figures(judged, findings) | {
        "seconds": Figure(sum(seconds) / len(seconds), len(seconds), note=f"of one processor; most {max(seconds):.1f}")
    }


def contracts(data: Path) -> list[tuple[str, str]]:
    """Names and texts of the 20 contracts."""
    first = [row for row in rows(data, "legalbench_rag_mini/documents.jsonl.gz") if row["source"] in SOURCES]
    more = islice(rows(data, "contractnli/documents.jsonl.gz"), N_MORE)
    return [(row["doc_id"], row["text"]) for row in (*first, *more)]


def contract_findings(text: str) -> list[tuple[Finding, str]]:
    """What a contract says on each clause of the library, with the words of the quote."""
    parsed = bytes_parse(text.encode(), name="contract.txt", limits=Limits())
    paragraphs = [
        Paragraph(
            ordinal,
            parsed.text[one.start : one.end],
            one.heading_path[-1] if one.heading_path else "",
            one.kind == "heading",
        )
        for ordinal, one in enumerate(parsed.paragraphs)
    ]
    findings = clauses_find(
        paragraphs,
        library(),
        weights=weights(),
        examples=examples(),
        encode=encoder.encoder().encode,
        reader=encoder.reading,
    )
    return [
        (one, paragraphs[one.quote.ordinal].text[one.quote.start : one.quote.end] if one.quote else "")
        for one in findings
    ]


def verdict_figures(
    judged: Sequence[Mapping[str, Any]], findings: Mapping[tuple[str, str], tuple[Finding, str]]
) -> dict[str, Figure]:
    """How many of the judged verdicts are right: a "present" with a quote that a person accepted, or an "absent".

    One that became "not sure" is counted apart: it says neither.
    """
    right, totals = {"present": 0, "absent": 0}, {"present": 0, "absent": 0}
    for row in judged:
        one, quote = findings[row["contract"], row["clause"]]
        if one.verdict == "unsure":
            continue
        totals[one.verdict] += 1
        right[one.verdict] += one.verdict == row["truth"] and (one.verdict == "absent" or _same(quote, row["accepted"]))
    n_unsure = sum(one.verdict == "unsure" for one, _ in findings.values())
    return {
        "right": Figure.count(sum(right.values()), sum(totals.values())),
        "present": Figure.count(right["present"], totals["present"]),
        "absent": Figure.count(right["absent"], totals["absent"]),
        "unsure": Figure.count(n_unsure, len(findings)),
    }


def _same(quote: str, accepted: Sequence[str]) -> bool:
    """Whether one of the accepted quotes is in the quote, or holds it."""
    words = " ".join(quote.split())
    return any(one in words or words in one for one in (" ".join(each.split()) for each in accepted))
