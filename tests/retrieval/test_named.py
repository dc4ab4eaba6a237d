"""A provision that is named by its number is found under its heading, or where it begins; a footnote is none."""

import pytest

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from retrieval.named import provision_paragraphs, provisions_named
from retrieval.numbered import NAMED
from retrieval.types import Filters
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

ACT = """# Tools Act

## Article 27 Assessments

27 Directive 2014/90/EU on marine equipment (OJ L 257).

1. A deployer shall assess a tool before its first use.

2. It shall tell the authority.

## Article 28 Fees

1. The fee is 40 euros.

## Annex III

Tools for hiring.
"""
LEASE = """# Lease

14. Confidentiality.

(a) Neither party shall disclose the rent.

(b) This survives the lease.

15. Notices.

Notices are given in writing.
"""


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Tools")
    ingest(firm, corpus, "act.md", ACT)
    ingest(firm, corpus, "lease.md", LEASE)
    return corpus


def texts(firm: Firm, corpus: Corpus, unit: str, number: str, filters: Filters | None = None) -> list[str]:
    with organization_scope(firm.organization, user=firm.lawyer):
        found = provision_paragraphs(corpus=corpus, unit=unit, number=number, filters=filters or Filters(), most=5)
        return [" ".join(row.paragraph.text.split()) for rows in found.values() for row in rows]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("unit", "number", "last"),
    [
        ("Article", "27", "2. It shall tell the authority."),
        ("Annex", "III", "Tools for hiring."),
        ("Section", "14", "(b) This survives the lease."),
        ("clause", "15", "Notices are given in writing."),
    ],
)
def test_the_paragraphs_of_a_provision_are_found(unit: str, number: str, last: str, firm: Firm, corpus: Corpus) -> None:
    assert texts(firm, corpus, unit, number)[-1] == last


@pytest.mark.django_db
def test_a_number_that_no_provision_has_finds_nothing(firm: Firm, corpus: Corpus) -> None:
    assert texts(firm, corpus, "Article", "14") == []


@pytest.mark.django_db
def test_documents_that_the_filters_leave_out_are_not_read(firm: Firm, corpus: Corpus) -> None:
    assert texts(firm, corpus, "Article", "27", Filters(heading="Annex")) == []


@pytest.mark.django_db
def test_a_number_that_a_document_has_many_times_names_nothing(firm: Firm, corpus: Corpus) -> None:
    forms = "\n\n".join(f"## Form {name}\n\n7. Scope. It covers {name}." for name in "ABCD")
    ingest(firm, corpus, "forms.md", f"# Forms\n\n{forms}\n")

    assert texts(firm, corpus, "Section", "7") == []


FUNDS = """# Funds Rules

## 9.3 Refusing

9.3.2 The office may refuse a request.

## 9.4 Officers

9.4.1.(1) A fund shall have an officer.

9.4.1.(2) He must be resident.

9.4.1.(3) He may be dismissed.

9.4.1.(4) He is paid.

9.4.2 Another rule.
"""
BANKS = "# Banks Rules\n\n## 9.3.2 Registers\n\nA bank must keep a register.\n"


@pytest.mark.django_db
def test_a_rule_that_another_document_has_as_a_heading_is_found_too(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "funds.md", FUNDS)
    ingest(firm, corpus, "banks.md", BANKS)

    found = texts(firm, corpus, "Rule", "9.3.2")
    assert sorted(found) == ["9.3.2 The office may refuse a request.", "A bank must keep a register."]


@pytest.mark.django_db
def test_only_the_documents_that_are_meant_are_looked_at(firm: Firm, corpus: Corpus) -> None:
    meant = ingest(firm, corpus, "funds.md", FUNDS).version.pk
    ingest(firm, corpus, "banks.md", BANKS)
    with organization_scope(firm.organization, user=firm.lawyer):
        found = provision_paragraphs(
            corpus=corpus, unit="Rule", number="9.3.2", filters=Filters(), most=1, versions=[str(meant)]
        )

    assert list(found) == [meant]


@pytest.mark.django_db
def test_a_rule_whose_paragraphs_each_begin_with_its_number_is_one(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "funds.md", FUNDS)

    found = texts(firm, corpus, "Rule", "9.4.1")
    assert [text[:9] for text in found] == ["9.4.1.(1)", "9.4.1.(2)", "9.4.1.(3)", "9.4.1.(4)"]


@pytest.mark.django_db
def test_a_long_chapter_of_one_document_does_not_hide_that_of_another(firm: Firm, corpus: Corpus) -> None:
    for name in ("Alpha", "Beta"):
        rules = "\n\n".join(f"Rule of {name} on thing {n}." for n in range(90))
        ingest(firm, corpus, f"{name.lower()}.md", f"# {name} Act\n\n## Chapter III Rules\n\n{rules}\n")

    found = texts(firm, corpus, "Chapter", "III")
    assert sum("Alpha" in text for text in found) == sum("Beta" in text for text in found) == 90


@pytest.mark.django_db
def test_the_first_line_of_an_article_is_its_heading_and_no_footnote(firm: Firm, corpus: Corpus) -> None:
    with organization_scope(firm.organization, user=firm.lawyer):
        assert provisions_named(corpus=corpus, text="What does Article 27 say?") == ["Article 27 Assessments"]


@pytest.mark.parametrize("text", ["the part I need", "a title of nobility", "rule A is", "sections of the Act"])
def test_a_letter_that_is_a_word_names_no_provision(text: str) -> None:
    assert NAMED.search(text) is None
