"""A toy strategy: it plans a step, adds another on the way, and quotes what it has found."""

from legalqa.accounts.models import Organization
from legalqa.answering.strategies.base import SEARCHING, Names, Proposal, Work
from legalqa.answering.strategies.evidence import evidence_find
from legalqa.answering.strategies.quoted import quotations
from legalqa.answering.types import Question


class TwoLooks:
    name, label = "two-looks.v1", "Looks twice"
    plan: tuple[Names, ...] = (SEARCHING,)
    is_slow = True

    def is_possible(self, *, organization: Organization) -> bool:
        return bool(organization.pk)

    def seconds(self, *, organization: Organization) -> float:
        return 1.0 if organization.pk else 0.0

    def answer(self, question: Question, work: Work) -> Proposal:
        work.begin("searching")
        evidence = evidence_find(question, work)
        work.begin("second-look", "Looking again", "The passages are being read again.", evidence=evidence.rows)
        work.note({"step": "second-look", "note": f"{evidence.n_read} passages"})
        return quotations(question, evidence)
