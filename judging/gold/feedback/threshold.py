"""The threshold for answers of a corpus, chosen from what people said of its answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from corpora.models import Corpus
from corpora.selectors import corpus_get
from judging.measures.abstention import ReliabilityBin, calibration_error, reliability_bins
from judging.measures.conformal import risk_controlled_threshold
from judging.measures.values import Undefined, Value, number
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.composing.composing import THRESHOLD
from legalqa.answering.models import AnswerGrade, Grade, Purpose
from legalqa.common.errors import ApplicationError, Conflict
from retrieval.services.lab import query_hash

LEAST_GRADES = 30  # ours: fewer questions say little about the next one
RISKS: Final = (0.05, 0.1, 0.2)  # shares of all questions that may be answered and be wrong
BINS = 5
# The loss of answering. Nobody has seen what a declined answer would have said, so it counts as wrong.
_LOSS = {Grade.RIGHT: 0.0, Grade.PARTLY: 0.5, Grade.WRONG: 1.0, Grade.RIGHTLY_SILENT: 1.0, Grade.MISSED: 1.0}
# Whether the documents answer the question; nothing is known of an answer that is partly right.
_ANSWERS = {Grade.RIGHT: True, Grade.WRONG: False, Grade.RIGHTLY_SILENT: False, Grade.MISSED: True}


@dataclass(frozen=True, slots=True)
class GradedChance:
    """A graded question: its chance of an answer, 0 to 1, and the last grade."""

    chance: float
    grade: Grade

    @property
    def loss(self) -> float:
        """What answering it would lose, 0 to 1."""
        return _LOSS[self.grade]


@dataclass(frozen=True, slots=True)
class Choice:
    """A promise: the threshold that keeps it, and the resulting shares on the graded questions.

    `answered` and `wrong` are shares of all of them; 0 where there is no threshold.
    """

    risk: float
    threshold: Value
    answered: float = 0.0
    wrong: float = 0.0

    @property
    def chance(self) -> float | None:
        """The threshold; None where there is none."""
        return number(self.threshold)

    @property
    def reason(self) -> str:
        """Why there is no threshold; "" where there is one."""
        return self.threshold.reason if isinstance(self.threshold, Undefined) else ""


@dataclass(frozen=True, slots=True)
class ThresholdReport:
    """What the grades of a corpus say about its threshold.

    Attributes:
        threshold: In use now; `is_own` whether it was chosen for this corpus.
        n_grades: Graded questions that count; below `least` nothing can be chosen.
        choices: One for each of RISKS.
        bins: Stated chance of an answer beside the share that was so.
        error: The mean distance of the two (expected calibration error); None without questions.
    """

    threshold: float
    is_own: bool
    n_grades: int
    least: int
    choices: list[Choice]
    bins: list[ReliabilityBin]
    error: float | None


def graded_chances(*, organization: Organization, corpus: Corpus) -> list[GradedChance]:
    """The graded questions of a corpus that a threshold can be chosen on.

    One for each question, by its last grade; only answers that the reader composed, with the encoder in use now: other
    chances mean something else.
    """
    grades = AnswerGrade.objects.filter(
        organization=organization,
        corpus=corpus,
        answer__purpose=Purpose.ASKED,
        answer__confidence__isnull=False,
        answer__composition__has_key="kind",
        answer__made_from__encoder=corpus.encoder,
    ).order_by("changed_at", "pk")
    rows = grades.values_list("answer__question__text", "answer__asked__former", "answer__confidence", "grade")
    last = {(query_hash(query=text), tuple(former or ())): (chance, grade) for text, former, chance, grade in rows}
    return [GradedChance(chance, Grade(grade)) for chance, grade in last.values() if chance is not None]


def threshold_report(*, organization: Organization, corpus_id: UUID) -> ThresholdReport:
    """What the grades of a corpus say about its threshold.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    items = graded_chances(organization=organization, corpus=corpus)
    pairs = [(item.chance, _ANSWERS[item.grade]) for item in items if item.grade in _ANSWERS]
    chances, labels = [chance for chance, _ in pairs], [label for _, label in pairs]
    is_own = corpus.answer_threshold is not None
    return ThresholdReport(
        corpus.answer_threshold if corpus.answer_threshold is not None else THRESHOLD,
        is_own,
        len(items),
        LEAST_GRADES,
        [_choice(items, risk) for risk in RISKS],
        reliability_bins(chances, labels, bins=BINS) if pairs else [],
        number(calibration_error(chances, labels, bins=BINS)),
    )


def threshold_set(*, organization: Organization, user: User, corpus_id: UUID, risk: float | None) -> Corpus:
    """Use the threshold that keeps this risk on the graded questions; with None the usual one again.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the risk is not one of RISKS.
        Conflict: too few grades, or no threshold keeps the risk.
    """
    report = threshold_report(organization=organization, corpus_id=corpus_id)
    value = None if risk is None else _value(report, risk)
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    corpus.answer_threshold = value
    corpus.save(update_fields=["answer_threshold"])
    audit(
        organization=organization,
        actor=user,
        action="threshold.saved",
        subject_id=corpus.pk,
        threshold="the usual one" if value is None else f"{value:.2f}",
    )
    return corpus


def _value(report: ThresholdReport, risk: float) -> float:
    choice = next((choice for choice in report.choices if choice.risk == risk), None)
    if choice is None:
        choices = ", ".join(f"{one:g}" for one in RISKS)
        raise ApplicationError(f"There is no risk {risk:g}; choose one of: {choices}.", code="unknown_risk")
    if isinstance(choice.threshold, Undefined):
        raise Conflict(
            f"No threshold was set: {choice.threshold.reason}. Grade more answers, or choose another risk.",
            code="no_threshold",
        )
    return choice.threshold


def _choice(items: Sequence[GradedChance], risk: float) -> Choice:
    if len(items) < LEAST_GRADES:
        missing = Undefined(f"{len(items)} of at least {LEAST_GRADES} graded questions")
        return Choice(risk, missing)
    chances, losses = [item.chance for item in items], [item.loss for item in items]
    threshold = risk_controlled_threshold(chances, losses, risk=risk)
    if isinstance(threshold, Undefined):
        return Choice(risk, threshold)
    lost = [loss for chance, loss in zip(chances, losses, strict=True) if chance >= threshold]
    return Choice(risk, threshold, len(lost) / len(items), sum(lost) / len(items))
