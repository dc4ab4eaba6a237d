"""The shipped types of gold questions."""

from judging.gold.taxonomy import CRITERIA, HYPA, PATHLEX, SHIPPED, kind_of


def test_the_eleven_types_of_hypa_rag_target_what_its_table_3_says() -> None:
    found = {kind.name: kind.target_words for kind in SHIPPED if kind.family == HYPA}

    assert found == {
        "simple": "generator, retriever, router",
        "complex": "generator, retriever",
        "distracting": "generator, retriever, rewriter",
        "situational": "generator",
        "double": "generator, rewriter",
        "conversational": "rewriter",
        "complex situational": "generator",
        "out of scope": "generator, prompt",
        "vague": "generator, rewriter",
        "comparative": "generator, rewriter",
        "rule conclusion": "generator, rewriter",
    }


def test_the_seven_categories_of_pathlex_are_there_and_every_type_says_what_it_tests() -> None:
    assert len([kind for kind in SHIPPED if kind.family == PATHLEX]) == 7
    assert all(kind.tests.endswith(".") and kind.targets for kind in SHIPPED)
    assert [criterion.label for criterion in CRITERIA][:2] == ["Faithfulness", "Answer relevancy"]


def test_a_type_is_found_in_any_case_and_an_unknown_word_is_none() -> None:
    found = kind_of(" Rule  Conclusion", SHIPPED)

    assert found is not None
    assert found.name == "rule conclusion"
    assert kind_of("riddle", SHIPPED) is None
