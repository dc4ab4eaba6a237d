"""The dependency parser as a second reader; its package is optional, so a scripted one is used here."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from retrieval.graph import building, parser
from retrieval.graph.parser import parser_triplets
from retrieval.graph.types import Triplet
from retrieval.kinds import By, Kind
from tests.ingestion import make_corpus
from tests.people import Firm

PLACE = Triplet(Kind.RELATION, "", "", "", 3, 0, 90, "Article 4")


@dataclass
class Token:
    """A word as spaCy gives it, with what depends on it."""

    text: str
    dep_: str
    pos_: str = "NOUN"
    lefts: list["Token"] = field(default_factory=list)
    rights: list["Token"] = field(default_factory=list)

    @property
    def lower_(self) -> str:
        return self.text.lower()

    @property
    def text_with_ws(self) -> str:
        return f"{self.text} "

    @property
    def children(self) -> list["Token"]:
        return [*self.lefts, *self.rights]

    @property
    def subtree(self) -> list["Token"]:
        before, after = ([one for child in side for one in child.subtree] for side in (self.lefts, self.rights))
        return [*before, self, *after]


def audit(sentences: Iterable[str]) -> list[list[Token]]:
    """ "The auditor keeps records of the audit in the office." as a parser would take it apart, for every sentence."""
    records = Token("records", "dobj", rights=[Token("of", "prep", rights=[Token("audits", "pobj")])])
    office = Token("in", "prep", rights=[Token("office", "pobj", lefts=[Token("the", "det")])])
    subject = Token("auditor", "nsubj", lefts=[Token("The", "det")])
    return [Token("keeps", "ROOT", "VERB", [subject], [records, office]).subtree for _ in sentences]


@pytest.fixture(autouse=True)
def scripted_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "_parser", lambda: SimpleNamespace(pipe=audit))  # spaCy is an extra


def test_a_verb_joins_its_subject_with_its_object_and_with_the_object_of_a_preposition() -> None:
    found = parser_triplets("The auditor keeps records of audits in the office.", place=PLACE)

    assert [(one.subject, one.predicate, one.object) for one in found] == [
        ("The auditor", "keeps", "records of audits"),
        ("The auditor", "keeps in", "the office"),
    ]
    assert {(one.kind, one.by, one.ordinal, one.start, one.end, one.section) for one in found} == {
        (Kind.RELATION, By.PARSER, 3, 0, 50, "Article 4")
    }


def test_a_sentence_with_a_modal_verb_is_left_to_the_rules() -> None:
    assert parser_triplets("The auditor shall keep records of audits in the office.", place=PLACE) == []


@pytest.mark.django_db
def test_a_graph_with_a_parser_that_is_not_installed_is_refused(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "parser_is_installed", lambda: False)  # it may be installed here
    corpus = make_corpus(firm)
    with (
        organization_scope(firm.organization, user=firm.manager),
        pytest.raises(ApplicationError, match="parser is not installed"),
    ):
        building.graph_start(**firm.by_manager, corpus_id=corpus.pk, uses_parser=True)
