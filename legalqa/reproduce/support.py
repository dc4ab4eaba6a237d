"""Claims with evidence and labels: WiCE, ExpertQA, ContractNLI, and development rows of the reader."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from legalqa.answering.verification import Check, Claim, Reads, support_checks
from legalqa.answering.verification.words import opened, stems_of
from legalqa.training.collections.corpus import rows
from legalqa.training.reader.rows import LABELS, ClaimRow, rows_read

AT_ONCE = 40  # claims whose pairs are read together
_MARK = re.compile(r"\s*\[\d+\]")  # "[1]", by which ExpertQA's answers cite


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim, and whether people found it supported; rows of one `group` share a document."""

    claim: Claim
    is_supported: bool
    group: str = ""
    label: int = 0


def wice_claims(data: Path) -> list[Judged]:
    """WiCE's claims of Wikipedia with the whole page they cite; partly supported ones are not supported."""
    return [
        Judged(
            Claim(row["claim"], row["evidence"], [row["claim_title"]]), row["label"] == "supported", row["claim_title"]
        )
        for row in rows(data / "wice", "claims.jsonl.gz")
    ]


def expertqa_claims(data: Path) -> list[Judged]:
    """ExpertQA's claims that cite something: complete support, as experts judged it, against incomplete or partial."""
    return [
        Judged(
            Claim(_MARK.sub("", claim["claim_string"]), claim["evidence"]), claim["support"] == "Complete", row["id"]
        )
        for row in rows(data / "expertqa", "answers.jsonl.gz")
        for claim in row["claims"]
        if claim["evidence"] and claim["support"] in ("Complete", "Incomplete", "Partial")
    ]


def contractnli_claims(data: Path) -> list[Judged]:
    """ContractNLI's hypotheses with their gold spans; one that is not mentioned has those of another hypothesis.

    The other is the one of the same contract that shares most words with it.
    """
    claims: list[Judged] = []
    every = list(rows(data / "contractnli", "annotations.jsonl.gz"))
    spans: dict[str, list[list[str]]] = {}
    for row in every:
        if row["evidence"]:
            spans.setdefault(row["doc_id"], []).append([span["text"] for span in row["evidence"]])
    for row in every:
        own = [span["text"] for span in row["evidence"]]
        stems = stems_of(row["hypothesis"])
        lent = max(spans.get(row["doc_id"], [[]]), key=lambda texts: len(stems & stems_of(" ".join(texts))))
        label = ("Entailment", "Contradiction", "NotMentioned").index(row["label"])
        if evidence := own or lent:
            claims.append(Judged(Claim(row["hypothesis"], evidence), label == 0, row["doc_id"], label))
    return claims


def development_claims(data: Path, *, half: int) -> list[Judged]:
    """One half of the reader's development rows of support: thresholds come from half 0, half 1 is left."""
    every = [row for row in rows_read(data / "reading" / "support_dev.jsonl.gz") if isinstance(row, ClaimRow)]
    random.Random(1).shuffle(every)  # noqa: S311 - halves, no secrets
    middle = len(every) // 2
    return [
        Judged(Claim(row.claim, [row.evidence]), row.label == LABELS.index("supported"), row.id, row.label)
        for row in (every[:middle] if half == 0 else every[middle:])
    ]


def checks_of(judged: Sequence[Judged], *, reads: Reads | None, note: Callable[[str], None]) -> list[Check]:
    """The verdicts of rules and reader on the claims, as written answers are checked."""
    checks: list[Check] = []
    for at in range(0, len(judged), AT_ONCE):
        checks += support_checks([one.claim for one in judged[at : at + AT_ONCE]], reads=reads)
        note(f"{len(checks)} of {len(judged)} claims checked")
    return checks


def overlap_of(claim: Claim) -> float:
    """Share of the claim's content words that are in the evidence: the baseline."""
    stems = stems_of(opened(claim.text))
    return len(stems & stems_of(opened(" ".join(claim.evidence)))) / len(stems) if stems else 0.0
