"""A judge of the passages that an answer cites: are they those that are marked as gold?"""

from judging.judges.kinds.base import NO_PASSAGES, Graded, not_applicable
from judging.judges.kinds.rules import RuleJudge
from judging.judges.types import JudgedAnswer, JudgedItem


class CitationsJudge(RuleJudge):
    """The passages of the answer against the gold ones: the share that is gold, and the share of gold that is cited.

    Two texts are one passage if one contains the other, ignoring blanks and case.

    Source: ours.
    """

    kind = "citations"
    measures = {"citation precision": (0, 1), "citation recall": (0, 1)}

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        """The passages of the answer against the gold ones.

        Returns:
            Two shares, 0 to 1; neither applies without gold passages, nor does precision without passages.
        """
        if not item.gold_passages:
            return dict.fromkeys(self.measures, not_applicable("No passage is marked as gold."))
        cited, gold = ([_flat(text) for text in texts] for texts in (answer.passages, item.gold_passages))
        right = sum(any(_is_one(text, other) for other in gold) for text in cited)
        n_reached = sum(any(_is_one(text, other) for other in cited) for text in gold)
        precision: Graded = (right / len(cited), "") if cited else not_applicable(NO_PASSAGES)
        return {"citation precision": precision, "citation recall": (n_reached / len(gold), "")}


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_one(text: str, other: str) -> bool:
    return bool(text and other) and (text in other or other in text)
