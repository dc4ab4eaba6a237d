"""Which names of a graph are so near that they may be one."""

from time import perf_counter

from retrieval.graph.naming import normal
from retrieval.graph.pairing import Named, pairs_alike


def named(name: str, n_triplets: int = 1, *others: str) -> Named:
    return Named(f"n:{normal(name)}", name, "thing", n_triplets, tuple(map(normal, (name, *others))))


def pairs(*entities: Named, known: frozenset[frozenset[str]] = frozenset()) -> list[tuple[str, str]]:
    return [(pair.goes.name, pair.stays.name) for pair in pairs_alike(entities, known=known)]


def test_a_short_form_goes_into_the_long_one_however_often_it_is_used() -> None:
    long = named("Department of Consumer and Worker Protection")

    assert pairs(named("DCWP", 90), long) == [("DCWP", "Department of Consumer and Worker Protection")]
    assert pairs(named("DPO", 9), named("data protection officer")) == [("DPO", "data protection officer")]


def test_two_spellings_go_into_the_one_that_is_used_more() -> None:
    assert pairs(named("organisation"), named("organization", 5)) == [("organisation", "organization")]
    assert pairs(named("data centre operator", 7), named("operators of data centers")) == [
        ("operators of data centers", "data centre operator")
    ]


def test_a_name_and_a_longer_one_with_its_head_are_a_pair() -> None:
    assert pairs(named("competent authority", 4), named("national competent authority")) == [
        ("national competent authority", "competent authority")
    ]
    assert pairs(named("auditor"), named("report of the auditor")) == []


def test_other_numbers_are_other_things() -> None:
    assert pairs(named("level 1 provider"), named("level 2 provider")) == []
    assert pairs(named("class II device"), named("class III device")) == []


def test_the_likeliest_pairs_come_first_and_known_ones_not_at_all() -> None:
    entities = [named("covered employer"), named("employer", 8), named("DPO"), named("data protection officer")]

    assert [goes for goes, _ in pairs(*entities)] == ["DPO", "covered employer"]
    known = frozenset([frozenset(["n:data protection officer", "n:dpo"])])
    assert pairs(*entities, known=known) == [("covered employer", "employer")]


def test_another_name_of_an_entity_is_compared_too() -> None:
    entities = [named("controller", 3, "data controller"), named("data controler")]

    assert pairs(*entities) == [("data controler", "controller")]


def test_thousands_of_names_with_one_head_are_compared_in_seconds() -> None:
    entities = [
        named(f"{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{'uvwxy'[n // 100 % 5]} system") for n in range(500)
    ]
    start = perf_counter()

    pairs(*entities)

    assert perf_counter() - start < 10
