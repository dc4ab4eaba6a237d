"""What a caller sets says its unit, and what a component returns says its shape: in the docstring, where it is read."""

import inspect
import re
from collections.abc import Iterator
from decimal import Decimal
from operator import attrgetter
from typing import Any, get_args

import pytest

import legalqa.reproduce.types
import legalqa.urls
from corpora.chunkers.base import Chunker
from corpora.configs import CHUNKER_KINDS
from corpora.services.encoding import EndpointEncoder, QuestionEncoder, StoredEncoder
from judging.judges.registry import KINDS
from legalqa.common.config import Config
from legalqa.encoder.client import Encoder, LocalEncoder, RemoteEncoder
from legalqa.encoder.folders import FolderEncoder
from retrieval.complexity.types import Classifier
from retrieval.expanders import EXPANDERS
from retrieval.graph.queries import PathQuery
from retrieval.rerankers import RERANKERS
from retrieval.retrievers import RETRIEVERS
from retrieval.rewriters import REWRITERS, REWRITES
from retrieval.stages import STAGES
from tests.contracts.test_sources import COMPONENTS, judge_class

__all__ = ["legalqa"]  # imported so that every class of settings is there

NUMBERS = (int, float, Decimal)
ENCODERS = (Encoder, LocalEncoder, RemoteEncoder, FolderEncoder, StoredEncoder, EndpointEncoder, QuestionEncoder)
# Of a stage, what its family calls what it does; all others are run.
STAGE_METHODS = {
    **dict.fromkeys(RETRIEVERS.names(), "search"),
    **dict.fromkeys(RERANKERS.names(), "rerank"),
    **dict.fromkeys(EXPANDERS.names(), "links"),
    **dict.fromkeys(REWRITES.names(), "queries"),
}
JUDGE_METHODS = ("judge", "grade", "of_answer", "in_order")  # those that a kind of judge has of these
_ENTRY = re.compile(r"^    (\w+(?:, \w+)*): \S", re.MULTILINE)


def settings_classes(of: type[Config] = Config) -> Iterator[type[Config]]:
    """Every class of settings of the product, but for the one whose docstring is part of what a model is asked."""
    for each in of.__subclasses__():
        if not each.__module__.startswith("tests.") and each is not PathQuery:
            yield each
        yield from settings_classes(each)


def holds_numbers(annotation: Any) -> bool:
    return annotation in NUMBERS or any(map(holds_numbers, get_args(annotation)))


def attributes_said(settings: type[Config]) -> set[str]:
    """The fields that the docstring of a class, or of one that it inherits from, has under "Attributes"."""
    docs = [inspect.cleandoc(base.__dict__.get("__doc__") or "") for base in settings.__mro__]
    sections = [doc.partition("\nAttributes:\n")[2].partition("\n\n")[0] for doc in docs]
    return {name for section in sections for names in _ENTRY.findall(section) for name in names.split(", ")}


SETTINGS = {f"{each.__module__}.{each.__qualname__}": each for each in settings_classes()}
METHODS: dict[str, Any] = {
    **{f"stage {name}": getattr(STAGES.get(name), STAGE_METHODS.get(name, "run")) for name in STAGES.names()},
    "chunkers": Chunker.chunk,  # of all of them the same, and of classifiers: their contract says it
    "classifiers probabilities": Classifier.probabilities,
    "classifiers decide": Classifier.decide,
    **{f"rewriter {name}": type(REWRITERS.get(name)).__call__ for name in REWRITERS.names()},
    **{f"encoder {each.__name__}": each.encode for each in ENCODERS},
    **{
        f"judge {name} {method}": getattr(judge_class(name), method)
        for name in KINDS.names()
        for method in JUDGE_METHODS
        if hasattr(judge_class(name), method)
    },
    **{name: attrgetter("answer")(each) for name, each in COMPONENTS.items() if name.startswith("strategy ")},
}


def test_the_settings_of_every_component_are_among_those_that_are_looked_at() -> None:
    looked_at = set(SETTINGS.values())

    assert {STAGES.get(name) for name in STAGES.names()} <= looked_at
    assert set(CHUNKER_KINDS.values()) <= looked_at
    assert {KINDS.get(name).settings for name in KINDS.names()} <= looked_at


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_every_number_that_a_caller_sets_has_its_unit_in_the_docstring(name: str) -> None:
    settings = SETTINGS[name]
    numbers = {field for field, about in settings.model_fields.items() if holds_numbers(about.annotation)}

    assert numbers <= attributes_said(settings), f"{name}: give their unit and range under Attributes."


@pytest.mark.parametrize("name", METHODS)
def test_what_a_component_does_says_what_it_returns(name: str) -> None:
    doc = inspect.cleandoc(METHODS[name].__doc__ or "")

    assert re.search(r"^(?:Returns|Yields):\n    \S", doc, re.MULTILINE), f"{name}: say shape, order and range."
