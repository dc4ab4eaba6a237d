"""Pages of questions and answers, under `/o/<slug>/`."""

from django.urls import path

from legalqa.answering.api import answers as answers_api
from legalqa.answering.api import cases as cases_api
from legalqa.answering.api import contradictions as contradictions_api
from legalqa.answering.api import conversations as conversations_api
from legalqa.answering.api import grades as grades_api
from legalqa.answering.clauses import api as clauses_api
from legalqa.answering.clauses import views as clauses_views
from legalqa.answering.views import answers as answers_views
from legalqa.answering.views import cases as cases_views
from legalqa.answering.views import contradictions as contradictions_views
from legalqa.answering.views import conversations as conversations_views

ANSWER = "answers/<uuid:answer_id>/"
CORPUS = "corpora/<uuid:corpus_id>/"
CONTRADICTION = "contradictions/<uuid:contradiction_id>/"
VERDICT = "clause-verdicts/<uuid:verdict_id>/"

urlpatterns = [
    path("", answers_views.question_ask, name="question_ask"),
    path("history/", answers_views.question_list, name="question_list"),
    path(ANSWER, answers_views.answer_detail, name="answer_detail"),
    path(f"{ANSWER}cancel/", answers_views.answer_cancel, name="answer_cancel"),
    path(f"{ANSWER}again/", answers_views.answer_again, name="answer_again"),
    path(f"{ANSWER}grade/", answers_views.answer_grade, name="answer_grade"),
    path(f"{ANSWER}grade/remove/", answers_views.answer_ungrade, name="answer_ungrade"),
    path(f"{ANSWER}keep/", cases_views.answer_keep_as_case, name="answer_keep"),
    path(f"{ANSWER}pack/", answers_views.answer_pack, name="answer_pack"),
    path(f"{ANSWER}pack.json", answers_views.answer_pack_json, name="answer_pack_json"),
    path(f"{ANSWER}memo.docx", answers_views.answer_memo, {"kind": "docx"}, name="answer_memo_docx"),
    path(f"{ANSWER}memo.pdf", answers_views.answer_memo, {"kind": "pdf"}, name="answer_memo_pdf"),
    path(f"{ANSWER}rename/", conversations_views.conversation_rename, name="conversation_rename"),
    path(f"{ANSWER}delete/", conversations_views.conversation_delete, name="conversation_delete"),
    path(f"{ANSWER}share/", conversations_views.conversation_share, name="conversation_share"),
    path(f"{ANSWER}unshare/", conversations_views.conversation_unshare, name="conversation_unshare"),
    path(f"{CORPUS}contradictions/", contradictions_views.contradiction_list, name="contradiction_list"),
    path(f"{CONTRADICTION}review/", contradictions_views.contradiction_review, name="contradiction_review"),
    path("clauses/", clauses_views.clause_library, name="clause_library"),
    path("clauses/<uuid:clause_id>/remove/", clauses_views.clause_question_remove, name="clause_question_remove"),
    path(f"{CORPUS}clauses/", clauses_views.clause_table, name="clause_table"),
    path(f"{CORPUS}clauses.csv", clauses_views.clause_csv, name="clause_csv"),
    path("documents/<uuid:document_id>/clauses/", clauses_views.clause_document, name="clause_document"),
    path(f"{VERDICT}review/", clauses_views.clause_verdict_review, name="clause_verdict_review"),
]

api_urlpatterns = [
    path("questions/", answers_api.QuestionListApi.as_view(), name="api_question_list"),
    path(ANSWER, answers_api.AnswerDetailApi.as_view(), name="api_answer_detail"),
    path(f"{ANSWER}again/", answers_api.AnswerAgainApi.as_view(), name="api_answer_again"),
    path(f"{ANSWER}cancel/", answers_api.AnswerCancelApi.as_view(), name="api_answer_cancel"),
    path(f"{ANSWER}events/", answers_api.AnswerEventsApi.as_view(), name="api_answer_events"),
    path(f"{ANSWER}grade/", grades_api.AnswerGradeApi.as_view(), name="api_answer_grade"),
    path(f"{ANSWER}keep/", cases_api.AnswerKeepApi.as_view(), name="api_answer_keep"),
    path(f"{ANSWER}pack/", answers_api.AnswerPackApi.as_view(), name="api_answer_pack"),
    path(f"{ANSWER}memo.docx", conversations_api.MemoDocxApi.as_view(), name="api_memo_docx"),
    path(f"{ANSWER}memo.pdf", conversations_api.MemoPdfApi.as_view(), name="api_memo_pdf"),
    path(f"{ANSWER}conversation/", conversations_api.ConversationApi.as_view(), name="api_conversation"),
    path(f"{ANSWER}shares/", conversations_api.ShareListApi.as_view(), name="api_share_list"),
    path(f"{ANSWER}shares/<uuid:member_id>/", conversations_api.ShareDetailApi.as_view(), name="api_share_detail"),
    path(f"{CORPUS}contradictions/", contradictions_api.ContradictionListApi.as_view(), name="api_contradiction_list"),
    path(CONTRADICTION, contradictions_api.ContradictionDetailApi.as_view(), name="api_contradiction_detail"),
    path("clauses/", clauses_api.ClauseLibraryApi.as_view(), name="api_clause_library"),
    path("clauses/<uuid:clause_id>/", clauses_api.ClauseQuestionApi.as_view(), name="api_clause_question"),
    path(f"{CORPUS}clauses/", clauses_api.ClauseVerdictListApi.as_view(), name="api_clause_verdict_list"),
    path(VERDICT, clauses_api.ClauseVerdictApi.as_view(), name="api_clause_verdict"),
]
