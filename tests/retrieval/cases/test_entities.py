"""Entities of a text by rules, of the kinds that CBR-RAG's table 1 shows."""

from retrieval.cases.entities import entities_line, entities_of

SMITH = (
    "In Smith v The State of New South Wales (2015), the plaintiff was searched without a warrant near a known drug "
    "trafficking area, but no drugs were found. Section 21 of the Law Enforcement Act 2002 asks for “reasonable "
    "grounds”."
)


def test_the_kinds_of_the_papers_example_are_found() -> None:
    found = entities_of(SMITH)

    assert found["case_name"] == ("Smith v The State of New South Wales (2015)",)
    assert found["act"] == ("Law Enforcement Act 2002",)
    assert found["provision"] == ("Section 21",)
    assert found["location"] == ("near a known drug trafficking area",)
    assert found["action"][0].startswith("searched without a warrant")
    assert "no drugs were found" in found["outcome"][0]
    assert "reasonable grounds" in found["concept"]


def test_an_act_is_named_without_the_words_that_lead_to_it_and_only_once() -> None:
    text = "Under the Corporations Act 2001 (Cth) a firm reports. The Corporations Act 2001 (Cth) also says when."

    assert entities_of(text)["act"] == ("Corporations Act 2001 (Cth)",)


def test_rules_and_regulations_of_nobody_are_no_act() -> None:
    assert "act" not in entities_of("Such Rules bind all. The Regulations and Rules apply.")
    assert entities_of("Local Law 144 of 2021 and Regulation (EU) 2016/679 apply.")["act"] == (
        "Local Law 144 of 2021",
        "Regulation (EU) 2016/679",
    )


def test_entities_are_one_line_with_each_phrase_once() -> None:
    line = entities_line({"concept": ("Market Abuse", "Member"), "act": ("Listing Rules",)})

    assert line == "Listing Rules Market Abuse Member"
    assert entities_of("nothing here at all") == {}
