"""Expanders by name: each adds passages to which the results lead.

To add one: write its file, register it here, name it in `docs/architecture.md` and give it a row in
`tests/contracts/test_expanders.py`.
"""

from retrieval.expanders.base import Expander
from retrieval.expanders.merging import AutoMerge
from retrieval.expanders.neighbours import Neighbours
from retrieval.expanders.references import References
from retrieval.stages import StageRegistry

EXPANDERS: StageRegistry[Expander] = StageRegistry("expander")
EXPANDERS.register("neighbours.v1", Neighbours)
EXPANDERS.register("references.v1", References)
EXPANDERS.register("auto-merge.v1", AutoMerge)
