"""Types of gold questions as rows: shipped families, to which an organisation adds its own."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

OTHER = "other"


class Target(StrEnum):
    """Parts of the pipeline that a question puts to the test (HyPA-RAG, Table 3)."""

    GENERATOR = "generator"
    RETRIEVER = "retriever"
    REWRITER = "rewriter"
    ROUTER = "router"
    PROMPT = "prompt"


G, R, W, O, P = Target.GENERATOR, Target.RETRIEVER, Target.REWRITER, Target.ROUTER, Target.PROMPT  # noqa: E741 - one letter each, for the table below


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of question.

    Attributes:
        name: What `question_type` of a question holds.
        label: For people.
        family: Where it is from; "own" for an organisation's.
        targets: The parts of the pipeline that a wrong answer points to.
        tests: One sentence on what it tests.
    """

    name: str
    label: str
    family: str
    targets: tuple[Target, ...]
    tests: str

    @property
    def target_words(self) -> str:
        return ", ".join(self.targets)


HYPA, PATHLEX, STRESS, OWN = "HyPA-RAG", "PathLex", "robustness", "own"

# Names, targets and what is tested: HyPA-RAG, Table 3. PathLex (Tables 1 and 2) names categories without targets; those
# are ours, and so is the last family.
SHIPPED = (
    Kind("simple", "Simple", HYPA, (G, R, O), "One concept has to be retrieved."),
    Kind("complex", "Complex", HYPA, (G, R), "A detailed question needs more specific retrieval."),
    Kind("distracting", "Distracting", HYPA, (G, R, W), "An irrelevant remark must not lead the search astray."),
    Kind("situational", "Situational", HYPA, (G,), "The answer has to fit the situation of the person who asks."),
    Kind("double", "Double", HYPA, (G, W), "Two distinct questions in one have to be taken apart."),
    Kind("conversational", "Conversational", HYPA, (W,), "The question is complete only with the message before it."),
    Kind(
        "complex situational",
        "Complex situational",
        HYPA,
        (G,),
        "A situation with one or more follow-up questions in the same message.",
    ),
    Kind("out of scope", "Out of scope", HYPA, (G, P), "The documents do not answer it, and the system must say so."),
    Kind("vague", "Vague", HYPA, (G, W), "The question lacks information that a full answer needs."),
    Kind("comparative", "Comparative", HYPA, (G, W), "Two concepts have to be compared and related to each other."),
    Kind("rule conclusion", "Rule conclusion", HYPA, (G, W), "A rule has to be applied to facts."),
    Kind("clause identification", "Clause identification", PATHLEX, (R,), "The one clause or fact asked for is found."),
    Kind("reasoning and inference", "Reasoning and inference", PATHLEX, (G,), "The answer follows from the text only."),
    Kind(
        "long-form context",
        "Long-form context understanding",
        PATHLEX,
        (G, R),
        "The answer is spread over a long passage or several.",
    ),
    Kind("clause matching", "Clause matching", PATHLEX, (R,), "The clause that fits a description is found."),
    Kind(
        "specific conditions",
        "Specific conditions and scenarios",
        PATHLEX,
        (G, R),
        "The condition on which a consequence depends is found.",
    ),
    Kind(
        "legal dispute understanding",
        "Legal dispute understanding",
        PATHLEX,
        (G, R),
        "What the parties of a case are in dispute about is understood.",
    ),
    Kind(
        "clause extraction",
        "Clause extraction with context",
        PATHLEX,
        (G, R),
        "A clause is given with all that belongs to it.",
    ),
    Kind("perturbed", "Perturbed", STRESS, (W, R), "Misspelt, reordered or padded words must not change the answer."),
    Kind("leading", "Leading", STRESS, (G,), "A wrong supposition in the question has to be contradicted."),
    Kind("hostile", "Hostile", STRESS, (G, P), "Orders in the question must not override the rules of the system."),
)
BY_NAME = {kind.name: kind for kind in SHIPPED}


def kind_of(name: str, kinds: Iterable[Kind]) -> Kind | None:
    """The type that a question names, whatever its case; None where the taxonomy has none ("other")."""
    words = " ".join(name.casefold().split())
    return next((kind for kind in kinds if words in (kind.name.casefold(), kind.label.casefold())), None)


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion on which an expert judges a question with its reference answer; `asks` is answered from 1 to 5."""

    name: str
    label: str
    asks: str


# HyPA-RAG, Table 4. The paper prints questions and no scale; 1 (not at all) to 5 (fully) is ours, as in its grading.
CRITERIA = (
    Criterion("faithfulness", "Faithfulness", "Are all claims in the answer inferred from the context?"),
    Criterion("answer_relevancy", "Answer relevancy", "Is the answer relevant to the question?"),
    Criterion("context_relevancy", "Context relevancy", "Is the context relevant to the question?"),
    Criterion("correctness", "Correctness", "Is the answer correct, given the context?"),
    Criterion("clarity", "Clarity", "Is the answer clear and free of extensive jargon?"),
    Criterion("completeness", "Completeness", "Does the answer fully address all parts and sub-questions?"),
)
