"""The issues of a decision as questions that lead to its summary."""

from corpora.provisions.types import Part
from retrieval.questions.decisions import decisions_read


def part(number: int, text: str, *path: str) -> Part:
    return Part(number, text, "text", path=path)


def test_main_issues_lead_to_the_summary_of_the_decision() -> None:
    parts = [
        part(0, "The parties were married in 1998.", "Facts"),
        part(1, "Whether future retirement benefits are divided on divorce (affirmative).", "Main Issues"),
        part(2, "The spouse has contributed, so the benefits may be divided.", "Summary of Decision"),
    ]

    (decided,) = decisions_read(parts)

    assert decided.ordinal == 2
    assert decided.issues == ("Whether future retirement benefits are divided on divorce (affirmative)?",)
    (written,) = decided.questions(9)
    assert written.references == ((9, 0, len(parts[2].text)),)


def test_an_issue_in_prose_leads_to_what_the_court_holds_after_it() -> None:
    parts = [
        part(0, "The question presented is whether a parole term may be tolled. Petitioner says no."),
        part(1, "The statute is silent."),
        part(2, "We hold that the term was not tolled."),
    ]

    (decided,) = decisions_read(parts)

    assert (decided.ordinal, decided.issues) == (2, ("Whether a parole term may be tolled?",))


def test_without_a_holding_the_paragraph_that_names_the_issue_is_the_answer() -> None:
    (decided,) = decisions_read([part(0, "The issue is whether the notice was served in time by the clerk.")])

    assert decided.ordinal == 0


def test_a_decision_without_an_issue_gives_nothing() -> None:
    assert decisions_read([part(0, "The appeal is dismissed with costs to the respondent.")]) == []
