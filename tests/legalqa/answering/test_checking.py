"""Checks of what a model wrote: bounded, outside every transaction, and ended by a cancel."""

from collections.abc import Callable
from typing import Any

import pytest
from rapidfuzz.fuzz import partial_ratio_alignment

from corpora.models import Document, Paragraph, Position
from legalqa.accounts.scoping import organization_scope, scope_is_active
from legalqa.answering.models import Answer
from legalqa.answering.selectors import answer_job
from legalqa.answering.services import work
from legalqa.answering.statements import UNCHECKED, SourceQuote, Statement, WrittenReply, claims_check
from legalqa.answering.strategies import written
from legalqa.answering.types import Ending
from legalqa.answering.verification import quotes
from legalqa.jobs.services import job_cancel
from retrieval.services.search import Passage
from tests.legalqa.answering.writing import LATE, Office, ask, document, statement, writes
from tests.provider import ScriptedProvider

SENTENCE = "The tenant of house {} shall pay the rent of {} euros on the first day of each month. "
LONG = "".join(SENTENCE.format(n, 7 * n) for n in range(100))[:6500]


def opened(n: int) -> Passage:
    at = Position(pk=n, paragraph=Paragraph(pk=n, text=LONG), heading_path=["Rent"])
    return Passage(n, 1.0, n, at, Document(name="Lease"), 1, "pdf", ())


PASSAGES = [opened(n) for n in range(1, 7)]


def hostile(*, quoted: str) -> WrittenReply:
    """Eight statements that each quote six passages nearly word for word."""
    sources = [SourceQuote(id=f"S{one.rank}", quote=quoted.replace(". ", "! ")) for one in PASSAGES]
    statements = [Statement(text=f"The tenant of house {n} shall pay the rent.", sources=sources) for n in range(8)]
    return WrittenReply(verdict="answered", claims=statements)


def checked(reply: WrittenReply, has_time: Callable[[], bool] = lambda: True) -> list[tuple[bool, str]]:
    claims = claims_check(reply, passages=PASSAGES, readable=range(1, 7), max_claims=8, reads=None, has_time=has_time)
    return [(claim.is_shown, claim.check.reasons[0]) for claim in claims]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the tables that looking for the closest place has filled."""
    sizes: list[int] = []

    def counted(wanted: str, text: str, **options: Any) -> Any:
        sizes.append(len(wanted) * len(text))
        return partial_ratio_alignment(wanted, text, **options)

    # The real one, measured: a bound on work that no answer shows.
    monkeypatch.setattr(quotes, "partial_ratio_alignment", counted)
    return sizes


def test_a_long_quote_must_be_there_word_for_word_and_is_compared_with_nothing(compared: list[int]) -> None:
    assert checked(hostile(quoted=LONG[:3990])) == [(False, "Its quote is not in the passage it cites.")] * 8
    assert compared == []


def test_a_short_quote_is_compared_once_with_each_passage_that_it_names(compared: list[int]) -> None:
    checked(hostile(quoted=LONG[:590]))

    assert len(compared) == 48
    assert max(compared) <= quotes.MAX_CLOSE_CHARS * len(LONG)


def test_a_passage_of_any_length_is_not_compared_with_a_quote(compared: list[int]) -> None:
    assert quotes.quote_find("The tenent of house 1 shall pay", LONG * 4) is None
    assert compared == []


def test_what_there_is_no_time_for_is_withheld_and_says_so() -> None:
    asked = iter([True] * 7 + [False] * 100)
    found = checked(hostile(quoted=LONG[:590]), has_time=lambda: next(asked))

    assert found[0][1] != UNCHECKED
    assert found[1:] == [(False, UNCHECKED)] * 7


def working_answer(office: Office) -> Answer:
    return Answer.objects.select_related("question").get(state="working")


def test_statements_are_checked_with_no_transaction_open(
    office: Office, scripted_provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, seen = written.ending_written, []

    def looked(*args: Any, **options: Any) -> Ending:
        seen.append((scope_is_active(), options["has_time"]()))
        return check(*args, **options)

    monkeypatch.setattr(written, "ending_written", looked)  # the real one, with a look at the scope around it
    scripted_provider.will(writes(statement(LATE)))
    told = document(office, ask(office))

    assert seen == [(False, True)]
    assert [claim["text"] for claim in told["claims"] if claim["shown"]] == [LATE]


def test_a_cancel_ends_the_checks_and_nothing_of_the_answer_is_kept(
    office: Office, scripted_provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled(*args: Any, has_time: Callable[[], bool], **options: Any) -> Ending:
        with organization_scope(office.firm.organization, user=None):
            job = answer_job(answer=working_answer(office))
            assert job is not None
            job_cancel(organization=office.firm.organization, job_id=job.pk)
        has_time()
        raise AssertionError("the checks went on")

    monkeypatch.setattr(work, "LOOK_S", 0.0)  # no setting: a cancel is looked for twice a second
    monkeypatch.setattr(written, "ending_written", cancelled)  # a cancel in the midst of the checks, to the moment
    scripted_provider.will(writes(statement(LATE)))
    told = document(office, ask(office))

    assert (told["state"], told["claims"], told["mode"]) == ("cancelled", [], "extractive")
