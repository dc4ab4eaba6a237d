"""What people and programs see of the rankers of a corpus."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.training.choices import NO_GOLD_SET
from legalqa.training.comparisons import comparison_rows, elsewhere_rows, gain, report_shown, verdict_words
from legalqa.training.encoder.pages import encoder_words
from legalqa.training.gold_sets import GoldSetFace, to_use_serializer
from legalqa.training.ranker.services import RANKER, RankerChoices
from legalqa.training.versions.face import Addresses, InUse, TrainedVersionSerializer, TrainingForm, VersionView, Words
from retrieval.models import TrainedRanker

CALIBRATED = (
    "With each search it estimates the probability that a right passage is among the first five. This is the expected "
    "calibration error of that estimate; 0 is best. Whether a question is answered does not depend on it."
)


class TrainedRankerSerializer(TrainedVersionSerializer):
    """A version; `report` holds before and after once it is ready, `encoder` is the one that it was trained over."""

    encoder = serializers.CharField()


class RankerInUseSerializer(serializers.Serializer[Any]):
    """What searches use over the encoder in use; null is the packaged ranker."""

    encoder = serializers.CharField()
    ranker_id = serializers.UUIDField(allow_null=True)


@extend_schema_serializer(component_name="NewRanker")
class NewRankerSerializer(serializers.Serializer[Any]):
    gold_set_ids = serializers.ListField(
        child=serializers.UUIDField(), min_length=1, max_length=50, error_messages={"min_length": NO_GOLD_SET}
    )


class RankerFace(GoldSetFace[TrainedRanker, RankerChoices]):
    """Rankers: each can be used only over the encoder that it was trained over."""

    trainer = RANKER
    addresses = Addresses(
        pages="rankers/", endpoints="rankers/", prefix="ranker", listed="encoder_list", names={"list": "ranker_train"}
    )
    words = Words(
        help="Weighs what the searches by words and by meaning say of each passage. Takes minutes. It learns over the "
        "encoder in use, so train the encoder first if you want both.",
        packaged="The packaged ranker, trained on public questions",
        untrained="It learned from public regulations and policies. One of your own needs fewer questions than an "
        "encoder does, and minutes.",
        said={
            "use": "The ranker is in use for every search from now on.",
            "use_packaged": "The packaged ranker is in use for every search from now on.",
            "roll_back": "The previous ranker is back in use.",
            "remove": "The ranker is removed, with its report.",
        },
        endpoints={
            "create": "Train a ranker over the encoder in use, on gold sets, in the background.",
            "in_use": "Which ranker searches use.",
            "use": "Activate a ranker; null is the packaged one.",
            "roll_back": "Activate the previous ranker again.",
            "delete": "Remove a ranker that is not in use.",
        },
    )
    report_template = "training/ranker.html"
    version = TrainedRankerSerializer
    new = NewRankerSerializer
    used = RankerInUseSerializer
    to_use = to_use_serializer("ranker")

    def choices(self, *, organization: Organization, corpus: Corpus, form: TrainingForm) -> RankerChoices:
        return RankerChoices([UUID(pk) for pk in form.cleaned_data["gold_sets"]])

    def choices_sent(self, *, organization: Organization, corpus: Corpus, data: Mapping[str, Any]) -> RankerChoices:
        return RankerChoices(data["gold_set_ids"])

    def shown(
        self, version: TrainedRanker, *, corpus: Corpus, in_use: InUse, context: Mapping[str, Any]
    ) -> VersionView:
        note = f"over {encoder_words(version.encoder, corpus=corpus)}"
        is_other = version.encoder != corpus.encoder
        if is_other:
            is_waiting = in_use.get(version.encoder) == version.pk
            note += "; back in use when that encoder is" if is_waiting else "; searches use another encoder now"
        return VersionView(
            note=note,
            questions=version.report.get("questions", {}).get("learned"),
            gain=gain(version.report),
            locked=frozenset(["use"] if is_other else []),
        )

    def report_page(
        self, *, organization: Organization, corpus: Corpus, version: TrainedRanker, query: QueryDict, address: str
    ) -> dict[str, Any]:
        report = version.report
        elsewhere = elsewhere_rows(organization=organization, report=report)
        before = report.get("provenance", {}).get("before", "packaged")
        return {
            "over": encoder_words(version.encoder, corpus=corpus),
            "is_other": version.encoder != corpus.encoder,
            "verdict": verdict_words(report, elsewhere, what="ranker"),
            "tables": comparison_rows(report),
            "elsewhere": elsewhere,
            "calibrated": CALIBRATED,
            "before": "the packaged ranker" if before == "packaged" else f"ranker version {before}",
        }

    def document(self, *, organization: Organization, version: TrainedRanker) -> dict[str, Any]:
        return {"encoder": version.encoder, "report": report_shown(organization=organization, report=version.report)}

    def document_in_use(self, *, corpus: Corpus, version_id: UUID | None) -> dict[str, Any]:
        return {"encoder": corpus.encoder, "ranker_id": version_id}


RANKER_FACE = RankerFace()
