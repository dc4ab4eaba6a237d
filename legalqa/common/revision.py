"""Which code this process runs, for what must be repeatable."""

from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("legalqa", "corpora", "retrieval", "judging/experiments")  # the last one's baselines answer too
KINDS = (".py", ".json", ".md", ".npz", ".safetensors")  # code, prompts, packaged models


@cache
def code_revision() -> str:
    """SHA-256 of the files that make an answer, computed once a process; no release needs to be named for it."""
    digest = sha256()
    for path in sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*") if p.suffix in KINDS):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
