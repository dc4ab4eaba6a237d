"""The second factor: set up with a first code, asked for at every door, spent codes refused, lost ones replaced."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from legalqa.accounts.models import AuditEvent, Organization, RecoveryCode, SecondFactor, Session, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.secrets import digest_of
from legalqa.accounts.services import CodeRefused, second_factor_show, sign_in_link_create
from legalqa.accounts.session_store import SIGNED_IN
from legalqa.accounts.views.security import HALF_IN
from tests.factors import code_of, enrol
from tests.people import PASSWORD, Firm, make_firm

ClientOf = Callable[[User], Client]


def first_step(user: User, **extra: str) -> Client:
    client = Client(**extra)  # type: ignore[arg-type]  # headers
    response = client.post(reverse("login"), {"username": user.email, "password": PASSWORD})
    assert response["Location"] == reverse("sign_in_code")
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("security")).status_code == 200


def second_step(client: Client, code: str) -> int:
    return client.post(reverse("sign_in_code"), {"code": code}).status_code


def actions(firm: Firm) -> list[str]:
    with organization_scope(firm.organization, user=firm.owner):
        return list(AuditEvent.objects.order_by("sequence").values_list("action", flat=True))


def test_a_person_sets_it_up_with_a_first_code_and_sees_ten_recovery_codes_once(
    firm: Firm, client_of: ClientOf
) -> None:
    client, elsewhere = client_of(firm.lawyer), client_of(firm.lawyer)
    assert client.post(reverse("second_factor"))["Location"] == reverse("second_factor")
    page = client.get(reverse("second_factor")).content.decode()
    factor = SecondFactor.objects.get(user=firm.lawyer)
    assert factor.secret[:4] in page
    assert "<path d=" in page
    assert is_in(elsewhere)

    wrong = client.post(reverse("second_factor_confirm"), {"code": "000000"})
    assert wrong.status_code == 422
    assert SecondFactor.objects.get(user=firm.lawyer).confirmed_at is None
    done = client.post(reverse("second_factor_confirm"), {"code": code_of(firm.lawyer)})
    codes = re.findall(r"<code>([\w-]{19})</code>", done.content.decode())
    assert len(codes) == 10
    assert not is_in(elsewhere)
    assert is_in(client)
    assert client.get(reverse("second_factor"))["Location"] == reverse("security")
    assert not any(code in str(list(RecoveryCode.objects.values())) for code in codes)
    assert actions(firm) == ["second_factor.added"]


def test_beginning_again_makes_another_secret_and_a_confirmed_one_stays(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    secrets = set()
    for _ in range(2):
        client.post(reverse("second_factor"))
        secrets.add(SecondFactor.objects.get(user=firm.lawyer).secret)
    assert len(secrets) == 2

    client.post(reverse("second_factor_confirm"), {"code": code_of(firm.lawyer)})
    assert client.post(reverse("second_factor")).status_code == 409
    assert SecondFactor.objects.get(user=firm.lawyer).secret in secrets


def test_the_secret_is_encrypted_where_it_lies(firm: Firm) -> None:
    enrol(firm.lawyer)
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM accounts_secondfactor")
        (stored,) = cursor.fetchone()

    secret = SecondFactor.objects.get().secret
    assert secret not in stored
    assert stored.startswith("gAAAA")


def test_password_and_code_together_sign_in(firm: Firm) -> None:
    enrol(firm.lawyer)
    client = first_step(firm.lawyer)

    assert not is_in(client)
    assert "Second step" in client.get(reverse("sign_in_code")).content.decode()
    assert second_step(client, "123") == 422
    assert not is_in(client)
    assert second_step(client, code_of(firm.lawyer)) == 302
    assert is_in(client)
    assert client.session[SIGNED_IN]["factor"] is True
    assert HALF_IN not in client.session
    with organization_scope(firm.organization, user=firm.owner):
        row = AuditEvent.objects.get(action="session.started")
    assert row.details == {"how": "password", "second_factor": True}


def test_the_key_of_the_session_changes_with_each_step(firm: Firm) -> None:
    enrol(firm.lawyer)
    client = Client()
    client.get(reverse("login"))
    keys = [client.session.session_key]
    client.post(reverse("login"), {"username": firm.lawyer.email, "password": PASSWORD})
    keys.append(client.session.session_key)
    second_step(client, code_of(firm.lawyer))
    keys.append(client.session.session_key)

    assert len(set(keys)) == 3
    assert Session.objects.filter(pk__in=[digest_of(str(key)) for key in keys[:2]]).count() == 0
    assert Session.objects.filter(pk=digest_of(str(keys[2]))).exists()


def test_a_code_works_once_and_none_before_it_works_any_more(firm: Firm) -> None:
    enrol(firm.lawyer)
    code, earlier = code_of(firm.lawyer), code_of(firm.lawyer, steps=-1)

    assert second_step(first_step(firm.lawyer), code) == 302
    assert second_step(first_step(firm.lawyer), code) == 422
    assert second_step(first_step(firm.lawyer), earlier) == 422
    assert second_step(first_step(firm.lawyer), code_of(firm.lawyer, steps=1)) == 302


def test_a_recovery_code_works_once_and_is_written_down(firm: Firm) -> None:
    codes = enrol(firm.lawyer)

    assert second_step(first_step(firm.lawyer), codes[3].upper()) == 302
    assert second_step(first_step(firm.lawyer), codes[3]) == 422
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.get(action="recovery_code.used").details == {"left": 9}
        assert AuditEvent.objects.filter(action="second_factor.refused").count() == 1


def test_recovery_codes_of_another_person_open_nothing(firm: Firm) -> None:
    enrol(firm.lawyer)
    theirs = enrol(firm.annotator)

    assert second_step(first_step(firm.lawyer), theirs[0]) == 422
    assert RecoveryCode.objects.exclude(used_at=None).count() == 0


@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("kind", ["recovery code", "code of the app"])
def test_of_eight_browsers_with_one_code_one_gets_in(kind: str) -> None:
    firm = make_firm("harding", "Harding & Stone")
    codes = enrol(firm.lawyer)
    code = codes[0] if kind == "recovery code" else code_of(firm.lawyer)

    def show(_: int) -> bool:
        try:
            second_factor_show(user=firm.lawyer, code=code)
        except CodeRefused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(show, range(5)))
    assert outcomes.count(True) == 1


def test_five_wrong_codes_pause_the_second_step_for_right_ones_too(firm: Firm) -> None:
    codes = enrol(firm.lawyer)
    client = first_step(firm.lawyer)
    statuses = [second_step(client, f"{n:06}") for n in range(5)]

    assert statuses == [422] * 5
    for right in (code_of(firm.lawyer), codes[0]):
        response = client.post(reverse("sign_in_code"), {"code": right})
        assert response.status_code == 422
        assert "Wait 15 minutes" in response.content.decode()
    assert actions(firm).count("second_factor.refused") == 5
    SecondFactor.objects.update(paused_until=timezone.now() - timedelta(seconds=1))
    assert second_step(client, code_of(firm.lawyer)) == 302


def test_the_first_step_holds_for_five_minutes_and_for_open_accounts(firm: Firm) -> None:
    enrol(firm.lawyer)
    late, closed = first_step(firm.lawyer), first_step(firm.lawyer)
    session = late.session
    session[HALF_IN] |= {"at": (timezone.now() - timedelta(minutes=5)).isoformat()}
    session.save()
    User.objects.filter(pk=firm.lawyer.pk).update(is_active=False)

    for client in (late, closed, Client()):
        response = client.post(reverse("sign_in_code"), {"code": code_of(firm.lawyer)})
        assert response["Location"] == reverse("login")
        assert not is_in(client)


def test_a_sign_in_link_asks_for_the_second_factor_too(firm: Firm) -> None:
    enrol(firm.lawyer)
    _, path = sign_in_link_create(user=firm.lawyer)
    client = Client()

    assert client.post(path)["Location"] == reverse("sign_in_code")
    assert not is_in(client)
    assert second_step(client, code_of(firm.lawyer)) == 302
    assert "old_password" not in client.get(reverse("account", args=["harding"])).content.decode()


def test_a_new_password_ends_a_sign_in_that_waits_for_its_code(firm: Firm, client_of: ClientOf) -> None:
    enrol(firm.lawyer)
    waiting = first_step(firm.lawyer)
    chosen = {"new_password1": "kumquat-zephyr-4711-boxing", "new_password2": "kumquat-zephyr-4711-boxing"}
    account = reverse("account", args=["harding"])
    assert client_of(firm.lawyer).post(account, {"old_password": PASSWORD, **chosen}).status_code == 302

    response = waiting.post(reverse("sign_in_code"), {"code": code_of(firm.lawyer)})
    assert response["Location"] == reverse("login")
    assert not is_in(waiting)


def test_new_recovery_codes_end_the_old_ones(firm: Firm, client_of: ClientOf) -> None:
    old = enrol(firm.lawyer)
    page = client_of(firm.lawyer).post(reverse("recovery_codes_renew")).content.decode()
    new = re.findall(r"<code>([\w-]{19})</code>", page)

    assert len(new) == 10
    assert not set(new) & set(old)
    assert second_step(first_step(firm.lawyer), old[0]) == 422
    assert second_step(first_step(firm.lawyer), new[0]) == 302


def test_removing_it_takes_the_codes_along_and_ends_the_other_sessions(firm: Firm, client_of: ClientOf) -> None:
    enrol(firm.lawyer)
    here, elsewhere = client_of(firm.lawyer), client_of(firm.lawyer)

    assert here.post(reverse("second_factor_remove"))["Location"] == reverse("security")
    assert is_in(here)
    assert not is_in(elsewhere)
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
    response = Client().post(reverse("login"), {"username": firm.lawyer.email, "password": PASSWORD})
    assert response["Location"] == reverse("home")
    assert "second_factor.removed" in actions(firm)


def test_an_organisation_may_ask_everyone_for_it(firm: Firm, client_of: ClientOf) -> None:
    owner, lawyer = client_of(firm.owner), client_of(firm.lawyer)
    demand = reverse("second_factor_demand", args=["harding"])

    refused = owner.post(demand, {"is_needed": "yes"}, follow=True).content.decode()
    assert "Set up your own second factor first" in refused
    assert not Organization.objects.get(slug="harding").needs_second_factor
    owner.post(reverse("second_factor"))
    owner.post(reverse("second_factor_confirm"), {"code": code_of(firm.owner)})
    owner.post(demand, {"is_needed": "yes"})
    assert owner.get(reverse("member_list", args=["harding"])).status_code == 200

    response = lawyer.get(reverse("question_ask", args=["harding"]))
    assert response["Location"] == reverse("security")
    assert "requires a second factor for everyone" in lawyer.get(reverse("security")).content.decode()
    part = lawyer.get(reverse("question_ask", args=["harding"]), headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Redirect"]) == (204, reverse("security"))
    lawyer.post(reverse("second_factor"))
    lawyer.post(reverse("second_factor_confirm"), {"code": code_of(firm.lawyer)})
    assert lawyer.get(reverse("question_ask", args=["harding"])).status_code == 200
    lawyer.post(reverse("second_factor_remove"))
    assert lawyer.get(reverse("question_ask", args=["harding"]))["Location"] == reverse("security")


def test_owners_without_it_are_nudged_and_others_are_not(firm: Firm, client_of: ClientOf) -> None:
    page = reverse("account", args=["harding"])

    assert "factor-nudge" in client_of(firm.owner).get(page).content.decode()
    assert "factor-nudge" not in client_of(firm.lawyer).get(page).content.decode()


def test_operators_need_it_where_the_setting_says_so(db: None, client_of: ClientOf, settings: Settings) -> None:
    operator = User.objects.create_user("ops@example.org", PASSWORD, name="Olga Ops", is_staff=True)
    settings.OPERATORS_SECOND_FACTOR = True
    client = client_of(operator)

    door = client.get(reverse("admin:index"))["Location"]
    assert client.get(door)["Location"] == reverse("security")
    client.post(reverse("second_factor"))
    client.post(reverse("second_factor_confirm"), {"code": code_of(operator)})
    assert client.get(reverse("admin:index")).status_code == 200


def test_an_operator_helps_who_has_lost_it_and_the_organisation_can_read_it(firm: Firm, client_of: ClientOf) -> None:
    operator = User.objects.create_user("ops@example.org", PASSWORD, name="Olga Ops", is_staff=True)
    enrol(firm.lawyer)
    lawyer = client_of(firm.lawyer)
    data = {"action": "second_factor_remove", "_selected_action": [str(firm.lawyer.pk)]}
    client_of(operator).post(reverse("admin:accounts_user_changelist"), data)

    assert not SecondFactor.objects.exists()
    assert not is_in(lawyer)
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.get(action="second_factor.removed").actor_id == operator.pk
