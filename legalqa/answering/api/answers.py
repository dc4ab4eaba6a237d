"""Endpoints of questions and answers."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering import selectors, services
from legalqa.answering.api.asking import NewQuestionSerializer
from legalqa.answering.filters import AnswerFilter
from legalqa.answering.models import Answer, AnswerState, ClaimPart, StepState, Verdict
from legalqa.answering.outdated import Change
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.pages.history import history_rows
from legalqa.answering.pages.pack import answer_pack
from legalqa.answering.streaming import CONTENT_TYPE, answer_events
from legalqa.common.drf import PAGING, error_responses, operation, paged


class CitationSerializer(serializers.Serializer[Any]):
    paragraph_id = serializers.CharField()
    document_id = serializers.UUIDField()
    document = serializers.CharField()
    version = serializers.IntegerField()
    heading = serializers.CharField(help_text="The headings above it, outermost first, such as “Article 5 …”.")
    page = serializers.IntegerField()
    page_label = serializers.CharField()
    needs_a_look = serializers.BooleanField(help_text="Text recognition was unsure about this scanned page.")
    start = serializers.IntegerField(help_text="Offset in the paragraph's text.")
    end = serializers.IntegerField(help_text="Offset in the paragraph's text, exclusive.")
    quote = serializers.CharField()
    changed = serializers.ChoiceField(
        choices=[change.value for change in Change],
        allow_null=True,
        help_text="How the document has changed since; null if it is still the version that was read.",
    )


class ClaimSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    shown = serializers.BooleanField()
    reason = serializers.CharField()
    part = serializers.ChoiceField(choices=ClaimPart.choices, help_text="The part it plays in the answer.")
    provision = serializers.IntegerField(help_text="Claims with the same number belong together.")
    answer_start = serializers.IntegerField(help_text="Where in `text` the words start that answer; 0 for none.")
    answer_end = serializers.IntegerField(help_text="Their end, exclusive.")
    citations = CitationSerializer(many=True)
    also_in = CitationSerializer(many=True)


class StepSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=StepState.choices)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class TakingEffectSerializer(serializers.Serializer[Any]):
    document_id = serializers.UUIDField()
    version = serializers.IntegerField()
    effective_date = serializers.DateField()
    version_until_then = serializers.IntegerField(
        allow_null=True, help_text="The version in force until then; null where there is none."
    )
    is_cited = serializers.BooleanField(help_text="The answer quotes this version although it was not in force.")
    text = serializers.CharField(help_text="The same as a sentence.")


class SimilarCaseSerializer(serializers.Serializer[Any]):
    """A similar solved question, with the phrases that both questions have and those that only one has."""

    case_id = serializers.UUIDField()
    question = serializers.CharField()
    answer = serializers.CharField()
    score = serializers.FloatField()
    alike = serializers.ListField(child=serializers.CharField())
    only_question = serializers.ListField(child=serializers.CharField())
    only_case = serializers.ListField(child=serializers.CharField())


class SimilarSerializer(serializers.Serializer[Any]):
    cases = SimilarCaseSerializer(many=True)
    agree = serializers.ListField(child=serializers.CharField(), help_text="What two or more of the cases name.")
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="Where the cases differ or repeat, in words."
    )


class AnswerSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    question_id = serializers.UUIDField()
    question = serializers.CharField()
    corpus_id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=AnswerState.choices)
    mode = serializers.CharField()
    mode_label = serializers.CharField(help_text='"Quoted", or "Written by a model, checked".')
    notice = serializers.CharField()
    why = serializers.CharField()
    text = serializers.CharField(
        help_text="The answer as plain text: provisions apart, list items on their own lines, parts under their words."
    )
    claims = ClaimSerializer(many=True)
    composition = serializers.DictField(help_text="How it is composed: kind, parts, also, n_more, limit, silence, …")
    likeliest = serializers.DictField(allow_null=True, help_text="Of a silence: the likeliest provision, whole.")
    word_for_word = serializers.BooleanField(
        help_text="Every sentence is quoted, and no cited document has changed since; this does not say whether it "
        "answers the question."
    )
    confidence = serializers.FloatField(
        allow_null=True,
        help_text="The estimated probability that the best provision answers; what a model wrote is not judged by it.",
    )
    outdated = serializers.BooleanField(
        help_text="A cited document has a newer version that is in force, or was removed."
    )
    taking_effect = TakingEffectSerializer(
        many=True, help_text="Versions of cited documents that were not in force on the day of the question."
    )
    complexity = serializers.IntegerField(
        allow_null=True,
        help_text="The class of the question by which the settings were chosen, 0 being the simplest; null where the "
        "settings detect no complexity, and until the search has begun.",
    )
    contradictions = serializers.ListField(
        child=serializers.DictField(),
        help_text="Claims that a source contradicts, none of which is shown; and, with `kind`, `score`, `quotes`, "
        "`sides` and `resolution`, provisions of other documents, in the evidence or in the report of the corpus, that "
        "contradict what is cited, without pairs that a person reviewed as no contradiction or as resolved.",
    )
    similar = SimilarSerializer(
        allow_null=True, help_text="Similar solved questions, which are no source of this answer; null where none is."
    )
    steps = StepSerializer(many=True, help_text="Steps of the answer in order, including those still to come.")
    settings = serializers.DictField()
    seconds = serializers.FloatField()
    cost = serializers.FloatField()
    generation = serializers.DictField(allow_null=True, help_text="The call of a language model; null without one.")
    follows = serializers.UUIDField(allow_null=True, help_text="The previous question that this one follows up.")
    again_of = serializers.UUIDField(allow_null=True, help_text="The answer whose question was asked again.")
    as_of = serializers.DateField(allow_null=True, help_text="The day whose law was searched; null for today's.")
    filters = serializers.DictField(
        help_text="Which documents were asked, as `filters` of a question with its `as_of`; empty for the whole corpus."
    )
    created_at = serializers.DateTimeField()


class QuestionListApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ, "post": TokenScope.QUESTIONS_WRITE}
    rates = {"post": "ask"}
    idempotent = ("post",)
    in_scope = False

    @extend_schema_serializer(component_name="Question")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField(source="question_id")
        text = serializers.CharField()
        corpus_id = serializers.UUIDField()
        answer_id = serializers.UUIDField()
        state = serializers.ChoiceField(choices=AnswerState.choices)
        outdated = serializers.BooleanField(
            source="is_outdated", help_text="A document that the answer cites has changed since."
        )
        created_at = serializers.DateTimeField()

    @operation("questions_list", OutputSerializer(many=True), parameters=[*PAGING, *AnswerFilter.parameters()])
    def get(self, request: MemberRequest) -> Response:
        """Your questions, newest first."""
        with organization_scope(request.organization, user=request.user):
            selection = AnswerFilter(request.query_params, selectors.answer_list(**request.acting)).rows
            return paged(selection, request, self.OutputSerializer, shown=history_rows)

    @extend_schema(
        operation_id="questions_create",
        request=NewQuestionSerializer,
        responses={201: AnswerSerializer, 202: AnswerSerializer, **error_responses(400, 401, 404, 409, 422)},
    )
    def post(self, request: MemberRequest) -> Response:
        """Ask a question of a corpus; the answer is cited, or says that there is not enough evidence."""
        data = NewQuestionSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        question = data.question(**request.acting)
        if data.validated_data["wait"]:
            answer = services.question_ask(question=question)
        else:
            answer = services.question_start(question=question, is_awaited=True)
        return _asked(request, answer)

    def idempotent_reply(self, request: MemberRequest, subject_id: UUID) -> Response:
        return _asked(request, selectors.answer_get(**request.acting, answer_id=subject_id))


def _asked(request: MemberRequest, answer: Answer) -> Response:
    with organization_scope(request.organization, user=request.user):
        status = 202 if answer.state == AnswerState.WORKING else 201
        return Response(answer_document(answer=answer), status=status)


class AnswerDetailApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}

    @operation("answers_retrieve", AnswerSerializer, 404)
    def get(self, request: MemberRequest, answer_id: UUID) -> Response:
        """One of your answers."""
        answer = selectors.answer_get(**request.acting, answer_id=answer_id)
        return Response(answer_document(answer=services.answer_settle(answer=answer)))


class AnswerCancelApi(MemberApi):
    scopes = {"post": TokenScope.QUESTIONS_WRITE}

    @operation("answers_cancel", AnswerSerializer, 404, 409)
    def post(self, request: MemberRequest, answer_id: UUID) -> Response:
        """Stop an answer in progress."""
        answer = services.answer_cancel(**request.acting, answer_id=answer_id)
        return Response(answer_document(answer=answer))


class AnswerAgainApi(MemberApi):
    scopes = {"post": TokenScope.QUESTIONS_WRITE}
    rates = {"post": "ask"}
    in_scope = False

    @extend_schema(
        operation_id="answers_again",
        request=None,
        responses={201: AnswerSerializer, 202: AnswerSerializer, **error_responses(401, 404, 409, 422)},
    )
    def post(self, request: MemberRequest, answer_id: UUID) -> Response:
        """Ask the question of an answer again, with the same settings, for instance because its source has changed."""
        return _asked(request, services.question_again(**request.acting, answer_id=answer_id))


class EventRenderer(BaseRenderer):
    """Only declares the media type: the stream itself does not go through this renderer, and refusals are JSON."""

    media_type = CONTENT_TYPE
    format = "events"

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        return bytes(JSONRenderer().render(data))


class AnswerEventsApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}
    renderer_classes = [EventRenderer, JSONRenderer]
    in_scope = False

    @extend_schema(
        operation_id="answers_events",
        responses={(200, CONTENT_TYPE): OpenApiTypes.OBJECT, **error_responses(401, 404)},
    )
    def get(self, request: MemberRequest, answer_id: UUID) -> StreamingHttpResponse:
        """Events of one of your answers: progress, evidence, and the answer once every statement is checked."""
        organization, user = request.organization, request.user
        events = answer_events(organization=organization, user=user, token=request.auth, answer_id=answer_id)
        try:  # the place is taken first, because that needs no query
            with organization_scope(organization, user=user):
                selectors.answer_get(organization=organization, user=user, answer_id=answer_id)
        except BaseException:
            events.close()
            raise
        return StreamingHttpResponse(events, content_type=CONTENT_TYPE, headers={"X-Accel-Buffering": "no"})

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Refusals are JSON like all others, whatever the caller accepts for its events."""
        if isinstance(response, Response):
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        return super().finalize_response(request, response, *args, **kwargs)


class AnswerPackApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}

    @extend_schema_serializer(component_name="EvidencePack")
    class OutputSerializer(serializers.Serializer[Any]):
        answer = AnswerSerializer()
        evidence = serializers.ListField(child=serializers.DictField())
        trace = serializers.ListField(child=serializers.DictField())
        settings = serializers.ListField(child=serializers.DictField(), help_text="In words: label and value.")
        calls = serializers.ListField(
            child=serializers.DictField(), help_text="Calls of language models: for what, prompt, model, tokens, cost."
        )
        prompts = serializers.ListField(child=serializers.DictField(), help_text="Name, SHA-256 and text.")
        files = serializers.ListField(child=serializers.DictField())

    @operation("answers_pack", OutputSerializer, 404)
    def get(self, request: MemberRequest, answer_id: UUID) -> Response:
        """The evidence pack: candidates with scores, steps, claims, verdicts and files, for refusals too."""
        answer = services.answer_export(**request.acting, answer_id=answer_id)
        return Response(answer_pack(answer=answer))
