"""`bench`: speed and memory of the search beside bm25s and faiss, on ObliQA."""

import os
import random
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from judging.benchmark import Timing, bench_corpus, bench_search, memory_mb
from judging.collections import rows
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError

SEED = 144


class Command(LegalQACommand):
    help = "Time the search beside named peers on the same passages."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", default=os.environ.get("LEGALQA_DATA", ""), help="folder of the data sets")
        parser.add_argument("--passages", type=int, default=10_000)
        parser.add_argument("--questions", type=int, default=300)

    def run(self, options: dict[str, Any]) -> None:
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        data = Path(options["data"])
        asked = [row["question"] for row in rows(data / "obliqa", "questions.jsonl.gz")]
        questions = random.Random(SEED).sample(asked, options["questions"])  # noqa: S311 - a reproducible sample
        organization, corpus = bench_corpus(data=data, n_passages=options["passages"], note=self.progress)
        bench_search(organization=organization, corpus=corpus, questions=questions[:20])  # warm
        timings = bench_search(organization=organization, corpus=corpus, questions=questions)
        document = {
            "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
            "seed": SEED,
            "passages": options["passages"],
            "questions": len(questions),
            "timings": [{name: getattr(t, name) for name in (*Timing.__dataclass_fields__, "ratio")} for t in timings],
            "memory_mb": round(memory_mb(), 1),
        }
        self.emit(document, options, _table(timings, document))


def _table(timings: list[Timing], document: dict[str, Any]) -> str:
    lines = [
        f"{document['passages']:,} passages, {document['questions']} questions, {document['memory_mb']} MB",
        f"{'stage':36} {'p50 ms':>8} {'p95 ms':>8}   {'peer':12} {'p50 ms':>8} {'p95 ms':>8} {'ratio':>7}",
    ]
    for t in timings:
        peer = f"{t.peer:12} {t.peer_p50:8.2f} {t.peer_p95:8.2f} {t.ratio:7.2f}" if t.peer else ""
        lines.append(f"{t.stage:36} {t.p50:8.2f} {t.p95:8.2f}   {peer}")
    return "\n".join(lines)
