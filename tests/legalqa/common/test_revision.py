"""The revision of the code changes with whatever makes an answer; the packages beside it have their versions."""

from pathlib import Path

import pytest
import torch
import transformers

from legalqa.common import revision


@pytest.mark.parametrize(
    "name",
    [
        "legalqa/answering/verification.py",
        "retrieval/fusion.py",
        "judging/experiments/baselines.py",
        "judging/experiments/prompts/prompt_only.v1.md",
        "legalqa/encoder/reader.v1.safetensors",
    ],
)
def test_a_changed_file_is_another_revision(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "ROOT", tmp_path)  # no file of the repository is changed
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    revisions = []
    for text in ("first", "second"):
        file.write_text(text)
        revisions.append(revision.code_revision.__wrapped__())

    assert revisions[0] != revisions[1]


def test_the_versions_are_those_of_the_packages_that_compute() -> None:
    versions = revision.package_versions()

    assert (versions["torch"], versions["transformers"]) == (torch.__version__, transformers.__version__)
    assert {"django", "lightgbm", "numpy", "scikit-learn", "tokenizers"} <= set(versions)
