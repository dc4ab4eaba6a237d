"""Who may do what at which address: the whole site as one table, and the cells that follow from it."""

from collections.abc import Iterator
from dataclasses import dataclass

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

OWNER = frozenset({"owner"})
MANAGERS = frozenset({"owner", "manager"})
REVIEWERS = frozenset({"owner", "manager", "lawyer"})
MEMBERS = frozenset({"owner", "manager", "lawyer", "annotator"})
OUTSIDERS = frozenset({"removed", "operator", "stranger"})  # signed in, and no members of this organisation
CALLERS = (*sorted(MEMBERS), *sorted(OUTSIDERS), "anonymous")
TOKENS = (*sorted(MEMBERS), "removed", "revoked", "stranger", "none", "nonsense")

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
REDIRECT = 302
CONFLICT = 409  # the world's answers have ended: there is nothing to cancel
INVALID = 422  # the world's gold set asks one thing, on one document: too little to train on
LAST_ANSWER = 286  # htmx stops asking: the document is ready


@dataclass(frozen=True)
class Door:
    """A method of an address: who may use it, and what they get when they send what it asks for."""

    allowed: frozenset[str]
    status: int


# Pages under /o/<slug>/: other roles 403, everybody who is no member 404, anonymous to the sign-in page.
PAGES: dict[str, dict[str, Door]] = {
    "member_list": {GET: Door(OWNER, 200)},
    "member_invite": {POST: Door(OWNER, REDIRECT)},
    "member_update": {POST: Door(OWNER, REDIRECT)},
    "member_remove": {POST: Door(OWNER, REDIRECT)},
    "member_sign_in_link": {POST: Door(OWNER, 200)},
    "invitation_revoke": {POST: Door(OWNER, REDIRECT)},
    "second_factor_demand": {POST: Door(OWNER, REDIRECT)},
    "audit_log": {GET: Door(OWNER, 200)},
    "audit_csv": {GET: Door(OWNER, 200)},
    "audit_check": {POST: Door(OWNER, REDIRECT)},
    "access_page": {GET: Door(MANAGERS, 200)},
    "access_csv": {GET: Door(MANAGERS, 200)},
    "use_page": {GET: Door(MANAGERS, 200)},
    "dashboard_questions": {GET: Door(MANAGERS, 200)},
    "feedback_mine": {GET: Door(MEMBERS, 200)},
    "feedback_review": {POST: Door(MANAGERS, REDIRECT)},
    "feedback_list": {GET: Door(MANAGERS, 200)},
    "feedback_export": {GET: Door(MANAGERS, 200)},
    "threshold_page": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "account": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, REDIRECT)},
    "token_list": {GET: Door(MEMBERS, 200)},
    "token_create": {POST: Door(MEMBERS, 200)},
    "token_revoke": {POST: Door(MEMBERS, REDIRECT)},
    "webhook_list": {GET: Door(MANAGERS, 200)},
    "webhook_create": {POST: Door(MANAGERS, 200)},
    "webhook_detail": {GET: Door(MANAGERS, 200)},
    "webhook_test": {POST: Door(MANAGERS, REDIRECT)},
    "webhook_switch": {POST: Door(MANAGERS, REDIRECT)},
    "webhook_rotate": {POST: Door(MANAGERS, 200)},
    "webhook_delete": {POST: Door(MANAGERS, REDIRECT)},
    "webhook_redeliver": {POST: Door(MANAGERS, REDIRECT)},
    "llm_page": {GET: Door(OWNER, 200)},
    "llm_allow": {POST: Door(OWNER, REDIRECT)},
    "llm_provider_create": {POST: Door(OWNER, REDIRECT)},
    "llm_provider_update": {GET: Door(OWNER, 200), POST: Door(OWNER, REDIRECT)},
    "llm_provider_remove": {POST: Door(OWNER, REDIRECT)},
    "llm_model_create": {POST: Door(OWNER, REDIRECT)},
    "llm_model_update": {GET: Door(OWNER, 200), POST: Door(OWNER, REDIRECT)},
    "llm_model_first": {POST: Door(OWNER, REDIRECT)},
    "llm_model_remove": {POST: Door(OWNER, REDIRECT)},
    "llm_model_test": {POST: Door(OWNER, REDIRECT)},
    "llm_test": {POST: Door(OWNER, 200)},
    "llm_costs": {GET: Door(OWNER, 200)},
    "llm_budget": {POST: Door(OWNER, REDIRECT)},
    "corpus_list": {GET: Door(MEMBERS, 200)},
    "corpus_create": {POST: Door(MANAGERS, REDIRECT)},
    "corpus_detail": {GET: Door(MEMBERS, 200)},
    "corpus_update": {POST: Door(MANAGERS, REDIRECT)},
    "corpus_removal": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "corpus_removal_cancel": {POST: Door(MANAGERS, CONFLICT)},  # nobody has asked for a removal
    "corpus_member_add": {POST: Door(MANAGERS, REDIRECT)},
    "corpus_member_remove": {POST: Door(MANAGERS, REDIRECT)},
    "document_rows": {GET: Door(MEMBERS, 200)},
    "folder_watch": {POST: Door(MANAGERS, REDIRECT)},
    "folder_unwatch": {POST: Door(MANAGERS, REDIRECT)},
    "corpus_chunking": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "corpus_index_state": {GET: Door(MANAGERS, LAST_ANSWER)},
    "document_versions": {GET: Door(MEMBERS, 200)},
    "document_changes": {GET: Door(MEMBERS, 200)},
    "version_date": {POST: Door(MANAGERS, REDIRECT)},
    "document_rename": {POST: Door(MANAGERS, REDIRECT)},
    "document_describe": {POST: Door(MANAGERS, REDIRECT)},
    "document_upload": {POST: Door(MANAGERS, REDIRECT)},
    "document_detail": {GET: Door(MEMBERS, 200)},
    "document_rects": {GET: Door(MEMBERS, 200)},
    "document_file": {GET: Door(MEMBERS, 200)},
    "document_password": {POST: Door(MANAGERS, REDIRECT)},
    "document_delete": {POST: Door(MANAGERS, REDIRECT)},
    "job_list": {GET: Door(MEMBERS, 200)},
    "job_cancel": {POST: Door(MANAGERS, REDIRECT)},
    "job_retry": {POST: Door(MANAGERS, REDIRECT)},
    "search_lab": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "preset_remove": {POST: Door(MANAGERS, REDIRECT)},
    "mapping_page": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "mapping_again": {POST: Door(MANAGERS, REDIRECT)},
    "gold_set_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "gold_set_of_marks": {POST: Door(MANAGERS, REDIRECT)},
    "gold_set_of_grades": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "gold_set_detail": {GET: Door(REVIEWERS, 200)},
    "gold_set_splits": {POST: Door(MANAGERS, REDIRECT)},
    "gold_question": {GET: Door(REVIEWERS, 200)},
    "gold_question_edit": {POST: Door(MANAGERS, REDIRECT)},
    "gold_question_review": {POST: Door(REVIEWERS, REDIRECT)},
    "gold_question_report": {POST: Door(REVIEWERS, REDIRECT)},
    "gold_report_decide": {POST: Door(MANAGERS, REDIRECT)},
    "question_types": {GET: Door(MEMBERS, 200)},
    "question_type_add": {POST: Door(MANAGERS, REDIRECT)},
    "question_type_remove": {POST: Door(MANAGERS, REDIRECT)},
    "generation_start": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "generation_detail": {GET: Door(MANAGERS, 200)},
    "generation_state": {GET: Door(MANAGERS, 200)},
    "generation_cancel": {POST: Door(MANAGERS, REDIRECT)},
    "generation_resume": {POST: Door(MANAGERS, CONFLICT)},  # the world's generation waits
    "gold_set_file": {GET: Door(MANAGERS, 200)},
    "gold_set_remove": {POST: Door(MANAGERS, REDIRECT)},
    "annotation_home": {GET: Door(MEMBERS, 200)},
    "annotation_begin": {POST: Door(MEMBERS, REDIRECT)},
    "annotation_item": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, REDIRECT)},
    "campaign_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "campaign_detail": {GET: Door(MANAGERS, 200)},
    "campaign_graders": {POST: Door(MANAGERS, REDIRECT)},
    "campaign_close": {POST: Door(MANAGERS, REDIRECT)},
    "campaign_remove": {POST: Door(MANAGERS, REDIRECT)},
    "campaign_file": {GET: Door(MANAGERS, 200)},
    "campaign_adjudication": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "judge_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "judge_try": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "judge_retire": {POST: Door(MANAGERS, REDIRECT)},
    "tuning_start": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, INVALID)},  # one waits already
    "tuning_detail": {GET: Door(MANAGERS, 200)},
    "tuning_state": {GET: Door(MANAGERS, 200)},
    "tuning_cancel": {POST: Door(MANAGERS, REDIRECT)},
    "tuning_go_on": {POST: Door(MANAGERS, CONFLICT)},  # the world's tuning waits: nothing to resume, or to use
    "tuning_use": {POST: Door(MANAGERS, CONFLICT)},
    "judging_home": {GET: Door(MANAGERS, 200)},
    "experiment_list": {GET: Door(MANAGERS, 200)},
    "experiment_start": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "experiment_detail": {GET: Door(MANAGERS, 200)},
    "experiment_state": {GET: Door(MANAGERS, 200)},
    "experiment_cancel": {POST: Door(MANAGERS, REDIRECT)},
    "experiment_resume": {POST: Door(MANAGERS, CONFLICT)},  # the world's experiment waits
    "experiment_schedule": {POST: Door(MANAGERS, REDIRECT)},
    "experiment_remove": {POST: Door(MANAGERS, CONFLICT)},
    "experiment_results": {GET: Door(MANAGERS, 200)},
    "experiment_items": {GET: Door(MANAGERS, 200)},
    "experiment_compare": {GET: Door(MANAGERS, 200)},
    "experiment_chart": {GET: Door(MANAGERS, 200)},
    "experiment_scores_csv": {GET: Door(MANAGERS, 200)},
    "trust_page": {GET: Door(MANAGERS, 200)},
    "trust_campaign": {POST: Door(MANAGERS, INVALID)},  # the world's experiment said nothing
    "complexity_training": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, REDIRECT)},
    "complexity_versions": {GET: Door(MANAGERS, LAST_ANSWER)},
    "complexity_report": {GET: Door(MANAGERS, 200)},
    "complexity_activate": {POST: Door(MANAGERS, REDIRECT)},
    "complexity_roll_back": {POST: Door(MANAGERS, REDIRECT)},
    "complexity_remove": {POST: Door(MANAGERS, REDIRECT)},
    "complexity_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "complexity_resume": {POST: Door(MANAGERS, CONFLICT)},
    "encoder_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, INVALID)},
    "encoder_state": {GET: Door(MANAGERS, LAST_ANSWER)},
    "encoder_detail": {GET: Door(MANAGERS, 200)},
    "encoder_use": {POST: Door(MANAGERS, REDIRECT)},
    "encoder_use_packaged": {POST: Door(MANAGERS, CONFLICT)},  # the world's corpora use what is packaged
    "encoder_roll_back": {POST: Door(MANAGERS, REDIRECT)},
    "encoder_switch_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "encoder_switch_resume": {POST: Door(MANAGERS, CONFLICT)},
    "encoder_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "encoder_resume": {POST: Door(MANAGERS, CONFLICT)},
    "encoder_remove": {POST: Door(MANAGERS, REDIRECT)},
    "ranker_train": {POST: Door(MANAGERS, INVALID)},
    "ranker_detail": {GET: Door(MANAGERS, 200)},
    "ranker_use": {POST: Door(MANAGERS, REDIRECT)},
    "ranker_use_packaged": {POST: Door(MANAGERS, CONFLICT)},
    "ranker_roll_back": {POST: Door(MANAGERS, REDIRECT)},
    "ranker_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "ranker_resume": {POST: Door(MANAGERS, CONFLICT)},
    "ranker_remove": {POST: Door(MANAGERS, REDIRECT)},
    "question_ask": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, REDIRECT)},
    "question_list": {GET: Door(MEMBERS, 200)},
    "answer_detail": {GET: Door(MEMBERS, 200)},
    "answer_cancel": {POST: Door(MEMBERS, CONFLICT)},
    "answer_again": {POST: Door(MEMBERS, REDIRECT)},
    "answer_grade": {POST: Door(MEMBERS, REDIRECT)},
    "answer_ungrade": {POST: Door(MEMBERS, REDIRECT)},
    "answer_pack": {GET: Door(MEMBERS, 200)},
    "answer_pack_json": {GET: Door(MEMBERS, 200)},
    "answer_memo_docx": {GET: Door(MEMBERS, 200)},
    "answer_memo_pdf": {GET: Door(MEMBERS, 200)},
    "conversation_rename": {POST: Door(MEMBERS, REDIRECT)},
    "conversation_delete": {POST: Door(MEMBERS, REDIRECT)},
    "conversation_share": {POST: Door(MEMBERS, REDIRECT)},
    "conversation_unshare": {POST: Door(MEMBERS, REDIRECT)},
    "contradiction_list": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, REDIRECT)},
    "contradiction_review": {POST: Door(REVIEWERS, REDIRECT)},
    "graph_page": {GET: Door(REVIEWERS, 200)},
    "graph_build": {POST: Door(MANAGERS, REDIRECT)},
    "graph_review": {POST: Door(REVIEWERS, REDIRECT)},
    "graph_export": {GET: Door(REVIEWERS, 200)},
    "graph_entity": {GET: Door(REVIEWERS, 200)},
}

# Endpoints under /api/v1/: other roles 403, without a good token 401. The token says which organisation it is.
API: dict[str, dict[str, Door]] = {
    "api_me": {GET: Door(MEMBERS, 200)},
    "api_audit_list": {GET: Door(OWNER, 200)},
    "api_use": {GET: Door(MANAGERS, 200)},
    "api_dashboard": {GET: Door(MANAGERS, 200)},
    "api_feedback_mine": {GET: Door(MEMBERS, 200)},
    "api_feedback_detail": {PUT: Door(MANAGERS, 200)},
    "api_feedback_list": {GET: Door(MANAGERS, 200)},
    "api_feedback_export": {GET: Door(MANAGERS, 200)},
    "api_threshold": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "api_webhook_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_webhook_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_webhook_test": {POST: Door(MANAGERS, 202)},
    "api_delivery_list": {GET: Door(MANAGERS, 200)},
    "api_delivery_again": {POST: Door(MANAGERS, 202)},
    "api_llm_provider_list": {GET: Door(OWNER, 200), POST: Door(OWNER, 201)},
    "api_llm_provider_detail": {POST: Door(OWNER, 200), DELETE: Door(OWNER, 204)},
    "api_llm_model_list": {GET: Door(OWNER, 200), POST: Door(OWNER, 201)},
    "api_llm_model_detail": {POST: Door(OWNER, 200), DELETE: Door(OWNER, 204)},
    "api_llm_model_first": {POST: Door(OWNER, 200)},
    "api_llm_model_test": {POST: Door(OWNER, 200)},
    "api_llm_test": {POST: Door(OWNER, 200)},
    "api_llm_settings": {GET: Door(OWNER, 200), POST: Door(OWNER, 200)},
    "api_llm_call_list": {GET: Door(OWNER, 200)},
    "api_llm_cost_list": {GET: Door(OWNER, 200)},
    "api_corpus_list": {GET: Door(MEMBERS, 200), POST: Door(MANAGERS, 201)},
    "api_corpus_detail": {GET: Door(MEMBERS, 200), POST: Door(MANAGERS, 200)},
    "api_corpus_removal": {
        GET: Door(MANAGERS, 200),
        POST: Door(MANAGERS, 202),
        DELETE: Door(MANAGERS, CONFLICT),
    },
    "api_document_list": {GET: Door(MEMBERS, 200), POST: Door(MANAGERS, 202)},
    "api_document_detail": {
        GET: Door(MEMBERS, 200),
        POST: Door(MANAGERS, 200),
        PATCH: Door(MANAGERS, 200),
        DELETE: Door(MANAGERS, 204),
    },
    "api_document_file": {GET: Door(MEMBERS, 200)},
    "api_document_password": {POST: Door(MANAGERS, 202)},
    "api_corpus_reindex": {POST: Door(MANAGERS, 202)},
    "api_chunking_preview": {POST: Door(MANAGERS, 200)},
    "api_version_list": {GET: Door(MEMBERS, 200)},
    "api_changes": {GET: Door(MEMBERS, 200)},
    "api_effective_date": {POST: Door(MANAGERS, 200)},
    "api_document_files": {GET: Door(MEMBERS, 200)},
    "api_paragraph_list": {GET: Door(MEMBERS, 200)},
    "api_job_list": {GET: Door(MEMBERS, 200)},
    "api_job_detail": {GET: Door(MEMBERS, 200)},
    "api_job_cancel": {POST: Door(MANAGERS, 200)},
    "api_job_retry": {POST: Door(MANAGERS, 200)},
    "api_search": {POST: Door(MEMBERS, 200)},
    "api_preset_list": {GET: Door(MEMBERS, 200), POST: Door(MANAGERS, 201)},
    "api_preset_detail": {DELETE: Door(MANAGERS, 204)},
    "api_mapping": {GET: Door(MEMBERS, 200), POST: Door(MANAGERS, 200)},
    "api_gold_set_of_grades": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_gold_set_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_gold_set_import": {POST: Door(MANAGERS, 201)},
    "api_gold_set_file": {GET: Door(MANAGERS, 200)},
    "api_gold_set_splits": {POST: Door(MANAGERS, 400)},  # one question cannot be split
    "api_gold_question_list": {GET: Door(REVIEWERS, 200)},
    "api_gold_question": {GET: Door(REVIEWERS, 200), PATCH: Door(MANAGERS, 200)},
    "api_gold_review": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, 201)},
    "api_gold_report_list": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, 201)},
    "api_gold_report": {POST: Door(MANAGERS, 200)},
    "api_question_type_list": {GET: Door(MEMBERS, 200), POST: Door(MANAGERS, 201)},
    "api_question_type": {DELETE: Door(MANAGERS, 204)},
    "api_generation_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202)},
    "api_generation_detail": {GET: Door(MANAGERS, 200)},
    "api_generation_cancel": {POST: Door(MANAGERS, 200)},
    "api_generation_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_gold_set_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_annotation_list": {GET: Door(MEMBERS, 200)},
    "api_annotation_next": {POST: Door(MEMBERS, 200)},
    "api_annotation_item": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, 200)},
    "api_campaign_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_campaign_detail": {
        GET: Door(MANAGERS, 200),
        POST: Door(MANAGERS, 200),
        DELETE: Door(MANAGERS, 204),
    },
    "api_campaign_grades": {GET: Door(MANAGERS, 200)},
    "api_campaign_file": {GET: Door(MANAGERS, 200)},
    "api_adjudication": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "api_judge_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_judge_detail": {DELETE: Door(MANAGERS, 204)},
    "api_judgment": {POST: Door(MANAGERS, 200)},
    "api_tuning_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, CONFLICT)},  # one waits already
    "api_tuning_detail": {GET: Door(MANAGERS, 200)},
    "api_tuning_cancel": {POST: Door(MANAGERS, 200)},
    "api_tuning_go_on": {POST: Door(MANAGERS, CONFLICT)},
    "api_tuning_use": {POST: Door(MANAGERS, CONFLICT)},
    "api_experiment_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202)},
    "api_experiment_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, CONFLICT)},
    "api_experiment_cancel": {POST: Door(MANAGERS, 200)},
    "api_experiment_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_experiment_schedule": {POST: Door(MANAGERS, 200)},
    "api_experiment_figures": {GET: Door(MANAGERS, 200)},
    "api_experiment_items": {GET: Door(MANAGERS, 200)},
    "api_trust": {GET: Door(MANAGERS, 200)},
    "api_classifier_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202)},
    "api_classifier_in_use": {POST: Door(MANAGERS, 204)},
    "api_classifier_roll_back": {POST: Door(MANAGERS, 204)},
    "api_classifier_cancel": {POST: Door(MANAGERS, CONFLICT)},  # the world's classifier is ready
    "api_classifier_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_classifier_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_encoder_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 400)},  # the gold set asks one thing
    "api_encoder_in_use": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202)},
    "api_encoder_roll_back": {POST: Door(MANAGERS, 202)},
    "api_encoder_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_encoder_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "api_encoder_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_ranker_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 400)},
    "api_ranker_in_use": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "api_ranker_roll_back": {POST: Door(MANAGERS, 200)},
    "api_ranker_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_ranker_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "api_ranker_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_complexity": {POST: Door(MEMBERS, 200)},
    "api_question_list": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, 201)},
    "api_answer_detail": {GET: Door(MEMBERS, 200)},
    "api_answer_cancel": {POST: Door(MEMBERS, CONFLICT)},
    "api_answer_again": {POST: Door(MEMBERS, 201)},
    "api_answer_grade": {GET: Door(MEMBERS, 200), PUT: Door(MEMBERS, 200), DELETE: Door(MEMBERS, 204)},
    "api_answer_events": {GET: Door(MEMBERS, 200)},
    "api_answer_pack": {GET: Door(MEMBERS, 200)},
    "api_memo_docx": {GET: Door(MEMBERS, 200)},
    "api_memo_pdf": {GET: Door(MEMBERS, 200)},
    "api_conversation": {GET: Door(MEMBERS, 200), PUT: Door(MEMBERS, 200), DELETE: Door(MEMBERS, 204)},
    "api_share_list": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, 201)},
    "api_share_detail": {DELETE: Door(MEMBERS, 204)},
    "api_contradiction_list": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, 202)},
    "api_contradiction_detail": {PATCH: Door(REVIEWERS, 200)},
    "api_graph": {GET: Door(REVIEWERS, 200), POST: Door(MANAGERS, 202)},
    "api_triplet_list": {GET: Door(REVIEWERS, 200)},
    "api_entity_list": {GET: Door(REVIEWERS, 200)},
    "api_entity": {GET: Door(REVIEWERS, 200)},
    "api_decision_list": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, 200)},
    "api_path": {POST: Door(REVIEWERS, 200)},
    "api_graph_export": {GET: Door(REVIEWERS, 200)},
}

# Addresses of no organisation: (anonymous, member of one organisation, signed in but member of none) for each method.
# Django's form views take a PUT for a POST.
PUBLIC: dict[str, dict[str, tuple[int, int, int]]] = {
    "home": {GET: (REDIRECT, REDIRECT, 200)},
    "organization_choose": {GET: (REDIRECT, 200, 200)},
    "login": {GET: (200, 200, 200), POST: (200, 200, 200), "PUT": (200, 200, 200)},
    "logout": {POST: (REDIRECT, REDIRECT, REDIRECT)},
    "sign_in_code": {GET: (REDIRECT, REDIRECT, REDIRECT), POST: (REDIRECT, REDIRECT, REDIRECT)},
    "reauthenticate": {GET: (REDIRECT, 200, 200), POST: (REDIRECT, 422, 422)},
    "security": {GET: (REDIRECT, 200, 200)},
    "second_factor": {GET: (REDIRECT, REDIRECT, REDIRECT), POST: (REDIRECT, REDIRECT, REDIRECT)},
    "second_factor_confirm": {POST: (REDIRECT, REDIRECT, REDIRECT)},
    "second_factor_remove": {POST: (REDIRECT, 409, 409)},
    "recovery_codes_renew": {POST: (REDIRECT, 409, 409)},
    "session_end": {POST: (REDIRECT, 404, 404)},
    "sessions_end_others": {POST: (REDIRECT, REDIRECT, REDIRECT)},
    "sign_in_link": {GET: (200, 200, 200), POST: (REDIRECT, REDIRECT, REDIRECT)},
    "invitation_accept": {GET: (200, 200, 200), POST: (422, 422, 422)},
    "password_reset": {GET: (200, 200, 200), POST: (200, 200, 200), "PUT": (200, 200, 200)},
    "password_reset_done": {GET: (200, 200, 200)},
    "password_reset_confirm": dict.fromkeys(METHODS, (200, 200, 200)),  # a link that is over says so, however opened
    "password_reset_complete": {GET: (200, 200, 200)},
    "api_schema": {GET: (200, 200, 200)},
    "api_docs": {GET: (200, 200, 200)},
    "healthz": {GET: (200, 200, 200)},
    "readyz": {GET: (503, 503, 503)},  # no queue works beside the tests, and nobody is told more than that
}


@dataclass(frozen=True)
class Cell:
    """One request of the matrix, and the status that it must get."""

    name: str
    method: str
    caller: str
    status: int


def page_cells(name: str) -> Iterator[Cell]:
    for method in METHODS:
        door = PAGES[name].get(method)
        for caller in CALLERS:
            yield Cell(name, method, caller, _page_status(door, caller))


def _page_status(door: Door | None, caller: str) -> int:
    if caller == "anonymous":
        return REDIRECT
    if door is None:
        return 405
    if caller in OUTSIDERS:
        return 404
    return door.status if caller in door.allowed else 403


def api_cells(name: str) -> Iterator[Cell]:
    for method in METHODS:
        door = API[name].get(method)
        for token in TOKENS:
            yield Cell(name, method, token, _api_status(name, method, door, token))


def _api_status(name: str, method: str, door: Door | None, token: str) -> int:
    if token not in (*MEMBERS, "stranger"):
        return 401
    if door is None:
        return 405
    if token == "stranger":  # an owner, of the other organisation, who asks with ids of this one
        return door.status if (method, name) in SELF_CHOSEN else 404
    return door.status if token in door.allowed else 403


# Endpoints that name no object of an organisation: a stranger's token finds the stranger's own organisation there.
SELF_CHOSEN = frozenset(
    {
        (GET, "api_audit_list"),
        (GET, "api_use"),
        (GET, "api_me"),
        (GET, "api_webhook_list"),
        (POST, "api_webhook_list"),
        (GET, "api_llm_provider_list"),
        (POST, "api_llm_provider_list"),
        (GET, "api_llm_model_list"),
        (GET, "api_llm_settings"),
        (POST, "api_llm_settings"),
        (GET, "api_llm_call_list"),
        (GET, "api_llm_cost_list"),
        (GET, "api_corpus_list"),
        (POST, "api_corpus_list"),
        (GET, "api_question_list"),
        (GET, "api_annotation_list"),
        (GET, "api_dashboard"),
        (GET, "api_feedback_mine"),
        (GET, "api_question_type_list"),
        (POST, "api_question_type_list"),
        (GET, "api_judge_list"),
        (POST, "api_judge_list"),
        (POST, "api_judgment"),
    }
)


def public_cells(name: str) -> Iterator[Cell]:
    for method in METHODS:
        anonymous, member, alone = PUBLIC[name].get(method, (0, 0, 0))
        for caller in CALLERS:
            is_alone = caller in ("removed", "operator")
            status = anonymous if caller == "anonymous" else alone if is_alone else member
            yield Cell(name, method, caller, status or _closed(name, caller))


# Pages about the person who is signed in: whatever the anonymous send, they are led to the sign-in page.
FOR_PEOPLE = frozenset(
    {
        "home",
        "organization_choose",
        "logout",
        "reauthenticate",
        "security",
        "second_factor",
        "second_factor_confirm",
        "second_factor_remove",
        "recovery_codes_renew",
        "session_end",
        "sessions_end_others",
    }
)


def _closed(name: str, caller: str) -> int:
    return REDIRECT if caller == "anonymous" and name in FOR_PEOPLE else 405
