"""Endpoints of the parameter mappings of a corpus."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import CorpusApi, MemberRequest
from legalqa.common.drf import operation
from retrieval.services.mappings import (
    classes_check,
    mapping_active,
    mapping_read,
    mapping_save,
    mapping_use,
    mapping_versions,
)


class MappingVersionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    mapping = serializers.DictField()
    is_active = serializers.BooleanField()
    tuning_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()


class MappingApi(CorpusApi):
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="NewMapping")
    class InputSerializer(serializers.Serializer[Any]):
        mapping = serializers.DictField(required=False, help_text="The mapping to save as a new version and use.")
        number = serializers.IntegerField(
            required=False, min_value=0, max_value=10**9, help_text="Or: the older version to use again, 0 the paper's."
        )

    @extend_schema_serializer(component_name="Mapping")
    class OutputSerializer(serializers.Serializer[Any]):
        n_classes = serializers.IntegerField()
        number = serializers.IntegerField(help_text="Of the version in use; 0 is the hand-set mapping of the paper.")
        mapping = serializers.DictField()
        versions = MappingVersionSerializer(many=True)

    @operation("mappings_get", OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID, n_classes: int) -> object:
        """What the classes of complexity mean for the searches of a corpus, with all versions."""
        return self._reply(request, corpus_id, classes_check(n_classes=n_classes))

    @operation("mappings_save", OutputSerializer, 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, n_classes: int, data: dict[str, Any]) -> object:
        """Save a mapping as a new version and use it, or use an older version again."""
        classes_check(n_classes=n_classes)
        if (number := data.get("number")) is not None:
            mapping_use(**request.acting, corpus_id=corpus_id, n_classes=n_classes, number=number)
        else:
            document = {**data.get("mapping", {}), "n_classes": n_classes}
            mapping_save(**request.acting, corpus_id=corpus_id, mapping=mapping_read(data=document))
        return self._reply(request, corpus_id, n_classes)

    def _reply(self, request: MemberRequest, corpus_id: UUID, n_classes: int) -> dict[str, Any]:
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        active = mapping_active(corpus=corpus, n_classes=n_classes)
        return {
            "n_classes": n_classes,
            "number": active.number,
            "mapping": active.mapping.model_dump(mode="json"),
            "versions": mapping_versions(organization=request.organization, corpus_id=corpus_id, n_classes=n_classes),
        }
