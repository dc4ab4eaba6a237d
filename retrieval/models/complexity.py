"""Classifiers of how complex a question is: the versions that a corpus has trained, and which one it uses."""

from django.db import models

from corpora.models import CorpusRow, TrainedVersion
from legalqa.accounts.scoping import SameOrganizationKey


class ComplexityClassifier(TrainedVersion):
    """One trained version of the classifier of question complexity.

    Attributes:
        kind: A name of `legalqa.training.classifier.fitting.KINDS`.
        data: The rows it was trained and tested on: question, label, group, how it was changed and from what.
        data_fingerprint: SHA-256 of `data`.
        artefact: The model itself, JSON or safetensors: reading it runs nothing.
    """

    kind = models.CharField(max_length=20)
    n_classes = models.PositiveSmallIntegerField()
    data = models.JSONField()
    data_fingerprint = models.CharField(max_length=64)
    seed = models.IntegerField()
    artefact = models.BinaryField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="complexity_number_once"),
            models.CheckConstraint(
                condition=models.Q(state="building")
                | models.Q(state="ready", artefact__isnull=False, finished_at__isnull=False),
                name="complexity_ready_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(n_classes__gte=2, n_classes__lte=5), name="complexity_classes_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class ComplexityActivation(CorpusRow):
    """From when on a corpus uses a version; the newest row for a number of classes counts. None: the packaged one."""

    id = models.BigAutoField(primary_key=True)
    n_classes = models.PositiveSmallIntegerField()
    classifier = SameOrganizationKey(ComplexityClassifier, null=True)

    class Meta:
        indexes = [models.Index(fields=["organization", "corpus", "n_classes", "-id"], name="complexity_in_use")]

    def __str__(self) -> str:
        return f"{self.n_classes} classes from {self.created_at:%Y-%m-%d %H:%M}"
