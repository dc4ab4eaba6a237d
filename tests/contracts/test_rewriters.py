"""What every rewriter keeps: at most q rewrites, each once, and what was typed among what is searched."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from legalqa.llm.types import Role
from retrieval.rewriters import REWRITERS, Rewrite
from retrieval.rewriters.base import RewriteRequest, rewriter_methods
from retrieval.types import Queries
from tests.contracts.library import Library, library
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider, says_json

__all__ = ["library"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sdk")]
ASKED = "And for agencies? Also, what rent does the tenant pay, and who repairs the roof of the house?"
BEFORE = ("Which notice must landlords give to the tenants?",)
REPLY = {
    "question": "Which notice must agencies give, what rent is paid, and who repairs the roof?",
    "reason": "It goes on from the previous question.",
    "queries": [
        {"text": "What rent does the tenant pay?", "kind": "part", "reason": ""},
        {"text": "What rent does the tenant pay?", "kind": "part", "reason": "twice"},
        {"text": "Who repairs the roof of the house?", "kind": "part", "reason": ""},
        {"text": "notice of agencies", "kind": "wording", "reason": ""},
    ],
}
Ask = Callable[[str, int], Queries]
each = pytest.mark.parametrize("name", REWRITERS.names())


@pytest.fixture
def ask(library: Library, settings: Settings, scripted_provider: ScriptedProvider) -> Ask:
    """Ask a rewriter; the model of the organisation answers REPLY."""
    firm, corpus = library
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.REWRITE)

    def asked(name: str, q: int) -> Queries:
        scripted_provider.always = says_json(REPLY)
        request = RewriteRequest(firm.organization, firm.lawyer, corpus.pk, ASKED, BEFORE, q, reads_meaning=True)
        return REWRITERS.get(name)(request)

    return asked


@each
@pytest.mark.parametrize("q", [1, 2, 10])
def test_a_rewriter_gives_at_most_q_rewrites_each_once(name: str, q: int, ask: Ask) -> None:
    queries = ask(name, q)

    assert len(queries.rewrites) <= q
    assert len({text.casefold() for text in queries.texts}) == len(queries.texts)
    assert all(rewrite.text.strip() and rewrite.rule and rewrite.reason for rewrite in queries.rewrites)


@each
def test_a_rewriter_keeps_what_was_typed_and_says_why_it_reads_it_otherwise(name: str, ask: Ask) -> None:
    queries = ask(name, 10)

    assert queries.asked == ASKED
    assert ASKED in queries.texts
    assert queries.text == ASKED or queries.reasons
    assert queries.method in rewriter_methods()


@each
def test_a_rewriter_has_words_and_can_be_set_in_a_pipeline(name: str) -> None:
    method = name.removesuffix(".v1")

    assert REWRITERS.get(name).label
    assert Rewrite(method=method).words == f"Question rewritten {REWRITERS.get(name).label}, in at most 3 further ways"
