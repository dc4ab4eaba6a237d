"""Questions of a gold set that become real questions of the corpus's question index."""

from uuid import UUID

from judging.gold.services.sets import gold_questions_with_evidence, gold_references, gold_set_get
from legalqa.accounts.models import Organization, User
from retrieval.questions.files import Pair
from retrieval.questions.services import Imported, pairs_add


def gold_set_index(*, organization: Organization, user: User | None, gold_set_id: UUID) -> Imported:
    """Add the questions of a gold set to the question index of its corpus, each with every passage that answers it.

    Only approved ones outside the test split, that need no message before them: a question that is measured on would
    find itself.

    Raises:
        NotFound: no such gold set, or you have no access to its corpus.
        ApplicationError: the index would grow too large.
    """
    gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id)
    questions = [one for one in gold_questions_with_evidence(gold_set=gold_set) if not one.history]
    references = gold_references(questions=questions)
    pairs = [
        Pair(
            " ".join(question.text.split()),
            reference.paragraph_id,
            reference.start or 0,
            reference.end or len(reference.paragraph.text),
            f"gold set {gold_set.name}",
        )
        for question in questions
        for reference in references[question.pk]
    ]
    return pairs_add(organization=organization, user=user, corpus_id=gold_set.corpus_id, pairs=pairs, left_out=())
