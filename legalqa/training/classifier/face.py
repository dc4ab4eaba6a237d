"""What people and programs see of the classifiers of question complexity."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.models import Corpus
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.training.choices import settings_checked
from legalqa.training.classifier.augmentation import Shares
from legalqa.training.classifier.data import MAX_CHARS
from legalqa.training.classifier.fitting import KINDS, MIN_ROWS, TrainingSettings
from legalqa.training.classifier.forms import ClassifierForm
from legalqa.training.classifier.pages import report_page
from legalqa.training.classifier.services import CLASSIFIER, ClassifierChoices, classifier_rows
from legalqa.training.versions.face import (
    Addresses,
    Face,
    InUse,
    TrainedVersionSerializer,
    TrainingForm,
    VersionView,
    Words,
)
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES, LabelledText
from retrieval.models import ComplexityClassifier

PACKAGED_MAX = 3  # classes: none is packaged for more


class ClassifierSerializer(TrainedVersionSerializer):
    """A version; `report` holds its figures once it is ready, without the questions they were measured on."""

    kind = serializers.CharField()
    classes = serializers.IntegerField()
    settings = serializers.DictField()


@extend_schema_serializer(component_name="NewClassifier")
class NewClassifierSerializer(serializers.Serializer[Any]):
    @extend_schema_serializer(component_name="LabelledQuestion")
    class QuestionSerializer(serializers.Serializer[Any]):
        question = serializers.CharField(max_length=MAX_CHARS)
        label = serializers.IntegerField(min_value=0, max_value=MAX_CLASSES - 1)  # type: ignore[assignment]  # a field

    kind = serializers.ChoiceField(choices=list(KINDS))
    classes = serializers.IntegerField(min_value=MIN_CLASSES, max_value=MAX_CLASSES, default=3)
    questions = QuestionSerializer(many=True, required=False, default=list)
    gold_set_id = serializers.UUIDField(required=False, allow_null=True, default=None)
    augment = serializers.BooleanField(required=False, default=False)
    learning_rate = serializers.FloatField(required=False, min_value=1e-7, max_value=0.1)
    epochs = serializers.IntegerField(required=False, min_value=1, max_value=50)
    validation_share = serializers.FloatField(required=False, min_value=0, max_value=0.5)


@extend_schema_serializer(component_name="ClassifierRollBack")
class ClassesSerializer(serializers.Serializer[Any]):
    classes = serializers.IntegerField(min_value=MIN_CLASSES, max_value=MAX_CLASSES, default=3)


@extend_schema_serializer(component_name="ClassifierInUse")
class ToUseSerializer(ClassesSerializer):
    classifier_id = serializers.UUIDField(allow_null=True)


class ClassifierFace(Face[ComplexityClassifier, ClassifierChoices]):
    """Classifiers: a corpus uses one for each number of classes, and they have a page of their own."""

    trainer = CLASSIFIER
    addresses = Addresses(
        pages="training/",
        endpoints="classifiers/",
        prefix="complexity",
        listed="complexity_training",
        names={
            "list": "complexity_training",
            "state": "complexity_versions",
            "detail": "complexity_report",
            "use": "complexity_activate",
        },
        state="versions",
        can_use_packaged=False,
    )
    words = Words(
        title="Training",
        lede="How many passages will an answer need? A classifier predicts it from the question, and the adaptive "
        "methods search accordingly.",
        train="A fifth of the questions is held out for its report. Training runs in the background.",
        help=f"From a CSV file or a gold set: {MIN_ROWS} questions or more, at least 2 of each class. Passages that "
        "people mark in the search lab can become a gold set.",
        packaged="The packaged classifier, trained on public questions",
        untrained="It has seen public questions only. Train one on questions that your lawyers ask.",
        figure="Macro F1",
        goes_with="its questions and its report",
        said={
            "use": "The classifier is in use for every question asked from now on.",
            "roll_back": "The previous classifier is back in use.",
            "remove": "The classifier is removed, with its questions and its report.",
        },
        endpoints={
            "create": "Train a classifier in the background, on the questions given or on those of a gold set.",
            "use": "Activate a classifier for its number of classes; null activates the packaged one.",
            "roll_back": "Activate the previous classifier again.",
            "delete": "Remove a classifier that is not in use.",
        },
    )
    report_template = "training/classifier.html"
    report_partial = "cell"
    version = ClassifierSerializer
    new = NewClassifierSerializer
    to_use = ToUseSerializer
    to_roll_back = ClassesSerializer

    def form(
        self, *, organization: Organization, corpus: Corpus, data: QueryDict | None = None, files: Any = None
    ) -> ClassifierForm:
        return ClassifierForm(data, files, gold_sets=list(GoldSet.objects.filter(corpus=corpus).order_by("name")))

    def choices(self, *, organization: Organization, corpus: Corpus, form: TrainingForm) -> ClassifierChoices:
        assert isinstance(form, ClassifierForm)
        gold_set, file = form.cleaned_data.get("gold_set"), form.cleaned_data.get("file")
        gold_set_id = UUID(gold_set) if gold_set else None
        rows, source = classifier_rows(corpus=corpus, gold_set_id=gold_set_id, text=form.text())
        settings = settings_checked(TrainingSettings, form.settings_given())
        return ClassifierChoices(rows, file.name if file else source, settings)

    def choices_sent(self, *, organization: Organization, corpus: Corpus, data: Mapping[str, Any]) -> ClassifierChoices:
        values = {"kind": data["kind"], "n_classes": data["classes"]}
        values |= {name: data[name] for name in ("learning_rate", "epochs", "validation_share") if name in data}
        values |= {"shares": Shares().model_dump()} if data["augment"] else {}
        settings = settings_checked(TrainingSettings, values)
        if data["gold_set_id"] is not None:
            rows, source = classifier_rows(corpus=corpus, gold_set_id=data["gold_set_id"])
            return ClassifierChoices(rows, source, settings)
        rows = [LabelledText(question["question"], question["label"]) for question in data["questions"]]
        return ClassifierChoices(rows, "questions of a program", settings)

    def shown(
        self, version: ComplexityClassifier, *, corpus: Corpus, in_use: InUse, context: Mapping[str, Any]
    ) -> VersionView:
        return VersionView(
            note=f"{KINDS.get(version.kind, version.kind)}, {version.n_classes} classes",
            questions=version.report.get("n_train"),
            figure=version.report.get("f1", {}).get("value"),
        )

    def report_page(
        self,
        *,
        organization: Organization,
        corpus: Corpus,
        version: ComplexityClassifier,
        query: QueryDict,
        address: str,
    ) -> dict[str, Any]:
        return report_page(version=version, address=address, cell=query.get("cell", ""))

    def document(self, *, organization: Organization, version: ComplexityClassifier) -> dict[str, Any]:
        report = {name: value for name, value in version.report.items() if name != "asked"}
        settings = {"classes": version.n_classes, "settings": version.training}
        return {"kind": version.kind, "report": report, **settings}

    def slots(self, *, corpus: Corpus, in_use: InUse) -> list[int]:
        return sorted({2, 3, *in_use})

    def packaged_words(self, slot: int) -> str:
        return self.words.packaged if slot <= PACKAGED_MAX else "None"

    def slot(self, data: Mapping[str, Any]) -> int:
        """The number of classes; a page that names none that exists means 3."""
        classes = str(data.get("classes", data.get("n_classes", "")))
        return int(classes) if classes in map(str, range(MIN_CLASSES, MAX_CLASSES + 1)) else 3


CLASSIFIER_FACE = ClassifierFace()
