"""Pages of gold sets under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold.api import files as files_api
from judging.gold.api import questions as questions_api
from judging.gold.api import sets as sets_api
from judging.gold.api import taxonomy as taxonomy_api
from judging.gold.views import questions as questions_views
from judging.gold.views import sets as sets_views
from judging.gold.views import taxonomy as taxonomy_views

GOLD_SET = "gold-sets/<uuid:gold_set_id>/"
QUESTION = "gold-questions/<uuid:gold_question_id>/"
OF_CORPUS = "corpora/<uuid:corpus_id>/gold-sets/"

urlpatterns = [
    path(OF_CORPUS, sets_views.gold_set_list, name="gold_set_list"),
    path(f"{OF_CORPUS}marked/", sets_views.gold_set_of_marks, name="gold_set_of_marks"),
    path(f"{OF_CORPUS}graded/", sets_views.gold_set_of_grades, name="gold_set_of_grades"),
    path(GOLD_SET, sets_views.gold_set_detail, name="gold_set_detail"),
    path(f"{GOLD_SET}file/", sets_views.gold_set_file, name="gold_set_file"),
    path(f"{GOLD_SET}splits/", sets_views.gold_set_splits, name="gold_set_splits"),
    path(f"{GOLD_SET}cases/", sets_views.gold_set_cases, name="gold_set_cases"),
    path(f"{GOLD_SET}index/", sets_views.gold_set_to_index, name="gold_set_to_index"),
    path(f"{GOLD_SET}remove/", sets_views.gold_set_remove, name="gold_set_remove"),
    path(QUESTION, questions_views.gold_question, name="gold_question"),
    path(f"{QUESTION}edit/", questions_views.gold_question_edit, name="gold_question_edit"),
    path(f"{QUESTION}review/", questions_views.gold_question_review, name="gold_question_review"),
    path(f"{QUESTION}report/", questions_views.gold_question_report, name="gold_question_report"),
    path("gold-reports/<uuid:gold_report_id>/", questions_views.gold_report_decide, name="gold_report_decide"),
    path("question-types/", taxonomy_views.question_types, name="question_types"),
    path("question-types/add/", taxonomy_views.question_type_add, name="question_type_add"),
    path("question-types/<uuid:type_id>/remove/", taxonomy_views.question_type_remove, name="question_type_remove"),
]

api_urlpatterns = [
    path(OF_CORPUS, sets_api.GoldSetListApi.as_view(), name="api_gold_set_list"),
    path(f"{OF_CORPUS}graded/", sets_api.GoldSetOfGradesApi.as_view(), name="api_gold_set_of_grades"),
    path(f"{OF_CORPUS}import/", files_api.GoldSetImportApi.as_view(), name="api_gold_set_import"),
    path(GOLD_SET, sets_api.GoldSetDetailApi.as_view(), name="api_gold_set_detail"),
    path(f"{GOLD_SET}file/", files_api.GoldSetFileApi.as_view(), name="api_gold_set_file"),
    path(f"{GOLD_SET}index/", sets_api.GoldSetIndexApi.as_view(), name="api_gold_set_to_index"),
    path(f"{GOLD_SET}splits/", sets_api.GoldSetSplitsApi.as_view(), name="api_gold_set_splits"),
    path(f"{GOLD_SET}cases/", sets_api.GoldSetCasesApi.as_view(), name="api_gold_set_cases"),
    path(f"{GOLD_SET}questions/", questions_api.GoldQuestionListApi.as_view(), name="api_gold_question_list"),
    path(QUESTION, questions_api.GoldQuestionApi.as_view(), name="api_gold_question"),
    path(f"{QUESTION}reviews/", questions_api.GoldReviewApi.as_view(), name="api_gold_review"),
    path(f"{QUESTION}reports/", questions_api.GoldReportListApi.as_view(), name="api_gold_report_list"),
    path("gold-reports/<uuid:gold_report_id>/", questions_api.GoldReportApi.as_view(), name="api_gold_report"),
    path("question-types/", taxonomy_api.QuestionTypeListApi.as_view(), name="api_question_type_list"),
    path("question-types/<uuid:type_id>/", taxonomy_api.QuestionTypeApi.as_view(), name="api_question_type"),
]
