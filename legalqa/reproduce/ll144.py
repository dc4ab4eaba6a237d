"""Local Law 144 asked as a user would: files uploaded, questions answered by the default preset, quotes compared."""

import re
from pathlib import Path
from typing import Any

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.reproduce.asking import SAID, SLUG, TITLE, answer_asked
from legalqa.reproduce.intake import corpus_own, file_parts, file_take_in
from legalqa.training.collections.corpus import rows
from legalqa.training.ranker.types import QuestionOutcome

NAME = "Local Law 144"
FILES = ("dcwp_final_rule.pdf", "admin_code_20-870_and_rule.pdf", "int_1894-a_local_law_text.pdf")
SHARED_WORDS = 6  # words in a row from which cited words and gold quote are the same passage


def ll144_outcomes(*, data: Path) -> tuple[QuestionOutcome, ...]:
    """Each question with its answer by the shipped model, which has never seen the set.

    `gold` and `cited` hold the numbers of the gold quotes: a quote is cited where a shown claim's words overlap it.
    """
    folder = data / "public_law" / "ll144"
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=NAME)
    for name in FILES:
        parts = file_parts(folder / name)
        file_take_in(organization=organization, corpus=corpus, name=name, parts=parts).ready()
    return tuple(_asked(organization, corpus, row) for row in rows(folder, "questions.jsonl"))


def _asked(organization: Organization, corpus: Corpus, row: dict[str, Any]) -> QuestionOutcome:
    answer, document = answer_asked(organization=organization, corpus=corpus, text=row["question"])
    quotes = [
        place["quote"]
        for claim in document["claims"]
        if claim["shown"]
        for place in (*claim["citations"], *claim["also_in"])
    ]
    gold = [evidence["quote"] for evidence in row["evidence"]] if row["answerable"] else []
    places = [n for n, passage in enumerate(gold) if any(overlaps(quote, passage) for quote in quotes)]
    chance = answer.confidence or 0.0
    return QuestionOutcome(
        id=row["id"],
        collection="ll144",
        group=row["id"],
        kind=row["complexity"],
        is_answerable=row["answerable"],
        gold=tuple(map(str, range(len(gold)))),
        ranked=(),
        baseline=(),
        probability=chance,
        answerable=chance,
        fusion_score=0.0,
        is_answered=answer.state in SAID,
        cited=tuple(map(str, places)),
    )


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def overlaps(one: str, other: str) -> bool:
    """One holds the other, or they share SHARED_WORDS words in a row; case and punctuation do not count."""
    a, b = words(one), words(other)
    if not a or not b:
        return False
    if "".join(a) in "".join(b) or "".join(b) in "".join(a):
        return True
    runs = {tuple(a[i : i + SHARED_WORDS]) for i in range(len(a) - SHARED_WORDS + 1)}
    return any(tuple(b[i : i + SHARED_WORDS]) in runs for i in range(len(b) - SHARED_WORDS + 1))
