"""Pages of the question index under `/o/<slug>/`, and its endpoints under `/api/v1/`."""

from django.urls import path

from retrieval.questions import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/questions/", views.question_index, name="question_index"),
    path("corpora/<uuid:corpus_id>/questions/state/", views.question_index_state, name="question_index_state"),
    path("corpora/<uuid:corpus_id>/questions/build/", views.question_index_build, name="question_index_build"),
    path("corpora/<uuid:corpus_id>/questions/cancel/", views.question_index_cancel, name="question_index_cancel"),
    path("corpora/<uuid:corpus_id>/questions/resume/", views.question_index_resume, name="question_index_resume"),
    path("corpora/<uuid:corpus_id>/questions/import/", views.question_index_import, name="question_index_import"),
    path("corpora/<uuid:corpus_id>/questions/file/", views.question_index_file, name="question_index_file"),
    path(
        "indexed-questions/<int:question_id>/state/",
        views.indexed_question_state,
        name="indexed_question_state",
    ),
    path("indexed-questions/<int:question_id>/edit/", views.indexed_question_edit, name="indexed_question_edit"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/question-index/", api.QuestionIndexApi.as_view(), name="api_question_index"),
    path(
        "corpora/<uuid:corpus_id>/question-index/cancel/",
        api.QuestionIndexCancelApi.as_view(),
        name="api_question_index_cancel",
    ),
    path(
        "corpora/<uuid:corpus_id>/question-index/resume/",
        api.QuestionIndexResumeApi.as_view(),
        name="api_question_index_resume",
    ),
    path(
        "corpora/<uuid:corpus_id>/indexed-questions/",
        api.IndexedQuestionListApi.as_view(),
        name="api_indexed_question_list",
    ),
    path(
        "corpora/<uuid:corpus_id>/indexed-questions/file/",
        api.IndexedQuestionFileApi.as_view(),
        name="api_indexed_question_file",
    ),
    path("indexed-questions/<int:question_id>/", api.IndexedQuestionApi.as_view(), name="api_indexed_question"),
]
