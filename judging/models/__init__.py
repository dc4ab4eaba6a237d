"""Tables of judging, one module a room."""

from judging.models.gold import GoldQuestion, GoldReference, GoldSet
from judging.models.judges import Judge
from judging.models.tuning import TunedSearch, TuningRun

__all__ = ["GoldQuestion", "GoldReference", "GoldSet", "Judge", "TunedSearch", "TuningRun"]
