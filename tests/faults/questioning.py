"""Orders of the driver about question indexes: begun for the workers, and what is stored of them."""

from typing import Any
from uuid import UUID


def questions_begin(organization: str, corpus: str) -> None:
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope
    from retrieval.questions.services import questions_build

    owner = Organization.objects.get(pk=organization)
    with organization_scope(owner, user=None):
        questions_build(organization=owner, user=None, corpus_id=UUID(corpus))


def questions_stored(organization: str) -> dict[str, Any]:
    """Every question with its place, whether all have vectors, and how many paragraphs were asked about."""
    from legalqa.accounts.scoping import organization_scope
    from retrieval.models import AskedParagraph, IndexedQuestion, QuestionIndex

    with organization_scope(UUID(organization), user=None):
        questions = IndexedQuestion.objects.order_by("text", "start")
        return {
            "questions": [list(row) for row in questions.values_list("text", "paragraph__hash", "start", "end")],
            "is_whole": not questions.filter(vector=None).exists(),
            "asked": AskedParagraph.objects.count(),
            "built": QuestionIndex.objects.exclude(built_at=None).count(),
        }
