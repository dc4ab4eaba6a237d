"""Answers in the documents' own words."""

from legalqa.answering.modes import AUTO, QUOTED
from legalqa.answering.strategies.base import Proposal, Strategy, Work
from legalqa.answering.strategies.evidence import evidence_find
from legalqa.answering.types import Ending, Evidence, Question

NOT_SET_UP = "No language model is set up for answers; quoted from the documents instead."


class Quoted(Strategy):
    """Answers in the documents' own words: the best sentences of the evidence, or silence. Asks no model.

    Source: the extractive mode of Policy Copilot (2.5). Differs: sentences, from as many paragraphs as the question
    needs, in place of one whole paragraph (ours).
    """

    name, label = "quoted.v1", "Quoted"

    def answer(self, question: Question, work: Work) -> Proposal:
        """Search and quote.

        Returns:
            The best sentences of the evidence, or silence; everyone who reads it gets the same ending.

        Raises:
            ApplicationError, NotFound: as `evidence_find`.
        """
        work.begin("searching")
        return quotations(question, evidence_find(question, work))


def quotations(question: Question, evidence: Evidence) -> Proposal:
    """Quotations or silence; says so if a way to answer was asked for that the organisation does not have."""
    is_missed = question.policy.mode not in (AUTO, QUOTED) and not evidence.draft.is_silent
    draft = evidence.draft
    ending = Ending(draft.state, "extractive", NOT_SET_UP if is_missed else draft.why, evidence, draft.claims)
    return Proposal(evidence, lambda _: ending)  # quotations were checked when they were drafted
