"""Asking the classifier of a corpus how complex a question is."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.selectors import corpus_get
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import operation
from legalqa.training.classifier.data import MAX_CHARS
from retrieval.complexity import complexity_predict
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES


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

    @operation("complexity_predict", OutputSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """How many passages an answer to a question is likely to need, by the corpus's classifier."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return complexity_predict(corpus=corpus, text=data["text"], n_classes=data["classes"])
