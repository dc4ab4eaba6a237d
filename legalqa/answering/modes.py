"""The names by which settings choose how to answer (`answer.mode`): known without knowing the strategies themselves."""

AUTO = "auto"  # written where the organisation has a model for it, else quoted
MODES: list[str] = []  # of the strategies that may be offered; filled by `legalqa.answering.strategies.registry`
