"""A judge that asks the reader what an answer's passages support, and whether the text answers."""

import re

from judging.judges.asking import Unread
from judging.judges.kinds.base import NO_PASSAGES, Graded, not_applicable
from judging.judges.kinds.rules import RuleJudge
from judging.judges.types import JudgedAnswer, JudgedItem, Status
from legalqa.answering.verification import Claim, reads_support, support_checks
from legalqa.common.sentences import sentence_spans
from legalqa.encoder.client import reader_file, reader_is_on, reading

NO_READER = Unread(Status.FAILED, "The reader is switched off, or there is none.")
_WORD = re.compile(r"\w+")


class ReaderJudge(RuleJudge):
    """The reader: the share of the answer's sentences that its passages do not support, and whether it answers.

    Source: Policy Copilot 2.5, ungrounded rate, with this product's own checks of support in place of word overlap.
    """

    kind = "reader"
    measures = {"ungrounded": (0, 1), "answers the question": (0, 1)}
    less_is_better = frozenset({"ungrounded"})

    def artefact(self) -> str:
        file = reader_file()
        return f"{file.name}, {file.stat().st_size} bytes" if reader_is_on() else ""

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        """What the reader says of the answer.

        Returns:
            A share of sentences and a chance, 0 to 1 both. The share does not apply to an answer that states nothing or
            was made from no passage; where the reader is off, both have failed.

        Raises:
            ResourceDown, WeightsWrong: the reader does not answer, or its file is of another version.
        """
        if not reader_is_on():
            return dict.fromkeys(self.measures, NO_READER)
        [verdict] = reading([(item.question, answer.text)])
        return {"ungrounded": self._ungrounded(answer), "answers the question": (verdict.answers, "")}

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
