"""Measures by rule: what code can say about an answer and its gold question, without a judge."""

from collections.abc import Callable
from dataclasses import dataclass

from judging.measures import answers, ranking, texts
from judging.measures.values import Undefined, Value
from legalqa.answering.verification import claim_check

NOTHING_RETRIEVED = Undefined("nothing was retrieved")
NO_CLAIM = Undefined("nothing was said")
SUPPORTED = frozenset({"supported", "partly"})
DEEP = 10  # passages that the comparison of indexes looks at
NEAR = 5  # passages that recall and precision look at, as in Policy Copilot


@dataclass(frozen=True, slots=True)
class SaidClaim:
    """A sentence that was said, with our check's verdict on it against what it cites."""

    text: str
    verdict: str


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What the rules read of one answer; paragraphs by the ids that pages show.

    Attributes:
        gold, gold_texts: Paragraphs that answer the question, and their words.
        is_answered: Whether something was said; None where it failed.
        ranked: Paragraphs in the order in which they were retrieved, each once.
        ranked_tokens: How long each of `ranked` is, in the packaged encoder's tokens.
        cited: Paragraphs that what was said cites.
        claims: What was said.
        cost: In the currency of the price list; 0 where no model was asked.
    """

    is_answerable: bool
    reference_answer: str
    gold: tuple[str, ...]
    gold_texts: tuple[str, ...]
    is_answered: bool
    ranked: tuple[str, ...]
    cited: tuple[str, ...]
    claims: tuple[SaidClaim, ...]
    ranked_tokens: tuple[int, ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    cost: float = 0.0

    @property
    def text(self) -> str:
        return " ".join(claim.text for claim in self.claims)


Rule = Callable[[AnswerFacts], Value]


@dataclass(frozen=True, slots=True)
class RuleMeasure:
    """A measure by rule.

    Attributes:
        label: For people.
        rule: From an answer to its value.
        is_share: Its values are 0 or 1 or shares between them; else they are numbers of any size.
        is_binary: Its values are 0 or 1 only.
        less_is_better: Of seconds, cost, and what should not happen.
        help: What it counts, in a sentence.
    """

    label: str
    rule: Rule
    help: str
    is_share: bool = True
    is_binary: bool = False
    less_is_better: bool = False


def decided_right(facts: AnswerFacts) -> Value:
    """1 where an answerable question was answered, or another one declined."""
    return float(facts.is_answered == facts.is_answerable)


def answered(facts: AnswerFacts) -> Value:
    """1 where an answerable question was answered; undefined for others."""
    return float(facts.is_answered) if facts.is_answerable else Undefined("the corpus does not answer it")


def declined(facts: AnswerFacts) -> Value:
    """1 where a question that the corpus does not answer was declined; undefined for others."""
    return Undefined("the corpus answers it") if facts.is_answerable else float(not facts.is_answered)


def ungrounded(facts: AnswerFacts) -> Value:
    """Share of the claims that their own sources do not support, by our check.

    Undefined where nothing was said, and without retrieval: there is nothing to compare with.

    Source: Policy Copilot 2.5.
    """
    if not facts.claims:
        return NO_CLAIM
    if not facts.ranked:
        return NOTHING_RETRIEVED
    return sum(claim.verdict not in SUPPORTED for claim in facts.claims) / len(facts.claims)


def ungrounded_in_gold(facts: AnswerFacts) -> Value:
    """Share of the claims that the gold passages do not support, by words and numbers; for every kind of answer.

    For answers without retrieval, which `ungrounded` cannot measure. A sentence that another passage supports counts
    as ungrounded here.
    """
    if not facts.claims:
        return NO_CLAIM
    if not facts.gold_texts:
        return answers.NO_GOLD
    checks = [claim_check(claim.text, facts.gold_texts) for claim in facts.claims]
    return sum(check.verdict not in SUPPORTED for check in checks) / len(checks)


def recall_per_1000(facts: AnswerFacts) -> Value:
    """Recall@10 divided by the thousands of tokens of those ten passages: what is found per text that must be read.

    Undefined where the corpus does not answer, and where nothing was retrieved.

    Source: HyPA-RAG's comparison of chunkers reads recall beside the size of the context; the ratio is ours.
    """
    recall = ranking.recall_at(facts.ranked, facts.gold, DEEP)
    n_tokens = sum(facts.ranked_tokens[:DEEP])
    return recall if isinstance(recall, Undefined) else 1000 * recall / n_tokens if n_tokens else NOTHING_RETRIEVED


def _retrieved(measure: Callable[[tuple[str, ...], tuple[str, ...]], Value]) -> Rule:
    def rule(facts: AnswerFacts) -> Value:
        if facts.gold and not facts.ranked:
            return NOTHING_RETRIEVED
        return measure(facts.ranked, facts.gold)

    return rule


RULES: dict[str, RuleMeasure] = {
    "right": RuleMeasure(
        "Decided right", decided_right, "Answered what the corpus answers, declined the rest.", is_binary=True
    ),
    "answer_rate": RuleMeasure("Answer rate", answered, "Answerable questions that were answered.", is_binary=True),
    "abstention": RuleMeasure("Abstention", declined, "Unanswerable questions that were declined.", is_binary=True),
    "cites_gold": RuleMeasure("Cites gold", answers.cited_gold, "Answers that cite a gold passage.", is_binary=True),
    "citation_precision": RuleMeasure(
        "Citation precision", answers.citation_precision, "Share of the cited passages that are gold."
    ),
    "recall@5": RuleMeasure(
        f"Recall@{NEAR}",
        _retrieved(lambda ranked, gold: ranking.recall_at(ranked, gold, NEAR)),
        f"Share of the gold passages among the first {NEAR}.",
    ),
    "precision@5": RuleMeasure(
        f"Precision@{NEAR}",
        _retrieved(lambda ranked, gold: ranking.precision_at(ranked, gold, NEAR)),
        f"Gold passages among the first {NEAR}, over {NEAR}.",
    ),
    "mrr": RuleMeasure("MRR", _retrieved(ranking.reciprocal_rank), "One over the rank of the first gold passage."),
    "ungrounded": RuleMeasure(
        "Ungrounded", ungrounded, "Share of what was said that its own sources do not support.", less_is_better=True
    ),
    "ungrounded_gold": RuleMeasure(
        "Ungrounded in gold",
        ungrounded_in_gold,
        "Share of what was said that the gold passages do not support.",
        less_is_better=True,
    ),
    "rouge_l": RuleMeasure(
        "ROUGE-L",
        lambda facts: texts.rouge_l(facts.text, facts.reference_answer),
        "Words shared in order with the reference answer, of answers that were given.",
    ),
    "seconds": RuleMeasure(
        "Seconds", lambda facts: facts.seconds, "From question to answer.", is_share=False, less_is_better=True
    ),
    "tokens": RuleMeasure(
        "Tokens", lambda facts: float(facts.tokens), "Read and written by models.", is_share=False, less_is_better=True
    ),
    "cost": RuleMeasure(
        "Cost", lambda facts: facts.cost, "Of models, per answer.", is_share=False, less_is_better=True
    ),
    "ndcg@10": RuleMeasure(
        f"nDCG@{DEEP}",
        _retrieved(lambda ranked, gold: ranking.ndcg_at(ranked, dict.fromkeys(gold, 1.0), DEEP)),
        f"How near to the top of the first {DEEP} the gold passages are.",
    ),
    "recall/1000": RuleMeasure(
        f"Recall@{DEEP} per 1,000 tokens",
        recall_per_1000,
        f"Recall@{DEEP} over the thousands of tokens of those {DEEP} passages.",
        is_share=False,
    ),
}
