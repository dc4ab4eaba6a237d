"""A toy trained version in one file: it counts to three. Its rows are kept with the rankers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from rest_framework import serializers

from corpora.models import Corpus, TrainedState
from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError
from legalqa.jobs.services import Lease
from legalqa.training.files import json_keep, json_kept, work_folder
from legalqa.training.versions.face import Addresses, Face, InUse, TrainingForm, VersionView, Words
from legalqa.training.versions.trainer import Finished, NewVersion, Trainer, progress_store
from retrieval.models import RankerActivation, TrainedRanker

STEPS = 3


@dataclass(frozen=True, slots=True)
class ToyChoices:
    goal: int


class ToyTrainer(Trainer[TrainedRanker, ToyChoices]):
    name = "toy"
    model = TrainedRanker
    uses = RankerActivation
    slot = "encoder"
    large = ("model",)

    def prepared(self, *, organization: Organization, corpus: Corpus, choices: ToyChoices) -> NewVersion:
        if choices.goal < 1:
            raise ApplicationError("A toy has a goal of 1 or more.", code="bad_goal")
        columns = {"encoder": corpus.encoder, "training": {"goal": choices.goal}, "source": "a toy box"}
        return NewVersion(columns)

    def step(self, lease: Lease, version: TrainedRanker) -> Finished | None:
        file = work_folder(version.pk) / "steps.json"
        done = (json_kept(file) or 0) + 1
        json_keep(file, done)
        progress_store(lease, stage="training", cursor=done, total=STEPS)
        if done < STEPS:
            return None
        report = {"steps": done, "goal": version.training["goal"]}
        return Finished({"model": report, "fingerprint": f"{done:064}", "report": report}, "testing")

    def slot_now(self, corpus: Corpus) -> str:
        return corpus.encoder


class ToyForm(TrainingForm):
    goal = forms.IntegerField()


class ToySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=TrainedState.choices)
    job_id = serializers.UUIDField(allow_null=True)
    is_in_use = serializers.BooleanField()
    learned_from = serializers.CharField()
    fingerprint = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


class NewToySerializer(serializers.Serializer[Any]):
    goal = serializers.IntegerField()


class ToyToUseSerializer(serializers.Serializer[Any]):
    toy_id = serializers.UUIDField(allow_null=True)


class ToyInUseSerializer(serializers.Serializer[Any]):
    toy_id = serializers.UUIDField(allow_null=True)


class ToyFace(Face[TrainedRanker, ToyChoices]):
    trainer = ToyTrainer()
    addresses = Addresses(pages="toys/", endpoints="toys/", prefix="toy", listed="toy_list", state="state")
    words = Words(
        title="Toys",
        packaged="The packaged toy",
        said={"roll_back": "The previous toy is back in use."},
        endpoints=dict.fromkeys(("create", "in_use", "use", "roll_back", "delete"), "What a toy does."),
    )
    version = ToySerializer
    new = NewToySerializer
    used = ToyInUseSerializer
    to_use = ToyToUseSerializer

    def form(
        self, *, organization: Organization, corpus: Corpus, data: QueryDict | None = None, files: Any = None
    ) -> ToyForm:
        return ToyForm(data)

    def choices(self, *, organization: Organization, corpus: Corpus, form: TrainingForm) -> ToyChoices:
        return ToyChoices(form.cleaned_data["goal"])

    def choices_sent(self, *, organization: Organization, corpus: Corpus, data: Mapping[str, Any]) -> ToyChoices:
        return ToyChoices(data["goal"])

    def shown(
        self, version: TrainedRanker, *, corpus: Corpus, in_use: InUse, context: Mapping[str, Any]
    ) -> VersionView:
        return VersionView(note="a toy", questions=version.report.get("steps"), figure=version.report.get("goal"))

    def document(self, *, organization: Organization, version: TrainedRanker) -> dict[str, Any]:
        return {}

    def document_in_use(self, *, corpus: Corpus, version_id: UUID | None) -> dict[str, Any]:
        return {"toy_id": version_id}


TOY = ToyFace()
