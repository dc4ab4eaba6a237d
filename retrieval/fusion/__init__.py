"""Fusions by name: each makes one ranking of several."""

from retrieval.fusion.rrf import Fuse
from retrieval.stages import Stage, StageRegistry

FUSIONS: StageRegistry[Stage] = StageRegistry("fusion")
FUSIONS.register("rrf.v1", Fuse)

__all__ = ["FUSIONS", "Fuse"]
