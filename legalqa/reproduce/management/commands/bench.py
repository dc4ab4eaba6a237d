"""`bench`: speed and memory beside named peers: search on ObliQA, ingestion of the AI Act."""

from argparse import ArgumentParser
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.jobs.processes import pss_mb
from legalqa.reproduce.benchmarks.ingest import IngestTiming, bench_ingest
from legalqa.reproduce.benchmarks.search import Timing, bench_timings
from legalqa.training.ranker.training import SEED

PARTS = ("search", "ingest")


class Command(LegalQACommand):
    help = "Time search and ingestion beside named peers, on the same passages and pieces."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", default=settings.DATA, help="folder of the data sets")
        parser.add_argument("--only", choices=PARTS, help="one of the two")
        parser.add_argument("--passages", type=int, default=13_732)
        parser.add_argument("--questions", type=int, default=300)

    def run(self, options: dict[str, Any]) -> None:
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        data = Path(options["data"])
        document: dict[str, Any] = {"date": date.today().isoformat(), "seed": SEED}  # noqa: DTZ011 - the day here
        tables = []
        if options["only"] != "ingest":
            passages, questions = options["passages"], options["questions"]
            timings = bench_timings(
                data=data, n_passages=passages, n_questions=questions, seed=SEED, note=self.progress
            )
            document |= {"passages": passages, "questions": questions}
            document["timings"] = [asdict(timing) | {"ratio": timing.ratio} for timing in timings]
            tables.append(_search_table(timings))
        if options["only"] != "search":
            timing = bench_ingest(data=data, note=self.progress)
            names = ("store_s", "peer_total_s", "ratio", "whole_ratio", "pages_per_second")
            document["ingest"] = asdict(timing) | {name: getattr(timing, name) for name in names}
            tables.append(_ingest_table(timing))
        document["memory_mb"] = round(pss_mb([psutil.Process()]), 1)
        self.emit(document, options, "\n\n".join([*tables, f"{document['memory_mb']} MB in this process (PSS)"]))


def _search_table(timings: list[Timing]) -> str:
    lines = [f"{'stage':44} {'p50 ms':>8} {'p95 ms':>8}   {'peer':12} {'p50 ms':>8} {'p95 ms':>8} {'ratio':>7}"]
    for t in timings:
        peer = f"{t.peer:12} {t.peer_p50:8.2f} {t.peer_p95:8.2f} {t.ratio:7.2f}" if t.peer else ""
        lines.append(f"{t.what:44} {t.p50:8.2f} {t.p95:8.2f}   {peer}")
    return "\n".join(lines)


def _ingest_table(t: IngestTiming) -> str:
    return (
        f"EU AI Act: {t.n_pages} pages, {t.n_pieces:,} pieces, {t.pages_per_second:.1f} pages a second\n"
        f"ours        {t.total_s:6.1f} s: reading {t.parse_s:.1f}, encoding {t.encode_s:.1f}, rest {t.store_s:.1f}\n"
        f"LlamaIndex  {t.peer_total_s:6.1f} s: encoding {t.peer_encode_s:.1f}, storing {t.peer_store_s:.1f}\n"
        f"ratio from pieces to searchable {t.ratio:.2f}, with our reading of the file {t.whole_ratio:.2f}"
    )
