"""What an experiment compares: presets with changes, how they answer, how often, by which measures and judges."""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Self
from uuid import UUID

from pydantic import Field, model_validator

from judging.experiments.baselines import PRESETS as BASELINES
from judging.experiments.baselines import UNCHECKED
from judging.experiments.rules import RULES
from legalqa.accounts.models import Organization, User
from legalqa.answering.presets import AnswerPreset, policy_of
from legalqa.common.config import Config
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import settings_read
from retrieval.pipelines.presets import PRESETS, preset_changed
from retrieval.services.presets import preset_resolve

MAX_CELLS, MAX_REPEATS, MAX_KEY = 40, 10, 200  # ours: rows that a table can still be read with
SEED = 144
QUOTED, WRITTEN = "quoted", "written"
GENERATORS = {QUOTED: "Quoted", WRITTEN: "Written by the first model"}
OF_MODEL = f"{WRITTEN}:"  # before the name of one model
_OF_MODEL = re.compile(rf"{OF_MODEL}\S+")


class ExperimentError(ApplicationError):
    """Settings of an experiment that do not fit."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="bad_experiment")


class Cell(Config):
    """One configuration: a preset with changes, and how it answers: "quoted", "written" or "written:MODEL"."""

    preset: str
    overrides: dict[str, str] = Field(default_factory=dict)
    generator: str = QUOTED

    @property
    def is_written(self) -> bool:
        return self.generator != QUOTED

    @property
    def model(self) -> str:
        """The one model that may write; "" for those of the organisation in their order."""
        return self.generator.removeprefix(OF_MODEL) if self.generator.startswith(OF_MODEL) else ""

    @property
    def key(self) -> str:
        """What names it in tables: the preset, its changes, and how it answers where a model writes."""
        changes = [f"{name}={value}" for name, value in self.overrides.items()]
        return " ".join([self.preset, *changes, *([self.generator] if self.is_written else [])])


class ExperimentSettings(Config):
    """What is compared.

    Attributes:
        cells: The configurations.
        measures: Names of rules (`judging.experiments.rules`).
        judges: Names of judges.
        repeats: How often each question is asked where a model writes the answer, 1 to MAX_REPEATS.
        baseline: The key of the cell that the others are compared with.
        budget: The most that answers and judges may cost together, above 0, in the currency of the price list; None for
            no limit.
        seed: Of the draws behind intervals and tests, 0 or more.
    """

    cells: tuple[Cell, ...]
    measures: tuple[str, ...]
    judges: tuple[str, ...] = ()
    repeats: int = Field(default=1, ge=1, le=MAX_REPEATS)
    baseline: str = ""
    budget: Decimal | None = None
    seed: int = SEED

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        keys = [cell.key for cell in self.cells]
        if len(set(keys)) < len(keys):
            raise ValueError("A configuration is listed twice.")
        if self.baseline not in keys:
            raise ValueError("The baseline must be one of the configurations.")
        return self

    @property
    def by_key(self) -> dict[str, Cell]:
        return {cell.key: cell for cell in self.cells}

    def times(self, cell: Cell) -> int:
        """How often a cell is asked each question: once if it quotes, because quotations never differ."""
        return self.repeats if cell.is_written else 1


def experiment_settings(
    *,
    presets: Sequence[str],
    grid: Mapping[str, Sequence[str]] | None = None,
    generators: Sequence[str] = (QUOTED,),
    measures: Sequence[str] = (),
    judges: Sequence[str] = (),
    repeats: int = 1,
    baseline: str = "",
    budget: Decimal | None = None,
) -> ExperimentSettings:
    """Settings as people give them; presets and changes are looked up when the experiment starts.

    Args:
        presets: Names, each with changes after it if there are any: "policy-copilot reranker=off".
        grid: Values to vary; each combination is one configuration.
        generators: "quoted", "written", "written:MODEL" for one model by name, or several of them.
        measures: Names of rules; all where none is given.
        judges: Names of judges.
        repeats: How often a model is asked each question.
        baseline: Key of the configuration that the others are compared with; the first where "".
        budget: As of `ExperimentSettings`.

    Raises:
        ExperimentError: nothing to compare, too much of it, or a name that nobody knows.
    """
    if empty := [name for name, values in (grid or {}).items() if not values]:
        raise ExperimentError(f"The grid has no value for {empty[0]!r}. Give one or more.")
    cells = list(_cells(presets, grid or {}, generators))
    if not cells:
        raise ExperimentError("An experiment compares one preset or more. Choose some.")
    if len(cells) > MAX_CELLS:
        raise ExperimentError(f"These are {len(cells)} configurations; at most {MAX_CELLS} fit into one experiment.")
    if not 1 <= repeats <= MAX_REPEATS:
        raise ExperimentError(f"Repeat each question 1 to {MAX_REPEATS} times.")
    if budget is not None and budget <= 0:
        raise ExperimentError("The budget must be above 0; leave it empty for none.")
    if unknown := [name for name in measures if name not in RULES]:
        raise ExperimentError(f"No measure is called {unknown[0]!r}; choose of: {', '.join(RULES)}.")
    keys = [cell.key for cell in cells]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise ExperimentError(f"{twice[0]!r} is listed twice. Name each configuration once.")
    if long := [key for key in keys if len(key) > MAX_KEY]:
        raise ExperimentError(f"{long[0][:60]!r}… is longer than {MAX_KEY} characters. Save it as a preset first.")
    if baseline and baseline not in keys:
        raise ExperimentError(f"The baseline {baseline!r} is not one of: {', '.join(keys)}.")
    return ExperimentSettings(
        cells=tuple(cells),
        measures=tuple(measures) or tuple(RULES),
        judges=tuple(judges),
        repeats=repeats,
        baseline=baseline or keys[0],
        budget=budget,
    )


def cell_preset(*, organization: Organization, user: User | None, corpus_id: UUID, cell: Cell) -> AnswerPreset:
    """The preset that answers for a cell; opens its own short transaction where it has to look.

    Raises:
        PresetError, ExperimentError: no such preset or change, or it cannot answer that way.
    """
    mode = _mode(cell.preset, cell.generator)
    if cell.preset in BASELINES:
        preset = BASELINES[cell.preset][0]
        if not mode:
            only = "quoted" if cell.is_written else "written by a model"
            raise ExperimentError(f"{preset.title} is {only} only; leave the other out.")
        changed = preset_changed(preset, cell.overrides)
    else:
        changed = preset_resolve(
            organization=organization, user=user, corpus_id=corpus_id, name=cell.preset, overrides=cell.overrides
        )
    answer = policy_of(changed).model_copy(update={"mode": mode})
    return AnswerPreset.model_validate(changed.model_dump() | {"answer": answer.model_dump()})


def preset_names() -> dict[str, str]:
    """The presets of every corpus, product's and baselines, with their titles."""
    own = {name: preset.title for name, preset in PRESETS.items()}
    return own | {name: preset.title for name, (preset, _, _) in BASELINES.items()}


def is_unchecked(cell: Cell) -> bool:
    """Whether the cell's answers are read together with text that passed no check."""
    return _mode(cell.preset, cell.generator) in UNCHECKED


def _cells(presets: Iterable[str], grid: Mapping[str, Sequence[str]], generators: Iterable[str]) -> Iterable[Cell]:
    chosen = list(generators)
    for name in chosen:
        if name not in GENERATORS and not _OF_MODEL.fullmatch(name):
            names = ", ".join([*GENERATORS, f"{OF_MODEL}MODEL"])
            raise ExperimentError(f"No generator is called {name!r}; choose of: {names}.")
    for preset in presets:
        name, *changes = preset.split()
        own = settings_read(changes)
        if twice := sorted(own.keys() & grid.keys()):
            raise ExperimentError(f"{preset!r} and the grid both say {twice[0]!r}. Leave one of them out.")
        for values in product(*grid.values()):
            overrides = own | dict(zip(grid, values, strict=True))
            for generator in chosen:
                # A baseline that cannot answer that way is left out where it is asked for both.
                if _mode(name, generator) or len(chosen) == 1:
                    yield Cell(preset=name, overrides=overrides, generator=generator)


def _mode(preset: str, generator: str) -> str:
    """The strategy by which a preset answers; "" where it cannot answer that way."""
    _, quoted, written = BASELINES.get(preset, (None, QUOTED, WRITTEN))
    return quoted if generator == QUOTED else written
