"""Who may do what at which address: the whole site as one table, and the cells that follow from it."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.isolation.doors import (
    CALLERS,
    CONFLICT,
    DELETE,
    GET,
    MANAGERS,
    MEMBERS,
    METHODS,
    OUTSIDERS,
    OWNER,
    PATCH,
    POST,
    PUT,
    REDIRECT,
    REVIEWERS,
    TOKENS,
    Door,
)
from tests.isolation.page_doors import PAGES

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
    "api_corpus_removal": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202), DELETE: Door(MANAGERS, CONFLICT)},
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
    "api_chunk_set_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202)},
    "api_chunk_set_detail": {DELETE: Door(MANAGERS, 204)},
    "api_chunk_set_use": {POST: Door(MANAGERS, 202)},
    "api_chunk_set_update": {POST: Door(MANAGERS, 202)},
    "api_index_encoder_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 400)},  # as on the page
    "api_index_encoder_detail": {DELETE: Door(MANAGERS, 204)},
    "api_index_encoder_fill": {POST: Door(MANAGERS, 202)},
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
    "api_question_index": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, CONFLICT)},
    "api_question_index_cancel": {POST: Door(MANAGERS, 200)},
    "api_question_index_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_indexed_question_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_indexed_question_file": {GET: Door(MANAGERS, 200)},
    "api_indexed_question": {GET: Door(MANAGERS, 200), PATCH: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_gold_set_to_index": {POST: Door(MANAGERS, 200)},
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
    "api_gold_set_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, CONFLICT)},  # an experiment uses it
    "api_annotation_list": {GET: Door(MEMBERS, 200)},
    "api_annotation_next": {POST: Door(MEMBERS, 200)},
    "api_annotation_item": {GET: Door(MEMBERS, 200), POST: Door(MEMBERS, 200)},
    "api_campaign_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_campaign_detail": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_campaign_grades": {GET: Door(MANAGERS, 200)},
    "api_campaign_file": {GET: Door(MANAGERS, 200)},
    "api_adjudication": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "api_judge_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 201)},
    "api_judge_detail": {DELETE: Door(MANAGERS, 204)},
    "api_judgment": {POST: Door(MANAGERS, 200)},
    "api_tuning_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, CONFLICT)},  # one waits already
    "api_tuning_detail": {GET: Door(MANAGERS, 200)},
    "api_tuning_cancel": {POST: Door(MANAGERS, 200)},
    "api_tuning_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_tuning_use": {POST: Door(MANAGERS, CONFLICT)},
    "api_experiment_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202)},
    "api_experiment_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, CONFLICT)},
    "api_experiment_cancel": {POST: Door(MANAGERS, 200)},
    "api_experiment_resume": {POST: Door(MANAGERS, CONFLICT)},
    "api_experiment_schedule": {POST: Door(MANAGERS, 200)},
    "api_experiment_figures": {GET: Door(MANAGERS, 200)},
    "api_experiment_items": {GET: Door(MANAGERS, 200)},
    "api_trust": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 400)},
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
    "api_reader_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 400)},
    "api_reader_in_use": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 200)},
    "api_reader_roll_back": {POST: Door(MANAGERS, 200)},
    "api_reader_detail": {GET: Door(MANAGERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_reader_cancel": {POST: Door(MANAGERS, CONFLICT)},
    "api_reader_resume": {POST: Door(MANAGERS, CONFLICT)},
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
    "api_clause_library": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, 201)},
    "api_clause_question": {DELETE: Door(REVIEWERS, 204)},
    "api_clause_verdict_list": {GET: Door(REVIEWERS, 200), POST: Door(REVIEWERS, 202)},
    "api_clause_verdict": {PATCH: Door(REVIEWERS, 200)},
    "api_answer_keep": {POST: Door(MEMBERS, 201)},
    "api_gold_set_cases": {POST: Door(MANAGERS, 201)},
    "api_case_list": {GET: Door(REVIEWERS, 200), POST: Door(MANAGERS, 201)},
    "api_case_index_list": {GET: Door(MANAGERS, 200), POST: Door(MANAGERS, 202), DELETE: Door(MANAGERS, 404)},
    "api_case_entities": {POST: Door(MANAGERS, 202)},
    "api_case_statistics": {GET: Door(REVIEWERS, 200)},
    "api_case_detail": {GET: Door(MEMBERS, 200), POST: Door(REVIEWERS, 200), DELETE: Door(MANAGERS, 204)},
    "api_case_evaluation_list": {GET: Door(REVIEWERS, 200), POST: Door(MANAGERS, 202)},
    "api_case_evaluation_detail": {  # the world's evaluation waits
        GET: Door(REVIEWERS, 200),
        POST: Door(MANAGERS, CONFLICT),
        DELETE: Door(MANAGERS, CONFLICT),
    },
    "api_case_evaluation_cancel": {POST: Door(MANAGERS, 200)},
    "api_case_evaluation_resume": {POST: Door(MANAGERS, CONFLICT)},
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


# Callers that try the methods an address does not offer; the answer is the same for everybody who is signed in.
OF_NO_DOOR = frozenset({"owner", "stranger", "anonymous", "none"})


def page_cells(name: str) -> Iterator[Cell]:
    for method in METHODS:
        door = PAGES[name].get(method)
        for caller in (caller for caller in CALLERS if door or caller in OF_NO_DOOR):
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
        for token in (token for token in TOKENS if door or token in OF_NO_DOOR):
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
        (GET, "api_clause_library"),
        (POST, "api_clause_library"),
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
