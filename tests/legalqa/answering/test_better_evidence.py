"""Before a statement is withheld: one search with its own words, and a second check."""

from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import Settings

from legalqa.accounts.models import User
from legalqa.answering.strategies import written
from legalqa.answering.strategies.better_evidence import SEARCHES, UNSEARCHED
from legalqa.answering.verification import Reads
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import LATE, NOTICE, SUBLET, Office, shown, statement, told, withheld, writes
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider


@pytest.fixture
def office(committed_office: Office, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Office:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(committed_office.firm, scripted_provider.url)
    return committed_office


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    # No settings; on a busy machine these limits would decide what is found.
    monkeypatch.setattr(written, "SEARCHES_S", 600.0)
    monkeypatch.setattr(written, "CHECKS_S", 600.0)


def test_a_statement_whose_quote_does_not_support_it_is_shown_with_the_evidence_that_does(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    answer = told(office, writes(statement(LATE), (NOTICE, (LATE,))), model=scripted_provider)

    assert shown(answer) == [LATE, NOTICE]
    assert [cited["quote"] for cited in answer["claims"][1]["citations"]] == [NOTICE]


def test_what_no_search_supports_stays_withheld_with_its_source_and_reason(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    wrong = SUBLET.replace("may sublet", "must sublet")
    answer = told(office, writes(statement(LATE), (wrong, (SUBLET,))), model=scripted_provider)

    assert [text for text, _ in withheld(answer)] == [wrong]
    [claim] = [claim for claim in answer["claims"] if not claim["shown"]]
    assert [cited["quote"] for cited in claim["citations"]] == [SUBLET]


def test_a_statement_that_no_search_was_made_for_says_so(office: Office, scripted_provider: ScriptedProvider) -> None:
    wrong = [(f"An agent paints the {thing} green.", (LATE,)) for thing in ("fence", "gate", "door", "wall")]
    answer = told(office, writes(statement(LATE), *wrong), model=scripted_provider)

    reasons = [reason for _, reason in withheld(answer)]
    assert [reason.startswith(UNSEARCHED) for reason in reasons] == [False] * SEARCHES + [True]
    assert len(reasons[-1]) > len(UNSEARCHED) + 10, "why it is withheld is told, too"


def test_a_statement_that_the_evidence_denies_is_contradicted_and_quotes_it(
    office: Office,
    scripted_provider: ScriptedProvider,
    monkeypatch: pytest.MonkeyPatch,
    client_of: Callable[[User], Client],
) -> None:
    def denies(*, is_urgent: bool = False) -> Reads:
        def reads(pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
            return [(0.01, 0.97, 0.02)] * len(pairs)

        return reads

    # A reader that is sure, whatever the packaged one thinks of this.
    monkeypatch.setattr(written, "reads_support", denies)
    answer = told(
        office, writes(statement(LATE), ("The tenant owes nothing at all.", (LATE,))), model=scripted_provider
    )

    [claim] = answer["contradictions"]
    assert (claim["text"], claim["shown"]) == ("The tenant owes nothing at all.", False)
    assert "The document says otherwise" in claim["reason"]
    assert [cited["quote"] for cited in claim["citations"]] == [LATE]
    pack = client_of(office.firm.lawyer).get(reverse("answer_pack", args=["harding", answer["id"]])).content.decode()
    assert "Contradicted" in pack.split('id="pack-withheld"')[1]


def test_page_and_pack_show_what_a_withheld_statement_was_compared_with(
    office: Office, scripted_provider: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    wrong = SUBLET.replace("may sublet", "must sublet")
    scripted_provider.will(writes(statement(LATE), (wrong, (SUBLET,))))
    answer = w.ask(office)
    client, slug = client_of(office.firm.lawyer), office.firm.organization.slug

    for page in ("answer_detail", "answer_pack"):
        html = " ".join(client.get(reverse(page, args=[slug, answer.pk])).content.decode().split())
        evidence = html.partition("data-evidence")[2]
        assert f"Compared with “{escape(SUBLET)}”" in evidence
        assert f"/o/{slug}/documents/" in evidence
