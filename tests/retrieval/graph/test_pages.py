"""The pages, the exports and the command of a graph."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from itertools import combinations
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from retrieval.graph.parser import parser_is_installed
from retrieval.models import GraphEntity, GraphLink, GraphTriplet
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line, path_of
from tests.people import Firm
from tests.retrieval.graph.world import Built, build

pytestmark = pytest.mark.django_db
ClientOf = Callable[[User], Client]


def page(client: Client, name: str, built: Built, *more: object, **query: str) -> str:
    reply = client.get(reverse(name, args=(built.firm.organization.slug, built.corpus.pk, *more)), query)
    assert reply.status_code == 200
    return reply.content.decode()


def test_the_list_leads_from_a_statement_to_its_words_in_the_reader(built: Built, client_of: ClientOf) -> None:
    body = page(client_of(built.firm.lawyer), "graph_page", built, kind="deadline", text="records")
    with organization_scope(built.firm.organization, user=None):
        row = GraphTriplet.objects.get(corpus=built.corpus, kind="deadline", object="five years")

    assert f"/documents/{row.document_id}/" in body
    assert f"%3A{row.start}-{row.end}" in body
    assert body.count('name="triplet_id"') == 1


def test_filters_are_kept_when_nothing_fits(built: Built, client_of: ClientOf) -> None:
    body = page(client_of(built.firm.lawyer), "graph_page", built, text="zebra")

    assert "No matches" in body
    assert 'value="zebra"' in body


def test_an_entity_is_drawn_with_its_neighbours_as_links(built: Built, client_of: ClientOf) -> None:
    with organization_scope(built.firm.organization, user=None):
        auditor = GraphEntity.objects.get(corpus=built.corpus, key="n:auditor")
        employer = GraphEntity.objects.get(corpus=built.corpus, key="n:employer")
    body = page(client_of(built.firm.lawyer), "graph_entity", built, auditor.pk)

    drawing = body[body.index('class="chart graph-drawing"') :].partition("</svg>")[0]
    assert str(employer.pk) in drawing
    assert drawing.count("<line") == drawing.count("<a href=")
    assert "style=" not in drawing
    assert "css/charts" in body.split("</head>")[0]


def edges(body: str) -> dict[str, tuple[str, str]]:
    """By the name of a neighbour, what its edge says and which kinds it counts."""
    found = re.findall(
        r'class="graph-word"[^>]*>(.*?)</text>\s*<a [^>]*>\s*<title>(.*?): (.*?)</title>', one_line(body)
    )
    return {unescape(name): (unescape(word).strip(), unescape(kinds)) for word, name, kinds in found}


def test_an_edge_says_its_predicate_its_kind_or_only_how_many_statements_it_is(
    built: Built, client_of: ClientOf
) -> None:
    with organization_scope(built.firm.organization, user=None):
        employer = GraphEntity.objects.get(corpus=built.corpus, key="n:employer")
        mine = set(GraphLink.objects.filter(entity=employer).values_list("triplet_id", flat=True))
        shared: dict[str, dict[UUID, GraphTriplet]] = {}
        for link in GraphLink.objects.filter(triplet__in=mine).exclude(entity=employer):
            shared.setdefault(link.entity.name, {})[link.triplet_id] = link.triplet
    said = edges(page(client_of(built.firm.lawyer), "graph_entity", built, employer.pk))

    assert said.keys() == shared.keys()
    for name, (word, kinds) in said.items():
        counts = Counter(one.get_kind_display().lower() for one in shared[name].values())
        assert dict(part.split(" ×") for part in kinds.split(", ")) == {kind: str(n) for kind, n in counts.items()}
        if len(shared[name]) == 1:
            (one,) = shared[name].values()
            assert word == one.predicate or word.endswith("…")
        else:
            assert word == (kinds if len(counts) == 1 else f"{len(shared[name])} statements")
    assert {len(one) for one in shared.values()} > {1}


def test_sections_of_one_name_are_drawn_with_their_documents(firm: Firm, client_of: ClientOf) -> None:
    corpus = make_corpus(firm, "Two acts")
    for number, word in ((1, "First"), (2, "Second")):
        rule = f"An employer shall keep the {word.lower()} record for two years."
        ingest(firm, corpus, f"{number}.md", f"# {word} Act\n\n## § 7 Records\n\n{rule}\n")
    build(firm, corpus)
    with organization_scope(firm.organization, user=None):
        employer = GraphEntity.objects.get(corpus=corpus, key="n:employer")
    address = reverse("graph_entity", args=(firm.organization.slug, corpus.pk, employer.pk))
    said = edges(client_of(firm.lawyer).get(address).content.decode())

    assert {name for name in said if name.startswith("§ 7")} == {"§ 7, First Act", "§ 7, Second Act"}


def test_the_statements_come_before_the_drawing_and_lead_to_the_entities_they_name(
    built: Built, client_of: ClientOf
) -> None:
    with organization_scope(built.firm.organization, user=None):
        auditor = GraphEntity.objects.get(corpus=built.corpus, key="n:auditor")
        years = GraphEntity.objects.get(corpus=built.corpus, name="five years")
    body = page(client_of(built.firm.lawyer), "graph_entity", built, auditor.pk)
    table = body.partition("<table")[2].partition("</table>")[0]
    listed = page(client_of(built.firm.lawyer), "graph_page", built, kind="deadline", text="records")

    assert body.index('id="statements-title"') < body.index("graph-drawing")
    assert f"/entities/{years.pk}/" in table and f"/entities/{auditor.pk}/" not in table
    assert f"/entities/{auditor.pk}/" in listed and f"/entities/{years.pk}/" in listed


def test_the_page_says_how_the_parser_is_installed_where_it_is_lacking(built: Built, client_of: ClientOf) -> None:
    body = unescape(page(client_of(built.firm.manager), "graph_page", built))

    assert ("pip install -c constraints.txt '.[graph]'" in body) is not parser_is_installed()


def test_no_name_of_the_drawing_covers_another(built: Built, client_of: ClientOf) -> None:
    with organization_scope(built.firm.organization, user=None):
        tool = GraphEntity.objects.get(corpus=built.corpus, key="n:hiring tool")
    body = page(client_of(built.firm.lawyer), "graph_entity", built, tool.pk)
    found = re.findall(r'<rect class="graph-node[^"]*" x="([^"]+)" y="([^"]+)" width="(\d+)" height="(\d+)"', body)
    boxes = [tuple(map(float, one)) for one in found]

    assert len(boxes) > 3
    for (x, y, wide, high), (other_x, other_y, _, _) in combinations(sorted(boxes), 2):
        assert x + wide <= other_x or abs(other_y - y) >= high


def test_a_section_is_listed_with_its_document_and_no_entity_is_also_called_by_its_own_name(
    built: Built, client_of: ClientOf
) -> None:
    body = one_line(page(client_of(built.firm.lawyer), "graph_page", built, view="entities"))
    row = body.split(">§ 20-871</a>")[1].split("</tr>")[0]
    assert "Hiring Tools Act" in row
    with organization_scope(built.firm.organization, user=None):
        tool = GraphEntity.objects.get(corpus=built.corpus, key="n:hiring tool")
        section = GraphEntity.objects.get(corpus=built.corpus, name="§ 20-871")
    others = set(tool.aliases) - {tool.name.lower()}
    also = body.split(f"/{tool.pk}/")[1].split('data-label="Also called">')[1].split("</td>")[0]
    assert set(also.split(", ")) == others < set(tool.aliases)
    own = one_line(page(client_of(built.firm.lawyer), "graph_entity", built, section.pk))
    assert "Section of Hiring Tools Act, in " in own
    assert "Also called" not in own


def test_a_graph_that_is_being_built_does_not_say_that_the_documents_state_nothing(
    firm: Firm, client_of: ClientOf
) -> None:
    corpus = make_corpus(firm, "Empty")
    client = client_of(firm.manager)
    assert client.post(reverse("graph_build", args=(firm.organization.slug, corpus.pk))).status_code == 302
    body = client.get(reverse("graph_page", args=(firm.organization.slug, corpus.pk))).content.decode()

    assert "The documents are being read." in body
    assert "state no rule" not in body


def test_what_an_entity_may_be_merged_into_is_found_by_its_name(built: Built, client_of: ClientOf) -> None:
    with organization_scope(built.firm.organization, user=None):
        auditor = GraphEntity.objects.get(corpus=built.corpus, key="n:auditor")
        employer = GraphEntity.objects.get(corpus=built.corpus, key="n:employer")
    choice = f'<option value="{employer.pk}">'

    assert choice not in page(client_of(built.firm.lawyer), "graph_entity", built, auditor.pk)
    found = page(client_of(built.firm.lawyer), "graph_entity", built, auditor.pk, text="employ")
    assert choice in found
    assert '<option value="">Choose one</option>' in found
    assert "Merge <strong>auditor</strong> into the chosen entity?" in one_line(found)


def test_a_corpus_without_a_graph_says_what_to_do(firm: Firm, client_of: ClientOf) -> None:
    corpus = make_corpus(firm)
    client = client_of(firm.manager)
    url = reverse("graph_page", args=(firm.organization.slug, corpus.pk))

    assert "No graph yet" in client.get(url).content.decode()
    assert "Build it below." in client.get(url).content.decode()
    assert "A corpus manager builds it." in one_line(client_of(firm.lawyer).get(url).content.decode())
    client.post(reverse("graph_build", args=(firm.organization.slug, corpus.pk)))
    assert "Building" in client.get(url).content.decode()


def test_the_csv_holds_every_statement_with_its_provenance(built: Built, client_of: ClientOf) -> None:
    rows = list(
        csv.DictReader(
            io.StringIO(page(client_of(built.firm.lawyer), "graph_export", built, shape="csv").lstrip("\ufeff"))
        )
    )

    with organization_scope(built.firm.organization, user=None):
        assert len(rows) == GraphTriplet.objects.filter(corpus=built.corpus).count()
    assert {row["document"] for row in rows} == {"Hiring Tools Act"}
    assert all("::" in row["paragraph_id"] for row in rows)


def test_the_json_ld_names_the_entities_that_statements_share(built: Built, client_of: ClientOf) -> None:
    document = json.loads(page(client_of(built.firm.lawyer), "graph_export", built, shape="jsonld"))
    subjects = [row["subject"] for row in document["@graph"] if isinstance(row["subject"], dict)]

    assert {"@context", "@graph"} == document.keys()
    assert len([one for one in subjects if one["name"] == "auditor"]) > 1
    assert len({one["@id"] for one in subjects if one["name"] == "auditor"}) == 1


def test_the_command_shows_statements_and_paths(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    of = ["--organization", built.firm.organization.slug]
    call_command("graph", "show", built.corpus.slug, "records", *of, "--kind", "deadline")
    call_command("graph", "path", built.corpus.slug, '{"start": "auditor", "predicates": ["deadline"]}', *of)

    shown = capsys.readouterr().out
    assert shown.count("five years") >= 2
    assert "1 statements" in shown


def paths(client: Client, built: Built, **query: Any) -> tuple[int, str]:
    reply = client.get(reverse("graph_paths", args=(built.firm.organization.slug, built.corpus.pk)), query)
    return reply.status_code, reply.content.decode()


def test_the_command_refuses_a_kind_that_does_not_exist(built: Built) -> None:
    with pytest.raises(CommandError, match="invalid choice: 'poem'"):
        call_command("graph", "show", "hiring", "--kind", "poem")


def test_paths_are_listed_with_the_paragraph_of_each_step(built: Built, client_of: ClientOf) -> None:
    client = client_of(built.firm.lawyer)
    status, body = paths(client, built, start="the auditor", predicates=["deadline"], hops=1, end_kind="value")
    with organization_scope(built.firm.organization, user=None):
        row = GraphTriplet.objects.get(corpus=built.corpus, kind="deadline", object="five years")

    assert status == 200
    assert "1 path, the shortest first" in one_line(body)
    assert f"/documents/{row.document_id}/" in body
    assert f"%3A{row.start}-{row.end}" in body


def test_the_form_keeps_what_was_chosen(built: Built, client_of: ClientOf) -> None:
    _, body = paths(client_of(built.firm.lawyer), built, start="zebra", predicates=["duty"], hops=3)

    assert "No matching path" in body
    assert 'value="zebra"' in body
    assert '<option value="3" selected>3</option>' in body
    assert 'value="duty" id="id_predicates_0" checked' in body


def test_a_path_without_a_start_is_asked_for_one(built: Built, client_of: ClientOf) -> None:
    status, body = paths(client_of(built.firm.lawyer), built, hops=2)

    assert status == 422
    assert "Type the name of what the paths start at" in body


def test_more_steps_than_three_are_refused(built: Built, client_of: ClientOf) -> None:
    status, _ = paths(client_of(built.firm.lawyer), built, start="auditor", hops=9)

    assert status == 422


def test_more_paths_than_are_shown_are_not_counted_as_all(built: Built, client_of: ClientOf, capsys: Any) -> None:
    _, body = paths(client_of(built.firm.lawyer), built, start="employer", hops=3)
    call_command(
        *("graph", "path", built.corpus.slug, '{"start": "employer", "hops": 2, "limit": 2}'),
        *("--organization", built.firm.organization.slug),
    )

    assert "The first 50 paths, the shortest first" in one_line(body)
    assert "There may be more." in body
    assert "These are the first 2 paths; there may be more" in capsys.readouterr().out


def test_the_command_names_the_entities_of_a_path(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    of = ["--organization", built.firm.organization.slug]
    call_command("graph", "path", built.corpus.slug, '{"start": "auditor", "predicates": ["deadline"]}', *of)

    assert "auditor → five years\n   " in capsys.readouterr().out


def decided(client: Client, built: Built, address: str, **decision: object) -> str:
    """Where the reviewer is after a decision on the page at an address."""
    body = client.get(address).content.decode()
    action = re.search(r'action="([^"]*/graph/review/[^"]*)"', body)
    assert action is not None
    reply = client.post(unescape(action[1]), decision)
    assert reply.status_code == 302
    return str(reply.headers["Location"])


def test_a_decision_leaves_the_reviewer_at_the_page_and_filter_of_the_list(built: Built, client_of: ClientOf) -> None:
    client, of = client_of(built.firm.lawyer), (built.firm.organization.slug, built.corpus.pk)
    with organization_scope(built.firm.organization, user=None):
        row = GraphTriplet.objects.get(corpus=built.corpus, kind="deadline", object="five years")
    listed = f"{reverse('graph_page', args=of)}?view=statements&kind=deadline&text=records&page=1"

    assert decided(client, built, listed, action="reject", triplet_id=row.pk) == listed


def test_a_decision_on_an_entity_leaves_the_reviewer_there_or_at_what_it_was_merged_into(
    built: Built, client_of: ClientOf
) -> None:
    client, of = client_of(built.firm.lawyer), (built.firm.organization.slug, built.corpus.pk)
    with organization_scope(built.firm.organization, user=None):
        auditor = GraphEntity.objects.get(corpus=built.corpus, key="n:auditor")
        employer = GraphEntity.objects.get(corpus=built.corpus, key="n:employer")
    here, there = (reverse("graph_entity", args=(*of, one.pk)) for one in (auditor, employer))

    assert path_of(decided(client, built, here, action="reject", entity_id=auditor.pk)) == here
    assert decided(client, built, here, action="merge", entity_id=auditor.pk, into_id=employer.pk) == there


def test_the_page_of_an_entity_undoes_what_was_decided_about_it(built: Built, client_of: ClientOf) -> None:
    client, of = client_of(built.firm.lawyer), (built.firm.organization.slug, built.corpus.pk)
    with organization_scope(built.firm.organization, user=None):
        auditor, employer, tool = (
            GraphEntity.objects.get(corpus=built.corpus, key=f"n:{name}")
            for name in ("auditor", "employer", "hiring tool")
        )
    there = reverse("graph_entity", args=(*of, employer.pk))
    decided(client, built, there, action="merge", entity_id=auditor.pk, into_id=employer.pk)
    decided(client, built, there, action="split", entity_id=tool.pk, alias="ht")

    def undoing(entity: GraphEntity) -> list[str]:
        body = one_line(page(client, "graph_entity", built, entity.pk))
        return re.findall(r'name="decision_id" value="([^"]+)"', body)

    (merged,), (split,) = undoing(employer), undoing(tool)
    assert merged != split
    assert path_of(decided(client, built, there, action="undo", decision_id=merged)) == there
    assert undoing(employer) == []
