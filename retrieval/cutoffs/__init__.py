"""Cutoffs by name: each keeps the best hits of a ranking.

To add one: write its file, register it here, name it in `docs/architecture.md` and give it a row in
`tests/contracts/test_cutoffs.py`.
"""

from retrieval.cutoffs.banded import BandedCutoff
from retrieval.cutoffs.base import Cut
from retrieval.cutoffs.fixed import Cutoff
from retrieval.stages import StageRegistry

CUTOFFS: StageRegistry[Cut] = StageRegistry("cutoff")
CUTOFFS.register("cutoff.v1", Cutoff)
CUTOFFS.register("banded-cutoff.v1", BandedCutoff)
