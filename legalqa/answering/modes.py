"""The names by which settings choose how to answer (`answer.mode`): known without knowing the strategies themselves."""

AUTO = "auto"  # written if the organisation has a model for it, else quoted
QUOTED = "quoted"
MODES: list[str] = []  # names of the strategies on offer; filled by `legalqa.answering.strategies.registry`
