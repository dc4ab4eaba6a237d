"""Endpoints of experiments."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from corpora.runs.api import RunApi, run_document, run_routes
from judging.experiments import services
from judging.experiments.settings import MAX_CELLS, MAX_REPEATS, experiment_settings
from judging.models import Experiment, Rerun
from legalqa.accounts.api import MemberRequest
from legalqa.common.drf import operation
from legalqa.jobs.models import Job

RESUME = """Resume an experiment that was cancelled or failed; only what is missing is computed.

One that has ended stays as it is. Where answers of it failed, a new one asks them again and takes over the
others: the answer is the new experiment, whose `previous_id` is the ended one. It has the whole budget again,
and asks what the ended one did not come to where its budget was used up.
"""


class ExperimentRowSerializer(serializers.Serializer[Any]):
    """An experiment in a list; `done` of `total` answers are there."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    corpus_id = serializers.UUIDField()
    gold_set_id = serializers.UUIDField()
    state = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    job_id = serializers.UUIDField(allow_null=True)
    repeat_every = serializers.CharField(source="rerun", help_text='"daily", "weekly" or "".')
    previous_id = serializers.UUIDField(
        allow_null=True, help_text="The experiment that this one repeats, or whose failed answers it asks again."
    )
    created_at = serializers.DateTimeField()


class FailedSerializer(serializers.Serializer[Any]):
    question_id = serializers.UUIDField()
    question = serializers.CharField(source="question.text")
    cell = serializers.CharField()
    repeat = serializers.IntegerField()
    reason = serializers.CharField()


class ExperimentSerializer(ExperimentRowSerializer):
    """An experiment; `report` is empty until its end.

    It has `rows` of preset, metric (the name of the measure), value, low, high and n, and `warnings`.
    """

    settings = serializers.DictField()
    provenance = serializers.DictField()
    report = serializers.DictField()
    failed = FailedSerializer(many=True, help_text=f"The first {services.MAX_FAILED} answers that failed.")
    repeat_refused = serializers.CharField(help_text="Why it cannot be repeated as scheduled; empty where it can.")


class NewExperimentSerializer(serializers.Serializer[Any]):
    gold_set_id = serializers.UUIDField()
    presets = serializers.ListField(
        child=serializers.CharField(max_length=200),
        min_length=1,
        max_length=MAX_CELLS,
        help_text='Names, each followed by changes if you want any: "policy-copilot reranker=off".',
    )
    grid = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=80), min_length=1, max_length=MAX_CELLS),
        required=False,
        default=dict,
        help_text="Values to vary; each combination is one configuration.",
    )
    generators = serializers.ListField(child=serializers.CharField(), required=False, default=lambda: ["quoted"])
    measures = serializers.ListField(child=serializers.CharField(), required=False, default=list)
    judges = serializers.ListField(child=serializers.CharField(), required=False, default=list)
    repeats = serializers.IntegerField(min_value=1, max_value=MAX_REPEATS, required=False, default=1)
    baseline = serializers.CharField(required=False, default="", allow_blank=True)
    budget = serializers.DecimalField(max_digits=12, decimal_places=4, required=False, default=None, allow_null=True)
    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=services.MAX_NAME)
    repeat_every = serializers.ChoiceField(Rerun.choices, required=False, default="", allow_blank=True)


class ExperimentApi(RunApi):
    runs = services.EXPERIMENTS
    unlisted = ("settings", "provenance", "report")

    def start(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Experiment:
        of = {name: data.pop(name) for name in ("gold_set_id", "name")}
        rerun = data.pop("repeat_every")
        settings = experiment_settings(**data)
        return services.experiment_start(**request.acting, corpus_id=corpus_id, rerun=rerun, settings=settings, **of)

    def document(self, run: Experiment, job: Job | None) -> dict[str, Any]:
        return run_document(run, job) | {
            "failed": services.answers_failed(experiment=run),
            "repeat_refused": services.repeat_refused(user=self.request.user, experiment=run),
        }

    def resumed(self, request: MemberRequest, **ids: UUID) -> object:
        (experiment_id,) = ids.values()
        experiment = services.experiment_resume(**request.acting, experiment_id=experiment_id)
        return self.shown(request, id=experiment.pk)

    def removed(self, request: MemberRequest, **ids: UUID) -> None:
        (experiment_id,) = ids.values()
        services.experiment_remove(**request.acting, experiment_id=experiment_id)


experiment_routes = run_routes(
    ExperimentApi,
    name="experiment",
    operations="experiments",
    addresses=("corpora/<uuid:corpus_id>/experiments/", "experiments/<uuid:experiment_id>/"),
    says={
        "list": "The experiments of a corpus, newest first.",
        "create": "Compare configurations on a gold set of the corpus, in the background.",
        "get": "The progress of an experiment, or its report.",
        "delete": "Remove an experiment with its answers; one at work must be cancelled first.",
        "cancel": "Stop an experiment; what was answered is kept.",
        "resume": RESUME,
    },
    gives=ExperimentSerializer,
    takes=NewExperimentSerializer,
    in_list=ExperimentRowSerializer,
    removed=ExperimentApi.removed,
)


class ExperimentScheduleSerializer(serializers.Serializer[Any]):
    repeat_every = serializers.ChoiceField(Rerun.choices, allow_blank=True)


class ExperimentRepeatApi(ExperimentApi):
    @operation("experiments_schedule", ExperimentSerializer, 404, takes=ExperimentScheduleSerializer)
    def post(self, request: MemberRequest, experiment_id: UUID, data: dict[str, Any]) -> object:
        """Repeat an experiment every day or every week, or stop repeating it."""
        services.experiment_rerun_set(**request.acting, experiment_id=experiment_id, rerun=data["repeat_every"])
        return self.shown(request, id=experiment_id)
