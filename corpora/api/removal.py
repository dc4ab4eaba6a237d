"""The endpoint by which a corpus is removed."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora import removal, selectors, services
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.common.drf import operation


@extend_schema_serializer(component_name="CorpusRemoval")
class RemovalSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=["none", "due", "removing", "failed"])
    due_at = serializers.DateTimeField(allow_null=True, help_text="When it begins; until then it can be cancelled.")
    percent = serializers.IntegerField()
    goes = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many objects of each kind are removed with the corpus."
    )


class CorpusRemovalApi(ManagersApi):
    @extend_schema_serializer(component_name="CorpusRemovalName")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(
            max_length=120, help_text="The name of the corpus, so that no other corpus is removed by mistake."
        )

    @operation("corpora_removal_retrieve", RemovalSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """What is removed with a corpus, and the progress of its removal."""
        corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id, even_leaving=True)
        progress = removal.removals(organization=request.organization).get(corpus.pk)
        counts = removal.removal_counts(corpus=corpus)
        return {
            "state": progress.state if progress else "none",
            "due_at": progress.due_at if progress else None,
            "percent": progress.percent if progress else 0,
            "goes": {removal.TOLD[label][1].replace(" ", "_"): n for label, n in counts.items()},
        }

    @operation("corpora_removal_create", RemovalSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Response:
        """Remove a corpus for good with everything in it; it begins at `due_at`."""
        services.corpus_remove(**request.acting, corpus_id=corpus_id, **data)
        return Response(self.get(request, corpus_id).data, status=202)

    @operation("corpora_removal_delete", None, 404, 409)
    def delete(self, request: MemberRequest, corpus_id: UUID) -> None:
        """Keep a corpus whose removal has not begun."""
        services.corpus_removal_cancel(**request.acting, corpus_id=corpus_id)
