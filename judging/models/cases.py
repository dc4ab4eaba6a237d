"""Evaluations of case bases: test questions, and which cases each of them found."""

import uuid

from django.db import models

from corpora.models import CorpusRow


class CaseEvaluation(CorpusRow):
    """Test questions that need several solved cases each, and how well the case base of a corpus serves them.

    Attributes:
        pairs: What a model is asked to write questions on: [case, case, act]; [] if the questions came from a file.
        n_done: Pairs that it has been asked about.
        questions: `question`, `answer`, `cases` (ids) and `act` of each; none of them is a case.
        chosen: Numbers, from 0, of the questions that a person has found good: those are measured with.
        with_answers: Whether a model's answers are compared with the references, too.
        replies: Of each chosen question what the model said, by setting.
        report: What was measured (`judging.experiments.cases.work`), as JSON; {} until then.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    pairs = models.JSONField(default=list)
    n_done = models.PositiveIntegerField(default=0)
    questions = models.JSONField(default=list)
    chosen = models.JSONField(default=list)
    with_answers = models.BooleanField(default=False)
    replies = models.JSONField(default=list)
    report = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["organization", "corpus", "-created_at"], name="case_evaluation_by_time")]

    def __str__(self) -> str:
        return f"evaluation of {self.created_at:%Y-%m-%d}"
