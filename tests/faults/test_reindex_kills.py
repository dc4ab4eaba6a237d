"""Re-indexing, also by another encoder, killed with -9 at each step: one whole index, nothing doubled."""

from typing import Any

import pytest

from legalqa.encoder.client import NAME
from tests.crash_points import ENCODER_CRASH_POINTS, ENCODER_INDEX_CRASH_POINT, REINDEX_CRASH_POINTS
from tests.faults.environment import WORK_S, Case, Installation

KILLED = -9
CHUNKER = {"kind": "hierarchical.v1", "child_tokens": 96, "min_tokens": 16, "parent_tokens": 256}
TEXTS = {
    "lease.md": "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\n## Late\n\nLate rent bears interest.\n",
    "notice.md": "# Notice\n\nEither party may end the lease by a notice of three months.\n",
}

pytestmark = pytest.mark.usefixtures("encoder")


def filled(installation: Installation, slug: str) -> Case:
    """An organisation whose corpus holds the two documents."""
    case = installation.driver.case(slug)
    for name, text in TEXTS.items():
        path = installation.var / name
        path.write_text(text)
        installation.driver.order("upload", organization=case.organization, corpus=case.corpus, path=str(path))
    installation.driver.order("work", organization=case.organization, seconds=WORK_S)
    return case


def reindexed(installation: Installation, case: Case, *, crash: str = "") -> dict[str, Any]:
    """What is stored after re-indexing the corpus, with a kill on the way and a worker that comes after it."""
    driver = installation.driver
    driver.order("reindex", organization=case.organization, corpus=case.corpus, chunker=CHUNKER)
    if crash:
        driver.order("work", organization=case.organization, seconds=WORK_S, crash=crash, expect=KILLED)
    driver.order("work", organization=case.organization, seconds=WORK_S)
    stored: dict[str, Any] = driver.order("snapshot", organization=case.organization)
    # Two documents are stored in whatever order their jobs were taken.
    return {key: sorted(rows) if isinstance(rows, list) else rows for key, rows in stored.items()}


@pytest.fixture(scope="module")
def whole(installation: Installation, encoder: None) -> dict[str, Any]:
    return reindexed(installation, filled(installation, "reindex-undisturbed"))


@pytest.mark.parametrize("step", REINDEX_CRASH_POINTS)
def test_a_worker_killed_at_a_step_leaves_one_whole_set(
    step: str, installation: Installation, whole: dict[str, Any]
) -> None:
    case = filled(installation, step.replace(".", "-").replace("_", "-"))
    marker = installation.var / f"killed-{step}"
    stored = reindexed(installation, case, crash=f"{step}:{marker}")

    assert marker.exists()
    assert stored == whole
    assert {job["state"] for job in installation.driver.order("jobs", organization=case.organization)} == {"done"}


def test_the_undisturbed_set_is_live_with_a_vector_for_each_chunk(whole: dict[str, Any]) -> None:
    searched = [chunk for chunk in whole["chunks"] if chunk[-1]]

    assert len(whole["embeddings"]) == len(searched) == sum(version[-1] for version in whole["versions"])
    assert all(is_live for *_, is_live in whole["embeddings"])
    assert whole["corpus_versions"] == [3], "twice published, once switched"


@pytest.mark.parametrize("step", ENCODER_CRASH_POINTS)
def test_a_worker_killed_while_encoders_switch_leaves_each_chunk_found_by_the_one_in_use(
    step: str, installation: Installation
) -> None:
    order, case = installation.driver.order, filled(installation, step.replace(".", "-").replace("_", "-"))
    where: dict[str, Any] = {"organization": case.organization, "corpus": case.corpus}
    name = order("encoder_switch", **where)
    late, marker = installation.var / "late.md", installation.var / f"killed-{step}"
    late.write_text("# Deposit\n\nThe tenant leaves a deposit of two rents.\n")
    order("upload", path=str(late), **where)
    order("work", organization=case.organization, seconds=WORK_S, crash=f"{step}:{marker}", expect=KILLED)
    killed = order("searched_by", **where)
    order("work", organization=case.organization, seconds=WORK_S)
    after = order("searched_by", **where)

    assert marker.exists()
    assert killed["encoder"] == (name if step == "encoder.switched" else NAME)
    assert [state["with_vectors"] for state in (killed, after)] == [state["chunks"] for state in (killed, after)]
    assert (after["encoder"], after["n_documents"], after["n_activations"]) == (name, 3, 1)
    assert {job["state"] for job in order("jobs", organization=case.organization)} == {"done"}


def test_a_worker_killed_before_a_large_corpus_switches_leaves_the_index_of_its_new_vectors(
    installation: Installation,
) -> None:
    order, case = installation.driver.order, filled(installation, "encoder-indexed")
    where: dict[str, Any] = {"organization": case.organization, "corpus": case.corpus}
    working: dict[str, Any] = {"organization": case.organization, "seconds": WORK_S, "exact_max": 0}
    name, marker = order("encoder_switch", **where), installation.var / "killed-encoder-indexed"
    order("work", **working, crash=f"{ENCODER_INDEX_CRASH_POINT}:{marker}", expect=KILLED)
    killed = order("searched_by", **where)
    order("work", **working)
    after = order("searched_by", **where)

    assert [(state["encoder"], state["has_index"]) for state in (killed, after)] == [(NAME, False), (name, True)]
    assert after["with_vectors"] == after["chunks"] == killed["chunks"]
    assert {job["state"] for job in order("jobs", organization=case.organization)} == {"done"}
