"""Forms of annotation: what is asked of an item, on which scale, with the words and an example at each point.

A form is only described here. Its page, its endpoint, its checks, its figures and its exports follow from the
description; none of them names a form.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from legalqa.common.errors import ApplicationError

CANNOT_JUDGE = "cannot_judge"
LETTERS = "ABCDEF"
MAX_ANSWERS = len(LETTERS)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a scale in words; `example` shows what deserves it."""

    value: int
    words: str
    example: str = ""

    @property
    def key(self) -> str:
        """The key that chooses it: its digit, and 0 for ten."""
        return str(self.value % 10)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that is graded.

    Attributes:
        points: Of its scale, the lowest first.
        passes_at: Grades from here on say "good enough"; None where the scale has no such point.
        is_choice: The points name answers, so that they are not a scale: 1 and 2 are the first and the second answer.
    """

    key: str
    name: str
    question: str
    points: tuple[Point, ...]
    passes_at: int | None = None
    is_choice: bool = False

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(point.value for point in self.points)

    def differs(self, values: Sequence[int]) -> bool:
        """Whether grades of one thing need an adjudication: a range of half the scale, or both sides of `passes_at`.

        On a scale of 1 to 5 that is a range of 2 or more, or the other side of 4. Of choices, any two that differ.
        """
        if len(set(values)) < 2:
            return False
        span = max(values) - min(values)
        is_split = self.passes_at is not None and min(values) < self.passes_at <= max(values)
        return self.is_choice or is_split or 2 * span >= self.points[-1].value - self.points[0].value


@dataclass(frozen=True, slots=True)
class Form:
    """A form.

    Attributes:
        version: Raised whenever a word changes that a grader reads.
        n_answers: The fewest and the most answers of an item.
        is_per_answer: Each criterion is asked of every answer; otherwise once of the item.
        shows_reference: Graders read the reference answer. Never where it may be one of the answers.
    """

    key: str
    name: str
    summary: str
    version: int
    criteria: tuple[Criterion, ...]
    n_answers: tuple[int, int] = (1, 1)
    is_per_answer: bool = True
    shows_reference: bool = False

    @property
    def is_side_by_side(self) -> bool:
        return self.n_answers[1] > 1

    def fields(self, n_answers: int) -> Iterator[tuple[Criterion, int]]:
        """Each thing that an item of this many answers is graded for: a criterion and the place of an answer."""
        for answer in range(n_answers if self.is_per_answer else 1):
            for criterion in self.criteria:
                yield criterion, answer

    def asked(self, criterion: str, answer: int, *, n_answers: int) -> Criterion | None:
        """The criterion that the answer at this place is graded by, of so many; None where the form asks no such."""
        things = self.fields(n_answers)
        return next((one for one, place in things if (one.key, place) == (criterion, answer)), None)

    def criterion(self, key: str) -> Criterion:
        return next(criterion for criterion in self.criteria if criterion.key == key)


def form_get(key: str) -> Form:
    """The form of that key.

    Raises:
        ApplicationError: there is none; the message lists them.
    """
    if key not in FORMS:
        raise ApplicationError(f"There is no form {key[:20]!r}. Choose one of {', '.join(FORMS)}.", code="unknown_form")
    return FORMS[key]


def field_key(criterion: str, answer: int) -> str:
    """How records name a grade: `correctness`, or `quality.2` for the third answer."""
    return f"{criterion}.{answer}" if answer else criterion


def shown_value(criterion: Criterion, value: int, order: Sequence[int]) -> int:
    """A stored value as the grader sees it, with the answers in their order; the reverse is `stored_value`."""
    return order.index(value - 1) + 1 if criterion.is_choice and value <= len(order) else value


def stored_value(criterion: Criterion, value: int, order: Sequence[int]) -> int:
    """A value that a grader chose, as it is stored: choices name answers by their place in the item's list."""
    return order[value - 1] + 1 if criterion.is_choice and value <= len(order) else value


def known_checked(form: Form, n_answers: int, known: dict[str, Any]) -> dict[str, int]:
    """Known grades by `field_key`, each on its scale.

    Raises:
        ApplicationError: a name that the form does not ask for, or a value off the scale.
    """
    scales = {field_key(criterion.key, answer): criterion.values for criterion, answer in form.fields(n_answers)}
    for name, value in known.items():
        if name not in scales:
            raise ApplicationError(f"the form does not ask for {name[:40]!r}; it asks for {', '.join(scales)}.")
        if value not in scales[name] or isinstance(value, bool):
            raise ApplicationError(
                f"{name} is graded {scales[name][0]} to {scales[name][-1]}, not {value!r}. Give one of those."
            )
    return known


def _scale(*points: tuple[str, str]) -> tuple[Point, ...]:
    return tuple(Point(value, *point) for value, point in enumerate(points, start=1))


# HyPA-RAG, appendix A.5, Table 4: the six criteria and their questions. The words at the points and the examples are
# ours; the paper gives neither. All examples are on one question, “When is the rent due?”, and one passage, “The rent
# of 900 euros is due on the third day of each month.”
HYPA = (
    Criterion(
        "faithfulness",
        "Faithfulness",
        "Are all claims in the answer inferred from the context?",
        _scale(
            ("No claim follows from the passages", "“Rent is due in advance, by cheque.”"),
            ("Most claims do not follow", "“Rent is due on the third, in advance and by cheque.”"),
            ("About half of the claims follow", "“Rent is due on the third, by cheque.”"),
            ("All but a minor claim follow", "“Rent of about 900 euros is usually due on the third.”"),
            ("Every claim follows from the passages", "“Rent of 900 euros is due on the third of each month.”"),
        ),
        passes_at=4,
    ),
    Criterion(
        "answer_relevancy",
        "Answer relevancy",
        "Is the answer relevant to the question?",
        _scale(
            ("About something else", "“The landlord repairs the roof.”"),
            ("Touches on the subject only", "“The lease provides for rent.”"),
            ("Answers in part, or among much else", "“The rent is 900 euros; it is paid monthly.”"),
            ("Answers, with something beside the point", "“On the third of the month; the roof is the landlord's.”"),
            ("Answers what was asked, and only that", "“On the third day of each month.”"),
        ),
        passes_at=4,
    ),
    Criterion(
        "context_relevancy",
        "Context relevancy",
        "Is the context relevant to the question?",
        _scale(
            ("No passage has to do with the question", "Only passages on the roof and the keys"),
            ("Passages on the subject, none that answers", "A passage on how rent is increased"),
            ("One that answers among several that do not", "The rent clause and four others"),
            ("Mostly passages that answer", "The rent clause, its definition, one other"),
            ("Only passages that answer", "The rent clause"),
        ),
        passes_at=4,
    ),
    Criterion(
        "correctness",
        "Correctness",
        "Is the answer correct, given the context?",
        _scale(
            ("Wrong", "“On the first of each year.”"),
            ("Mostly wrong", "“On the first day of each month.”"),
            ("Right in part", "“Each month.”"),
            ("Right but for a detail", "“On the third day of each month, by noon.”"),
            ("Right", "“On the third day of each month.”"),
        ),
        passes_at=4,
    ),
    Criterion(
        "clarity",
        "Clarity",
        "Is the answer clear and free of extensive jargon?",
        _scale(
            ("Cannot be understood", "“Rent third such month as aforesaid due.”"),
            ("Understood only by reading it several times", "“The periodic consideration falls in on the tertian.”"),
            ("Understood with some effort", "“The rent reserved hereunder is due on the third.”"),
            ("Clear but for a word or two", "“The rent is payable on the third day of each calendar period.”"),
            ("Clear at first reading", "“Rent is due on the third of each month.”"),
        ),
        passes_at=4,
    ),
    Criterion(
        "completeness",
        "Completeness",
        "Does the answer fully address all parts and sub-questions?",
        _scale(
            ("Addresses no part", "“See the lease.”"),
            ("Addresses a minor part", "“Monthly.”"),
            ("Addresses about half", "Asked when and how much: “On the third.”"),
            ("Leaves out a minor part", "Asked when and how much: “On the third; about 900.”"),
            ("Addresses every part", "Asked when and how much: “900 euros, on the third of each month.”"),
        ),
        passes_at=4,
    ),
)

# HyPA-RAG, appendix A.7: correctness of 1 to 5 against a reference answer; 4 and more count as correct.
CORRECTNESS = Criterion(
    "correctness",
    "Correctness",
    "How correct is the answer, beside the reference answer and the passages?",
    _scale(
        ("Not relevant to the question", "“The landlord repairs the roof.”"),
        ("Relevant, but wrong", "“Rent is due on the first.”"),
        ("Relevant, with mistakes or gaps that matter", "“Rent is due each month.”"),
        ("Correct, with a minor gap", "“On the third.”"),
        ("Fully correct", "“On the third day of each month.”"),
    ),
    passes_at=4,
)

# Eval-RAG, section 3: lawyers grade each answer of 1 to 10. The paper gives no words at the points; these are ours.
QUALITY = Criterion(
    "quality",
    "Overall quality",
    "As a lawyer: how good is this answer to the client's question?",
    _scale(
        ("Wrong, and harmful if relied on", "States the opposite of the law"),
        ("Wrong", "Applies a rule that does not exist"),
        ("Mostly wrong", "Right rule, wrong result"),
        ("More wrong than right", "Misses the provision that decides the case"),
        ("Right and wrong in equal parts", "Right result, wrong reason"),
        ("More right than wrong", "Right, without the exception that matters"),
        ("Right with gaps", "Right rule and result, no source"),
        ("Right", "Right rule, result and source"),
        ("Right and thorough", "Also says what to look out for"),
        ("As good as a careful colleague's", "Could be sent to the client as it is"),
    ),
)

PREFERENCE = Criterion(
    "preference",
    "Preference",
    "Which answer would you rather send to the client?",
    _scale(
        ("Answer A", "A is right where B leaves out the exception"),
        ("Answer B", "B is right where A leaves out the exception"),
        ("Both are equally good", "Same rule, same result, same source"),
        ("Neither can be used", "Both name the wrong day"),
    ),
    is_choice=True,
)

SUPPORT = Criterion(
    "support",
    "Support",
    "Do the passages support this statement?",
    _scale(
        ("Contradicted", "“Rent is due on the first.”"),
        ("Not supported", "“Rent is paid by cheque.”"),
        ("Supported in part", "“Rent is due on the third, by cheque.”"),
        ("Supported", "“Rent is due on the third of each month.”"),
    ),
    passes_at=4,
)

# The six criteria are those of HyPA-RAG, Table 4.
FORMS = {
    form.key: form
    for form in (
        Form("criteria", "Six criteria", "Each answer is graded 1 to 5 on each of them.", 1, HYPA),
        Form(
            "correctness",
            "Correctness",
            "One grade of 1 to 5 beside the reference answer.",
            1,
            (CORRECTNESS,),
            shows_reference=True,
        ),
        Form("lawyer", "Side by side", "Two to six answers, each graded 1 to 10.", 1, (QUALITY,), (2, MAX_ANSWERS)),
        Form("pairwise", "Which is better", "Two answers, one choice.", 1, (PREFERENCE,), (2, 2), is_per_answer=False),
        Form("support", "Support of a statement", "One statement and the passages that it cites.", 1, (SUPPORT,)),
    )
}
