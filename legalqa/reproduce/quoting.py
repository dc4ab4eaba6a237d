"""Questions whose answers may only quote, asked through the product: the shared set, and our own for choices."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from judging.measures.quotations import Quoted, quoted
from legalqa.reproduce.asking import SAID, SLUG, TITLE, answer_asked
from legalqa.reproduce.intake import Note, corpus_own, file_parts, file_take_in, passages_prepare
from legalqa.training.collections.corpus import rows

OWN = Path(settings.BASE_DIR) / "tests/data/answers"
SHARED = "answers"  # under LEGALQA_DATA
WALK = "walk.jsonl.gz"  # among our own
EU_AI_ACT = f"{SHARED} euaia"
OTHERS = (2_000, 3_200)  # ours: paragraphs of ObliQA's rulebooks, from and to
Files = Iterable[tuple[str, Iterable[bytes]]]
_CONTRACTS = {
    "contractnli/Data Use Agreement New York City.txt": "data_use_agreement_nyc.txt",
    "cuad/CybergyHoldingsInc_20140520_10-Q_EX-10.27_8605784_EX-10.27_Affiliate Agreement.txt": (
        "marketing_affiliate_agreement_birch_first_mount_knowledge.txt"
    ),
    "cuad/IdeanomicsInc_20160330_10-K_EX-10.26_9512211_EX-10.26_Content License Agreement.txt": (
        "content_license_agreement_sun_seven_stars_you_on_demand.txt"
    ),
}
_POLICIES = ("37signals", "github", "18f", "datica")


@dataclass(frozen=True, slots=True)
class Judged:
    """The measures of an answer, with the corpus and the type of its question.

    `seconds` are those from asking to it, `chance` that its best passage answers as the product says.
    """

    corpus: str
    type: str
    quoted: Quoted
    seconds: float
    chance: float


def shared_judged(data: Path, *, note: Note, is_walk: bool = False) -> list[Judged]:
    """The measures of the answers to the shared set's questions, or to those of our walk over its documents."""
    by_corpus: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows(OWN, WALK) if is_walk else rows(data / SHARED, "questions.jsonl"):
        by_corpus.setdefault(row["corpus"], []).append(row)
    files: dict[str, Callable[[], Files]] = {
        "euaia": lambda: _pdfs(data / "public_law/eu_ai_act"),
        "ll144": lambda: _pdfs(data / "public_law/ll144"),
        "policycopilot": lambda: policy_copilot_passages(data / "policy_copilot"),
        "policies": lambda: _policies(data / "policies"),
        "contracts": lambda: _contracts(data / "legalbench_rag_mini"),
    }
    return [one for name in files for one in _judged(f"{SHARED} {name}", files[name](), by_corpus[name], note=note)]


def own_judged(*, note: Note, among: Path | None = None, is_gated: bool = True) -> list[Judged]:
    """The measures of the answers to our own questions, on which weights and thresholds are chosen.

    Args:
        note: Says how far it is.
        among: The folder of a collection of which 1,200 paragraphs are put beside each of the small sets of documents.
        is_gated: Whether the product may be silent.
    """
    judged: list[Judged] = []
    for folder in sorted(folder for folder in OWN.iterdir() if folder.is_dir()):
        files = [(file.name, file_parts(file)) for file in sorted((folder / "docs").iterdir())]
        name = f"own {folder.name}"
        if among:
            others = islice(rows(among, "corpus.jsonl.gz"), *OTHERS)
            files.append(("rulebook.txt", iter(["\n\n".join(row["text"] for row in others).encode()])))
            name += " among others"
        judged += _judged(name, files, rows(folder, "questions.jsonl"), note=note, is_gated=is_gated)
    return judged


def _judged(
    name: str, files: Files, questions: Iterable[Mapping[str, Any]], *, note: Note, is_gated: bool = True
) -> list[Judged]:
    settings = {} if is_gated else {"gate": "off"}
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=name)
    for file, parts in files:
        file_take_in(organization=organization, corpus=corpus, name=file, parts=parts).ready()
    passages_prepare(organization=organization, corpus=corpus)
    judged = []
    for row in questions:
        text = row["question"]
        answer, document = answer_asked(organization=organization, corpus=corpus, text=text, settings=settings)
        claims = [claim["text"] for claim in document["claims"] if claim["shown"]]
        worth = quoted(row, is_answered=answer.state in SAID, claims=claims)
        judged.append(Judged(name, row["type"], worth, answer.seconds, answer.confidence or 0.0))
        note(f"{name}: {len(judged)} asked")
    return judged


def _pdfs(folder: Path) -> Files:
    return ((file.name, file_parts(file)) for file in sorted(folder.glob("*.pdf")))


def policy_copilot_passages(folder: Path) -> Files:
    """The paragraphs of the golden set's policies, as a file of passages."""
    lines = (
        {"id": row["paragraph_id"], "text": row["text"], "title": row["doc_id"], "page": row["page"]}
        for row in rows(folder, "paragraphs.jsonl")
    )
    yield "passages.jsonl", ["".join(json.dumps(line) + "\n" for line in lines).encode()]


def _policies(folder: Path) -> Files:
    for row in rows(folder, "manifest.jsonl"):
        if row["source"] in _POLICIES:
            yield row["doc_id"].replace("/", "__") + ".md", file_parts(folder / row["file"])


def _contracts(folder: Path) -> Iterator[tuple[str, Iterable[bytes]]]:
    for row in rows(folder, "documents.jsonl.gz"):
        if row["doc_id"] in _CONTRACTS:
            yield _CONTRACTS[row["doc_id"]], [row["text"].encode()]
