"""What a program sends to ask a question."""

from dataclasses import replace

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from legalqa.accounts.models import Organization, User
from legalqa.answering.presets import choices_check
from legalqa.answering.services import question_following
from legalqa.answering.types import Question
from legalqa.common.drf import DayField, TextField
from retrieval.api.search import SettingsSerializer
from retrieval.pipelines.presets import DEFAULT_PRESET, PRESETS, Preset, preset_changed, preset_get
from retrieval.services.presets import preset_resolve
from retrieval.types import Filters

KEPT = "With `follows`, left out: as that question was asked; null: {}."


@extend_schema_serializer(component_name="NewQuestion")
class NewQuestionSerializer(SettingsSerializer):
    """A question with its settings; those that are left out of a follow-up are those of the question before."""

    corpus_id = serializers.UUIDField()
    text = TextField(max_length=100_000, allow_blank=True)  # the service says it in our words
    history = serializers.ListField(
        child=TextField(max_length=4000),
        default=list,
        max_length=20,
        help_text="Previous questions, oldest first, if they were not asked here; `follows` takes precedence.",
    )
    follows = serializers.UUIDField(
        allow_null=True,
        default=None,
        help_text="Your previous question that this one follows. What is left out of `preset`, `set`, `filters`, "
        "`as_of`, `temperature` and `complexity` is then as that question was asked (`filters` and `as_of` if it was "
        "asked of the same corpus); what is sent, null too, counts instead.",
    )
    preset = serializers.CharField(
        max_length=60,
        allow_null=True,
        default=DEFAULT_PRESET,
        help_text=f"One of {', '.join(PRESETS)}, or a setting that the corpus keeps. "
        + KEPT.format("that of a first question"),
    )
    set = serializers.DictField(
        child=serializers.CharField(max_length=100),
        default=dict,
        help_text="Single settings on top of the preset; with `follows` and no `preset`, on top of those kept.",
    )
    filters = serializers.DictField(
        allow_null=True,
        default=dict,
        help_text="Which documents, as `filters` of a search. " + KEPT.format("all documents"),
    )
    as_of = DayField(
        allow_null=True,
        default=None,
        help_text="Search the versions that were in force on this day instead of the current ones. "
        + KEPT.format("the current versions"),
    )
    temperature = serializers.FloatField(
        allow_null=True,
        default=None,
        min_value=0,
        max_value=2,
        help_text="Of the model that writes. " + KEPT.format("the preset's own"),
    )
    complexity = serializers.IntegerField(
        allow_null=True,
        default=None,
        min_value=0,
        max_value=9,
        help_text="Class of the question. " + KEPT.format("as it is classified"),
    )
    wait = serializers.BooleanField(
        default=True, help_text="false: reply at once with 202; follow the answer's events."
    )

    def question(self, *, organization: Organization, user: User) -> Question:
        """What is asked.

        Raises:
            NotFound: `follows` names no question of theirs.
            PresetError: no such preset for this corpus, or a setting that does not fit or changes nothing.
            FilterError: a filter does not fit.
        """
        data = self.validated_data
        question = Question(
            organization=organization,
            user=user,
            corpus_id=data["corpus_id"],
            text=data["text"],
            preset=preset_get(DEFAULT_PRESET),
            follows=data["follows"],
            former=tuple(reversed(data["history"])),
        )
        if question.follows is not None:
            question = question_following(question=question)
        own = {name: data[name] for name in ("temperature", "complexity") if self._is_sent(name)}
        preset = self._preset(question)
        choices_check(preset, data["set"] | own)
        return replace(question, preset=preset, filters=self._filters(question.filters), **own)

    def _is_sent(self, name: str) -> bool:
        return name in self.initial_data

    def _preset(self, question: Question) -> Preset:
        """The one that was sent, else that of the question before; with the settings that were sent on top."""
        data = self.validated_data
        if question.follows is not None and not self._is_sent("preset"):
            return preset_changed(question.preset, data["set"])
        return preset_resolve(
            organization=question.organization,
            user=question.user,
            corpus_id=question.corpus_id,
            name=data["preset"] or DEFAULT_PRESET,
            overrides=data["set"],
        )

    def _filters(self, former: Filters) -> Filters:
        """The filters that were sent, else those of the question before; the day apart from them."""
        data, kept = self.validated_data, former.as_mapping()
        day = {"as_of": kept.pop("as_of", None)}
        sent = (data["filters"] or {}) if self._is_sent("filters") else kept
        return Filters.sent({**({} if self._is_sent("as_of") else day), **sent}, as_of=data["as_of"])
