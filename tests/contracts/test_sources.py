"""Each registered component says where it comes from: a paper, a library, or that it is ours."""

import inspect
from typing import Any

import pytest

from corpora.chunkers import CHUNKERS
from judging.judges.asking import Bench
from judging.judges.registry import KINDS
from legalqa.answering.strategies.registry import STRATEGIES
from legalqa.llm.types import LLMReply
from retrieval.complexity.baselines import RandomClassifier
from retrieval.complexity.linear import LinearClassifier
from retrieval.complexity.transformer import TransformerClassifier
from retrieval.complexity.zero_shot import ZeroShotClassifier
from retrieval.rewriters import REWRITERS
from retrieval.stages import STAGES


def unasked(*_: Any) -> LLMReply:
    raise AssertionError("A judge asked a model while it was made.")


def judge_class(name: str) -> type:
    kind = KINDS.get(name)
    return type(kind.make(name, kind.settings.model_validate({}), Bench(unasked)))


COMPONENTS: dict[str, object] = {
    **{name: CHUNKERS.get(name) for name in CHUNKERS.names()},
    **{name: STAGES.get(name) for name in STAGES.names()},
    **{f"rewriter {name}": type(REWRITERS.get(name)) for name in REWRITERS.names()},
    **{f"judge {name}": judge_class(name) for name in KINDS.names()},
    **{f"strategy {name}": type(STRATEGIES.get(name)) for name in STRATEGIES.names()},
    **{each.__name__: each for each in (RandomClassifier, LinearClassifier, TransformerClassifier, ZeroShotClassifier)},
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_the_docstring_of_a_component_names_its_source(name: str) -> None:
    component = COMPONENTS[name]

    assert inspect.isclass(component)
    assert "Source: " in (component.__dict__["__doc__"] or ""), f"{component.__qualname__}: add its Source, or 'ours'."
