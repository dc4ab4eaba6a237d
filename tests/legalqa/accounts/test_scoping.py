"""The two locks on every row: the manager that raises and the policies beneath it."""

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from corpora.models import Corpus
from legalqa.accounts import scoping
from legalqa.accounts.models import Membership
from legalqa.accounts.scoping import active_scope, organization_scope, user_scope
from legalqa.common.errors import ScopeError
from tests.named import unnamed
from tests.people import Firm


def corpus_of(firm: Firm, name: str) -> Corpus:
    with organization_scope(firm.organization, user=firm.manager):
        return Corpus.objects.create(organization=firm.organization, name=name, slug=name)


@pytest.mark.django_db
def test_the_suite_runs_as_the_applications_role_which_bypasses_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == ("legalqa_app", False, False)
        cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db
def test_a_query_without_an_organisation_raises() -> None:
    with pytest.raises(ScopeError):
        Corpus.objects.count()
    with pytest.raises(ScopeError):
        active_scope()


def test_an_organisation_sees_its_own_rows_only(firm: Firm, rivals: Firm) -> None:
    corpus_of(firm, "ours")
    corpus_of(rivals, "theirs")

    with organization_scope(firm.organization, user=firm.lawyer):
        assert [c.name for c in Corpus.objects.all()] == ["ours"]
        with unnamed():
            assert [c.name for c in Corpus._base_manager.all()] == ["ours"]
    with organization_scope(rivals.organization, user=rivals.lawyer), unnamed():
        assert [c.name for c in Corpus._base_manager.all()] == ["theirs"]


def test_without_a_scope_the_database_shows_nothing(firm: Firm) -> None:
    corpus_of(firm, "ours")

    assert Corpus._base_manager.count() == 0


def test_writing_into_another_organisation_is_refused_by_the_database(firm: Firm, rivals: Firm) -> None:
    corpus = corpus_of(rivals, "theirs")

    with organization_scope(firm.organization, user=firm.manager), unnamed():
        with pytest.raises(DatabaseError, match="row-level security"), transaction.atomic():
            Corpus(organization=rivals.organization, name="planted", slug="planted").save(force_insert=True)
        assert Corpus._base_manager.filter(pk=corpus.pk).update(name="renamed") == 0
        assert Corpus._base_manager.filter(pk=corpus.pk).delete()[0] == 0


def test_entering_a_second_organisation_inside_the_first_raises(firm: Firm, rivals: Firm) -> None:
    with organization_scope(firm.organization, user=firm.lawyer), pytest.raises(ScopeError):
        with organization_scope(rivals.organization, user=rivals.lawyer):
            pass


def test_entering_the_same_scope_again_is_allowed(firm: Firm) -> None:
    with organization_scope(firm.organization, user=firm.lawyer):
        with organization_scope(firm.organization, user=firm.lawyer):
            assert Corpus.objects.count() == 0
        assert Corpus.objects.count() == 0


def test_a_scope_leaves_nothing_behind_for_the_next_user_of_the_connection(firm: Firm) -> None:
    corpus_of(firm, "ours")

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('app.organization_id', true), current_setting('app.user_id', true)")
        assert cursor.fetchone() in (("", ""), (None, None))


def test_the_settings_are_data_whatever_is_in_them(firm: Firm) -> None:
    """Ids only reach them today; a quote in one must not end the statement."""
    hostile = "x'; SET LOCAL app.user_id = 'system"
    with transaction.atomic(), connection.cursor() as cursor:
        scoping._set("", hostile)
        cursor.execute("SELECT current_setting('app.organization_id'), current_setting('app.user_id')")
        assert cursor.fetchone() == ("", hostile)


def test_background_work_may_take_longer_for_one_statement_and_nothing_else_may(firm: Firm) -> None:
    limits = {}
    for person in (firm.lawyer, None):
        with organization_scope(firm.organization, user=person), connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM current_setting('statement_timeout')::interval)")
            limits[person] = int(cursor.fetchone()[0])

    assert limits == {firm.lawyer: settings.STATEMENT_S, None: settings.JOB_STATEMENT_S}


def test_a_person_sees_their_own_memberships_before_choosing(firm: Firm, rivals: Firm) -> None:
    with user_scope(firm.lawyer):
        assert [m.user_id for m in Membership._base_manager.all()] == [firm.lawyer.pk]


def test_a_walled_corpus_is_seen_by_its_members_only(firm: Firm) -> None:
    from corpora.services import corpus_create

    with organization_scope(firm.organization, user=firm.manager):
        corpus_create(**firm.by_manager, name="Project Heron", is_walled=True)
        assert Corpus.objects.count() == 1
    with organization_scope(firm.organization, user=firm.lawyer):
        assert Corpus.objects.count() == 0
        assert Corpus._base_manager.count() == 0
