"""A judge of the words that an answer shares with its reference."""

from judging.judges.kinds.base import Graded, not_applicable
from judging.judges.kinds.rules import RuleJudge
from judging.judges.types import JudgedAnswer, JudgedItem
from judging.measures.texts import bleu, rouge_l, token_f1
from judging.measures.values import Undefined


class WordsJudge(RuleJudge):
    """Words shared with the reference answer: F1 of words, ROUGE-L and BLEU (`judging.measures.texts`).

    Source: SQuAD (Rajpurkar et al. 2016), Lin 2004 and Papineni et al. 2002, as in `judging.measures.texts`.
    """

    kind = "words"
    measures = {"token F1": (0, 1), "ROUGE-L": (0, 1), "BLEU": (0, 1)}

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:
        """The words that answer and reference share.

        Returns:
            Three shares, 0 to 1; none of them applies where one of the texts has no word.
        """
        values = {
            "token F1": token_f1(answer.text, item.reference_answer),
            "ROUGE-L": rouge_l(answer.text, item.reference_answer),
            "BLEU": bleu(answer.text, item.reference_answer),
        }
        return {
            measure: not_applicable(value.reason) if isinstance(value, Undefined) else (value, "")
            for measure, value in values.items()
        }
