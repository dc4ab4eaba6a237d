"""What people and programs see of the readers of a corpus."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.models import Corpus
from judging.gold.grades import graded_counts
from legalqa.accounts.models import Organization
from legalqa.answering.models import TrainedReader
from legalqa.training import comparisons
from legalqa.training.choices import MIN_QUESTIONS, settings_checked
from legalqa.training.gold_sets import GoldSetFace, to_use_serializer
from legalqa.training.reader.forms import ReaderForm
from legalqa.training.reader.services import READER, OwnReaderTraining, ReaderChoices
from legalqa.training.versions.face import Addresses, InUse, TrainedVersionSerializer, TrainingForm, VersionView, Words

MEASURES = {
    "first": ("Right passage first", "share of the questions of which a right passage comes before all others"),
    "mrr": comparisons.MEASURES["mrr"],
    "auc": (
        "Told from others",
        "area under the ROC curve: how often a right passage comes before one of any question that does not answer",
    ),
}
SAID = comparisons.SAID | {
    comparisons.BETTER: "It puts a right passage first more often than the packaged reader, on questions that it has "
    "not learned from.",
    comparisons.WORSE: "It puts a right passage first less often than the packaged reader. Do not use it.",
}
CALIBRATED = (
    "An answer is given only above a certain probability. This is the expected calibration error of the probability "
    "that a passage answers, over all passages of the held-out questions; 0 is best. If it rises, choose the threshold "
    "of this corpus again from its feedback."
)


class TrainedReaderSerializer(TrainedVersionSerializer):
    """A version; `report` holds before and after once it is ready."""

    settings = serializers.DictField()


class ReaderInUseSerializer(serializers.Serializer[Any]):
    """What answers use; null is the reader of the installation."""

    reader_id = serializers.UUIDField(allow_null=True)


@extend_schema_serializer(component_name="NewReader")
class NewReaderSerializer(serializers.Serializer[Any]):
    gold_set_ids = serializers.ListField(child=serializers.UUIDField(), max_length=50, required=False, default=list)
    grades = serializers.BooleanField(required=False, default=False)
    settings = serializers.DictField(required=False, default=dict, help_text=", ".join(OwnReaderTraining.model_fields))


class ReaderFace(GoldSetFace[TrainedReader, ReaderChoices]):
    """Readers: trained on gold sets, graded answers or both, and listed with the other search models."""

    trainer = READER
    form_class = ReaderForm
    addresses = Addresses(
        pages="readers/", endpoints="readers/", prefix="reader", listed="encoder_list", names={"list": "reader_train"}
    )
    words = Words(
        help="Reads the nearest passages and says which of them answer. It starts from the packaged reader and needs "
        "only a few steps, ten to twenty minutes. A share of the questions is held out.",
        packaged="The packaged reader, or the one that this server has in its place",
        untrained="It learned from public questions on contracts, laws and other texts. Your gold questions and graded "
        "answers teach it which passages answer in your documents.",
        figure="Right passage first",
        goes_with="its questions and its report",
        said={
            "use": "The reader is in use for every question asked from now on.",
            "use_packaged": "The packaged reader is in use for every question asked from now on.",
            "roll_back": "The previous reader is back in use.",
            "remove": "The reader is removed, with its questions and its report.",
        },
        endpoints={
            "create": "Train a reader on gold sets, graded answers or both, in the background.",
            "in_use": "Which reader answers use.",
            "use": "Activate a reader; null is that of the installation.",
            "roll_back": "Activate the previous reader again.",
            "delete": "Remove a reader that is not in use, with its questions and its report.",
        },
    )
    report_template = "training/reader.html"
    version = TrainedReaderSerializer
    new = NewReaderSerializer
    used = ReaderInUseSerializer
    to_use = to_use_serializer("reader")

    def choices(self, *, organization: Organization, corpus: Corpus, form: TrainingForm) -> ReaderChoices:
        data = form.cleaned_data
        return ReaderChoices([UUID(pk) for pk in data.get("gold_sets", ())], data["grades"], OwnReaderTraining())

    def choices_sent(self, *, organization: Organization, corpus: Corpus, data: Mapping[str, Any]) -> ReaderChoices:
        settings = settings_checked(OwnReaderTraining, data["settings"])
        return ReaderChoices(data["gold_set_ids"], data["grades"], settings)

    def shown(
        self, version: TrainedReader, *, corpus: Corpus, in_use: InUse, context: Mapping[str, Any]
    ) -> VersionView:
        report = version.report
        return VersionView(questions=report.get("questions", {}).get("learned"), gain=comparisons.gain(report))

    def report_page(
        self, *, organization: Organization, corpus: Corpus, version: TrainedReader, query: QueryDict, address: str
    ) -> dict[str, Any]:
        report = version.report
        return {
            "verdict": comparisons.verdict_words(report, (), what="reader", sentences=SAID),
            "main": MEASURES["first"][0],
            "tables": comparisons.comparison_rows(report, measures=MEASURES),
            "before": "the packaged reader",
            "loss": comparisons.loss_curve(report),
            "calibrated": CALIBRATED,
        }

    def document(self, *, organization: Organization, version: TrainedReader) -> dict[str, Any]:
        return {"settings": version.training}

    def document_in_use(self, *, corpus: Corpus, version_id: UUID | None) -> dict[str, Any]:
        return {"reader_id": version_id}

    def lacking(self, *, organization: Organization, corpus: Corpus) -> dict[str, Any] | None:
        lacking = super().lacking(organization=organization, corpus=corpus)
        if lacking and graded_counts(organization=organization, corpus=corpus).n_answerable >= MIN_QUESTIONS:
            return None
        return lacking


READER_FACE = ReaderFace()
