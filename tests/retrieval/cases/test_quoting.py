"""Where the supports of many cases are in the paragraphs of a corpus."""

from time import process_time

from retrieval.cases.quoting import paragraphs_holding

DUTY = "The provider of system {n} shall inform the authority within ten days after the event of kind {n}."


def test_thousands_of_supports_that_begin_alike_are_looked_for_in_a_moment() -> None:
    paragraphs = [
        (f"p{n}", f"{DUTY.format(n=n)} The operator keeps the records of each such event.") for n in range(2000)
    ]
    started = process_time()
    found = paragraphs_holding(paragraphs, [DUTY.format(n=n) for n in range(0, 6000, 2)])

    assert process_time() - started < 1.5
    assert found == {DUTY.format(n=n): [f"p{n}"] for n in range(0, 2000, 2)}


def test_a_support_is_found_in_each_paragraph_that_holds_it_whatever_is_before_and_behind_it() -> None:
    support = (
        "he keeps the records of each event for as long as the law says and longer where a court asks for it in writing"
    )
    paragraphs = [("a", f"So t{support}."), ("b", f"T{support}; t{support}."), ("c", support[:80])]

    assert paragraphs_holding(paragraphs, [f"t{support}", "he keeps the records of"]) == {
        f"t{support}": ["a", "b"],
        "he keeps the records of": ["c"],
    }
