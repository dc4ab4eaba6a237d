"""What people and programs see of the encoders of a corpus, and of the switch from one to another."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.models import Corpus, TrainedEncoder
from corpora.services.encoding import is_added
from legalqa.accounts.models import Organization
from legalqa.encoder.client import NAME
from legalqa.training import comparisons
from legalqa.training.choices import NO_GOLD_SET, settings_checked
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.forms import NUMBERS, EncoderForm
from legalqa.training.encoder.pages import encoder_words, switch_state
from legalqa.training.encoder.services import ENCODER, EncoderChoices
from legalqa.training.gold_sets import GoldSetFace, to_use_serializer
from legalqa.training.versions.face import Addresses, InUse, TrainedVersionSerializer, TrainingForm, VersionView, Words

SWITCHING = "The switch has begun. Searches use the current encoder until every passage has its vector."


class TrainedEncoderSerializer(TrainedVersionSerializer):
    """A version; `report` holds before and after once it is ready, `name` is the name of its vectors."""

    name = serializers.CharField()
    settings = serializers.DictField()


class EncoderInUseSerializer(serializers.Serializer[Any]):
    """What searches use; null is the packaged encoder. `switch_job_id` names the switch that is running or stopped."""

    encoder = serializers.CharField()
    encoder_id = serializers.UUIDField(allow_null=True)
    switch_job_id = serializers.UUIDField(allow_null=True)


@extend_schema_serializer(component_name="NewEncoder")
class NewEncoderSerializer(serializers.Serializer[Any]):
    gold_set_ids = serializers.ListField(
        child=serializers.UUIDField(), min_length=1, max_length=50, error_messages={"min_length": NO_GOLD_SET}
    )
    elsewhere = serializers.ListField(child=serializers.UUIDField(), max_length=10, required=False, default=list)
    settings = serializers.DictField(required=False, default=dict, help_text=", ".join(EncoderTraining.model_fields))


class EncoderFace(GoldSetFace[TrainedEncoder, EncoderChoices]):
    """Encoders: an activation is a job, which embeds every passage again before searches switch."""

    trainer = ENCODER
    form_class = EncoderForm
    addresses = Addresses(
        pages="encoders/", endpoints="encoders/", prefix="encoder", listed="encoder_list", state="state"
    )
    words = Words(
        title="Search models",
        lede="An encoder finds passages by their meaning, a ranker puts the best first, and a reader says which of "
        "them answer. All come ready to use; all can learn how your documents answer your questions.",
        train="From gold sets: questions with known right passages. Whole documents are held out (for a reader, single "
        "questions), and the report says on them whether the result is better. It runs in the background, and "
        "nothing changes for anyone until you activate it.",
        help="Finds passages that share no word with the question. Takes minutes to an hour, and then embeds every "
        "passage again, beside those that are searched.",
        packaged="The packaged encoder",
        untrained="A general English model. Train your own if people phrase questions differently from your documents.",
        goes_with="its questions, its report and its vectors",
        said={
            "use": SWITCHING,
            "use_packaged": SWITCHING,
            "roll_back": "Switching back to the previous encoder. Its vectors were kept, so this takes seconds.",
            "remove": "The encoder is removed, with its questions, its report and its vectors.",
        },
        endpoints={
            "create": "Train an encoder on gold sets in the background; searches do not change.",
            "in_use": "Which encoder searches use, and whether a switch to another one is running.",
            "use": "Switch to an encoder once every passage has its vector; null is the packaged one.",
            "roll_back": "Switch back to the previous encoder; its vectors were kept.",
            "delete": "Remove an encoder that is not in use, with its questions, its report and its vectors.",
        },
    )
    report_template = "training/encoder.html"
    version = TrainedEncoderSerializer
    new = NewEncoderSerializer
    used = EncoderInUseSerializer
    to_use = to_use_serializer("encoder")
    is_switched = True

    def choices(self, *, organization: Organization, corpus: Corpus, form: TrainingForm) -> EncoderChoices:
        assert isinstance(form, EncoderForm)
        return EncoderChoices(
            [UUID(pk) for pk in form.cleaned_data["gold_sets"]],
            settings_checked(EncoderTraining, form.settings_given()),
            [UUID(pk) for pk in form.cleaned_data.get("elsewhere", ())],
        )

    def choices_sent(self, *, organization: Organization, corpus: Corpus, data: Mapping[str, Any]) -> EncoderChoices:
        settings = settings_checked(EncoderTraining, data["settings"])
        return EncoderChoices(data["gold_set_ids"], settings, data["elsewhere"])

    def context(self, *, organization: Organization, corpus: Corpus) -> dict[str, Any]:
        switch = switch_state(organization=organization, corpus=corpus)
        is_switching = switch is not None and switch["job"].is_open
        words = encoder_words(corpus.encoder, corpus=corpus) if is_added(name=corpus.encoder) else ""
        return {"switch": switch, "is_switching": is_switching, "is_working": is_switching, "packaged": words}

    def shown(
        self, version: TrainedEncoder, *, corpus: Corpus, in_use: InUse, context: Mapping[str, Any]
    ) -> VersionView:
        is_next = context["switch"] is not None and context["switch"]["encoder_id"] == version.pk
        return VersionView(
            tag="next" if is_next and context["is_switching"] else "",
            questions=version.report.get("questions", {}).get("learned"),
            gain=comparisons.gain(version.report),
            locked=frozenset(["use"] * context["is_switching"] + ["remove"] * is_next),
        )

    def report_page(
        self, *, organization: Organization, corpus: Corpus, version: TrainedEncoder, query: QueryDict, address: str
    ) -> dict[str, Any]:
        report = version.report
        elsewhere = comparisons.elsewhere_rows(organization=organization, report=report)
        return {
            "verdict": comparisons.verdict_words(report, elsewhere, what="encoder"),
            "tables": comparisons.comparison_rows(report),
            "elsewhere": elsewhere,
            "before": encoder_words(report.get("provenance", {}).get("before", NAME), corpus=corpus),
            "loss": comparisons.loss_curve(report),
            "settings": [(label, version.training.get(name)) for name, (label, *_) in NUMBERS.items()],
        }

    def document(self, *, organization: Organization, version: TrainedEncoder) -> dict[str, Any]:
        report = comparisons.report_shown(organization=organization, report=version.report)
        return {"name": version.name, "settings": version.training, "report": report}

    def document_in_use(self, *, corpus: Corpus, version_id: UUID | None) -> dict[str, Any]:
        switch = switch_state(organization=corpus.organization, corpus=corpus)
        job_id = switch["job"].pk if switch is not None else None
        return {"encoder": corpus.encoder, "encoder_id": version_id, "switch_job_id": job_id}


ENCODER_FACE = EncoderFace()
