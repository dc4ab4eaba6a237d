"""Who can see what, in words: every member, every corpus that the reader may know of, and why."""

import csv
import io
from collections.abc import Callable

from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from corpora.services import corpus_create, corpus_member_add
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scoping import organization_scope
from legalqa.dashboard.access_matrix import KEEPS, OUTSIDE, READS, Matrix, access_matrix
from tests.ingestion import make_corpus
from tests.pages import one_line
from tests.people import Firm

ClientOf = Callable[[User], Client]


def walled(firm: Firm, name: str, *inside: User) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        corpus = corpus_create(**firm.by_manager, name=name, is_walled=True)
        for person in inside:
            corpus_member_add(**firm.by_manager, corpus_id=corpus.pk, member_id=person.pk)


def matrix_of(firm: Firm, reader: User) -> Matrix:
    with organization_scope(firm.organization, user=reader):
        return access_matrix(organization=firm.organization)


def words(firm: Firm, reader: User) -> dict[str, list[str]]:
    return {row.membership.role: [cell.word for cell in row.cells] for row in matrix_of(firm, reader).rows}


def test_each_cell_says_what_a_person_may_do(firm: Firm) -> None:
    make_corpus(firm, "Leases")
    walled(firm, "Project Larch", firm.lawyer)

    assert words(firm, firm.manager) == {
        "owner": [KEEPS, OUTSIDE],
        "corpus_manager": [KEEPS, KEEPS],
        "lawyer": [READS, READS],
        "annotator": [READS, OUTSIDE],
    }


def test_a_corpus_behind_a_wall_is_no_column_for_anyone_outside(firm: Firm, client_of: ClientOf) -> None:
    make_corpus(firm, "Leases")
    walled(firm, "Project Larch", firm.lawyer)

    assert words(firm, firm.owner)["lawyer"] == [READS]
    for name in ("access_page", "access_csv"):
        assert "Larch" not in client_of(firm.owner).get(reverse(name, args=["harding"])).content.decode()


def test_the_page_says_why(firm: Firm, client_of: ClientOf) -> None:
    walled(firm, "Project Larch", firm.lawyer)
    page = client_of(firm.manager).get(reverse("access_page", args=["harding"])).content.decode()

    person = "Lawyer of Harding &amp; Stone"
    assert f"{person} is a named member of Project Larch; as lawyer they read its documents" in page
    assert "Project Larch is restricted, and Annotator of Harding &amp; Stone is not one of its members." in page


def test_the_page_does_not_promise_that_nobody_else_reads_an_answer(firm: Firm, client_of: ClientOf) -> None:
    make_corpus(firm, "Leases")
    page = one_line(client_of(firm.owner).get(reverse("access_page", args=["harding"])).content.decode())

    assert "visible only to the person who asked" not in page
    assert "by the colleagues with whom it is shared" in page


def test_the_matrix_takes_three_questions_however_large_it_is(
    firm: Firm, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(5):
        walled(firm, f"Matter {n}")
    with organization_scope(firm.organization, user=firm.manager), django_assert_max_num_queries(3):
        assert len(access_matrix(organization=firm.organization).corpora) == 5


def test_the_matrix_comes_as_a_file_and_the_export_is_noted(firm: Firm, client_of: ClientOf) -> None:
    make_corpus(firm, "=Leases")
    response = client_of(firm.manager).get(reverse("access_csv", args=["harding"]))
    header, *rows = csv.reader(io.StringIO(response.content.decode("utf-8-sig")))

    assert header == ["Person", "E-mail address", "Role", "'=Leases"]
    assert ["Lawyer of Harding & Stone", "lawyer@harding.example", "Lawyer", READS] in rows
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.filter(action="access.exported", actor_id=firm.manager.pk).count() == 1


def test_without_a_corpus_the_page_says_so(firm: Firm, client_of: ClientOf) -> None:
    page = client_of(firm.manager).get(reverse("access_page", args=["harding"])).content.decode()

    assert "No corpus yet" in page
