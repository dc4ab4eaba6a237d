"""The presets of a corpus: those of the product, and those that its managers keep."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import CorpusApi, ManagersApi, MemberRequest
from legalqa.common.drf import operation
from retrieval.models import SavedPreset
from retrieval.pipelines.presets import PRESETS
from retrieval.services.presets import preset_of, preset_save, saved_preset_of_corpus, saved_preset_remove


class PresetSerializer(serializers.Serializer[Any]):
    """A way to search and answer; `id` is null for those that come with the product."""

    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    base = serializers.CharField()
    set = serializers.DictField(child=serializers.CharField())
    fingerprint = serializers.CharField()


class PresetListApi(CorpusApi):
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="NewPreset")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=60)
        base = serializers.CharField(max_length=60)
        set = serializers.DictField(child=serializers.CharField(max_length=100), required=False, default=dict)

    @operation("presets_list", PresetSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The presets that questions and searches of a corpus may name."""
        saved = saved_preset_of_corpus(organization=request.organization, corpus_id=corpus_id)
        own: list[dict[str, Any]] = [
            {"id": None, "name": p.name, "base": p.name, "set": {}, "fingerprint": p.fingerprint()}
            for p in PRESETS.values()
        ]
        return Response([*own, *(_shown(preset) for preset in saved)])

    @operation("presets_create", PresetSerializer, 404, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Response:
        """Save a preset with changed settings under a name of its own."""
        saved = preset_save(
            **request.acting, corpus_id=corpus_id, name=data["name"], base=data["base"], overrides=data["set"]
        )
        return Response(_shown(saved), status=201)


class PresetDetailApi(ManagersApi):
    @operation("presets_delete", None, 404)
    def delete(self, request: MemberRequest, corpus_id: UUID, preset_id: UUID) -> None:
        """Delete a saved preset; answers made with it keep their settings."""
        saved_preset_remove(**request.acting, corpus_id=corpus_id, preset_id=preset_id)


def _shown(saved: SavedPreset) -> dict[str, Any]:
    return {
        "id": saved.pk,
        "name": saved.name,
        "base": saved.base,
        "set": saved.overrides,
        "fingerprint": preset_of(saved=saved).fingerprint(),
    }
