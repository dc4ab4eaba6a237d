"""Pages of gold sets under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold.api import files as files_api
from judging.gold.api import questions as questions_api
from judging.gold.api import sets as sets_api
from judging.gold.api import taxonomy as taxonomy_api
from judging.gold.views import questions as questions_views
from judging.gold.views import sets as sets_views
from judging.gold.views import taxonomy as taxonomy_views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", sets_views.gold_set_list, name="gold_set_list"),
    path("corpora/<uuid:corpus_id>/gold-sets/marked/", sets_views.gold_set_of_marks, name="gold_set_of_marks"),
    path("corpora/<uuid:corpus_id>/gold-sets/graded/", sets_views.gold_set_of_grades, name="gold_set_of_grades"),
    path("gold-sets/<uuid:gold_set_id>/", sets_views.gold_set_detail, name="gold_set_detail"),
    path("gold-sets/<uuid:gold_set_id>/file/", sets_views.gold_set_file, name="gold_set_file"),
    path("gold-sets/<uuid:gold_set_id>/splits/", sets_views.gold_set_splits, name="gold_set_splits"),
    path("gold-sets/<uuid:gold_set_id>/cases/", sets_views.gold_set_cases, name="gold_set_cases"),
    path("gold-sets/<uuid:gold_set_id>/index/", sets_views.gold_set_to_index, name="gold_set_to_index"),
    path("gold-sets/<uuid:gold_set_id>/remove/", sets_views.gold_set_remove, name="gold_set_remove"),
    path("gold-questions/<uuid:gold_question_id>/", questions_views.gold_question, name="gold_question"),
    path("gold-questions/<uuid:gold_question_id>/edit/", questions_views.gold_question_edit, name="gold_question_edit"),
    path(
        "gold-questions/<uuid:gold_question_id>/review/",
        questions_views.gold_question_review,
        name="gold_question_review",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/report/",
        questions_views.gold_question_report,
        name="gold_question_report",
    ),
    path("gold-reports/<uuid:gold_report_id>/", questions_views.gold_report_decide, name="gold_report_decide"),
    path("question-types/", taxonomy_views.question_types, name="question_types"),
    path("question-types/add/", taxonomy_views.question_type_add, name="question_type_add"),
    path("question-types/<uuid:type_id>/remove/", taxonomy_views.question_type_remove, name="question_type_remove"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", sets_api.GoldSetListApi.as_view(), name="api_gold_set_list"),
    path(
        "corpora/<uuid:corpus_id>/gold-sets/graded/",
        sets_api.GoldSetOfGradesApi.as_view(),
        name="api_gold_set_of_grades",
    ),
    path(
        "corpora/<uuid:corpus_id>/gold-sets/import/",
        files_api.GoldSetImportApi.as_view(),
        name="api_gold_set_import",
    ),
    path("gold-sets/<uuid:gold_set_id>/", sets_api.GoldSetDetailApi.as_view(), name="api_gold_set_detail"),
    path("gold-sets/<uuid:gold_set_id>/file/", files_api.GoldSetFileApi.as_view(), name="api_gold_set_file"),
    path("gold-sets/<uuid:gold_set_id>/index/", sets_api.GoldSetIndexApi.as_view(), name="api_gold_set_to_index"),
    path("gold-sets/<uuid:gold_set_id>/splits/", sets_api.GoldSetSplitsApi.as_view(), name="api_gold_set_splits"),
    path("gold-sets/<uuid:gold_set_id>/cases/", sets_api.GoldSetCasesApi.as_view(), name="api_gold_set_cases"),
    path(
        "gold-sets/<uuid:gold_set_id>/questions/",
        questions_api.GoldQuestionListApi.as_view(),
        name="api_gold_question_list",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/",
        questions_api.GoldQuestionApi.as_view(),
        name="api_gold_question",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/reviews/",
        questions_api.GoldReviewApi.as_view(),
        name="api_gold_review",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/reports/",
        questions_api.GoldReportListApi.as_view(),
        name="api_gold_report_list",
    ),
    path("gold-reports/<uuid:gold_report_id>/", questions_api.GoldReportApi.as_view(), name="api_gold_report"),
    path("question-types/", taxonomy_api.QuestionTypeListApi.as_view(), name="api_question_type_list"),
    path("question-types/<uuid:type_id>/", taxonomy_api.QuestionTypeApi.as_view(), name="api_question_type"),
]
