"""Endpoints of experiments."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from judging.experiments import services
from judging.experiments.settings import MAX_CELLS, MAX_REPEATS, experiment_settings
from judging.models import Experiment, Rerun
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.steps import step_api
from legalqa.common.drf import operation
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject


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
    repeat_every = serializers.CharField(help_text='"daily", "weekly" or "".')
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


def _row(experiment: Experiment, job: Job | None) -> dict[str, Any]:
    """Its columns, with how far it is."""
    return vars(experiment) | {
        "state": job.state if job is not None else "done",
        "done": job.cursor if job is not None else 0,
        "total": job.total if job is not None else 0,
        "job_id": job.pk if job is not None else None,
        "repeat_every": experiment.rerun,
    }


def _shown(request: MemberRequest, experiment_id: UUID) -> dict[str, Any]:
    experiment, job = services.experiment_get(organization=request.organization, experiment_id=experiment_id)
    return _row(experiment, job) | {
        "failed": services.answers_failed(experiment=experiment),
        "repeat_refused": services.repeat_refused(user=request.user, experiment=experiment),
    }


class ExperimentListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewExperiment")
    class InputSerializer(serializers.Serializer[Any]):
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
        budget = serializers.DecimalField(
            max_digits=12, decimal_places=4, required=False, default=None, allow_null=True
        )
        name = serializers.CharField(required=False, default="", allow_blank=True, max_length=services.MAX_NAME)
        repeat_every = serializers.ChoiceField(Rerun.choices, required=False, default="", allow_blank=True)

    @operation("experiments_list", ExperimentRowSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The experiments of a corpus, newest first."""
        experiments = services.experiment_list(organization=request.organization, corpus_id=corpus_id)
        newest = list(experiments.defer("settings", "provenance", "report"))
        jobs = job_latest_by_subject(organization=request.organization, subject_ids=[one.pk for one in newest])
        return [_row(one, jobs.get(one.pk)) for one in newest]

    @operation("experiments_create", ExperimentSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Compare configurations on a gold set of the corpus, in the background."""
        of = {name: data.pop(name) for name in ("gold_set_id", "name")}
        rerun = data.pop("repeat_every")
        settings = experiment_settings(**data)
        experiment = services.experiment_start(
            **request.acting, corpus_id=corpus_id, rerun=rerun, settings=settings, **of
        )
        return _shown(request, experiment.pk)


class ExperimentDetailApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "delete": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "delete": MANAGERS}

    @operation("experiments_get", ExperimentSerializer, 404)
    def get(self, request: MemberRequest, experiment_id: UUID) -> object:
        """The progress of an experiment, or its report."""
        return _shown(request, experiment_id)

    @operation("experiments_delete", None, 404, 409)
    def delete(self, request: MemberRequest, experiment_id: UUID) -> None:
        """Remove an experiment with its answers; one at work must be cancelled first."""
        services.experiment_remove(**request.acting, experiment_id=experiment_id)


ExperimentCancelApi = step_api(
    services.experiment_cancel,
    name="experiments_cancel",
    words="Stop an experiment; what was answered is kept.",
    answer=_shown,
    serializer=ExperimentSerializer,
)


class ExperimentResumeApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @operation("experiments_resume", ExperimentSerializer, 404, 409)
    def post(self, request: MemberRequest, experiment_id: UUID) -> object:
        """Resume an experiment that was cancelled or failed; only what is missing is computed.

        One that has ended stays as it is. Where answers of it failed, a new one asks them again and takes over the
        others: the answer is the new experiment, whose `previous_id` is the ended one. It has the whole budget again,
        and asks what the ended one did not come to where its budget was used up.
        """
        experiment = services.experiment_resume(**request.acting, experiment_id=experiment_id)
        return _shown(request, experiment.pk)


class ExperimentRepeatApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="ExperimentSchedule")
    class InputSerializer(serializers.Serializer[Any]):
        repeat_every = serializers.ChoiceField(Rerun.choices, allow_blank=True)

    @operation("experiments_schedule", ExperimentSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, experiment_id: UUID, data: dict[str, Any]) -> object:
        """Repeat an experiment every day or every week, or stop repeating it."""
        services.experiment_rerun_set(**request.acting, experiment_id=experiment_id, rerun=data["repeat_every"])
        return _shown(request, experiment_id)
