"""Pages of the question index under `/o/<slug>/`, and its endpoints under `/api/v1/`."""

from django.urls import path

from retrieval.questions import api, views

CORPUS = "corpora/<uuid:corpus_id>/"

urlpatterns = [
    path(f"{CORPUS}questions/", views.question_index, name="question_index"),
    path(f"{CORPUS}questions/state/", views.question_index_state, name="question_index_state"),
    path(f"{CORPUS}questions/build/", views.question_index_build, name="question_index_build"),
    path(f"{CORPUS}questions/import/", views.question_index_import, name="question_index_import"),
    path(f"{CORPUS}questions/file/", views.question_index_file, name="question_index_file"),
    path("indexed-questions/<int:question_id>/state/", views.indexed_question_state, name="indexed_question_state"),
    path("indexed-questions/<int:question_id>/edit/", views.indexed_question_edit, name="indexed_question_edit"),
]

api_urlpatterns = [
    path(f"{CORPUS}question-index/", api.QuestionIndexApi.as_view(), name="api_question_index"),
    path(f"{CORPUS}question-index/cancel/", api.QuestionIndexCancelApi.as_view(), name="api_question_index_cancel"),
    path(f"{CORPUS}question-index/resume/", api.QuestionIndexResumeApi.as_view(), name="api_question_index_resume"),
    path(f"{CORPUS}indexed-questions/", api.IndexedQuestionListApi.as_view(), name="api_indexed_question_list"),
    path(f"{CORPUS}indexed-questions/file/", api.IndexedQuestionFileApi.as_view(), name="api_indexed_question_file"),
    path("indexed-questions/<int:question_id>/", api.IndexedQuestionApi.as_view(), name="api_indexed_question"),
]
