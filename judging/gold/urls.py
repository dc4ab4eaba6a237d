"""Pages of gold sets under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold import api, api_questions, views, views_questions

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", views.gold_set_list, name="gold_set_list"),
    path("corpora/<uuid:corpus_id>/gold-sets/marked/", views.gold_set_of_marks, name="gold_set_of_marks"),
    path("corpora/<uuid:corpus_id>/gold-sets/graded/", views.gold_set_of_grades, name="gold_set_of_grades"),
    path("gold-sets/<uuid:gold_set_id>/", views.gold_set_detail, name="gold_set_detail"),
    path("gold-sets/<uuid:gold_set_id>/file/", views.gold_set_file, name="gold_set_file"),
    path("gold-sets/<uuid:gold_set_id>/splits/", views_questions.gold_set_splits, name="gold_set_splits"),
    path("gold-sets/<uuid:gold_set_id>/cases/", views_questions.gold_set_cases, name="gold_set_cases"),
    path("gold-sets/<uuid:gold_set_id>/index/", views.gold_set_to_index, name="gold_set_to_index"),
    path("gold-sets/<uuid:gold_set_id>/remove/", views.gold_set_remove, name="gold_set_remove"),
    path("gold-questions/<uuid:gold_question_id>/", views_questions.gold_question, name="gold_question"),
    path("gold-questions/<uuid:gold_question_id>/edit/", views_questions.gold_question_edit, name="gold_question_edit"),
    path(
        "gold-questions/<uuid:gold_question_id>/review/",
        views_questions.gold_question_review,
        name="gold_question_review",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/report/",
        views_questions.gold_question_report,
        name="gold_question_report",
    ),
    path("gold-reports/<uuid:gold_report_id>/", views_questions.gold_report_decide, name="gold_report_decide"),
    path("question-types/", views_questions.question_types, name="question_types"),
    path("question-types/add/", views_questions.question_type_add, name="question_type_add"),
    path("question-types/<uuid:type_id>/remove/", views_questions.question_type_remove, name="question_type_remove"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", api.GoldSetListApi.as_view(), name="api_gold_set_list"),
    path("corpora/<uuid:corpus_id>/gold-sets/graded/", api.GoldSetOfGradesApi.as_view(), name="api_gold_set_of_grades"),
    path(
        "corpora/<uuid:corpus_id>/gold-sets/import/",
        api_questions.GoldSetImportApi.as_view(),
        name="api_gold_set_import",
    ),
    path("gold-sets/<uuid:gold_set_id>/", api.GoldSetDetailApi.as_view(), name="api_gold_set_detail"),
    path("gold-sets/<uuid:gold_set_id>/file/", api_questions.GoldSetFileApi.as_view(), name="api_gold_set_file"),
    path("gold-sets/<uuid:gold_set_id>/index/", api_questions.GoldSetIndexApi.as_view(), name="api_gold_set_to_index"),
    path("gold-sets/<uuid:gold_set_id>/splits/", api_questions.GoldSetSplitsApi.as_view(), name="api_gold_set_splits"),
    path("gold-sets/<uuid:gold_set_id>/cases/", api_questions.GoldSetCasesApi.as_view(), name="api_gold_set_cases"),
    path(
        "gold-sets/<uuid:gold_set_id>/questions/",
        api_questions.GoldQuestionListApi.as_view(),
        name="api_gold_question_list",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/",
        api_questions.GoldQuestionApi.as_view(),
        name="api_gold_question",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/reviews/",
        api_questions.GoldReviewApi.as_view(),
        name="api_gold_review",
    ),
    path(
        "gold-questions/<uuid:gold_question_id>/reports/",
        api_questions.GoldReportListApi.as_view(),
        name="api_gold_report_list",
    ),
    path("gold-reports/<uuid:gold_report_id>/", api_questions.GoldReportApi.as_view(), name="api_gold_report"),
    path("question-types/", api_questions.QuestionTypeListApi.as_view(), name="api_question_type_list"),
    path("question-types/<uuid:type_id>/", api_questions.QuestionTypeApi.as_view(), name="api_question_type"),
]
