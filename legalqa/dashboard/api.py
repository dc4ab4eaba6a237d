"""Endpoints of the dashboard, the audit log and the organisation's usage."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from legalqa.accounts.access import OWNERS
from legalqa.accounts.api import ManagersApi, MemberApi, MemberRequest
from legalqa.accounts.models import Organization
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.selectors import audit_list
from legalqa.common.drf import MomentField, operation, order_check
from legalqa.common.errors import ApplicationError
from legalqa.common.nearest import nearest
from legalqa.dashboard.audit_sentences import SENTENCES
from legalqa.dashboard.selectors.overview import PERIODS, USUAL_PERIOD, overview_get
from legalqa.jobs.use import use_get
from legalqa.llm.pricing import money


class AuditEventSerializer(serializers.Serializer[Any]):
    sequence = serializers.IntegerField()
    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    action = serializers.CharField()
    actor_id = serializers.UUIDField(allow_null=True)
    subject_id = serializers.UUIDField(allow_null=True)
    details = serializers.DictField()
    source = serializers.CharField()  # type: ignore[assignment]  # the base class has an attribute of that name
    address = serializers.CharField()
    previous = serializers.CharField()
    digest = serializers.CharField()


class AuditListApi(MemberApi):
    scopes = {"get": TokenScope.AUDIT_READ}
    roles = {"get": OWNERS}

    class FilterSerializer(serializers.Serializer[Any]):
        person_id = serializers.UUIDField(required=False, help_text="Events they caused, and events about them.")
        action = serializers.CharField(
            required=False, max_length=60, help_text="One kind of event, such as `document.removed`."
        )
        since = MomentField(required=False, help_text="At or after this time.")
        until = MomentField(required=False, help_text="Before this time.")
        after = serializers.IntegerField(
            required=False, min_value=0, max_value=2**63 - 1, help_text="Rows with a higher sequence number."
        )

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            order_check(attrs, "since", "until")
            return attrs

    @operation("audit_list", AuditEventSerializer(many=True), filters=FilterSerializer, is_paged=True)
    def get(self, request: MemberRequest, filters: dict[str, Any]) -> object:
        """The audit log, newest row first; `after` gives only rows with a higher sequence number."""
        if action := filters.get("action"):
            self._action_check(request.organization, action)
        return audit_list(organization=request.organization, **filters)

    @staticmethod
    def _action_check(organization: Organization, action: str) -> None:
        """
        Raises:
            ApplicationError: the product has no such action, and no earlier version has logged it here.
        """
        if action not in SENTENCES and not audit_list(organization=organization, action=action).exists():
            raise ApplicationError(
                f"No action is called {action!r}; the nearest of {len(SENTENCES)} are: {nearest(action, SENTENCES)}.",
                code="unknown_action",
            )


class UseApi(ManagersApi):
    scopes = {"get": TokenScope.JOBS_READ}

    @extend_schema_serializer(component_name="Use")
    class OutputSerializer(serializers.Serializer[Any]):
        open_jobs = serializers.IntegerField()
        open_jobs_limit = serializers.IntegerField()
        bytes_today = serializers.IntegerField()
        bytes_today_limit = serializers.IntegerField()
        processor_s_today = serializers.FloatField()
        processor_s_today_limit = serializers.IntegerField()
        documents_of_upload_limit = serializers.IntegerField()
        is_waiting = serializers.BooleanField()

    @operation("use_retrieve", OutputSerializer)
    def get(self, request: MemberRequest) -> object:
        """The organisation's usage and limits; 0 means no limit, days are UTC. `is_waiting`: paused until tomorrow."""
        return use_get(organization=request.organization)


class CountsSerializer(serializers.Serializer[Any]):
    """`unfinished`: failed, cancelled or under way; `ungraded`: completed, but nobody has graded it."""

    asked = serializers.IntegerField()
    answered = serializers.IntegerField()
    silent = serializers.IntegerField()
    unfinished = serializers.IntegerField()
    graded = serializers.IntegerField()
    right = serializers.IntegerField()
    ungraded = serializers.IntegerField()


class DashboardApi(ManagersApi):
    scopes = {"get": TokenScope.JOBS_READ}

    class FilterSerializer(serializers.Serializer[Any]):
        corpus_id = serializers.UUIDField(required=False, help_text="Only this corpus.")
        weeks = serializers.ChoiceField(choices=PERIODS, default=USUAL_PERIOD, help_text="How many weeks back.")

    @extend_schema_serializer(component_name="Dashboard")
    class OutputSerializer(serializers.Serializer[Any]):
        class WeekCountsSerializer(serializers.Serializer[Any]):
            week = serializers.DateField(help_text="Its Monday (UTC).")
            counts = CountsSerializer()

        class CorpusCountsSerializer(serializers.Serializer[Any]):
            corpus_id = serializers.UUIDField(source="corpus.pk")
            name = serializers.CharField(source="corpus.name")
            counts = CountsSerializer()

        class WaitingSerializer(serializers.Serializer[Any]):
            corpus_id = serializers.UUIDField(source="corpus.pk")
            ungraded = serializers.IntegerField(help_text="Answers of the period that nobody has graded.")
            feedback = serializers.IntegerField(help_text="Grades and corrections to review.")
            contradictions = serializers.IntegerField(help_text="Contradictions to review.")
            documents = serializers.IntegerField(help_text="Documents that need attention.")
            experiments = serializers.IntegerField(help_text="Experiments under way.")

        since = serializers.DateField()
        weeks = WeekCountsSerializer(many=True)
        corpora = CorpusCountsSerializer(many=True)
        total = CountsSerializer()
        waiting = WaitingSerializer(many=True)
        costs = serializers.DictField(
            child=serializers.DecimalField(max_digits=20, decimal_places=6),
            allow_null=True,
            help_text="What language models cost, by week; null without the role and the scope to see costs.",
        )

    @operation("dashboard_retrieve", OutputSerializer, 404, filters=FilterSerializer)
    def get(self, request: MemberRequest, filters: dict[str, Any]) -> object:
        """Questions by week and corpus with their results, costs, and what waits for a person; without experiments."""
        overview = overview_get(
            organization=request.organization,
            n_weeks=filters["weeks"],
            corpus_id=filters.get("corpus_id"),
            with_costs=request.membership.role in OWNERS and TokenScope.LLM_READ in request.auth.scopes,
        )
        costs: Any = overview.costs and {str(week): money(cost) for week, cost in overview.costs.items()}
        fields = {name: getattr(overview, name) for name in ("since", "weeks", "corpora", "total", "waiting")}
        return {**fields, "costs": costs}
