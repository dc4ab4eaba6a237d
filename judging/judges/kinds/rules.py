"""Judges that ask no model: words shared with the reference, gold passages, length, and what the reader says."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from judging.judges.asking import Unread
from judging.judges.kinds.base import NO_PASSAGES, NOTHING_SAID, Graded, judgment, not_applicable
from judging.judges.types import JudgedAnswer, JudgedItem, Judgment, Status
from judging.measures.texts import bleu, length, rouge_l, token_f1
from judging.measures.values import Undefined
from legalqa.answering.verification import Claim, reads_support, support_checks
from legalqa.common.config import Config, fingerprint_of
from legalqa.common.sentences import sentence_spans
from legalqa.encoder.client import reader_file, reader_is_on, reading

NO_READER = Unread(Status.FAILED, "The reader is switched off, or there is none.")
_WORD = re.compile(r"\w+")


class RuleSettings(Config):
    """A judge by rule has none."""


class RuleJudge(ABC):
    """A judge that gives every answer its values without asking anybody; the same answer always has the same."""

    needs_model = False
    kind: ClassVar[str]
    measures: dict[str, tuple[float, float]]
    rules: ClassVar[int] = 1  # raised when a rule changes that may change a value

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = fingerprint_of([self.kind, self.rules, self.artefact()])

    def artefact(self) -> str:
        """What else a value depends on."""
        return ""

    @abstractmethod
    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        """The value of each measure, with its reason, or why there is none."""

    def judge(self, item: JudgedItem) -> Sequence[Judgment]:
        graded = [self._graded(item, answer) for answer in item.answers]
        return [judgment(m, place, values[m]) for place, values in enumerate(graded) for m in self.measures]

    def _graded(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        if answer.is_silent:
            return dict.fromkeys(self.measures, not_applicable(NOTHING_SAID))
        return self.grade(item, answer)


class WordsJudge(RuleJudge):
    """Words shared with the reference answer: F1 of words, ROUGE-L and BLEU (`judging.measures.texts`)."""

    kind = "words"
    measures = {"token F1": (0, 1), "ROUGE-L": (0, 1), "BLEU": (0, 1)}

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        values = {
            "token F1": token_f1(answer.text, item.reference_answer),
            "ROUGE-L": rouge_l(answer.text, item.reference_answer),
            "BLEU": bleu(answer.text, item.reference_answer),
        }
        return {
            measure: not_applicable(value.reason) if isinstance(value, Undefined) else (value, "")
            for measure, value in values.items()
        }


class CitationsJudge(RuleJudge):
    """The passages of the answer against the gold passages: share that is gold, and share of gold that is there.

    Two texts are one passage where one holds the other, blanks and case aside.
    """

    kind = "citations"
    measures = {"citation precision": (0, 1), "citation recall": (0, 1)}

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        if not item.gold_passages:
            return dict.fromkeys(self.measures, not_applicable("No passage is marked as gold."))
        cited, gold = ([_flat(text) for text in texts] for texts in (answer.passages, item.gold_passages))
        right = sum(any(_is_one(text, other) for other in gold) for text in cited)
        reached = sum(any(_is_one(text, other) for other in cited) for text in gold)
        precision: Graded = (right / len(cited), "") if cited else not_applicable(NO_PASSAGES)
        return {"citation precision": precision, "citation recall": (reached / len(gold), "")}


class LengthJudge(RuleJudge):
    """Words of the answer: the baseline that every judge must beat, since many prefer the longer answer."""

    kind = "length"
    measures = {"length": (0, float("inf"))}

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:  # noqa: ARG002 - of every judge
        return {"length": (length(answer.text), "")}


class ReaderJudge(RuleJudge):
    """The reader: the share of the answer's sentences that its passages do not support, and whether it answers.

    Source: Policy Copilot 2.5, ungrounded rate, with this product's own checks of support in place of word overlap.
    """

    kind = "reader"
    measures = {"ungrounded": (0, 1), "answers the question": (0, 1)}

    def artefact(self) -> str:
        file = reader_file()
        return f"{file.name}, {file.stat().st_size} bytes" if reader_is_on() else ""

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        if not reader_is_on():
            return dict.fromkeys(self.measures, NO_READER)
        [read] = reading([(item.question, answer.text)])
        return {"ungrounded": self._ungrounded(answer), "answers the question": (read.answers, "")}

    def _ungrounded(self, answer: JudgedAnswer) -> Graded:
        sentences = [answer.text[start:end].strip() for start, end in sentence_spans(answer.text)]
        sentences = [sentence for sentence in sentences if _WORD.search(sentence)]
        if not sentences:
            return not_applicable("The answer states nothing.")
        if not answer.passages:
            return not_applicable(NO_PASSAGES)
        checks = support_checks([Claim(sentence, answer.passages) for sentence in sentences], reads=reads_support())
        bare = [text for text, check in zip(sentences, checks, strict=True) if check.verdict != "supported"]
        return len(bare) / len(sentences), f"Not supported: {' '.join(bare)}" if bare else ""


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_one(text: str, other: str) -> bool:
    return bool(text and other) and (text in other or other in text)
