"""What kind of answer a question asks for, and what a text must hold to be one."""

import pytest

from legalqa.answering.composing.kinds import Kind, is_headed, kind_of

AUDITED = "Who may carry out the bias audit?"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is a deployer?", Kind.DEFINITION),
        ("Who is a data controller?", Kind.DEFINITION),
        ("What is the penalty for a first violation?", Kind.AMOUNT),
        ("How long must deployers keep the logs?", Kind.DEADLINE),
        ("What is the rent?", Kind.AMOUNT),
        ("What is the security deposit?", Kind.AMOUNT),
        ("What is the royalty for subscription films?", Kind.AMOUNT),
        ("What is a deposit?", Kind.DEFINITION),
        ("What is the commission?", Kind.AMOUNT),
        ("What is the Commission?", Kind.DEFINITION),
        ("What is the public interest?", Kind.DEFINITION),
        ("What is the conflict of interest?", Kind.OPEN),
        ("What is the governing law?", Kind.OPEN),
        (AUDITED, Kind.WHO),
        ("What must the summary of results contain?", Kind.LIST),
        ("What has to be published on the website?", Kind.LIST),
        ("What is prohibited?", Kind.LIST),
        ("What is required for remote work?", Kind.LIST),
        ("What is allowed?", Kind.OPEN),
        ("Who does this Regulation apply to?", Kind.LIST),
        ("To whom does the policy apply?", Kind.LIST),
        ("Who is covered by the law?", Kind.LIST),
        ("What are the penalties?", Kind.LIST),
        ("What does the label have to say about sugar?", Kind.LIST),
        ("What does the handbook say about mobile phones?", Kind.OVERVIEW),
        ("Give me an overview of the penalties", Kind.OVERVIEW),
        ("What must candidates be told?", Kind.LIST),
        ("What must an importer check before placing a system on the market?", Kind.LIST),
        ("What must the notice to guests say?", Kind.LIST),
        ("What must the notice to a guest who lives in the city say?", Kind.LIST),
        ("When is an AI system high-risk?", Kind.DEFINITION),
        ("When is a device considered to be essential equipment?", Kind.DEFINITION),
        ("When is the fee due?", Kind.DEADLINE),
        ("When do I have to tell the regulator?", Kind.DEADLINE),
        ("How fast do we have to pull the listing?", Kind.DEADLINE),
        ("When does a distributor become a provider?", Kind.CONDITION),
        ("When does a breach qualify as material?", Kind.CONDITION),
        ("When is a tenant in default?", Kind.CONDITION),
        ("When need we not tell the people affected?", Kind.CONDITION),
        ("From when do the obligations apply?", Kind.DEADLINE),
        ("What is considered working time?", Kind.DEFINITION),
        ("What is not covered?", Kind.LIST),
        ("Do small companies pay the same fines?", Kind.YES_NO),
        ("How is the fine calculated?", Kind.PROCEDURE),
        ("Which courts have jurisdiction?", Kind.LIST),
        ("Which law governs the contract?", Kind.OPEN),
        ("What should be done first?", Kind.OPEN),
        ("Is social scoring allowed?", Kind.YES_NO),
    ],
)
def test_the_kind_of_answer_follows_from_the_words(question: str, kind: Kind) -> None:
    assert kind_of(question) == kind


def test_a_heading_that_the_question_repeats_names_its_article() -> None:
    question = "What are the tasks of the European Artificial Intelligence Board?"

    assert is_headed("Article 66 Tasks of the Board", question=question)
    assert not is_headed("Article 65 Establishment and structure of the Board", question=question)
    assert not is_headed("The Board", question=question)
    assert is_headed("§ 20-872 Penalties", question="What are the penalties?")
    assert is_headed("Article 24 Obligations of distributors", question="Which duties do distributors have?")


def test_what_somebody_has_to_do_asks_what_he_must_do() -> None:
    assert kind_of("What has an importer to do?") == kind_of("What must an importer do?") == Kind.PROCEDURE
