"""The judge of the long tests itself: it must see what is lost, doubled or visible by halves."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.soak.ledger import Ledger, Verdict
from tests.soak.product import verdict_of

WHOLE: dict[str, Any] = {
    "documents": [["rule.pdf", "rule.pdf"]],
    "versions": [[1, "ready", "", 10, 2]],
    "corpus_versions": [1],
    "n_paragraphs": 2,
    "positions": [[0, 1, "a"], [1, 1, "b"]],
    "chunks": [[0, 0, 9, True], [1, 9, 20, True]],
    "embeddings": [[0, "e", 0, "x", True], [1, "e", 0, "y", True]],
    "n_files": 1,
}
DONE = [{"state": "done", "reason": ""}]


def changed(**values: Any) -> dict[str, Any]:
    return deepcopy(WHOLE) | values


def test_the_same_as_undisturbed_is_clean() -> None:
    assert verdict_of(WHOLE, changed(), DONE).is_clean


@pytest.mark.parametrize(
    ("found", "jobs", "kind"),
    [
        (changed(embeddings=WHOLE["embeddings"][:1]), DONE, "lost"),
        (changed(documents=[], versions=[], n_files=0), [{"state": "failed", "reason": "crashed"}], "lost"),
        (changed(), [{"state": "failed", "reason": "crashed"}], "lost"),
        (changed(documents=2 * WHOLE["documents"]), DONE, "doubled"),
        (changed(n_files=2), DONE, "doubled"),
        (changed(corpus_versions=[1]), 2 * DONE, "doubled"),
        (changed(embeddings=[[0, "e", 0, "x", True], [1, "e", 0, "y", False]]), DONE, "half_published"),
        (changed(versions=[[1, "chunked", "", 10, 2]]), DONE, "half_published"),
        (changed(corpus_versions=[2]), DONE, "half_published"),
    ],
)
def test_whatever_differs_is_called_by_its_name(found: dict[str, Any], jobs: list[dict[str, Any]], kind: str) -> None:
    assert getattr(verdict_of(WHOLE, found, jobs), kind) >= 1


def test_a_stopped_test_goes_on_behind_its_last_whole_line(tmp_path: Path) -> None:
    first = Ledger("kills", seed=7, folder=tmp_path)
    first.add("a", Verdict(), seconds=1)
    first.add("b", Verdict(lost=1), seconds=2)
    with (tmp_path / "kills.runs.jsonl").open("a") as handle:
        handle.write('{"key": "c", "los')  # killed while it wrote

    again = Ledger("kills", seed=7, folder=tmp_path)
    result = again.result_write(["a", "b", "c"])

    assert sorted(again.runs) == ["a", "b"]
    assert (result["runs"], result["planned"], result["lost"], result["doubled"]) == (2, 3, 1, 0)
    assert json.loads((tmp_path / "kills.json").read_text()) == result


def test_a_run_that_is_done_again_counts_as_it_ended_and_its_first_end_is_kept(tmp_path: Path) -> None:
    runs = Ledger("kills", seed=7, folder=tmp_path)
    runs.add("a", Verdict(lost=1, notes=("gone",)), seconds=1)
    assert not runs.was_clean("a")
    runs.add("a", Verdict(), seconds=2)

    for held in (runs, Ledger("kills", seed=7, folder=tmp_path)):
        result = held.result_write(["a"])
        assert (result["lost"], result["bad"]) == (0, [])
        assert [run["notes"] for run in result["done_again"]] in ([["gone"]], [("gone",)])
