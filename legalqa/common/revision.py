"""The code that this process runs, ours and other packages', so that results can be repeated."""

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("legalqa", "corpora", "retrieval", "judging/experiments")  # the last one's baselines answer too
SCORING = ("judging/judges", "judging/measures")  # whose code decides the scores of an experiment
KINDS = (".py", ".json", ".md", ".npz", ".safetensors")  # code, prompts, packaged models
COMPUTING = (  # another version of one of these can change an answer, or its figures
    "Django",
    "numpy",
    "torch",
    "transformers",
    "tokenizers",
    "sentence-transformers",
    "scikit-learn",
    "lightgbm",
    "PyStemmer",
)


@cache
def code_revision(packages: tuple[str, ...] = PACKAGES) -> str:
    """SHA-256 of the files that make an answer, computed once a process; no release needs to be named for it."""
    digest = sha256()
    for path in sorted(p for package in packages for p in (ROOT / package).rglob("*") if p.suffix in KINDS):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@cache
def package_versions() -> dict[str, str]:
    """The installed version of each package that answers are computed with, by its name in small letters."""
    return {name.lower(): version(name) for name in COMPUTING}
