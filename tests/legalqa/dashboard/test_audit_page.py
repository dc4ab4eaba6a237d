"""The audit log as its readers see it: sentences, filters, files, and no name from behind a wall."""

import ast
import csv
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpora.services import corpus_create
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.dashboard.audit_sentences import SENTENCES, sentence
from tests.ingestion import make_corpus, upload
from tests.isolation.callers import body_of
from tests.people import PASSWORD, Firm

ROOT = Path(__file__).resolve().parents[3]
ClientOf = Callable[[User], Client]


def page(client: Client, **filters: str) -> str:
    return str(client.get(reverse("audit_log", args=["harding"]), filters).content.decode())


def write(firm: Firm, action: str, actor: User | None = None, **details: Any) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        audit(organization=firm.organization, actor=actor, action=action, **details)


def actions_in_the_code() -> set[str]:
    """Every action that a call of `audit` or `audit_of_person` names."""
    found = set()
    for path in [p for app in ("legalqa", "corpora", "retrieval", "judging") for p in (ROOT / app).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and node.arg == "action":
                found |= {
                    str(leaf.value)
                    for leaf in ast.walk(node.value)
                    if isinstance(leaf, ast.Constant) and re.fullmatch(r"[a-z_]+\.[a-z_]+", str(leaf.value))
                }
    return found


def test_every_act_that_is_written_down_has_its_sentence() -> None:
    spoken = actions_in_the_code() | {"account.opened", "account.closed"}

    assert spoken - set(SENTENCES) == set()


@pytest.mark.parametrize("action", [*SENTENCES, "something.new"])
def test_a_sentence_is_said_of_rows_with_and_without_details(action: str) -> None:
    said = sentence(action=action, who="Ada", what="it", member="Bea", details={"{who}": "%s {x}", "reason": "{0}"})

    assert said[0].isupper()
    assert "{who}" not in said


@pytest.mark.parametrize(
    ("action", "details", "said"),
    [
        ("cases.added", {"cases": 1}, "Ada added 1 solved case to it."),
        ("cases.added", {"cases": 2}, "Ada added 2 solved cases to it."),
        ("campaign.created", {"items": 1}, "Ada created a grading campaign of 1 item on it."),
        ("audit.exported", {}, "Ada exported (unknown) rows of this log."),
    ],
)
def test_one_of_something_is_not_said_as_several(action: str, details: dict[str, int], said: str) -> None:
    assert sentence(action=action, who="Ada", what="it", member="Bea", details=details) == said


def test_an_owner_reads_who_did_what_to_what_when_and_from_where(firm: Firm, client_of: ClientOf) -> None:
    lawyer = Client(REMOTE_ADDR="198.51.100.7")
    lawyer.post(reverse("login"), {"username": firm.lawyer.email, "password": PASSWORD})
    corpus = make_corpus(firm, "Leases")
    document = upload(firm, corpus, "heron.md", "# Heron\n\nThe heron pays rent.\n").document
    lawyer.get(reverse("document_detail", args=["harding", document.pk]))
    body_of(lawyer.get(reverse("document_file", args=["harding", document.pk])))
    text = page(client_of(firm.owner))

    name = "Lawyer of Harding &amp; Stone"
    for words in (
        f"{name} signed in by password.",
        f"{name} read “heron.md”.",
        f"{name} downloaded the file of “heron.md”.",
        "uploaded “heron.md”.",
        "created the corpus “Leases”, open to the organisation.",
        "browser 198.51.100.7",
        f"{timezone.now():%Y}",
    ):
        assert words in text


def test_the_name_of_a_corpus_behind_a_wall_is_not_told_to_an_owner_outside(firm: Firm, client_of: ClientOf) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        corpus_create(**firm.by_manager, name="Project Larch", is_walled=True)
    text = page(client_of(firm.owner))

    assert "Larch" not in text
    assert "created something you may not see, or that no longer exists, restricted to named members." in text


def test_rows_are_found_by_person_kind_and_day(firm: Firm, client_of: ClientOf) -> None:
    write(firm, "token.created", firm.lawyer)
    write(firm, "document.removed", firm.manager)
    owner = client_of(firm.owner)

    def shown(**filters: str) -> list[str]:
        return re.findall(r"(created an API token|removed something)", page(owner, **filters))

    today, tomorrow = f"{timezone.now():%Y-%m-%d}", f"{timezone.now() + timedelta(days=1):%Y-%m-%d}"
    assert shown() == ["removed something", "created an API token"]
    assert shown(person=str(firm.lawyer.pk)) == ["created an API token"]
    assert shown(group="Documents") == ["removed something"]
    assert len(shown(since=today, until=today)) == 2
    assert shown(since=tomorrow) == []
    wrong = owner.get(reverse("audit_log", args=["harding"]), {"since": "yesterday", "person": "x"})
    assert wrong.status_code == 422


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"since": "2024-02-01", "until": "2024-01-31"}, "This day is before “From”. Exchange the two, or leave one"),
        ({"since": "2024-02-30"}, "2024-02-30 does not exist; choose another day."),
        ({"until": "soon"}, "is not a date; write it as 2024-01-31."),
    ],
)
def test_days_that_find_nothing_are_refused_and_the_file_leads_back_to_why(
    filters: dict[str, str], words: str, firm: Firm, client_of: ClientOf
) -> None:
    owner = client_of(firm.owner)
    file = owner.get(reverse("audit_csv", args=["harding"]), filters, follow=True)

    assert owner.get(reverse("audit_log", args=["harding"]), filters).status_code == file.status_code == 422
    assert words in file.content.decode()


def test_the_log_is_read_to_the_end_of_the_calendar(firm: Firm, client_of: ClientOf) -> None:
    write(firm, "token.created", firm.lawyer)

    assert "created an API token" in page(client_of(firm.owner), until="9999-12-31")


def test_the_file_holds_the_same_rows_without_formulas_and_leaves_a_row(firm: Firm, client_of: ClientOf) -> None:
    User.objects.filter(pk=firm.lawyer.pk).update(name='=HYPERLINK("https://evil.example")')
    write(firm, "token.created", firm.lawyer)
    response = client_of(firm.owner).get(reverse("audit_csv", args=["harding"]), {"group": "API tokens and webhooks"})
    header, row = csv.reader(io.StringIO(response.content.decode("utf-8-sig")))

    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith("attachment")
    assert header[:4] == ["Row", "When (UTC)", "Who", "What"]
    assert row[2].startswith("'=HYPERLINK")
    assert row[3].startswith("'=HYPERLINK")
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.get(action="audit.exported").details == {"rows": 1}


def test_the_seals_are_checked_from_the_page(firm: Firm, client_of: ClientOf) -> None:
    write(firm, "token.created", firm.lawyer)
    owner = client_of(firm.owner)

    said = owner.post(reverse("audit_check", args=["harding"]), follow=True).content.decode()
    assert "The log is intact: all 1 rows are unchanged." in said


def test_programs_read_the_log_from_where_they_stopped(firm: Firm) -> None:
    for n in range(3):
        write(firm, "probe.done", firm.lawyer, n=n)
    headers = firm.bearer(firm.owner, *ALL_SCOPES)

    def ask(**query: str | int) -> Any:
        return Client().get(reverse("api_audit_list"), query, headers=headers)

    found = ask(after=1, action="probe.done").json()
    assert [(row["sequence"], row["details"]) for row in found["results"]] == [(3, {"n": 2}), (2, {"n": 1})]
    assert found["results"][0]["previous"] == found["results"][1]["digest"]
    assert ask(person_id=str(firm.owner.pk)).json()["count"] == 1
    assert json.loads(ask(since="2999-01-01T00:00:00Z").content)["count"] == 0
    wrongs: list[dict[str, str | int]] = [
        {"after": "x"},
        {"after": 2**70},
        {"since": "yesterday"},
        {"person_id": "1"},
        {"action": "x" * 61},
    ]
    for wrong in wrongs:
        assert ask(**wrong).status_code == 400


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        (
            {"since": "2024-02-01T00:00:00Z", "until": "2024-01-31T00:00:00Z"},
            "until: It is before `since`. Exchange the two, or leave one out.",
        ),
        ({"until": "2024-02-30T00:00:00Z"}, "until: 2024-02-30 does not exist; choose another day."),
        ({"since": "soon"}, "since: 'soon' is not a date; write it as 2024-01-31T09:30:00Z."),
        ({"action": "document.deleted"}, "No action is called 'document.deleted'; the nearest of"),
    ],
)
def test_a_program_is_told_why_it_would_find_nothing(filters: dict[str, str], words: str, firm: Firm) -> None:
    reply = Client().get(reverse("api_audit_list"), filters, headers=firm.bearer(firm.owner, *ALL_SCOPES))

    assert reply.status_code == 400
    assert reply.json()["message"].startswith(words)
