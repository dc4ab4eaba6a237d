"""What an answer may promise: that it is quoted, which is a fact, and that it answers, which is a judgment.

The bounds are ours: words for people, no decision hangs on them.
"""

from collections.abc import Mapping
from typing import Any

from legalqa.answering.composing.amounts import BREACH, HEADING
from legalqa.answering.models import Answer, AnswerMode, AnswerState

ANSWERS = 0.8  # the reader's probability from which a passage is said to answer
MAY_ANSWER = 0.4  # the reader's probability from which a passage is said perhaps to answer
LIKELY = 0.75  # confidence from which a whole answer is called likely
RATHER = 0.5  # confidence from which a whole answer is called rather likely
QUOTED = "Quoted word for word"
WRITTEN = "Written by a model, each statement checked"
CHANGED = "The document has changed since"
NAMED = "The provision that you asked for"
NAMED_HELP = (
    "It is quoted because the question names it, or asks when a law applies or who made a contract. No reading model "
    "judged whether it answers."
)
TOLD_HELP = {
    BREACH: (
        "The provision sets a penalty for any breach of rules, and the same document has the rule that you ask about. "
        "The estimate rests on that, not on the reading model. Read the provision before you rely on it."
    ),
    HEADING: (
        "The provision is recognised by its heading: it has the only amount or time below a heading that names what "
        "you ask for. The estimate rests on that, not on the reading model. Read the provision before you rely on it."
    ),
}
CALIBRATED_ON = {
    True: (
        "The reading model's estimate of how likely this provision answers the question. It was fitted on "
        "questions about other documents, none of them yours. Read the provision before you rely on it."
    ),
    False: (
        "An estimate from how close the provision is to the question in meaning; no reading model is on. It "
        "was fitted on questions about other documents, none of them yours."
    ),
}


def promises(answer: Answer, *, is_outdated: bool) -> dict[str, Any]:
    """The two statements on top of an answer, apart from one another.

    "fact" says how its words came about, and gives way to the change of a document; "judgment" says how likely they
    answer the question, with "help" on where the figure is from. It is "" if nothing was judged, for instance what a
    model wrote: the probability stored with that is the one of the best provision, quoted or not.
    """
    is_quoted = answer.mode == AnswerMode.EXTRACTIVE
    is_read = any(row.get("reader") is not None for row in answer.evidence)
    is_judged = is_quoted and answer.state in (AnswerState.ANSWERED, AnswerState.PARTIAL)
    return {
        "fact": CHANGED if is_outdated else QUOTED if is_quoted else WRITTEN,
        "fact_tone": "partly" if is_outdated else "ok",
        "judgment": _judgment(answer) if is_judged else "",
        "judgment_tone": "ok" if (_chance(answer) or 0) >= LIKELY else "partly",
        "help": _help(answer, is_read=is_read),
    }


def reader_word(row: Mapping[str, Any]) -> str:
    """What the reader says of a passage; "" if no reader has read it."""
    chance = row.get("reader")
    if chance is None:
        return ""
    return "Answers" if chance >= ANSWERS else "May answer" if chance >= MAY_ANSWER else "On the subject"


def _help(answer: Answer, *, is_read: bool) -> str:
    if answer.composition.get("is_named"):
        return NAMED_HELP
    return TOLD_HELP.get(answer.composition.get("told_by", ""), CALIBRATED_ON[is_read])


def _judgment(answer: Answer) -> str:
    if answer.composition.get("is_named"):
        return NAMED
    if (chance := _chance(answer)) is None:
        return ""
    answers = "Answers part of the question" if answer.state == AnswerState.PARTIAL else "Answers the question"
    word = "likely" if chance >= LIKELY else "rather likely" if chance >= RATHER else "uncertain"
    return f"{answers}: {word}, {min(99, round(100 * chance))} %"


def _chance(answer: Answer) -> float | None:
    """How likely the whole answer answers; with several answered parts, as likely as the least likely of them."""
    chances = (part["chance"] for part in answer.composition.get("parts", []) if "chance" in part)
    return min(chances, default=answer.confidence)
