"""Sending one request as one person or token, and undoing whatever it did."""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie
from typing import Any
from uuid import uuid4

from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.test.client import ClientHandler
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLResolver

from legalqa.accounts.models import Role, User
from tests.isolation.annotated import item_of
from tests.isolation.doors import MEMBERS, OUTSIDERS
from tests.isolation.rules import API
from tests.isolation.world import House, World
from tests.people import PASSWORD

_HANDLER = ClientHandler(enforce_csrf_checks=False)
Sent = Any  # a response of the test client: with a context, a body that may stream, and json()
BACKEND = "django.contrib.auth.backends.ModelBackend"


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens in the block is rolled back at its end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def url_names(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(address, name) of every URL pattern of the site."""
    for pattern in (resolver or get_resolver()).url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from url_names(pattern, address)
        else:
            yield address, pattern.name or ""


@cache
def parameters(name: str) -> tuple[str, ...]:
    """The parameters in the address of that name."""
    address = next(address for address, found in url_names() if found == name)
    return tuple(re.findall(r"<(?:\w+:)?(\w+)>", address))


def person_of(world: World, caller: str) -> User:
    if caller == "operator":
        return world.operator
    return world.theirs.firm.owner if caller == "stranger" else world.ours.person(caller)


def client_make() -> Client:
    """A browser on one handler for all: each handler of its own would look through the static files again."""
    client = Client()
    client.handler = _HANDLER
    return client


def cookies_of(world: World) -> dict[str, str]:
    """The cookies of a signed-in browser for each caller."""
    found = {}
    for caller in sorted(MEMBERS | OUTSIDERS):
        client = Client()
        client.force_login(person_of(world, caller), backend=BACKEND)
        found[caller] = client.cookies.output(header="", sep=";")
    return found


@dataclass(frozen=True)
class Callers:
    """Signed-in browsers by caller; each request gets a fresh one with the same cookies."""

    world: World
    cookies: Mapping[str, str]

    def browser(self, caller: str) -> Client:
        client = client_make()
        if caller != "anonymous":
            client.cookies = SimpleCookie(self.cookies[caller])
        return client

    def page(self, caller: str, method: str, name: str, ids: Mapping[str, Any]) -> Sent:
        """Send what the page asks for; the change is rolled back."""
        data = page_data(self.world.ours, name) if method == "POST" else None
        return _sent(self.browser(caller), method, reverse(name, kwargs=dict(ids)), data)

    def api(self, token: str, method: str, name: str, ids: Mapping[str, Any]) -> Sent:
        """Send what the endpoint asks for, with the token's header; the change is rolled back."""
        is_sent = method == "POST" or (method in ("PUT", "PATCH") and method in API[name])
        data = api_data(self.world.ours, name, method) if is_sent else None
        address, headers = reverse(name, kwargs=dict(ids)), token_header(self.world, token)
        if data is None or name == "api_document_list":  # a file goes as multipart
            return _sent(client_make(), method, address, data, headers)
        return _sent(client_make(), method, address, json.dumps(data), headers, "application/json")


def token_header(world: World, token: str) -> dict[str, str]:
    secrets = {name: secret for name, (_, secret) in world.ours.tokens.items()}
    secrets |= {"stranger": world.theirs.tokens["owner"][1], "nonsense": "lqa_nonsense"}
    return {"Authorization": f"Bearer {secrets[token]}"} if token in secrets else {}


def _sent(
    client: Client, method: str, address: str, data: Any, headers: Mapping[str, str] | None = None, kind: str = ""
) -> Sent:
    options: dict[str, Any] = {"headers": dict(headers or {})}
    if kind:
        options["content_type"] = kind
    with undone():
        response: Sent = getattr(client, method.lower())(address, data, **options)
        body_of(response)
    return response


def body_of(response: Sent) -> str:
    """The whole body as text, of files too."""
    if response.streaming:
        if not hasattr(response, "read_body"):  # a stream can be read once
            response.read_body = b"".join(
                async_to_sync(_all)(response) if response.is_async else response.streaming_content
            )
        return str(response.read_body.decode("utf-8", "replace"))
    return str(response.content.decode("utf-8", "replace"))


async def _all(response: Sent) -> list[bytes]:
    return [part async for part in response.streaming_content]


def ids_of(house: House, name: str, caller: str) -> dict[str, Any]:
    """Ids of the house's own objects for an address, as the caller would have them; outsiders take the lawyer's."""
    mine = caller if caller in house.answers else "lawyer"
    job = {"job_retry": house.cancelled, "api_job_retry": house.cancelled}.get(name, house.waiting).job
    document = house.locked if "password" in name else house.document
    known: dict[str, Any] = {
        "slug": house.slug,
        "membership_id": house.member_row.pk,
        "invitation_id": house.invitation.pk,
        "token_id": house.tokens[mine][0],
        "corpus_id": house.corpus.pk,
        "member_id": house.colleague.pk if "share" in name else house.firm.lawyer.pk,
        "document_id": document.document.pk,
        "job_id": job.pk,
        "answer_id": house.answers[mine].pk,
        "webhook_id": house.webhook.pk,
        "delivery_id": house.delivery.pk,
        "provider_id": house.role_model.provider_id,
        "role_model_id": house.role_model.pk,
        "preset_id": house.preset.pk,
        "folder_id": house.folder.pk,
        "classifier_id": house.classifier.pk,
        "encoder_id": house.encoder.pk,
        "ranker_id": house.ranker.pk,
        "reader_id": house.reader.pk,
        "chunk_set_id": house.kept_set.pk,
        "added_id": house.added.pk,
        "gold_set_id": house.tuning.gold_set_id,
        "gold_question_id": house.gold.report.question_id,
        "gold_report_id": house.gold.report.pk,
        "generation_id": house.gold.generation.pk,
        "type_id": house.gold.type.pk,
        "tuning_id": house.tuning.pk,
        "experiment_id": house.experiment.pk,
        "contradiction_id": house.contradiction.pk,
        "verdict_id": house.verdict.pk,
        "clause_id": house.clause.pk,
        "entity_id": house.entity.pk,
        "grade_id": house.grade.pk,
        "case_id": house.case.pk,
        "evaluation_id": house.evaluation.pk,
        "campaign_id": house.annotated.campaign_of(name).pk,
        "assignment_id": house.annotated.assignments[mine].pk,
        "judge_id": house.judge.pk,
        "question_id": house.indexed.pk,
        "n_classes": 3,
        "token": house.sign_in_secret if name == "sign_in_link" else house.invitation_secret,
        "uidb64": "MQ",
        "session_id": house.invitation.pk,  # an id that is nobody's session
    }
    return {key: known[key] for key in parameters(name)}


def random_ids(ids: Mapping[str, Any]) -> dict[str, Any]:
    """The same address with ids that nobody has."""
    nobodys = {key: value if key == "slug" or isinstance(value, int) else uuid4() for key, value in ids.items()}
    return nobodys | ({"question_id": 10**12} if "question_id" in ids else {})


CASE = '{"question": "Who was the first mayor?", "answer": "Nobody.", "support": "There was no mayor."}'
ON_CASES = '{"question": "Who pays for all?", "answer": "Nobody.", "cases": ["garden", "pond"]}'
GOLD = '{"question": "Who was the first mayor?", "answerable": false}'
LABELLED = "question,label\n" + "".join(f"What is number {n}?,{n % 3}\n" for n in range(30))


def page_data(house: House, name: str) -> dict[str, Any]:
    """What a person would send to the page."""
    new = "meadow-saffron 1894"
    passwords = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    data: dict[str, dict[str, Any]] = {
        "invitation_accept": {"name": "Somebody without a password"},
        "member_invite": {"email": "new@elsewhere.example", "role": Role.LAWYER},
        "member_update": {"role": Role.LAWYER},
        "account": passwords,
        "second_factor_demand": {"is_needed": "no"},
        "token_create": {"name": "nightly", "works_for": "30", "scopes": ["search"]},
        "webhook_create": {"url": "https://93.184.216.34/new", "events": ["document.ready"]},
        "webhook_switch": {"is_on": "yes"},
        "llm_provider_create": {"name": "New", "base_url": "https://api.openai.com/v1", "key": "sk-new-key-of-a-page"},
        "llm_provider_update": {"name": "Newer", "base_url": "https://api.openai.com/v1", "key": "sk-newer-key-12"},
        "llm_model_create": {
            "role": "rewrite",
            "provider_id": str(house.role_model.provider_id),
            "model": "new-1",
            "price_in": "1",
            "price_out": "2",
            "context_tokens": "4096",
        },
        "llm_model_update": {"price_in": "1", "price_out": "2", "context_tokens": "4096"},
        "llm_test": {"provider_id": str(house.role_model.provider_id), "model": "new-1"},
        "llm_allow": {"allows_fallback": "on"},
        "llm_budget": {"cap_day": "10"},
        "corpus_create": {"name": "Brand new"},
        "corpus_update": {"name": "Renamed", "description": "All of it"},
        "corpus_removal": {"name": house.corpus.name},
        "chunk_set_keep": {"kind": "sentence.v1", "size_tokens": "77", "overlap_tokens": "0"},
        "added_encoder_new": {"folder": "no-such-encoder"},
        "document_rename": {"title": "Lease of the house"},
        "document_describe": {"kind": "contract", "jurisdiction": "Utah", "authority": "The house"},
        "corpus_member_add": {"member": str(house.firm.annotator.pk)},
        "folder_watch": {"path": "."},
        "version_date": {"number": "1", "effective_date": "2024-01-31"},
        "document_upload": {"files": SimpleUploadedFile("new.txt", b"A note that is new here.")},
        "document_password": {"password": "correct-horse"},
        "conversation_rename": {"title": "Rent"},
        "conversation_delete": {"is_sure": "yes"},
        "conversation_share": {"member": str(house.colleague.pk)},
        "conversation_unshare": {"member": str(house.colleague.pk)},
        "contradiction_review": {"state": "confirmed"},
        "clause_table": {"document": str(house.document.document.pk), "clause": "governing-law"},
        "clause_verdict_review": {"state": "absent"},
        "clause_library": {"name": "New clause", "question": "Is it new?"},
        "graph_review": {"action": "reject", "entity_id": str(house.entity.pk)},
        "feedback_review": {"outcome": "no_change", "note": "It says so."},
        "answer_grade": {"grade": "partly", "has_details": "1", "note": "Only the first sentence."},
        "search_lab": {"text": "rent of the tenant", "left": house.preset.name, "right": "fixed-10"},
        "question_ask": {"text": "What rent does the tenant pay?", "corpus": str(house.corpus.pk)},
    }
    return (data | _learning_data(house) | _campaign_data()).get(name, {})


def _pair(house: House) -> str:
    """A real question on the house's own document, as a line of a file."""
    held = {"question": "Who may stroll in the garden?", "paragraph_id": house.indexed.paragraph.public_id}
    return json.dumps(held)


def _learning_data(house: House) -> dict[str, dict[str, Any]]:
    """What is sent to the pages of gold sets, trainings and tunings."""
    return {
        "complexity_training": {
            "file": SimpleUploadedFile("new.csv", LABELLED.encode()),
            "kind": "random",
            "n_classes": "3",
        },
        "gold_set_list": {"name": "New", "file": SimpleUploadedFile("new.jsonl", GOLD.encode())},
        "gold_set_of_marks": {"name": "Marked"},
        "case_import": {"file": SimpleUploadedFile("new.jsonl", CASE.encode())},
        "case_index_remove": {"removed": house.corpus.encoder},
        "case_build": {"encoder": house.corpus.encoder},
        "case_evaluation_start": {"file": SimpleUploadedFile("new.jsonl", ON_CASES.encode())},
        "case_evaluation_measure": {"chosen": ["0"]},
        "case_review": {"decision": "approve"},
        "gold_question_edit": {"version": "2", "question": "Who was the second mayor?"},
        "gold_question_review": {"state": "approved", "clarity": "4"},
        "gold_question_report": {"note": "The passage says something else."},
        "gold_report_decide": {"state": "declined"},
        "question_type_add": {"name": "riddle", "targets": ["prompt"], "tests": "Whether it is solved."},
        "generation_start": {"name": "Made", "types": ["out of scope"], "number": "2"},
        "gold_set_of_grades": {"name": "Graded"},
        "judge_list": {"name": "new-judge", "kind": "correctness.v1", "settings": "{}"},
        "judge_try": {"judge": "length", "question": "What rent does the tenant pay?", "answer": "900 euros."},
        "tuning_start": {
            "gold_set": str(house.tuning.gold_set_id),
            "n_classes": "3",
            "is_reranked": "yes",
            "rewrites": "0",
            "price": "0.05",
        },
        "experiment_start": {
            "gold_set": str(house.tuning.gold_set_id),
            "presets": ["naive"],
            "generators": ["quoted"],
            "measures": ["right"],
            "repeats": "1",
        },
        "experiment_schedule": {"rerun": "daily"},
        "trust_campaign": {"name": "Graded", "cell": f"{house.experiment.pk} naive", "n": "5"},
        "encoder_list": {"gold_sets": [str(house.tuning.gold_set_id)]},
        "ranker_train": {"gold_sets": [str(house.tuning.gold_set_id)]},
        "reader_train": {"gold_sets": [str(house.tuning.gold_set_id)], "grades": "on"},
        "mapping_page": {
            f"{parameter}_{field}": value
            for parameter in ("k", "rewrites", "keywords", "path_length")
            for field, value in {"mode": "adaptive", "0": "2", "1": "3", "2": "4"}.items()
        },
        "mapping_again": {"number": "0"},
        "question_index_import": {"file": SimpleUploadedFile("new.jsonl", _pair(house).encode())},
        "indexed_question_state": {"state": "rejected"},
        "indexed_question_edit": {"text": "Who may walk in the garden?"},
    }


def _campaign_data() -> dict[str, dict[str, Any]]:
    """What is sent to the pages of campaigns."""
    return {
        "annotation_item": {"action": "draft", "grade_correctness": "3"},
        "campaign_list": {
            "name": "New",
            "form": "correctness",
            "source": "file",
            "file": SimpleUploadedFile("new.jsonl", json.dumps(item_of("something new")).encode()),
            "overlap": "1",
            "overlap_percent": "100",
            "repeat_percent": "0",
            "lease_minutes": "30",
        },
        "campaign_close": {"is_closed": "yes"},
        "campaign_adjudication": {
            "item": "1",
            "criterion": "correctness",
            "answer": "0",
            "value": "4",
            "reason": "So it is.",
        },
    }


def api_data(house: House, name: str, method: str = "POST") -> dict[str, Any]:
    """What a program would send to the endpoint."""
    if (name, method) == ("api_document_detail", "PATCH"):
        return {"document_kind": "contract", "effective_date": "2024-01-31"}
    corpus = str(house.corpus.pk)
    data: dict[str, dict[str, Any]] = {
        "api_llm_provider_list": {"name": "New", "base_url": "https://api.openai.com/v1", "key": "sk-new-key-api"},
        "api_llm_provider_detail": {"name": "Newer", "base_url": "https://api.openai.com/v1", "key": "sk-newer-key-12"},
        "api_llm_model_list": {"role": "rewrite", "provider_id": str(house.role_model.provider_id), "model": "new-1"},
        "api_llm_model_detail": {"price_in": "1", "price_out": "2"},
        "api_llm_test": {"provider_id": str(house.role_model.provider_id), "model": "new-1"},
        "api_llm_settings": {"allows_fallback": True, "cap_day": "10"},
        "api_corpus_list": {"name": "Brand new"},
        "api_corpus_detail": {"name": "Renamed"},
        "api_corpus_removal": {"name": house.corpus.name},
        "api_document_detail": {"title": "Lease of the house"},
        "api_webhook_list": {"url": "https://93.184.216.34/new", "events": ["document.ready"]},
        "api_effective_date": {"number": 1, "effective_date": "2024-01-31"},
        "api_document_list": {"file": SimpleUploadedFile("new.txt", b"A note that is new here.")},
        "api_document_password": {"password": "correct-horse"},
        "api_chunk_set_list": {"chunker": {"kind": "sentence.v1", "size_tokens": 77, "overlap_tokens": 0}},
        "api_index_encoder_list": {"folder": "no-such-encoder"},
        "api_search": {"corpus_id": corpus, "query": "rent of the tenant"},
        "api_classifier_list": {
            "kind": "random",
            "questions": [{"question": f"Number {n}?", "label": n % 3} for n in range(30)],
        },
        "api_classifier_in_use": {"classifier_id": str(house.classifier.pk)},
        "api_complexity": {"text": "What rent does the tenant pay?"},
        "api_contradiction_detail": {"state": "confirmed"},
        "api_clause_library": {"name": "New clause", "question": "Is it new?"},
        "api_clause_verdict_list": {"document_ids": [str(house.document.document.pk)], "clauses": ["governing-law"]},
        "api_clause_verdict": {"state": "absent"},
        "api_decision_list": {"action": "reject", "entity_id": str(house.entity.pk)},
        "api_path": {"start": "party"},
        "api_feedback_detail": {"outcome": "no_change", "note": "It says so."},
        "api_threshold": {"risk": None},
        "api_case_list": {"text": CASE},
        "api_case_detail": {"decision": "approve"},
        "api_case_evaluation_list": {"text": ON_CASES},
        "api_case_evaluation_detail": {"chosen": [0]},
        "api_answer_grade": {"grade": "wrong", "note": "Not what was asked."},
        "api_conversation": {"title": "Rent"},
        "api_share_list": {"member_id": str(house.colleague.pk)},
        "api_gold_set_list": {"name": "New", "questions": [json.loads(GOLD)]},
        "api_encoder_list": {"gold_set_ids": [str(house.tuning.gold_set_id)]},
        "api_ranker_list": {"gold_set_ids": [str(house.tuning.gold_set_id)]},
        "api_reader_list": {"gold_set_ids": [str(house.tuning.gold_set_id)], "grades": True},
        "api_encoder_in_use": {"encoder_id": str(house.encoder.pk)},
        "api_ranker_in_use": {"ranker_id": str(house.ranker.pk)},
        "api_reader_in_use": {"reader_id": str(house.reader.pk)},
        "api_tuning_list": {"gold_set_id": str(house.tuning.gold_set_id)},
        "api_experiment_list": {"gold_set_id": str(house.tuning.gold_set_id), "presets": ["naive"]},
        "api_experiment_schedule": {"repeat_every": "daily"},
        "api_mapping": {"number": 0},
        "api_preset_list": {"name": "by-a-program", "base": "fixed-5", "set": {"rrf.k": "10"}},
        "api_question_list": {"corpus_id": corpus, "text": "What rent does the tenant pay?"},
    }
    return (data | _judging_data(house)).get(name, {})


def _judging_data(house: House) -> dict[str, dict[str, Any]]:
    """What a program sends to the endpoints of campaigns, judges, gold and indexed questions."""
    return {
        "api_annotation_item": {"action": "draft", "grades": {"correctness": 3}},
        "api_campaign_list": {"name": "New", "form": "correctness", "items": [item_of("something new")]},
        "api_campaign_detail": {"is_closed": True},
        "api_adjudication": {"item": 1, "criterion": "correctness", "value": 4, "reason": "So it is."},
        "api_gold_set_of_grades": {"name": "Graded"},
        "api_judge_list": {"name": "new-judge", "kind": "correctness.v1"},
        "api_judgment": {"judge": "length", "item": {"question": "What rent?", "answers": ["900 euros."]}},
        "api_gold_set_import": {
            "name": "Imported",
            "shape": "jsonl",
            "content": base64.b64encode(GOLD.encode()).decode(),
        },
        "api_gold_question": {"changes": {"topic": "mayors"}},
        "api_gold_review": {"state": "approved", "grades": {"clarity": 4}},
        "api_gold_report_list": {"note": "The passage says something else."},
        "api_gold_report": {"state": "declined"},
        "api_question_type_list": {"name": "riddle", "targets": ["prompt"], "tests": "Whether it is solved."},
        "api_generation_list": {"name": "Made", "types": ["out of scope"], "number": 2},
        "api_indexed_question_list": {"questions": [json.loads(_pair(house))]},
        "api_indexed_question": {"text": "Who may walk in the garden?"},
    }


def evened(body: str, ids: Mapping[str, Any]) -> str:
    """A body without what differs from request to request: form tokens and the ids that were asked for."""
    for key, value in ids.items():
        is_number = isinstance(value, int)  # its digits stand elsewhere, too
        body = body.replace(f"/{value}/", f"/{key}/") if is_number else body.replace(str(value), key)
    return re.sub(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]*', r"\1", body)
