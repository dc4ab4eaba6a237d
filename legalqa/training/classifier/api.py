"""Endpoints of the classifiers of question complexity."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.models import Organization
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import error_responses
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.classifier import services
from legalqa.training.classifier.augmentation import Shares
from legalqa.training.classifier.data import MAX_CHARS
from legalqa.training.classifier.fitting import KINDS
from retrieval.complexity import complexity_predict
from retrieval.complexity.selectors import classifier_get, classifier_list, classifiers_in_use
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES, LabelledText
from retrieval.models import ClassifierState, ComplexityClassifier


class ClassifierSerializer(serializers.Serializer[Any]):
    """A version; `report` holds its figures once it is ready, without the questions they were measured on."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    kind = serializers.CharField()
    classes = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ClassifierState.choices)
    job_id = serializers.UUIDField(allow_null=True)
    is_in_use = serializers.BooleanField()
    learned_from = serializers.CharField()
    settings = serializers.DictField()
    fingerprint = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


class ClassifierListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewClassifier")
    class InputSerializer(serializers.Serializer[Any]):
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

    @extend_schema(
        operation_id="classifiers_list",
        responses={200: ClassifierSerializer(many=True), **error_responses(401, 403, 404)},
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The classifiers of a corpus, newest first."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return Response(_shown(request.organization, corpus, list(classifier_list(corpus=corpus))))

    @extend_schema(
        operation_id="classifiers_create",
        request=InputSerializer,
        responses={202: ClassifierSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Train a classifier in the background, on the questions given or on those of a gold set."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        rows, learned_from = (
            [LabelledText(q["question"], q["label"]) for q in asked["questions"]],
            "questions of a program",
        )
        if asked["gold_set_id"] is not None:
            rows, learned_from = services.complexity_rows(
                organization=request.organization,
                corpus_id=corpus_id,
                source="gold_set",
                gold_set_id=asked["gold_set_id"],
            )
        values = {"kind": asked["kind"], "n_classes": asked["classes"]}
        values |= {name: asked[name] for name in ("learning_rate", "epochs", "validation_share") if name in asked}
        values |= {"shares": Shares().model_dump()} if asked["augment"] else {}
        version, job = services.complexity_train(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            rows=rows,
            source=learned_from,
            wanted=services.settings_checked(values),
        )
        return Response(_document(version, is_in_use=False, job_id=job.pk), status=202)


class ClassifierDetailApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "delete": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "delete": MANAGERS}

    @extend_schema(
        operation_id="classifiers_get", responses={200: ClassifierSerializer, **error_responses(401, 403, 404)}
    )
    def get(self, request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> Response:
        """One classifier with its report."""
        return Response(_one(request.organization, corpus_id, classifier_id))

    @extend_schema(operation_id="classifiers_delete", responses={204: None, **error_responses(401, 403, 404, 409)})
    def delete(self, request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> Response:
        """Remove a classifier that is not in use."""
        services.complexity_remove(
            organization=request.organization, user=request.user, corpus_id=corpus_id, classifier_id=classifier_id
        )
        return Response(status=204)


class ClassifierActiveApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="ClassifierInUse")
    class InputSerializer(serializers.Serializer[Any]):
        classes = serializers.IntegerField(min_value=MIN_CLASSES, max_value=MAX_CLASSES, default=3)
        classifier_id = serializers.UUIDField(allow_null=True)

    @extend_schema(
        operation_id="classifiers_use",
        request=InputSerializer,
        responses={204: None, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Use a classifier for its number of classes from now on; null goes to the packaged one."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        services.complexity_activate(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            classifier_id=data.validated_data["classifier_id"],
            n_classes=data.validated_data["classes"],
        )
        return Response(status=204)


class ClassifierRollBackApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="ClassifierRollBack")
    class InputSerializer(serializers.Serializer[Any]):
        classes = serializers.IntegerField(min_value=MIN_CLASSES, max_value=MAX_CLASSES, default=3)

    @extend_schema(
        operation_id="classifiers_roll_back",
        request=InputSerializer,
        responses={204: None, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Use again what was used before the classifier that is in use now."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        services.complexity_roll_back(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            n_classes=data.validated_data["classes"],
        )
        return Response(status=204)


class ClassifierCancelApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="classifiers_cancel",
        request=None,
        responses={200: ClassifierSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> Response:
        """Ask a training to stop; what it has done is kept."""
        services.complexity_cancel(organization=request.organization, corpus_id=corpus_id, classifier_id=classifier_id)
        return Response(_one(request.organization, corpus_id, classifier_id))


class ClassifierResumeApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="classifiers_resume",
        request=None,
        responses={200: ClassifierSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> Response:
        """Go on with a training that failed or was cancelled, from where it stopped."""
        services.complexity_resume(organization=request.organization, corpus_id=corpus_id, classifier_id=classifier_id)
        return Response(_one(request.organization, corpus_id, classifier_id))


class ComplexityApi(MemberApi):
    scopes = {"post": TokenScope.SEARCH}

    @extend_schema_serializer(component_name="NewComplexity")
    class InputSerializer(serializers.Serializer[Any]):
        text = serializers.CharField(max_length=MAX_CHARS)
        classes = serializers.IntegerField(min_value=MIN_CLASSES, max_value=MAX_CLASSES, default=3)

    @extend_schema_serializer(component_name="Complexity")
    class OutputSerializer(serializers.Serializer[Any]):
        label = serializers.IntegerField()  # type: ignore[assignment]  # a field of that name
        probabilities = serializers.ListField(child=serializers.FloatField())
        classes = serializers.IntegerField(source="n_classes")
        model = serializers.CharField()
        version = serializers.CharField()
        fingerprint = serializers.CharField()

    @extend_schema(
        operation_id="complexity_predict",
        request=InputSerializer,
        responses={200: OutputSerializer, **error_responses(400, 401, 403, 404)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """How many passages an answer to a question is likely to need, by the corpus's classifier."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        found = complexity_predict(
            corpus=corpus, text=data.validated_data["text"], n_classes=data.validated_data["classes"]
        )
        return Response(self.OutputSerializer(found).data)


def _one(organization: Organization, corpus_id: UUID, classifier_id: UUID) -> dict[str, Any]:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return _shown(organization, corpus, [classifier_get(corpus=corpus, classifier_id=classifier_id)])[0]


def _shown(organization: Organization, corpus: Corpus, versions: list[ComplexityClassifier]) -> list[dict[str, Any]]:
    in_use = set(classifiers_in_use(corpus=corpus).values())
    jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    return [_document(v, is_in_use=v.pk in in_use, job_id=jobs[v.pk].pk if v.pk in jobs else None) for v in versions]


def _document(version: ComplexityClassifier, *, is_in_use: bool, job_id: UUID | None) -> dict[str, Any]:
    report = {name: value for name, value in version.report.items() if name != "asked"}
    return {
        "id": version.pk,
        "number": version.number,
        "kind": version.kind,
        "classes": version.n_classes,
        "state": version.state,
        "job_id": job_id,
        "is_in_use": is_in_use,
        "learned_from": version.source,
        "settings": version.training,
        "fingerprint": version.fingerprint,
        "report": report,
        "created_at": version.created_at,
    }
