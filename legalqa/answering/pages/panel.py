"""What the settings drawer says before a question is asked: how complex it looks, and which settings follow."""

from dataclasses import replace
from typing import Any

from legalqa.answering.types import Question
from retrieval.pipelines.adaptive import class_words
from retrieval.pipelines.presets import Adaptive
from retrieval.services.mappings import preset_for_question


def question_classed(*, question: Question) -> dict[str, Any]:
    """The class of a question in words, with the probabilities of all classes and the settings that would be used.

    For a method that detects no complexity, `applies` is False, and the class is that of three.

    Raises:
        NotFound, ApplicationError: as `preset_for_question`.
    """
    preset = question.preset
    detecting = preset if preset.adaptive else preset.model_copy(update={"adaptive": Adaptive(n_classes=3)})
    _, step = preset_for_question(request=replace(question, preset=detecting))
    assert step is not None  # the preset that was asked for detects it
    chances = step["probabilities"]
    return {
        "applies": preset.adaptive is not None,
        "words": step["words"],
        "is_chosen": step["chosen_by"] == "person",
        "predicted": class_words(step["predicted"], step["n_classes"]),
        "is_middle": chances[step["predicted"]] < max(chances),  # of ordered classes
        "chances": [
            {"words": class_words(label, step["n_classes"]), "percent": round(100 * chance)}
            for label, chance in enumerate(chances)
        ],
        "classifier": step["classifier"],
        "version": step["classifier_version"],
        "mapping": step["mapping"],
        "k": "by how steeply the ranking falls" if step["k_by_ranking"] else step["k"],
        "rewrites": step["rewrites"] or "off",
    }
