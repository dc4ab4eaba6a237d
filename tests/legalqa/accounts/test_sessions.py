"""Sessions: listed, ended one by one or together, over after a rest or a day, proved again before what matters."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from pytest_django import DjangoAssertNumQueries

from legalqa.accounts.devices import device_name
from legalqa.accounts.models import AuditEvent, Session, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.secrets import digest_of
from legalqa.accounts.selectors import session_list
from legalqa.accounts.session_store import SIGNED_IN
from tests.people import PASSWORD, Firm

TASK = "legalqa.accounts.tasks.sessions_clear"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Safari/604.1"
ClientOf = Callable[[User], Client]


def sign_in(user: User, *, agent: str, address: str) -> Client:
    client = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=address)
    assert client.post(reverse("login"), {"username": user.email, "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("security")).status_code == 200


def rewind(client: Client, **ages: timedelta) -> None:
    """Let what the session notes have happened earlier."""
    session = client.session
    session[SIGNED_IN] |= {
        key: (datetime.fromisoformat(session[SIGNED_IN][key]) - age).isoformat() for key, age in ages.items()
    }
    session.save()


def test_expired_sessions_are_cleared_daily_and_others_stay(firm: Firm, client_of: ClientOf) -> None:
    over, current = (digest_of(str(client_of(p).session.session_key)) for p in (firm.lawyer, firm.owner))
    Session.objects.filter(pk=over).update(expire_date=timezone.now() - timedelta(seconds=1))
    import_string(TASK)()

    assert list(Session.objects.values_list("pk", flat=True)) == [current]
    assert settings.PERIODIC_TASKS[TASK] == 86_400


def test_a_person_sees_where_they_are_signed_in_and_nobody_else_does(firm: Firm) -> None:
    here = sign_in(firm.lawyer, agent=FIREFOX, address="198.51.100.7")
    sign_in(firm.lawyer, agent=SAFARI, address="2001:db8::7")
    sign_in(firm.owner, agent="curl/8.0", address="203.0.113.9")
    page = here.get(reverse("security")).content.decode()

    assert page.count("This browser") == 1
    for words in ("Firefox on Linux", "198.51.100.7", "Safari on iPhone", "2001:db8::7"):
        assert words in page
    assert "203.0.113.9" not in page
    assert str(here.session.session_key) not in page


def test_the_table_of_sessions_opens_none_of_them(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    key = str(client.session.session_key)
    row = Session.objects.get(user=firm.lawyer)

    assert is_in(client)
    assert key not in "".join(str(value) for value in Session.objects.values().get(pk=row.pk).values())
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = row.pk
    assert not is_in(thief)
    thief.cookies[settings.SESSION_COOKIE_NAME] = key
    assert is_in(thief)
    client.post(reverse("logout"))
    assert not is_in(thief)
    assert not Session.objects.filter(user=firm.lawyer).exists()


def test_a_session_key_that_somebody_brings_along_is_not_taken_over(firm: Firm) -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = planted = "a" * 32
    client.post(reverse("login"), {"username": firm.lawyer.email, "password": PASSWORD})

    assert is_in(client)
    assert client.cookies[settings.SESSION_COOKIE_NAME].value != planted


def test_one_session_is_ended_and_no_other_and_only_by_its_person(firm: Firm) -> None:
    here = sign_in(firm.lawyer, agent=FIREFOX, address="198.51.100.7")
    there = sign_in(firm.lawyer, agent=SAFARI, address="198.51.100.8")
    owner = sign_in(firm.owner, agent=SAFARI, address="198.51.100.9")
    end = reverse("session_end", args=[there.session[SIGNED_IN]["id"]])

    assert owner.post(end).status_code == 404
    assert is_in(there)
    assert here.post(end).status_code == 302
    assert not is_in(there)
    assert is_in(here)
    assert is_in(owner)
    assert here.post(end).status_code == 404


def test_all_other_sessions_are_ended_at_once(firm: Firm) -> None:
    clients = [sign_in(firm.lawyer, agent=FIREFOX, address=f"198.51.100.{n}") for n in range(1, 5)]
    clients[0].post(reverse("sessions_end_others"))

    assert [is_in(client) for client in clients] == [True, False, False, False]
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.get(action="session.ended").details == {"sessions": 3}


@pytest.mark.parametrize(
    ("ages", "stays"),
    [
        ({"seen": timedelta(minutes=29)}, True),
        ({"seen": timedelta(minutes=30)}, False),
        ({"at": timedelta(hours=11, minutes=59)}, True),
        ({"at": timedelta(hours=12)}, False),
    ],
)
def test_a_session_ends_after_half_an_hour_of_rest_or_twelve_hours(
    firm: Firm, client_of: ClientOf, ages: dict[str, timedelta], stays: bool
) -> None:
    client = client_of(firm.lawyer)
    rewind(client, **ages)

    assert is_in(client) == stays
    assert session_list(user=firm.lawyer).exists() == stays


def test_a_session_from_before_the_notes_is_over(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    session = client.session
    del session[SIGNED_IN]
    session.save()

    assert not is_in(client)


def test_the_row_ends_with_the_session_however_often_it_is_saved(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    rewind(client, at=timedelta(hours=11))
    row = Session.objects.get(user=firm.lawyer)

    assert row.signed_in_at is not None
    assert row.expire_date == row.signed_in_at + timedelta(hours=12)


def test_a_request_writes_nothing_and_last_seen_is_true_to_the_minute(
    firm: Firm, client_of: ClientOf, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(firm.lawyer)
    client.get(reverse("password_reset_done"))  # the form token of the menu is in the session now
    before = Session.objects.get(user=firm.lawyer)
    with django_assert_num_queries(1) as queries:
        client.get("/nowhere/")
    assert "SELECT" in queries.captured_queries[0]["sql"]
    assert Session.objects.get(user=firm.lawyer).last_seen_at == before.last_seen_at

    rewind(client, seen=timedelta(seconds=61))
    client.get("/nowhere/")
    seen = Session.objects.get(user=firm.lawyer).last_seen_at
    assert seen is not None
    assert before.last_seen_at is not None
    assert seen >= before.last_seen_at


def test_signing_in_and_out_is_written_down_with_its_address(firm: Firm) -> None:
    client = sign_in(firm.lawyer, agent=FIREFOX, address="198.51.100.7")
    client.post(reverse("logout"))

    with organization_scope(firm.organization, user=firm.owner):
        rows = list(AuditEvent.objects.order_by("sequence").values_list("action", "actor_id", "source", "address"))
    assert rows == [
        ("session.started", firm.lawyer.pk, "page", "198.51.100.7"),
        ("session.left", firm.lawyer.pk, "page", "198.51.100.7"),
    ]


def test_wrong_passwords_reach_the_log_behind_the_answer_for_known_people_only(firm: Firm) -> None:
    client = Client(REMOTE_ADDR="198.51.100.7")
    for email in (firm.lawyer.email, firm.lawyer.email, "nobody@harding.example"):
        client.post(reverse("login"), {"username": email, "password": "wrong"})
    record = import_string("legalqa.accounts.tasks.sign_in_failures_record")
    record()
    record()

    with organization_scope(firm.organization, user=firm.owner):
        row = AuditEvent.objects.get()
    assert (row.action, row.actor_id, row.subject_id) == ("sign_in.failed", None, firm.lawyer.pk)
    assert (row.details["tries"], row.address) == (2, "198.51.100.7")


SENSITIVE = ["token_create", "member_invite", "second_factor_demand", "second_factor", "recovery_codes_renew"]


@pytest.mark.parametrize("name", SENSITIVE)
def test_what_matters_asks_for_the_password_again_after_a_quarter_of_an_hour(
    firm: Firm, client_of: ClientOf, name: str
) -> None:
    client = client_of(firm.owner)
    rewind(client, proved=timedelta(minutes=15))
    is_own = name in ("second_factor", "recovery_codes_renew")
    before = reverse("security") if is_own else reverse("member_list", args=["harding"])
    address = reverse(name) if is_own else reverse(name, args=["harding"])
    response = client.post(address, {"name": "x"}, headers={"Referer": f"http://testserver{before}"})

    again, _, query = response["Location"].partition("?next=")
    assert again == reverse("reauthenticate")
    assert query.partition("&kept=")[0].endswith(before.replace("/", "%2F"))
    wrong = client.post(response["Location"], {"password": "wrong"})
    assert wrong.status_code == 422
    right = client.post(again, {"password": PASSWORD, "next": before})
    assert right["Location"] == before
    repeated = client.post(address, {"name": "x", "email": "new@example.org", "role": "lawyer"})
    assert not repeated.headers.get("Location", "").startswith(again)


def test_proving_oneself_counts_wrong_passwords_and_leads_to_no_foreign_site(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    for foreign in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        response = client.post(reverse("reauthenticate"), {"password": PASSWORD, "next": foreign})
        assert response["Location"] == "/"

    statuses = [client.post(reverse("reauthenticate"), {"password": "wrong"}).status_code for _ in range(5)]
    assert statuses[:4] == [422] * 4
    assert client.post(reverse("reauthenticate"), {"password": PASSWORD}).status_code == 429


def test_a_device_is_named_by_what_it_says_of_itself() -> None:
    edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"
    android = "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"

    assert [device_name(agent) for agent in (FIREFOX, SAFARI, edge, android, "", "\u202e<script>")] == [
        "Firefox on Linux",
        "Safari on iPhone",
        "Edge on Windows",
        "Chrome on Android",
        "A browser on an unknown system",
        "A browser on an unknown system",
    ]
