"""Fusions by name: each makes one ranking of several.

To add one: write its file, register it here and give it a row in the README; `tests/contracts/test_fusions.py` then
runs for it.
"""

from retrieval.fusion.rrf import Fuse
from retrieval.stages import Stage, StageRegistry

FUSIONS: StageRegistry[Stage] = StageRegistry("fusion")
FUSIONS.register("rrf.v1", Fuse)
