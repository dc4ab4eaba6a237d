"""A wall keeps its last person, on the corpus's page, on the members page and against two owners at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from corpora.services import corpus_create, corpus_member_add, corpus_member_remove, corpus_update
from legalqa.accounts.models import Membership, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import member_remove
from legalqa.common.errors import Conflict, NotFound
from tests.people import Firm, make_firm

NAME = "Project Falcon"


def walled(firm: Firm, *others: User, name: str = NAME) -> Corpus:
    """A corpus behind a wall, with the manager and the others inside."""
    with organization_scope(firm.organization, user=firm.manager):
        corpus = corpus_create(**firm.by_manager, name=name, is_walled=True)
        for person in others:
            corpus_member_add(**firm.by_manager, corpus_id=corpus.pk, member_id=person.pk)
    return corpus


def remove_member(firm: Firm, person: User, *, actor: User) -> None:
    with organization_scope(firm.organization, user=actor):
        membership = Membership.objects.get(user=person)
        member_remove(organization=firm.organization, actor=actor, membership_id=membership.pk)


def is_open_to(corpus: Corpus, firm: Firm, person: User) -> bool:
    with organization_scope(firm.organization, user=person):
        return Corpus.objects.filter(pk=corpus.pk).exists()


def test_the_members_page_keeps_the_last_person_inside_and_names_no_corpus(
    firm: Firm, client_of: Callable[[User], Client]
) -> None:
    corpora = [walled(firm), walled(firm, name="Project Heron")]
    walled(firm, firm.lawyer, name="Shared")
    owner = client_of(firm.owner)
    with organization_scope(firm.organization, user=firm.owner):
        membership = Membership.objects.get(user=firm.manager)

    owner.post(reverse("member_remove", args=[firm.organization.slug, membership.pk]))
    page = owner.get(reverse("member_list", args=[firm.organization.slug])).content.decode()

    assert "is the last person with access to 2 restricted corpora and cannot be removed" in page
    assert "must first give someone else access there" in page
    assert NAME not in page
    assert all(is_open_to(corpus, firm, firm.manager) for corpus in corpora)


def test_who_let_somebody_else_in_or_took_the_wall_down_may_be_removed(firm: Firm) -> None:
    shared, opened = walled(firm), walled(firm, name="Opened")
    with organization_scope(firm.organization, user=firm.manager):
        corpus_update(**firm.by_manager, corpus_id=opened.pk, is_walled=False)
    with pytest.raises(Conflict, match="access to 1 restricted corpus and"):
        remove_member(firm, firm.manager, actor=firm.owner)
    with organization_scope(firm.organization, user=firm.manager):
        corpus_member_add(**firm.by_manager, corpus_id=shared.pk, member_id=firm.lawyer.pk)

    remove_member(firm, firm.manager, actor=firm.owner)

    assert is_open_to(shared, firm, firm.lawyer)


def test_a_person_whose_account_is_closed_does_not_guard_a_wall(firm: Firm) -> None:
    corpus = walled(firm, firm.lawyer)
    User.objects.filter(pk=firm.lawyer.pk).update(is_active=False)

    with pytest.raises(Conflict, match="last person"):
        remove_member(firm, firm.manager, actor=firm.owner)
    with organization_scope(firm.organization, user=firm.manager), pytest.raises(Conflict, match="last person"):
        corpus_member_remove(**firm.by_manager, corpus_id=corpus.pk, member_id=firm.manager.pk)


def test_of_two_people_inside_who_are_removed_at_once_one_stays(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    corpus = walled(firm, firm.lawyer)
    start = Barrier(2)

    def put_out(person: User, *, of_all: bool) -> str:
        try:
            start.wait()
            if of_all:
                remove_member(firm, person, actor=firm.owner)
            else:
                with organization_scope(firm.organization, user=firm.manager):
                    corpus_member_remove(**firm.by_manager, corpus_id=corpus.pk, member_id=person.pk)
            return "done"
        except Conflict as error:
            return error.code
        except NotFound:  # who was put out first no longer sees the corpus
            return "last_member"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        ends = [pool.submit(put_out, firm.manager, of_all=True), pool.submit(put_out, firm.lawyer, of_all=False)]

    assert sorted(end.result() for end in ends) == ["done", "last_member"]
