"""Names of corpora in any script."""

import pytest

from corpora.selectors import corpus_by_name
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from tests.ingestion import make_corpus
from tests.people import Firm


def test_names_in_other_scripts_work_and_do_not_collide(firm: Firm) -> None:
    names = ["Дело 1", "Иск 1", "契約", "عقد", "Übergabe", "1"]
    corpora = [make_corpus(firm, name) for name in names]

    assert [corpus.slug for corpus in corpora] == ["дело-1", "иск-1", "契約", "عقد", "übergabe", "1"]
    with organization_scope(firm.organization, user=firm.manager):
        for corpus in corpora:
            assert corpus_by_name(organization=firm.organization, name=corpus.slug) == corpus
            assert corpus_by_name(organization=firm.organization, name=corpus.name) == corpus


def test_a_name_that_is_taken_is_taken_in_any_script(firm: Firm) -> None:
    make_corpus(firm, "Дело 1")
    with pytest.raises(Conflict, match="A corpus already has the name 'ДЕЛО 1'"):
        make_corpus(firm, "ДЕЛО 1")


def test_a_name_without_letter_or_digit_is_refused(firm: Firm) -> None:
    with pytest.raises(ApplicationError, match="at least one letter or digit"):
        make_corpus(firm, "§ …")
