"""`verify --claims FILE.jsonl`: does the evidence support each claim? Rules, and the reader where there is one."""

from argparse import ArgumentParser
from typing import Any

from legalqa.answering.verification import Check, Claim, reads_support, support_checks
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import rows_read

AT_ONCE = 32  # claims whose pairs are read together


class Command(LegalQACommand):
    help = "Check claims against their evidence: supported, partly, unsupported or contradicted, with the reasons."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--claims",
            metavar="FILE.jsonl",
            required=True,
            help="objects with id, claim and evidence: a text, or a list of texts",
        )

    def run(self, options: dict[str, Any]) -> None:
        rows = rows_read(options["claims"], needed=("id", "claim"))
        claims = [_claim(row) for row in rows]
        reads = reads_support()
        checks: list[Check] = []
        for at in range(0, len(claims), AT_ONCE):
            checks += support_checks(claims[at : at + AT_ONCE], reads=reads)
            self.progress(f"{len(checks)} of {len(claims)} claims")
        verdicts = [{"id": row["id"], **_document(check)} for row, check in zip(rows, checks, strict=True)]
        lines = [f"{one['id']}  {one['verdict']}  {one['score']}  {' '.join(one['reasons'])}" for one in verdicts]
        self.emit({"claims": verdicts}, options, "\n".join(lines))


def _claim(row: dict[str, Any]) -> Claim:
    """The claim of a row.

    Raises:
        ApplicationError: the claim is empty, or its evidence is neither a text nor a list of texts.
    """
    evidence = row.get("evidence")
    texts = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ApplicationError(
            f"The evidence of claim {row['id']} is neither a text nor a list of texts. Correct it.", code="bad_line"
        )
    if not row["claim"].strip():
        raise ApplicationError(f"Claim {row['id']} is empty. Write what is claimed.", code="bad_line")
    return Claim(row["claim"], texts)


def _document(check: Check) -> dict[str, Any]:
    return {"verdict": check.verdict, "score": round(check.score, 4), "reasons": list(check.reasons)}
